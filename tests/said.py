"""The program as its user starts it, and what it says."""

import json
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from companion.logs.log_lines import NOTICE


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Said]


def no_remark(words: str) -> None:
    """For what must have nothing to say."""
    raise AssertionError(words)


@contextmanager
def heard(module: str, tell: Callable[[str], object]) -> Generator[None]:
    """What that module says to people, at the moment when it does."""

    class Teller(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            tell(record.getMessage())

    teller, log = Teller(NOTICE), logging.getLogger(module)
    before = log.level
    log.setLevel(logging.DEBUG)
    log.addHandler(teller)
    try:
        yield
    finally:
        log.removeHandler(teller)
        log.setLevel(before)
