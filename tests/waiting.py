"""Waits for what another thread brings about, and no longer than it takes."""

from collections.abc import Callable
from threading import Event

SOON = 20.0


def until(true: Callable[[], object]) -> None:
    waits = Event()
    for _ in range(round(SOON / 0.01)):
        if true():
            return
        waits.wait(0.01)
    raise AssertionError("it never came true")
