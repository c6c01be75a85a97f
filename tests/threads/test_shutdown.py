"""How the program is told to end."""

import signal
import sys
from threading import Barrier, Thread
from types import FrameType
from typing import Any

import pytest

from companion.threads.shutdown import SIGNALS, Stop, left_by_signals, stopped_by_signals

SOON = 20.0


def test_everybody_who_waits_hears_of_it() -> None:
    """Who waits already, and who comes later."""
    stop, heard = Stop(), list[bool]()
    ready = Barrier(4)

    def wait() -> None:
        ready.wait(SOON)
        heard.append(stop.wait(SOON))

    assert not stop.wait(0)
    waiting = [Thread(target=wait) for _ in range(3)]
    for one in waiting:
        one.start()
    ready.wait(SOON)
    stop()
    for one in waiting:
        one.join(SOON)
    assert [True] * 3 == heard
    assert stop.said
    assert stop.wait(None)


def test_the_first_death_is_the_cause() -> None:
    """Of those after it, and where nobody has died there is none."""
    stop = Stop()
    stop()
    stop.raise_death()
    stop(LookupError("first"))
    stop(ValueError("second"))
    with pytest.raises(LookupError, match="first"):
        stop.raise_death()


def test_a_signal_is_heard_at_any_point_of_the_wait() -> None:
    """Also where its own thread is just about to wait, or has just ceased to."""
    points = interrupted(Stop(), -1)
    assert points > 3
    for point in range(points):
        stop = Stop()
        interrupted(stop, point)
        assert stop.wait(0)


def interrupted(stop: Stop, point: int) -> int:
    """Says it before the line with that number that is run while somebody waits, and gives how many those are."""
    lines = 0
    before = sys.gettrace()

    def trace(_frame: FrameType, event: str, _value: Any) -> Any:
        nonlocal lines
        if event == "line":
            if lines == point:
                stop()
            lines += 1
        return trace

    sys.settrace(trace)
    try:
        stop.wait(0)
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_stops_what_runs(number: signal.Signals) -> None:
    """It is only said; and afterwards signals mean what they meant before."""
    before = signal.getsignal(number)
    stop = Stop()
    with stopped_by_signals(stop):
        assert not stop.said
        signal.raise_signal(number)
        assert stop.said
    assert before == signal.getsignal(number)


@pytest.mark.parametrize("number", SIGNALS)
def test_what_has_not_begun_is_left_at_once(number: signal.Signals) -> None:
    """With 0; and if whoever was loading does not let it through, as soon as what runs would begin."""
    stop = Stop()
    with left_by_signals():
        with stopped_by_signals(stop):
            assert not stop.said
        with pytest.raises(SystemExit, match="0"):
            signal.raise_signal(number)
        with stopped_by_signals(stop):
            assert stop.said
