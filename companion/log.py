"""The program's log, by the standard library's `logging`: each module says to its own logger what happens in it.

While the companion runs, `logged` passes all of it on: to whoever reads along (a terminal, a pipe, journald), into
a ring of the newest lines for the host's page and `companion report`, and into a small file in the data folder.

Nothing here waits: whoever logs hands a line over and goes on. At INFO and above no line names a person; seats are
numbered.
"""

import logging
import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, TextIO

from companion.errors import CompanionError, Crashed
from companion.files import why_not, write_whole

_log: Final = logging.getLogger(__name__)

# What is no trouble, but whoever set this up wants to read it: what was found, what is back. As in syslog, between
# INFO and WARNING.
NOTICE: Final = 25
NAMES: Final = {
    logging.DEBUG: "debug",
    logging.INFO: "info",
    NOTICE: "notice",
    logging.WARNING: "warning",
    logging.ERROR: "error",
    logging.CRITICAL: "critical",
}
# What journald calls these levels, highest first: `man sd-daemon`.
JOURNALD: Final = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (NOTICE, 5),
    (logging.INFO, 6),
    (logging.DEBUG, 7),
)
# So many lines are kept in memory, each of so many letters at most: 4 MB if all of them are tracebacks.
RING: Final = 500
LONGEST: Final = 8000
# The same line is passed on once in so many seconds; so many different ones are told apart.
SAME_S: Final = 60.0
TOLD_APART: Final = 256
# While it runs the file is written at an error, and not again so soon; a program that dies again and again at its
# start writes it once in as many seconds. An SD card bears a few such writes an hour for decades.
SPARING_S: Final = 600.0
FILE: Final = "companion.log"
OLD_FILE: Final = "companion.log.old"


@dataclass(frozen=True, slots=True)
class Line:
    wall: float
    """Seconds since 1970, for people."""
    level: int
    name: str
    """The logger's: the module's."""
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


def line_of(record: logging.LogRecord) -> Line:
    try:
        text = record.getMessage()
    except Exception as error:  # noqa: BLE001 - a line that is wrongly put together is still worth reading
        text = f"{record.msg!r} with {record.args!r} ({error!r})"
    error = record.exc_info[1] if record.exc_info else None
    cause = "" if error is None else "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    trace = "" if error is None else "".join(traceback.format_exception(error))
    text, cause, trace = _visible(text[:LONGEST]), _visible(cause[:LONGEST]), _visible(trace[-LONGEST:])
    return Line(record.created, record.levelno, record.name, text, cause, trace)


def _visible(text: str) -> str:
    """What a phone asks for may be in it, and would clear a terminal or turn the line round."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def in_short(line: Line) -> str:
    """For a person: one line, in which no program looks for anything."""
    text = " ".join(line.text.split())
    return f"{text} ({line.cause})" if line.cause and line.cause not in text else text


def in_full(line: Line) -> str:
    return "\n".join(
        [f"{line.when} {line.level_name:8} {line.name}: {line.text}", *line.trace.rstrip().splitlines()]
    )


def for_journald(line: Line) -> str:
    """Its level before each line: it takes each for a message of its own, and knows the time itself."""
    level = next((number for least, number in JOURNALD if line.level >= least), 7)
    lines = f"{line.name}: {line.text}\n{line.trace}".splitlines()
    return "\n".join(f"<{level}>{each}" for each in lines if each.strip())


def is_journald(out: TextIO | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether what is written there goes to journald, which reads levels."""
    try:
        found = os.fstat(out.fileno()) if out is not None else None
    except (OSError, ValueError):
        return False
    return found is not None and environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


class Ring:
    """The newest lines. Any thread may add to it and read it."""

    def __init__(self, size: int = RING) -> None:
        self._lines: deque[Line] = deque(maxlen=size)
        self._lock = threading.Lock()
        self._count = 0

    def add(self, line: Line) -> None:
        with self._lock:
            self._lines.append(line)
            self._count += 1

    @property
    def count(self) -> int:
        """How many there have ever been: another number, other lines."""
        return self._count

    def lines(self) -> tuple[Line, ...]:
        """The oldest first."""
        with self._lock:
            return tuple(self._lines)

    def text(self) -> str:
        return "".join(f"{in_full(line)}\n" for line in self.lines())


@dataclass(slots=True)
class _Same:
    """A line that has been passed on."""

    line: Line
    since: float
    repeated: int = 0


class Repeats:
    """What is said again and again is passed on once a minute, with how often it was said."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[tuple[str, int, str, str], _Same] = {}

    def pass_on(self, line: Line) -> Generator[Line]:
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

    def rest(self) -> Generator[Line]:
        """At the end."""
        yield from _summed_up(self._seen.values())
        self._seen.clear()

    def _overdue(self, now: float) -> Generator[Line]:
        # They stand in the order in which they came.
        due: list[_Same] = []
        for same in self._seen.values():
            if now - same.since < SAME_S:
                break
            due.append(same)
        for same in due:
            line = same.line
            del self._seen[line.name, line.level, line.text, line.cause]
        yield from _summed_up(due)


def _summed_up(all_of_them: Iterable[_Same]) -> Generator[Line]:
    for same in all_of_them:
        if same.repeated:
            times = "once" if same.repeated == 1 else f"{same.repeated} times"
            yield replace(same.line, text=f"{same.line.text} (repeated {times})", trace="")


class Log(logging.Handler):
    """Passes on what any logger says."""

    def __init__(
        self, tell: Callable[[str], None], form: Callable[[Line], str], least: int, repeats: Repeats | None = None
    ) -> None:
        """`tell` passes `form` of all lines from level `least` on to whoever reads along, and never waits."""
        super().__init__()
        self.ring = Ring()
        self._tell = tell
        self._form = form
        self._least = least
        self._repeats = repeats or Repeats()
        self.has_error = False
        """Since it was kept."""

    def emit(self, record: logging.LogRecord) -> None:
        for line in self._repeats.pass_on(line_of(record)):
            self._pass_on(line)

    def close(self) -> None:
        super().close()
        for line in self._repeats.rest():
            self._pass_on(line)

    def _pass_on(self, line: Line) -> None:
        self.ring.add(line)
        self.has_error = self.has_error or line.level >= logging.ERROR
        if line.level >= self._least:
            self._tell(self._form(line))


class LogFile:
    """The ring in a file, so that an evening can be looked into after the plug was pulled.

    Under systemd journald has the log, but on many a Pi only in memory. A file that every line is added to wears
    out an SD card; so this is one of bounded size, written at the end, and before that only at errors.
    """

    def __init__(self, folder: Path, ring: Ring) -> None:
        self._path = folder / FILE
        self._old = folder / OLD_FILE
        self._ring = ring
        self._is_ours = False

    def write(self) -> None:
        """All of it or nothing. A folder that can't be written to is no reason to fail."""
        try:
            if not self._is_ours and self._path.exists():
                self._path.replace(self._old)
            write_whole(self._path, self._ring.text().encode("utf-8", "replace"))
        except OSError as error:
            _log.info("The log can't be kept: %s", why_not(error, self._path.parent))
            return
        self._is_ours = True

    @property
    def is_fresh(self) -> bool:
        """Whether one before us has written it a moment ago."""
        try:
            age_s = time.time() - self._path.stat().st_mtime
        except OSError:
            return False
        return not self._is_ours and 0 <= age_s < SPARING_S


class Keeper:
    """Decides when the file is written. For the main thread, which waits for nothing else."""

    def __init__(self, log: Log, file: LogFile, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._file = file
        self._clock = clock
        self._written: float | None = None

    def look(self) -> None:
        """Again and again: after an error the file is written, unless that was a short while ago."""
        now = self._clock()
        if self._log.has_error and (self._written is None or now - self._written >= SPARING_S):
            self._written, self._log.has_error = now, False
            self._file.write()

    def end(self, *, crashed: bool) -> None:
        if not (crashed and self._file.is_fresh):
            self._file.write()


class Logged:
    """The log while it is passed on."""

    def __init__(self, log: Log) -> None:
        self.ring: Final = log.ring
        self._log = log
        self._keeper: Keeper | None = None

    def keep_in(self, folder: Path) -> None:
        """From now on it is kept there too. For whoever has the journal there to themselves."""
        self._keeper = Keeper(self._log, LogFile(folder, self.ring))

    def look(self) -> None:
        """To be called from time to time, on a thread that nobody waits for."""
        if self._keeper is not None:
            self._keeper.look()

    def end(self, *, crashed: bool) -> None:
        if self._keeper is not None:
            self._keeper.end(crashed=crashed)


@contextmanager
def logged(say: Callable[[str], None], *, out: TextIO | None = None, verbose: bool = False) -> Generator[Logged]:
    """While the companion runs. `say` writes lines to `out`, and never waits."""
    least, form = _for_reader(out, verbose=verbose)
    log = Log(say, form, least)
    it, crashed = Logged(log), False
    try:
        with _attached(log, logging.DEBUG if verbose else logging.INFO), _hooked():
            try:
                yield it
            except (CompanionError, OSError) as error:
                # Whoever has begun the companion is told so by the command line.
                _log.info("The companion ends: %s", error, exc_info=error)
                raise
            except Exception as error:
                crashed = True
                _log.critical("Something unforeseen has ended the companion.", exc_info=error)
                raise Crashed(_last_words(error)) from error
    finally:
        it.end(crashed=crashed)


def _for_reader(out: TextIO | None, *, verbose: bool) -> tuple[int, Callable[[Line], str]]:
    if is_journald(out):
        return logging.DEBUG if verbose else logging.INFO, for_journald
    return (logging.DEBUG, in_full) if verbose else (NOTICE, in_short)


def _last_words(error: Exception) -> str:
    cause = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    return (
        f"Something unforeseen has ended it ({cause}). Start it anew: the game goes on where it stood. "
        "`companion report FILE` gathers what is needed to find out why."
    )


@contextmanager
def _attached(log: Log, level: int) -> Generator[None]:
    logging.addLevelName(NOTICE, "NOTICE")
    root, waitress = logging.getLogger(), logging.getLogger("waitress")
    before = root.level
    root.addHandler(log)
    root.setLevel(level)
    waitress.addFilter(_a_phone_left)
    try:
        yield
    finally:
        waitress.removeFilter(_a_phone_left)
        root.setLevel(before)
        root.removeHandler(log)
        log.close()


def _a_phone_left(record: logging.LogRecord) -> bool:
    """A phone that hangs up in the middle of an answer is no error, and its traceback helps nobody."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, OSError):
        record.msg, record.args = "A phone has left: %s", (error.strerror or str(error),)
        record.exc_info, record.levelno, record.levelname = None, logging.DEBUG, "DEBUG"
        return logging.getLogger().isEnabledFor(logging.DEBUG)
    return True


@contextmanager
def _hooked() -> Generator[None]:
    """What nobody catches, on whatever thread, is logged; so is what Python warns of."""
    of_threads, unraisable, warned = threading.excepthook, sys.unraisablehook, logging.getLogger("py.warnings")

    def of_thread(args: threading.ExceptHookArgs) -> None:
        name = args.thread.name if args.thread is not None else "?"
        _log.error("The thread %r has died.", name, exc_info=args.exc_value or args.exc_type())

    def not_raised(args: "sys.UnraisableHookArgs") -> None:
        _log.error("%s %r.", args.err_msg or "Ignored in", args.object, exc_info=args.exc_value or args.exc_type())

    threading.excepthook, sys.unraisablehook = of_thread, not_raised
    logging.captureWarnings(True)  # noqa: FBT003 - its own signature
    warned.addFilter(_for_programmers)
    try:
        yield
    finally:
        warned.removeFilter(_for_programmers)
        logging.captureWarnings(False)  # noqa: FBT003 - the same
        threading.excepthook, sys.unraisablehook = of_threads, unraisable


def _for_programmers(record: logging.LogRecord) -> bool:
    """What a library warns its users of is nothing that people at the table could mend."""
    record.levelno, record.levelname = logging.INFO, "INFO"
    return True
