"""The program as its user starts it, and what it says."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


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
