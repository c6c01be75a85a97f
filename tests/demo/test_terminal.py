"""What a terminal shows, and what a pipe gets."""

import os
import sys
from io import StringIO

import pytest

from companion.demo import terminal as terminals
from companion.demo.terminal import Live, RulingLog
from companion.table.evening import Evening
from companion.table.live_table import Snapshot

S = 1_000_000_000


SOON = 20.0


def snapshot() -> Snapshot:
    game = {"t": S, "type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0}
    card = {"t": 2 * S, "type": "card", "cell": 4, "boat": "raft", "colour": "pink"}
    begun = Evening().hear(game)
    after = begun.hear(card)
    assert begun.game is not None
    assert after.game is not None
    return Snapshot(2, after, tuple(said for _, said in after.game.news(begun.game)))


def test_a_pipe_gets_a_line_for_each_ruling() -> None:
    """In a pipe each ruling is a line with its time, and what is no news is none."""
    out = StringIO()
    log = RulingLog(out)
    log.say("page: http://127.0.0.1:8080/")
    log.show(snapshot())
    assert "page: http://127.0.0.1:8080/\n    2.000 Ada lays a card on cell 5, pile 1\n" == out.getvalue()


def test_a_terminal_has_a_line_for_each_seat_redrawn_in_place() -> None:
    """Each seat has one line with its deck, the turn's sign and what was last said of it; the cursor climbs back
    over them before they are drawn anew."""
    out = StringIO()
    live = Live(out, width=lambda: 80)
    live.show(snapshot())
    first = out.getvalue()
    assert "  Ada          29 " in first
    assert "> Ben          30 " in first
    assert "lays a card on cell 5, pile 1" in first
    live.show(snapshot())
    assert out.getvalue()[len(first) :].startswith("\x1b[3F")


@pytest.mark.parametrize(("width", "stack"), [(120, 30), (80, 16), (40, 6)])
def test_a_narrow_terminal_has_shorter_stacks(width: int, stack: int) -> None:
    """So that what is said of a seat still fits beside them."""
    out = StringIO()
    live = Live(out, width=lambda: width)
    live.show(snapshot())
    ada, ben = (line.count("▮") for line in out.getvalue().splitlines()[:2])
    assert stack == ben
    assert ada in {stack, stack - 1}
    assert width < 80 or out.getvalue().splitlines()[0].endswith(" lays a card on cell 5, pile 1")


def test_your_own_seat_is_marked() -> None:
    """Whoever plays along finds the own line; others' names stay as they are."""
    out = StringIO()
    Live(out, width=lambda: 80, yours=1).show(snapshot())
    assert "> Ben (you)    30 " in out.getvalue()
    assert "  Ada          29 " in out.getvalue()


def test_no_line_of_a_terminal_is_wider_than_it() -> None:
    """On a narrow terminal nothing wraps, or the next drawing would not begin where this one did."""
    out = StringIO()
    live = Live(out, width=lambda: 30)
    live.show(snapshot())
    lines = out.getvalue().replace("\x1b[2K", "").replace("\x1b[J", "").splitlines()
    assert 29 == max(len(line) for line in lines)


def test_what_is_said_stays_above_the_seats() -> None:
    """A line beside the game scrolls away above the seats, in its full length."""
    out = StringIO()
    live = Live(out, width=lambda: 30)
    live.show(snapshot())
    before = len(out.getvalue())
    live.say("page: http://192.168.100.100:8080/")
    said = out.getvalue()[before:]
    assert said.startswith("\x1b[3F\x1b[2Kpage: http://192.168.100.100:8080/\n")
    assert "Ben" in said


def test_what_has_several_lines_is_cleared_line_by_line() -> None:
    """Nothing of the seats shows through it."""
    out = StringIO()
    live = Live(out, width=lambda: 30)
    live.show(snapshot())
    before = len(out.getvalue())
    live.say("Traceback\n  here")
    assert out.getvalue()[before:].startswith("\x1b[3F\x1b[2KTraceback\n\x1b[2K  here\n\x1b[2K")


def test_without_a_keyboard_nobody_hits_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where standard input is a pipe, waiting for a key is only a rest."""
    monkeypatch.setattr(terminals.sys, "stdin", StringIO("c"))
    rests: list[float] = []
    with terminals.keyboard(rests.append) as wait_for_key:
        assert "" == wait_for_key(0.25)
    assert [0.25] == rests


@pytest.mark.skipif(sys.platform == "win32", reason="there no terminal is asked key by key")
def test_a_keyboard_that_is_gone_is_rested_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ran in a terminal that was closed may go on: neither at full speed nor with an error."""
    terminal, inside = os.openpty()
    rests: list[float] = []
    with os.fdopen(inside) as keys:
        monkeypatch.setattr(terminals.sys, "stdin", keys)
        with terminals.keyboard(rests.append) as wait_for_key:
            os.write(terminal, b"c")
            assert ("c", []) == (wait_for_key(SOON), rests)
            os.close(terminal)
            assert ["", ""] == [wait_for_key(0.25), wait_for_key(0.25)]
    assert [0.25, 0.25] == rests
