"""Log lines: their data, their formats, the ring buffer of the newest ones, and the rate limit for repeats."""

import logging
import time
import traceback
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

# A log level for what is no trouble but interests the person who set up the rig: what was found, what is back. As
# in syslog, between INFO and WARNING.
NOTICE: Final = 25
NAMES: Final = {
    logging.DEBUG: "debug",
    logging.INFO: "info",
    NOTICE: "notice",
    logging.WARNING: "warning",
    logging.ERROR: "error",
    logging.CRITICAL: "critical",
}
# journald's prefixes for the log levels, highest first: see `man sd-daemon`.
JOURNALD: Final = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (NOTICE, 5),
    (logging.INFO, 6),
    (logging.DEBUG, 7),
)
# Size of the ring buffer in lines, and the longest line in characters: 4 MB if all of them are tracebacks.
RING: Final = 500
LONGEST: Final = 8000
# Rate limit: the same line is passed on once in this many seconds; and how many different lines are remembered.
SAME_S: Final = 60.0
TOLD_APART: Final = 256


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log."""

    wall: float
    """Seconds since 1970, for people."""
    level: int
    name: str
    """The logger's name, which is the module's."""
    text: str
    cause: str = ""
    """The exception in one line, if there is one."""
    trace: str = ""

    @property
    def level_name(self) -> str:
        return NAMES.get(self.level, str(self.level))

    @property
    def when(self) -> str:
        return datetime.fromtimestamp(self.wall).astimezone().isoformat(" ", "milliseconds")


def line_of(record: logging.LogRecord) -> LogLine:
    try:
        text = record.getMessage()
    except Exception as error:  # noqa: BLE001 - a line with wrong format arguments is still worth reading
        text = f"{record.msg!r} with {record.args!r} ({error!r})"
    error = record.exc_info[1] if record.exc_info else None
    cause = "" if error is None else cause_of(error)
    trace = "" if error is None else "".join(traceback.format_exception(error))
    text, cause, trace = _visible(text[:LONGEST]), _visible(cause[:LONGEST]), _visible(trace[-LONGEST:])
    return LogLine(record.created, record.levelno, record.name, text, cause, trace)


def cause_of(error: BaseException) -> str:
    """The exception's type and message in one line."""
    return "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]


def _visible(text: str) -> str:
    """Replaces control characters: a phone's request may be in the line, and could clear a terminal or reverse
    the text's direction."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def in_short(line: LogLine) -> str:
    """The line for people: one line, in a format that no program parses."""
    text = " ".join(line.text.split())
    return f"{text} ({line.cause})" if line.cause and line.cause not in text else text


def in_full(line: LogLine) -> str:
    return "\n".join(
        [f"{line.when} {line.level_name:8} {line.name}: {line.text}", *line.trace.rstrip().splitlines()]
    )


def for_journald(line: LogLine) -> str:
    """The line for journald: the level prefix before each physical line, because journald takes each for a message
    of its own; no time, because journald adds it."""
    level = next((number for least, number in JOURNALD if line.level >= least), 7)
    lines = f"{line.name}: {line.text}\n{line.trace}".splitlines()
    return "\n".join(f"<{level}>{each}" for each in lines if each.strip())


class Ring:
    """A ring buffer of the newest lines. Any thread may read it; only one thread at a time may add."""

    def __init__(self, size: int = RING) -> None:
        # Replaced as a whole, never mutated: readers need no lock, so logging never waits for one.
        self._lines: tuple[LogLine, ...] = ()
        self._size = size
        self._count = 0

    def add(self, line: LogLine) -> None:
        self._lines = (*self._lines[1 - self._size :], line)
        self._count += 1

    @property
    def count(self) -> int:
        """How many lines were ever added; if it changes, the lines have changed."""
        return self._count

    def lines(self) -> tuple[LogLine, ...]:
        """The lines in the buffer, the oldest first."""
        return self._lines

    def text(self) -> str:
        return "".join(f"{in_full(line)}\n" for line in self.lines())


@dataclass(slots=True)
class _Same:
    """A line that was passed on, with the count of its repeats since."""

    line: LogLine
    since: float
    repeated: int = 0


class Repeats:
    """Rate limit: a repeated line is passed on once a minute, with the number of repeats."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[tuple[str, int, str, str], _Same] = {}

    def pass_on(self, line: LogLine) -> Generator[LogLine]:
        now = self._clock()
        yield from self._overdue(now)
        key = (line.name, line.level, line.text, line.cause)
        same = self._seen.get(key)
        if same is not None:
            same.repeated += 1
            same.line = line
            return
        if len(self._seen) >= TOLD_APART:
            yield from _summed_up([self._seen.pop(next(iter(self._seen)))])
        self._seen[key] = _Same(line, now)
        yield line

    def rest(self) -> Generator[LogLine]:
        """The repeats that are still to be passed on when the log ends."""
        yield from _summed_up(self._seen.values())
        self._seen.clear()

    def _overdue(self, now: float) -> Generator[LogLine]:
        # The dict keeps insertion order, so the oldest lines come first.
        due: list[_Same] = []
        for same in self._seen.values():
            if now - same.since < SAME_S:
                break
            due.append(same)
        for same in due:
            line = same.line
            del self._seen[line.name, line.level, line.text, line.cause]
        yield from _summed_up(due)


def _summed_up(all_of_them: Iterable[_Same]) -> Generator[LogLine]:
    for same in all_of_them:
        if same.repeated:
            times = "once" if same.repeated == 1 else f"{same.repeated} times"
            yield replace(same.line, text=f"{same.line.text} (repeated {times})", trace="")
