"""A recording: JSON Lines, an event a line. Every line is parsed here, once, whatever is then done with it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.core.strict_json import parse
from companion.errors import InvalidEvent

# An event is a few hundred characters, so a file with a longer line is no recording.
LONGEST_LINE = 1_000_000


@dataclass(frozen=True, slots=True)
class RecordedLine:
    """A parsed line of a recording."""

    number: int
    raw: bytes
    event: object
    """The parsed JSON."""

    @property
    def text(self) -> str:
        return self.raw.decode().rstrip("\r\n")


def parsed_lines(lines: Iterable[bytes]) -> Iterator[RecordedLine]:
    """The parsed lines; empty ones are counted but skipped. Raises `InvalidEvent` with the line's number."""
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
