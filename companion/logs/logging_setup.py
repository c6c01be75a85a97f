"""The program's log, built on the standard library's `logging`: each module has its own logger.

While the companion runs, `logging_to` passes all lines on: to the console (a terminal, a pipe, journald), into a
ring buffer of the newest lines for the host's page and `companion report`, and into a small file in the data
folder.

Logging never blocks: a line is handed over, and the caller goes on. At INFO and above no line names a person;
seats are numbered.
"""

import faulthandler
import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from traceback import format_exception
from typing import Final, TextIO

from companion.errors import CompanionError, Crashed
from companion.files import why_not, write_whole
from companion.logs.log_lines import (
    NOTICE,
    LogLine,
    Repeats,
    Ring,
    cause_of,
    for_journald,
    in_full,
    in_short,
    line_of,
)

_log: Final = logging.getLogger(__name__)

# Rate limit in seconds for writing the file at errors, also for a program that crashes again and again at its
# start. An SD card survives a few such writes an hour for decades.
SPARING_S: Final = 600.0
FILE: Final = "companion.log"
OLD_FILE: Final = "companion.log.old"


def is_journald(out: TextIO | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this stream goes to journald, which understands level prefixes."""
    try:
        found = os.fstat(out.fileno()) if out is not None else None
    except (OSError, ValueError):
        return False
    return found is not None and environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


class Log(logging.Handler):
    """The handler at the root logger: passes each line on to the ring buffer and to the console."""

    def __init__(
        self,
        tell: Callable[[str], None],
        form: Callable[[LogLine], str],
        least: int,
        repeats: Repeats | None = None,
    ) -> None:
        """`tell` gets all lines of level `least` and above, formatted by `form`; it must never block."""
        super().__init__()
        self.ring = Ring()
        self._tell = tell
        self._form = form
        self._least = least
        self._repeats = repeats or Repeats()
        self._waiting: deque[LogLine] = deque()
        self._is_busy = False
        self.has_error = False
        """Whether there was an error since the file was last written."""

    def emit(self, record: logging.LogRecord) -> None:
        self._waiting.append(line_of(record))
        if self._is_busy:
            # Re-entered on the same thread: the garbage collector ran a failing destructor, which logs. The loop
            # below, which is still running, passes this line on too.
            return
        self._is_busy = True
        try:
            while self._waiting:
                for line in self._repeats.pass_on(self._waiting.popleft()):
                    self._pass_on(line)
        finally:
            self._is_busy = False

    def close(self) -> None:
        super().close()
        for line in self._repeats.rest():
            self._pass_on(line)

    def _pass_on(self, line: LogLine) -> None:
        self.ring.add(line)
        self.has_error = self.has_error or line.level >= logging.ERROR
        if line.level >= self._least:
            self._tell(self._form(line))


class LogFile:
    """The ring buffer in a file, so that the log of an evening survives a power cut.

    Under systemd journald has the log, but on many Pis only in memory. Appending every line to a file would wear
    out an SD card; so this file has a bounded size, and is written at the end and at errors only.
    """

    def __init__(self, folder: Path, ring: Ring) -> None:
        self._path = folder / FILE
        self._old = folder / OLD_FILE
        self._ring = ring
        self._is_ours = False

    def write(self) -> None:
        """Writes the file atomically. A folder that can't be written to is no reason to fail."""
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
        """Whether an earlier run of the program has written the file a moment ago."""
        try:
            age_s = time.time() - self._path.stat().st_mtime
        except OSError:
            return False
        return not self._is_ours and 0 <= age_s < SPARING_S


class Keeper:
    """Decides when the file is written. Runs on the main thread, where a slow disk blocks nothing else."""

    def __init__(self, log: Log, file: LogFile, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._file = file
        self._clock = clock
        self._written: float | None = None

    def look(self) -> None:
        """Called periodically: writes the file after an error, unless it was written a short while ago."""
        now = self._clock()
        if self._log.has_error and (self._written is None or now - self._written >= SPARING_S):
            self._written, self._log.has_error = now, False
            self._file.write()

    def end(self, *, crashed: bool) -> None:
        if not (crashed and self._file.is_fresh):
            self._file.write()


class Logged:
    """The running log, as `logging_to` gives it to its caller."""

    def __init__(self, log: Log) -> None:
        self.ring: Final = log.ring
        self._log = log
        self._keeper: Keeper | None = None

    def keep_in(self, folder: Path) -> None:
        """From now on also keeps the log in a file there. Only for the program that has the journal there open."""
        self._keeper = Keeper(self._log, LogFile(folder, self.ring))

    @property
    def is_kept(self) -> bool:
        return self._keeper is not None

    def look(self) -> None:
        """Called periodically, on a thread that may block."""
        if self._keeper is not None:
            self._keeper.look()

    def end(self, *, crashed: bool) -> None:
        if self._keeper is not None:
            self._keeper.end(crashed=crashed)


@contextmanager
def logging_to(
    say: Callable[[str], None], *, out: TextIO | None = None, verbose: bool = False
) -> Generator[Logged]:
    """Sets up logging while the companion runs. `say` writes lines to `out`, and must never block."""
    least, form = _for_reader(out, verbose=verbose)
    log = Log(say, form, least)
    it, crashed = Logged(log), False
    try:
        with _attach(log, logging.DEBUG if verbose else logging.INFO), _log_unhandled():
            try:
                yield it
            except (CompanionError, OSError) as error:
                # The command line prints this error itself.
                _log.info("The companion ends: %s", error, exc_info=error)
                raise
            except Exception as error:
                crashed = True
                _log.critical("Something unforeseen has ended the companion.", exc_info=error)
                if not it.is_kept:
                    # A crash before there is a log file: the traceback goes to the console, or it would be lost.
                    say("".join(format_exception(error)).rstrip())
                raise Crashed(_last_words(error)) from error
    finally:
        it.end(crashed=crashed)


def _for_reader(out: TextIO | None, *, verbose: bool) -> tuple[int, Callable[[LogLine], str]]:
    if is_journald(out):
        return logging.DEBUG if verbose else logging.INFO, for_journald
    return (logging.DEBUG, in_full) if verbose else (NOTICE, in_short)


def _last_words(error: Exception) -> str:
    return (
        f"Something unforeseen has ended it ({cause_of(error)}). Start it anew: the game goes on where it stood. "
        "`companion report FILE` gathers what is needed to find out why."
    )


@contextmanager
def _attach(log: Log, level: int) -> Generator[None]:
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
def _log_unhandled() -> Generator[None]:
    """Logs uncaught exceptions of all threads, and Python's warnings."""
    of_threads, unraisable, warned = threading.excepthook, sys.unraisablehook, logging.getLogger("py.warnings")

    def of_thread(args: threading.ExceptHookArgs) -> None:
        name = args.thread.name if args.thread is not None else "?"
        _log.error("The thread %r has died.", name, exc_info=args.exc_value or args.exc_type())

    def not_raised(args: "sys.UnraisableHookArgs") -> None:
        _log.error("%s %r.", args.err_msg or "Ignored in", args.object, exc_info=args.exc_value or args.exc_type())

    threading.excepthook, sys.unraisablehook = of_thread, not_raised
    if not faulthandler.is_enabled() and sys.stderr is not None:
        # For what Python can't catch: a crash in a driver, or systemd's watchdog aborting a hung program.
        faulthandler.enable()
    logging.captureWarnings(True)  # noqa: FBT003 - its own signature
    warned.addFilter(_for_programmers)
    try:
        yield
    finally:
        warned.removeFilter(_for_programmers)
        logging.captureWarnings(False)  # noqa: FBT003 - the same
        threading.excepthook, sys.unraisablehook = of_threads, unraisable


def _for_programmers(record: logging.LogRecord) -> bool:
    """Lowers the level of libraries' warnings, which people at the table can do nothing about."""
    record.levelno, record.levelname = logging.INFO, "INFO"
    return True
