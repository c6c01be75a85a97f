"""A picture read from a file: blue, green, red, eight bits each, the way up in which people see it.

Whatever the file says about its being turned (EXIF) is done to it, so corners are counted as in any program
that shows it. Sixteen bits become eight, grey and palettes three channels, inks (CMYK) the colours that other
programs show for them, and what is transparent is as if it were not.

Pillow reads the head and tells what is cut short; OpenCV decodes, a fifth quicker, and only its decoder says
where it has made up what is missing within a JPEG.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.errors import NotAPicture
from companion.eyes.image.picture_head import open_picture, why_unreadable

# Twice what the largest camera of a Pi gives; decoded it takes 120 MB.
MOST_PIXELS: Final = 40_000_000
# OpenCV can't lay a larger picture flat.
LONGEST: Final = 30_000
# In fewer pixels the print of nine cards can't be seen.
SHORTEST: Final = 160
LARGEST_FILE: Final = 200_000_000
STANDARD_ERROR: Final = 2


def read_picture(path: Path) -> MatLike:
    try:
        return pixels_of(_read_file(path))
    except NotAPicture as error:
        raise NotAPicture(f"{path}: {error}.") from None


def pixels_of(data: bytes, shortest: int = SHORTEST) -> MatLike:
    """The pixels of a picture file's bytes; `NotAPicture` says what is wrong with them.

    >>> pixels_of(Path("table.jpg").read_bytes()).shape
    (960, 1280, 3)
    """
    head = open_picture(data)
    wide, high = head.size
    if min(wide, high) < shortest:
        raise NotAPicture(
            f"it is too small, {wide} x {high} pixels; the nine cells need {SHORTEST} x {SHORTEST}, "
            "and better 1280 x 960"
        )
    if wide * high > MOST_PIXELS or max(wide, high) > LONGEST:
        raise NotAPicture(
            f"it is too large, {wide} x {high} pixels; {MOST_PIXELS // 1_000_000} million are the most, "
            "and 1280 x 960 are plenty"
        )
    picture, said = _decode(data)
    if picture is None or _is_incomplete(said):
        raise NotAPicture(why_unreadable(head))
    return picture


def _read_file(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise NotAPicture("it is a folder; name the pictures in it")
        if path.exists() and not path.is_file():
            raise NotAPicture("it is no file; save the picture in one")
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise NotAPicture("there is no such file; look at the name and the folder") from None
    except OSError as error:
        raise NotAPicture(f"it can't be read ({error.strerror}); look at its name and whose it is") from None
    if len(data) > LARGEST_FILE:
        raise NotAPicture("it is far too large for a picture of a table; save it smaller, as JPEG")
    return data


def _decode(data: bytes) -> tuple[MatLike | None, str]:
    """The picture, if it can be decoded, and what the decoders had to say about it."""
    with _capture_stderr() as said:
        try:
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            picture = None
        said.seek(0)
        return picture, said.read().decode(errors="replace")


def _is_incomplete(said: str) -> bool:
    """JPEG's decoder makes up what it can't read and says so; bytes that are only too many do no harm."""
    return any("JPEG" in line and "extraneous" not in line for line in said.splitlines())


@contextmanager
def _capture_stderr() -> Generator[IO[bytes]]:
    """What the decoders' C code writes to standard error, which it takes for its own."""
    with _open_scratch_file() as said:
        kept = os.dup(STANDARD_ERROR)
        os.dup2(said.fileno(), STANDARD_ERROR)
        try:
            yield said
        finally:
            os.dup2(kept, STANDARD_ERROR)
            os.close(kept)


def _open_scratch_file() -> IO[bytes]:
    """In memory where the system can do that: a full disk is no reason to read no picture."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("decoder"), "w+b")
    return TemporaryFile()
