"""One wire from an output to two inputs, for `companion timing`: `python wire.py OUT`. The wire is a process of
its own that pulls the inputs where the output goes.
"""

import subprocess
import sys
from pathlib import Path
from typing import Final

from service import COMPANION, DATA

from hardware.gpio.simlines import SimLines, sim_lines

OUTPUT, INPUTS = 4, (18, 7)
PAIRS: Final = 50


def main(out: Path) -> None:
    with sim_lines():
        wire = subprocess.Popen([sys.executable, __file__])
        command = [COMPANION, "timing", "--output", OUTPUT, "--inputs", *INPUTS, "--pairs", PAIRS, "--data", DATA]
        said = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, check=False)
        wire.kill()
        wire.wait()
    (out / "timing").write_text(f"{said.returncode}\n{said.stdout}")


def copy() -> None:
    lines, before = SimLines(), False
    while True:
        high = lines.is_high(OUTPUT)
        if high is not before:
            for line in INPUTS:
                (lines.let_go if high else lines.press)(line)
        before = high


if __name__ == "__main__":
    main(Path(sys.argv[1])) if len(sys.argv) > 1 else copy()
