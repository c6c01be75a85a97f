"""A program in a process of its own, ended whatever comes."""

import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager


@contextmanager
def started(command: Sequence[str], *, out: int = subprocess.PIPE) -> Generator[subprocess.Popen[str]]:
    program = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True)
    try:
        yield program
    finally:
        program.kill()
        program.communicate()
