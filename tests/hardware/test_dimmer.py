"""Lamps that glow: one thread for all, and a dead line darkens no other."""

import threading
from collections.abc import Callable
from itertools import cycle

import pytest

from hardware.gpio import dimmer as dimmers
from hardware.gpio.dimmer import SECOND, Dimmer, Glow

from ..thread_names import kill, thread_named, unreported
from .conftest import SOON


class Bulb:
    """Can be waited for."""

    def __init__(self) -> None:
        self.switched = 0
        self.on = False
        self._came = threading.Condition()

    def __call__(self, on: bool) -> None:  # noqa: FBT001 - what the dimmer calls
        with self._came:
            self.on = on
            self.switched += 1
            self._came.notify_all()

    def wait(self, true: "Callable[[Bulb], bool]") -> None:
        with self._came:
            assert self._came.wait_for(lambda: true(self), SOON)


def dying(on: bool) -> None:  # noqa: FBT001 - what the dimmer calls
    if not on:
        raise OSError(5, "Input/output error")


def dead(on: bool) -> None:  # noqa: ARG001, FBT001 - what the dimmer calls
    raise OSError(5, "Input/output error")


def test_a_share_of_the_time() -> None:
    """Half lit is on and off; all and nothing stand still."""
    dimmer, bulb = Dimmer(), Bulb()
    dimmer.glow(1, bulb, 100, 0.5)
    bulb.wait(lambda bulb: bulb.switched >= 4)
    dimmer.glow(1, bulb, 100, 1.0)
    bulb.wait(lambda bulb: bulb.on)
    dimmer.glow(1, bulb, 100, 0.0)
    bulb.wait(lambda bulb: not bulb.on)
    dimmer.close()


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("late_ms", [(0,), (0, 5, 1, 7, 0, 5)])
def test_whoever_comes_late_gives_no_more_light(share: float, late_ms: tuple[int, ...]) -> None:
    """Over a second it was lit for its share, however often somebody else had the processor."""
    lit: list[tuple[int, bool]] = [(0, False)]
    now = 0
    glow = Glow(lambda on: lit.append((now, on)), SECOND // 120, share, at=0)
    late = cycle(late_ms)
    while now < SECOND:
        glow.turn(now)
        now = glow.due + next(late) * 1_000_000
    ends = [*lit[1:], (now, False)]
    given = sum(end - begin for (begin, on), (end, _) in zip(lit, ends, strict=True) if on)
    assert given / now == pytest.approx(share, abs=0.02)
    assert len(lit) > 4


def test_a_dead_line_darkens_no_other() -> None:
    """It is told to whoever wants it to glow, at once or the next time."""
    dimmer, bulb = Dimmer(), Bulb()
    dimmer.glow(1, bulb, 100, 0.5)
    dimmer.glow(2, dying, 100, 0.5)
    seen = bulb.switched
    bulb.wait(lambda bulb: bulb.switched > seen + 4)
    with pytest.raises(OSError, match="Input/output"):
        dimmer.glow(2, dying, 100, 0.7)
    with pytest.raises(OSError, match="Input/output"):
        dimmer.glow(2, dead, 100, 0.7)
    bulb.wait(lambda bulb: bulb.switched > seen + 8)
    dimmer.dark(2)
    dimmer.close()


def glow_on(dimmer: Dimmer) -> None:
    while True:
        dimmer.glow(2, dying, 100, 0.5)


def test_after_the_last_lamp_has_died_another_may_glow() -> None:
    """The thread has ended, and begins anew."""
    dimmer, bulb = Dimmer(), Bulb()
    dimmer.glow(2, dying, 100, 0.5)
    with pytest.raises(OSError, match="Input/output"):
        glow_on(dimmer)
    dimmer.glow(1, bulb, 100, 0.5)
    bulb.wait(lambda bulb: bulb.switched > 2)
    dimmer.close()


def test_a_glow_that_was_killed_is_lit_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever lets the next lamp glow; until then it says that it is not well."""
    monkeypatch.setattr(threading, "excepthook", unreported)
    dimmer, bulb = Dimmer(), Bulb()
    dimmer.glow(1, bulb, 100, 0.5)
    bulb.wait(lambda bulb: bulb.switched > 2)
    assert dimmer.is_working
    killed = thread_named("lamps' glow")
    kill(killed)
    killed.join(SOON)
    assert not dimmer.is_working
    dimmer.glow(1, bulb, 100, 0.6)
    seen = bulb.switched
    bulb.wait(lambda bulb: bulb.switched > seen + 2)
    assert dimmer.is_working
    dimmer.close()
    assert dimmer.is_working


def test_nobody_waits_for_a_line_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who wants a lamp to glow is told so, and who closes goes on."""
    monkeypatch.setattr(dimmers, "HANGS_S", 0.05)
    hangs, awake = threading.Event(), threading.Event()

    def hang(on: bool) -> None:  # noqa: FBT001 - what the dimmer calls
        if not on:
            hangs.set()
            assert awake.wait(SOON)

    dimmer = Dimmer()
    dimmer.glow(1, hang, 100, 0.5)
    assert hangs.wait(SOON)
    hung = thread_named("lamps' glow")
    with pytest.raises(OSError, match="hangs"):
        dimmer.glow(1, hang, 100, 0.6)
    dimmer.close()
    awake.set()
    while hung.is_alive():
        dimmer.close()
        hung.join(0.01)
