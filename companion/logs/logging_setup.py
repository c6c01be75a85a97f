"""The program's log, by the standard library's `logging`: each module says to its own logger what happens in it.

While the companion runs, `logging_to` passes all of it on: to whoever reads along (a terminal, a pipe, journald),
into a ring of the newest lines for the host's page and `companion report`, and into a small file in the data
folder.

Nothing here waits: whoever logs hands a line over and goes on. At INFO and above no line names a person; seats are
numbered.
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

# While it runs the file is written at an error, and not again so soon; a program that dies again and again at its
# start writes it once in as many seconds. An SD card bears a few such writes an hour for decades.
SPARING_S: Final = 600.0
FILE: Final = "companion.log"
OLD_FILE: Final = "companion.log.old"


def is_journald(out: TextIO | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether what is written there goes to journald, which reads levels."""
    try:
        found = os.fstat(out.fileno()) if out is not None else None
    except (OSError, ValueError):
        return False
    return found is not None and environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


class Log(logging.Handler):
    """Passes on what any logger says."""

    def __init__(
        self,
        tell: Callable[[str], None],
        form: Callable[[LogLine], str],
        least: int,
        repeats: Repeats | None = None,
    ) -> None:
        """`tell` passes `form` of all lines from level `least` on to whoever reads along, and never waits."""
        super().__init__()
        self.ring = Ring()
        self._tell = tell
        self._form = form
        self._least = least
        self._repeats = repeats or Repeats()
        self._waiting: deque[LogLine] = deque()
        self._is_busy = False
        self.has_error = False
        """Since it was kept."""

    def emit(self, record: logging.LogRecord) -> None:
        self._waiting.append(line_of(record))
        if self._is_busy:
            # While a line is passed on the garbage collector may find a destructor that fails, on this thread.
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

    @property
    def is_kept(self) -> bool:
        return self._keeper is not None

    def look(self) -> None:
        """To be called from time to time, on a thread that nobody waits for."""
        if self._keeper is not None:
            self._keeper.look()

    def end(self, *, crashed: bool) -> None:
        if self._keeper is not None:
            self._keeper.end(crashed=crashed)


@contextmanager
def logging_to(
    say: Callable[[str], None], *, out: TextIO | None = None, verbose: bool = False
) -> Generator[Logged]:
    """While the companion runs. `say` writes lines to `out`, and never waits."""
    least, form = _for_reader(out, verbose=verbose)
    log = Log(say, form, least)
    it, crashed = Logged(log), False
    try:
        with _attach(log, logging.DEBUG if verbose else logging.INFO), _log_unhandled():
            try:
                yield it
            except (CompanionError, OSError) as error:
                # Whoever has begun the companion is told so by the command line.
                _log.info("The companion ends: %s", error, exc_info=error)
                raise
            except Exception as error:
                crashed = True
                _log.critical("Something unforeseen has ended the companion.", exc_info=error)
                if not it.is_kept:
                    # At its very start. It is in no file then, and who reads along is not told of it otherwise.
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
    """What nobody catches, on whatever thread, is logged; so is what Python warns of."""
    of_threads, unraisable, warned = threading.excepthook, sys.unraisablehook, logging.getLogger("py.warnings")

    def of_thread(args: threading.ExceptHookArgs) -> None:
        name = args.thread.name if args.thread is not None else "?"
        _log.error("The thread %r has died.", name, exc_info=args.exc_value or args.exc_type())

    def not_raised(args: "sys.UnraisableHookArgs") -> None:
        _log.error("%s %r.", args.err_msg or "Ignored in", args.object, exc_info=args.exc_value or args.exc_type())

    threading.excepthook, sys.unraisablehook = of_thread, not_raised
    if not faulthandler.is_enabled() and sys.stderr is not None:
        # What no Python can catch: a driver that crashes, or systemd's watchdog that ends a program that hangs.
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
    """What a library warns its users of is nothing that people at the table could mend."""
    record.levelno, record.levelname = logging.INFO, "INFO"
    return True
