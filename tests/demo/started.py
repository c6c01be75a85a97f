"""`companion demo` in a process of its own."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def demo(*options: str, out: int = subprocess.PIPE) -> Generator[subprocess.Popen[str]]:
    program = subprocess.Popen(
        [sys.executable, "-m", "companion", "demo", "--bind", "127.0.0.1", *options],
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


def line_with(program: subprocess.Popen[str], begin: str) -> str:
    assert program.stdout is not None
    for line in program.stdout:
        if line.startswith(begin):
            return line.removeprefix(begin).strip()
    raise AssertionError(program.stderr.read() if program.stderr else "")
