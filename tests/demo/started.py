"""`companion demo` in a process of its own."""

import subprocess
import sys
from contextlib import AbstractContextManager

from ..started import started


def demo(*options: str, out: int = subprocess.PIPE) -> AbstractContextManager[subprocess.Popen[str]]:
    return started([sys.executable, "-m", "companion", "demo", "--bind", "127.0.0.1", *options], out=out)


def line_with(program: subprocess.Popen[str], begin: str) -> str:
    assert program.stdout is not None
    for line in program.stdout:
        if line.startswith(begin):
            return line.removeprefix(begin).strip()
    raise AssertionError(program.stderr.read() if program.stderr else "")
