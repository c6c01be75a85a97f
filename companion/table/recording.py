"""A recording: JSON Lines, an event a line. Every line is parsed here, once, whatever is then done with it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.core.strict_json import parse
from companion.errors import InvalidEvent

# An event is some hundred characters; a megabyte in one line is no recording.
LONGEST_LINE = 1_000_000


@dataclass(frozen=True, slots=True)
class RecordedLine:
    number: int
    raw: bytes
    event: object
    """What it says."""

    @property
    def text(self) -> str:
        return self.raw.decode().rstrip("\r\n")


def parsed_lines(lines: Iterable[bytes]) -> Iterator[RecordedLine]:
    """Empty ones count as lines, and mean nothing. Raises `InvalidEvent` with the number of the line."""
    for number, raw in enumerate(lines, 1):
        if raw.strip():
            try:
                event = event_of(raw)
            except InvalidEvent as error:
                raise InvalidEvent(f"line {number}: {error}") from None
            yield RecordedLine(number, raw, event)


def event_of(line: bytes) -> object:
    if len(line) > LONGEST_LINE:
        raise InvalidEvent(f"the line is {len(line)} bytes long; no event is")
    return parse(line)
