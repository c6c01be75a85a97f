"""Another's eyes on our PDFs: Debian's poppler-utils."""

import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.paper.raster import Picture

MM_PER_INCH = 25.4


def printed(pdf: Path, pixels_per_mm: float) -> list[Picture]:
    tool = shutil.which("pdftoppm")
    if tool is None:
        pytest.skip("pdftoppm is missing (apt install poppler-utils): NO PDF HAS BEEN COMPARED with its picture")
    resolution = str(pixels_per_mm * MM_PER_INCH)
    done = subprocess.run(
        [tool, "-r", resolution, "-png", pdf, pdf.with_suffix("")], capture_output=True, text=True, check=True
    )
    assert "" == done.stderr
    pages = sorted(pdf.parent.glob(f"{pdf.stem}-*.png"))
    return [np.asarray(cv2.imread(str(page)), np.uint8) for page in pages]
