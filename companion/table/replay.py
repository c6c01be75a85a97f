"""A recorded evening, replayed: events in, rulings out, the same on every machine."""

import json
from collections.abc import Iterable, Iterator

from companion.core.game_record import GameRecord
from companion.errors import InvalidEvent
from companion.table.evening import Evening
from companion.table.recording import RecordedLine, parsed_lines


def replay(lines: Iterable[bytes], *, states: bool = False) -> Iterator[str]:
    """The rulings and the last state, a line of JSON each; with `states` a state after every event too.

    Rulings come out in their final order, each before the first state that knows it."""
    evening = Evening()
    told = NewRulings(states=states)
    for line in parsed_lines(lines):
        following = _after(evening, line)
        if following.past is not evening.past and following.past is not None:
            yield from told.game(following.past)
        evening = following
        if states and evening.game is not None:
            told.after(evening.game)
    if evening.game is not None:
        closed = evening.game.closed()
        yield from told.game(closed)
        yield _line({"state": closed.state()})


def replay_recording(evening: Evening, lines: Iterable[bytes]) -> Iterator[RecordedLine]:
    """Yields each line once it has been heard as the next event of the evening. Raises `InvalidEvent` with the
    number of the line that can't be."""
    for line in parsed_lines(lines):
        evening = _after(evening, line)
        yield line


def _after(evening: Evening, line: RecordedLine) -> Evening:
    try:
        return evening.hear(line.event)
    except InvalidEvent as error:
        raise InvalidEvent(f"line {line.number}: {error}") from None


class NewRulings:
    """Rulings and states in the order in which they are to be printed.

    A late fact may bring rulings that belong before those of an earlier state, so nothing can be printed before
    the game is closed: only then is the order final."""

    def __init__(self, *, states: bool) -> None:
        self._states = states
        self._after: list[str] = []
        self._known: dict[tuple[int, object], int] = {}
        self._last: GameRecord | None = None

    def after(self, game: GameRecord) -> None:
        for ruling in game.rulings() if self._last is None else game.news(self._last):
            self._known.setdefault(ruling, len(self._after))
        self._last = game
        self._after.append(_line({"state": game.state()}))

    def game(self, closed: GameRecord) -> Iterator[str]:
        if not self._states:
            for _, said in closed.rulings():
                yield _line(said.as_json())
            return
        rulings = list(closed.rulings())
        # A ruling is printed before the first state that holds it or any later ruling.
        due: list[int] = []
        latest = len(self._after)
        for ruling in reversed(rulings):
            latest = min(latest, self._known.get(ruling, latest))
            due.append(latest)
        due.reverse()
        position = 0
        for number, state in enumerate(self._after):
            while position < len(rulings) and due[position] <= number:
                yield _line(rulings[position][1].as_json())
                position += 1
            yield state
        for _, said in rulings[position:]:
            yield _line(said.as_json())
        self._after.clear()
        self._known.clear()
        self._last = None


_line = json.JSONEncoder(separators=(",", ":")).encode
