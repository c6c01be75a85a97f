"""The terminal's view of an evening: a live line for each seat or, in a pipe, a line for each ruling."""

import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import ceil
from select import select
from shutil import get_terminal_size
from typing import Final, Protocol

from companion.core.game_record import GameRecord
from companion.core.names import shown_names
from companion.demo.cast import Cast, SeatLine, cast_of
from companion.logs.console import Out
from companion.table.live_table import Snapshot
from companion.units import SECOND, Ns, Seat

try:
    import termios
    import tty
except ImportError:
    # Windows reads single keys in another way.
    termios = tty = None

# Widths in characters. What is usually said of a seat is no longer than `WORDS`; on a narrow terminal the bars
# shrink to make room.
NAME: Final = 12
LONGEST: Final = 30
WORDS: Final = 46
SHORTEST: Final = 6
YOU: Final = " (you)"


class Terminal(Protocol):
    def show(self, snapshot: Snapshot) -> None: ...

    def say(self, line: str) -> None:
        """Prints a line that is not about the game."""
        ...


class RulingLog:
    """Prints a line for each ruling."""

    def __init__(self, out: Out) -> None:
        self._out = out

    def say(self, line: str) -> None:
        self._out.write(f"{line}\n")
        self._out.flush()

    def show(self, snapshot: Snapshot) -> None:
        for t, _, words in _news_in_words(snapshot):
            self.say(f"{t / SECOND:9.3f} {words}")


class Live:
    """Redraws the seats' lines in place; what is said scrolls away above them."""

    def __init__(
        self,
        out: Out,
        width: Callable[[], int] = lambda: get_terminal_size().columns,
        yours: Seat | None = None,
    ) -> None:
        self._out = out
        self._width = width
        self._yours = yours
        self._drawn: list[str] = []
        self._newest: dict[int, str] = {}
        self._last = ""

    def say(self, line: str) -> None:
        if self._drawn:
            lines = line.splitlines()
            self._draw([*lines, *self._drawn], keep=len(lines))
            return
        # Without escape codes while there is nothing to overwrite: other programs parse these lines.
        self._out.write(f"{line}\n")
        self._out.flush()

    def show(self, snapshot: Snapshot) -> None:
        game = snapshot.evening.game
        if game is None:
            return
        names = shown_names(game.seats)
        for _, seat, words in _news_in_words(snapshot):
            self._last = words
            if seat is not None:
                self._newest[seat] = words.removeprefix(f"{names[seat]} ")
        lines = _cast_of(game).seat_lines(game)
        self._draw([*(self._seat(seat, names[seat], line) for seat, line in enumerate(lines)), self._last])

    def _seat(self, seat: int, name: str, line: SeatLine) -> str:
        sign = ">" if line.has_turn else " "
        name = f"{name[: NAME - len(YOU)]}{YOU}" if seat == self._yours else name
        who = f"{sign} {name[:NAME]:<{NAME}} {line.number:>2} "
        room = min(max(self._width() - len(who) - WORDS, SHORTEST), LONGEST)
        bar = "▮" * ceil(min(line.number, line.longest) * room / line.longest)
        return f"{who}{bar:<{room}} {self._newest.get(seat, '')}"

    def _draw(self, lines: Sequence[str], keep: int = 0) -> None:
        """`keep`: how many of the first lines scroll away and are not overwritten by the next drawing."""
        up = f"\x1b[{len(self._drawn)}F" if self._drawn else ""
        width = max(self._width() - 1, 1)
        # A line that wraps would count as two, and the cursor would move up too few lines.
        cut = [line if number < keep else line[:width] for number, line in enumerate(lines)]
        self._out.write(up + "".join(f"\x1b[2K{line}\n" for line in cut) + "\x1b[J")
        self._out.flush()
        self._drawn = cut[keep:]


def _cast_of(game: GameRecord) -> Cast:
    return cast_of(str(game.state()["game"]))


def _news_in_words(snapshot: Snapshot) -> Iterator[tuple[Ns, Seat | None, str]]:
    """Each ruling that is news: its time, its seat if it is about one seat, and its words."""
    game = snapshot.evening.game
    if game is None:
        return
    names, in_words = shown_names(game.seats), _cast_of(game).ruling_in_words
    for said in snapshot.news:
        ruling = said.as_json()
        words, t, seat = in_words(ruling, names), ruling["t"], ruling.get("seat")
        if words is not None and isinstance(t, int):
            yield t, seat if isinstance(seat, int) else None, words


@contextmanager
def keyboard(rest: Callable[[float], object]) -> Generator[Callable[[float], str]]:
    """Yields a function that waits that many seconds for a key and returns it, or "". If standard input is no
    terminal, or one without single keys, the function only calls `rest`."""
    if termios is None or tty is None or sys.stdin is None or not sys.stdin.isatty():

        def no_key(seconds: float) -> str:
            rest(seconds)
            return ""

        yield no_key
        return
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    # TCSANOW: otherwise it would wait for pending output, which somebody may have stopped with Ctrl-S.
    tty.setcbreak(number, termios.TCSANOW)
    try:
        yield lambda seconds: _key(number, seconds, rest)
    finally:
        # A terminal that was closed has no settings to restore.
        with suppress(termios.error):
            termios.tcsetattr(number, termios.TCSANOW, before)


def _key(number: int, seconds: float, rest: Callable[[float], object]) -> str:
    there, _, _ = select([number], [], [], seconds)
    if not there:
        return ""
    try:
        key = os.read(number, 1)
    except OSError:
        key = b""
    if not key:
        # A closed terminal is always readable but never has a key.
        rest(seconds)
    return key.decode("ascii", "replace")
