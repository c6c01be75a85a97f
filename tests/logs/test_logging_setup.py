"""The log: who is told what, what is kept, and that nobody waits for it."""

import io
import logging
import os
import sys
import threading
import warnings
from pathlib import Path

import pytest

from companion.errors import Crashed, JournalFull
from companion.logs.console import LEFT_OUT, ROOM, Console
from companion.logs.log_lines import (
    NOTICE,
    RING,
    SAME_S,
    TOLD_APART,
    LogLine,
    Repeats,
    Ring,
    for_journald,
    in_full,
    in_short,
)
from companion.logs.logging_setup import FILE, OLD_FILE, SPARING_S, Keeper, Log, LogFile, is_journald, logging_to

from ..told import SOON, wait_for_its_end

log = logging.getLogger("companion.somewhere")


@pytest.fixture
def told() -> list[str]:
    return []


def test_who_reads_along_is_told_what_concerns_people(told: list[str]) -> None:
    """In their words, one line each; the rest stands in the ring."""
    with logging_to(told.append) as it:
        log.debug("edge %d", 7)
        log.info("A game begins.")
        log.log(NOTICE, "The camera is back.")
        log.warning("Seat %d: the lamp\n is dark.", 2)
    assert ["The camera is back.", "Seat 2: the lamp is dark."] == told
    assert ["A game begins.", "The camera is back.", "Seat 2: the lamp\n is dark."] == [
        line.text for line in it.ring.lines()
    ]


def test_verbosely_all_is_told_with_time_level_and_module(told: list[str]) -> None:
    """Also what a programmer wants to know."""
    with logging_to(told.append, verbose=True):
        log.debug("edge %d", 7)
    (line,) = told
    assert line[:2] == "20"
    assert line.endswith(" debug    companion.somewhere: edge 7")


def test_all_is_as_it_was_before(told: list[str]) -> None:
    """Loggers, warnings and what is done with what nobody catches."""
    before = (
        logging.getLogger().level,
        [*logging.getLogger().handlers],
        warnings.showwarning,
        threading.excepthook,
        sys.unraisablehook,
    )
    with logging_to(told.append, verbose=True):
        pass
    log.critical("Nobody hears that.")
    assert [] == told
    assert before == (
        logging.getLogger().level,
        [*logging.getLogger().handlers],
        warnings.showwarning,
        threading.excepthook,
        sys.unraisablehook,
    )


def test_a_line_that_is_wrongly_put_together_is_still_told(told: list[str]) -> None:
    """Python would write a traceback to standard error, and wait for whoever reads that."""
    record = logging.LogRecord("x", logging.WARNING, "x.py", 1, "%d phones", ("three",), None)
    Log(told.append, in_short, 0).emit(record)
    (line,) = told
    assert "%d phones" in line
    assert "three" in line


def test_nobody_waits_for_a_reader_who_rests() -> None:
    """What he leaves unread is left out, and he is told so; the ring has it all."""
    comes_back, told = threading.Event(), list[str]()

    def say(line: str) -> None:
        assert comes_back.wait(SOON)
        told.append(line)

    with Console(say) as telling:
        with logging_to(telling.say) as it:
            for number in range(2 * ROOM):
                log.warning("Line %d.", number)
            assert 2 * ROOM == len(it.ring.lines())
        comes_back.set()
    wait_for_its_end()
    assert (["Line 0.", "Line 1."], LEFT_OUT) == (told[:2], told[-1])
    assert len(told) < 2 * ROOM


def test_no_line_does_anything_to_a_terminal(told: list[str]) -> None:
    """Whatever address a phone has asked for stands in it."""
    with logging_to(told.append):
        log.warning("Exception on /\x1b[2J\u202e%s", "z\u00eb")
    assert ["Exception on /\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}z\u00eb"] == told


class TestJournald:
    def test_each_line_bears_its_level(self) -> None:
        """Also those of a traceback, for each is a message to it; the module says where it comes from."""
        levels = {"debug": 7, "info": 6, "notice": 5, "warning": 4, "error": 3, "critical": 2}
        for value, name in ((10, "debug"), (20, "info"), (25, "notice"), (30, "warning"), (40, "error")):
            assert f"<{levels[name]}>companion.x: so" == for_journald(LogLine(0, value, "companion.x", "so"))
        line = LogLine(0, logging.CRITICAL, "x", "all\nover", "KeyError: 1", "Traceback\n  here\nKeyError: 1\n")
        assert ["<2>x: all", "<2>over", "<2>Traceback", "<2>  here", "<2>KeyError: 1"] == for_journald(
            line
        ).splitlines()
        assert "<7>x: finer than any" == for_journald(LogLine(0, 1, "x", "finer than any"))

    def test_it_is_told_by_the_file_that_it_gave_us(self, tmp_path: Path) -> None:
        """Whoever sends our output elsewhere gets no levels, though systemd has started us."""
        with (tmp_path / "out").open("w") as out:
            found = os.fstat(out.fileno())
            environment = {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}
            assert is_journald(out, environment)
            assert not is_journald(out, {})
            assert not is_journald(out, {"JOURNAL_STREAM": "8:1"})
        assert not is_journald(None, environment)
        assert not is_journald(io.StringIO(), environment)
        assert not is_journald(out, environment)

    def test_it_gets_what_is_for_builders_too(
        self, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever looks into it chooses by level."""
        with (tmp_path / "out").open("w") as out:
            found = os.fstat(out.fileno())
            monkeypatch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino}")
            with logging_to(told.append, out=out):
                log.info("A game begins.")
                log.debug("An edge.")
        assert ["<6>companion.somewhere: A game begins."] == told


class Hand:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class TestRepeats:
    def test_the_same_is_told_once_a_minute(self, told: list[str]) -> None:
        """With how often it was said meanwhile; so does whatever is said next, and the end."""
        hand = Hand()
        log = Log(told.append, in_short, 0, Repeats(hand))

        def say(text: str, level: int = logging.WARNING) -> None:
            log.emit(logging.LogRecord("x", level, "x.py", 1, text, None, None))

        for _ in range(4):
            say("No pictures.")
        say("No pictures.", logging.ERROR)
        hand.now = SAME_S - 1
        say("No pictures.")
        assert ["No pictures.", "No pictures."] == told
        hand.now = SAME_S
        say("Something else.")
        assert ["No pictures. (repeated 4 times)", "Something else."] == told[2:]
        say("No pictures.")
        say("Something else.")
        log.close()
        assert ["No pictures.", "Something else. (repeated once)"] == told[4:]

    def test_not_more_are_told_apart_than_there_is_room_for(self) -> None:
        """The oldest is summed up when it makes room."""
        repeats = Repeats(Hand())
        lines = [LogLine(0, 30, "x", str(number)) for number in range(TOLD_APART + 1)]
        assert lines[:-1] == [one for line in lines[:-1] for one in repeats.pass_on(line)]
        assert [] == [*repeats.pass_on(lines[0])]
        assert ["0 (repeated once)", str(TOLD_APART)] == [one.text for one in repeats.pass_on(lines[-1])]
        assert [lines[0]] == [*repeats.pass_on(lines[0])]

    def test_another_cause_is_another_line(self, told: list[str]) -> None:
        """And what caused it is told with it."""
        with logging_to(told.append):
            for error in (KeyError("a"), KeyError("a"), KeyError("b")):
                log.warning("It failed.", exc_info=error)
        assert ["It failed. (KeyError: 'a')", "It failed. (KeyError: 'b')"] == told[:2]


class TestRing:
    def test_it_keeps_the_newest(self) -> None:
        """And says how many there have been."""
        ring = Ring()
        for number in range(RING + 5):
            ring.add(LogLine(0, 20, "x", str(number)))
        lines = ring.lines()
        assert (RING, "5", str(RING + 4)) == (len(lines), lines[0].text, lines[-1].text)
        assert RING + 5 == ring.count

    def test_a_huge_line_takes_no_huge_room(self, told: list[str]) -> None:
        """Its beginning says what it is about; of a traceback the end."""
        with logging_to(told.append) as it:
            log.warning("x" * 1_000_000, exc_info=KeyError("y" * 1_000_000))
        (line,) = it.ring.lines()
        assert len(line.text) + len(line.cause) + len(line.trace) < 30_000
        assert line.trace.endswith("y'\n")


def crash(told: list[str], folder: Path, why: str) -> None:
    with logging_to(told.append) as it:
        it.keep_in(folder)
        raise KeyError(why)


class TestUncaught:
    def test_a_thread_that_dies_is_told_with_its_name(self, told: list[str]) -> None:
        """In one line; the traceback stands in the ring."""

        def die() -> None:
            raise LookupError("no goat")

        with logging_to(told.append) as it:
            thread = threading.Thread(target=die, name="goatherd")
            thread.start()
            thread.join()
        assert ["The thread 'goatherd' has died. (LookupError: no goat)"] == told
        assert "in die" in it.ring.lines()[0].trace

    def test_what_python_can_not_raise_is_told(self, told: list[str]) -> None:
        """As from a destructor."""

        class Bad:
            def __del__(self) -> None:
                raise LookupError("no goat")

        with logging_to(told.append):
            Bad()
        assert "LookupError: no goat" in told[0]

    def test_what_goes_wrong_while_a_line_is_passed_on_comes_after_it(self) -> None:
        """The garbage collector comes whenever it likes, and brings destructors that fail."""
        told: list[str] = []

        def tell(line: str) -> None:
            if not told:
                logging.getLogger("x").warning("A destructor has failed.")
            told.append(line)

        with logging_to(tell) as it:
            log.warning("The first.")
        assert ["The first.", "A destructor has failed."] == told
        assert told == [line.text for line in it.ring.lines()]

    @pytest.mark.filterwarnings("default")
    def test_what_a_library_warns_of_is_for_programmers(self, told: list[str]) -> None:
        """It stands in the ring; nobody at the table could mend it."""
        with logging_to(told.append) as it:
            warnings.warn("soon it will be gone", RuntimeWarning, stacklevel=1)
        assert [] == told
        assert ("py.warnings", "info") == (it.ring.lines()[0].name, it.ring.lines()[0].level_name)

    def test_what_ends_the_program_is_one_sentence(self, told: list[str], tmp_path: Path) -> None:
        """It says what to do, and in the folder stands what led to it."""
        with pytest.raises(Crashed, match=r"KeyError: 'goat'.*companion report") as crashed:
            crash(told, tmp_path, "goat")
        assert "\n" not in str(crashed.value)
        assert ["Something unforeseen has ended the companion. (KeyError: 'goat')"] == told
        kept = (tmp_path / FILE).read_text()
        assert "critical companion.logs.logging_setup: Something unforeseen" in kept
        assert "Traceback (most recent call last):" in kept

    def test_what_ends_it_before_it_is_kept_anywhere_is_told_in_full(self, told: list[str]) -> None:
        """Nobody could look it up."""
        with pytest.raises(Crashed), logging_to(told.append):
            raise KeyError("goat")
        assert 2 == len(told)
        assert told[1].startswith("Traceback (most recent call last):\n")
        assert told[1].endswith("KeyError: 'goat'")

    @pytest.mark.parametrize("error", [JournalFull("The disk is full."), OSError("x"), SystemExit(0)])
    def test_what_was_foreseen_is_no_crash(self, told: list[str], error: BaseException) -> None:
        """It says by itself what is to be done; the log has it too."""
        with pytest.raises(type(error)), logging_to(told.append) as it:
            raise error
        assert [] == told
        assert isinstance(error, SystemExit) or it.ring.lines()[0].cause.endswith(str(error))


class TestWaitress:
    def test_a_phone_that_leaves_is_one_line_for_programmers(self, told: list[str]) -> None:
        """What else goes wrong there is told."""
        waitress = logging.getLogger("waitress")
        with logging_to(told.append) as it:
            waitress.error("Socket error", exc_info=TimeoutError(110, "Connection timed out"))
            waitress.error("Exception while serving /rig", exc_info=KeyError("x"))
        assert ["Exception while serving /rig (KeyError: 'x')"] == told
        assert 1 == len(it.ring.lines())
        told.clear()
        with logging_to(told.append, verbose=True):
            waitress.error("Socket error", exc_info=TimeoutError(110, "Connection timed out"))
        (line,) = told
        assert line.endswith("debug    waitress: A phone has left: Connection timed out")


class TestFile:
    def test_it_is_written_at_the_end(self, told: list[str], tmp_path: Path) -> None:
        """The one of the time before is kept too, and no more."""
        for evening in "abc":
            with logging_to(told.append) as it:
                it.keep_in(tmp_path)
                log.info(evening)
        assert "somewhere: c\n" in (tmp_path / FILE).read_text()
        assert "somewhere: b\n" in (tmp_path / OLD_FILE).read_text()
        assert {FILE, OLD_FILE} == {path.name for path in tmp_path.iterdir()}

    def test_before_that_only_at_errors_and_seldom(self, told: list[str], tmp_path: Path) -> None:
        """An SD card wears out."""
        hand = Hand()
        log = Log(told.append, in_full, 0)
        keeper = Keeper(log, LogFile(tmp_path, log.ring), hand)

        def fail(text: str, level: int = logging.ERROR) -> str:
            log.emit(logging.LogRecord("x", level, "x.py", 1, text, None, None))
            keeper.look()
            return (tmp_path / FILE).read_text() if (tmp_path / FILE).exists() else ""

        assert "" == fail("first", logging.WARNING)
        assert "second" in fail("second")
        hand.now = SPARING_S - 1
        assert "third" not in fail("third")
        hand.now = SPARING_S
        assert "third" in fail("fourth", logging.INFO)
        assert "fifth" not in fail("fifth", logging.INFO)
        keeper.end(crashed=True)
        assert "fifth" in (tmp_path / FILE).read_text()

    def test_who_dies_at_every_start_writes_seldom(self, told: list[str], tmp_path: Path) -> None:
        """systemd begins it anew every second."""

        def kept(why: str) -> str:
            with pytest.raises(Crashed):
                crash(told, tmp_path, why)
            return (tmp_path / FILE).read_text()

        assert "first" in kept("first")
        assert "second" not in kept("second")
        os.utime(tmp_path / FILE, (0, 0))
        assert "third" in kept("third")

    def test_a_folder_that_can_not_be_written_to_ends_nothing(self, told: list[str], tmp_path: Path) -> None:
        """It is said in the log itself."""
        with logging_to(told.append) as it:
            it.keep_in(tmp_path / "gone")
            log.error("So.")
            it.look()
        assert "The log can't be kept: the folder" in it.ring.lines()[-1].text
        assert ["So."] == told
