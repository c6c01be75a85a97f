"""What is told beside the game, and a reader who rests or hangs up."""

import io
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import TextIO

import pytest

from companion.logs.console import FULL, LEFT_OUT, NO_ROOM, ROOM, Console, Unbuffered
from companion.threads.worker import Crew

from ..told import SOON, wait_for_its_end
from ..waiting import until


@pytest.fixture
def deaths() -> list[BaseException]:
    return []


@pytest.fixture
def pipe() -> Iterator[tuple[int, TextIO]]:
    """Its end to read from, and that to write to as standard output has it."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="ascii") as out:
        yield reading, out


def test_what_is_told_comes_out_in_its_order(pipe: tuple[int, TextIO], deaths: list[BaseException]) -> None:
    """All of it, before the telling ends."""
    reading, out = pipe
    straight = Unbuffered(out)
    with Console(straight.write, Crew(deaths.append)) as telling:
        telling.say("page: \n")
        telling.tell(lambda: straight.write("Zoë\n"))
    wait_for_its_end()
    assert b"page: \nZo?\n" == os.read(reading, 100)
    os.close(reading)
    assert [] == deaths


@pytest.mark.parametrize("number", FULL)
def test_a_file_on_a_full_disk_is_gone_on_with(number: int, deaths: list[BaseException]) -> None:
    """What there was no room for is left out, and where that was is said once."""
    told: list[str] = []
    refused: list[str] = []
    full = [False]

    def say(line: str) -> None:
        (refused if full[0] else told).append(line)
        if full[0]:
            raise OSError(number, os.strerror(number))

    with Console(say, Crew(deaths.append)) as telling:
        telling.say("first")
        until(lambda: told == ["first"])
        full[0] = True
        for count, line in enumerate(("a", "b", "c"), 1):
            telling.say(line)
            until(lambda count=count: len(refused) == count)
        full[0] = False
        telling.say("last")
        until(lambda: told == ["first", NO_ROOM, "last"])
    assert [] == deaths


def test_a_reader_who_rests_holds_up_nobody(deaths: list[BaseException]) -> None:
    """What finds no room any more is left out, and where that was is said once; what waited is told after all."""
    rests, comes_back, has_read = Event(), Event(), Event()
    told: list[str] = []
    lines = [str(number) for number in range(ROOM + 10)]

    def say(line: str) -> None:
        rests.set()
        assert comes_back.wait(SOON)
        told.append(line)
        if line == lines[ROOM - 1]:
            has_read.set()

    with Console(say, Crew(deaths.append)) as telling:
        telling.say("first")
        assert rests.wait(SOON)
        for line in lines:
            telling.say(line)
        comes_back.set()
        assert has_read.wait(SOON)
        telling.say("next")
    wait_for_its_end()
    assert ["first", *lines[:ROOM], LEFT_OUT, "next"] == told
    assert [] == deaths


def test_nobody_waits_for_a_reader_who_rests_for_good(deaths: list[BaseException]) -> None:
    """The telling ends without him; what was left out at the end is said as well, should he come back."""
    rests, comes_back = Event(), Event()
    told: list[str] = []

    def say(line: str) -> None:
        rests.set()
        assert comes_back.wait(SOON)
        told.append(line)

    with Console(say, Crew(deaths.append)) as telling:
        telling.say("first")
        assert rests.wait(SOON)
        for _ in range(ROOM + 1):
            telling.say("more")
    assert [] == told
    comes_back.set()
    wait_for_its_end()
    assert ["first", *["more"] * ROOM, LEFT_OUT] == told
    assert [] == deaths


def test_a_reader_who_hangs_up_is_no_trouble(pipe: tuple[int, TextIO], deaths: list[BaseException]) -> None:
    """Nobody is told any more, and nothing else happens."""
    reading, out = pipe
    os.close(reading)
    with Console(Unbuffered(out).write, Crew(deaths.append)) as telling:
        telling.say("page: \n")
        wait_for_its_end()
        telling.say("lost\n")
    assert [] == deaths


def test_what_can_not_be_told_for_another_reason_is_left_out_and_said(
    deaths: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands on the board until the next line is told; the game goes on."""
    monkeypatch.setattr("companion.threads.worker.FIRST_PAUSE_S", 0.001)
    told, has_told, crew = list[str](), Event(), Crew(deaths.append)

    def say(line: str) -> None:
        told.extend(trouble.key for trouble in crew.wrong())
        if line == "what":
            raise LookupError(line)
        told.append(line)
        has_told.set()

    with Console(say, crew) as telling:
        telling.say("what")
        telling.say("that")
        assert has_told.wait(SOON)
    wait_for_its_end()
    assert ["telling", "that"] == told
    assert [] == deaths


def test_nothing_waits_in_a_buffer(tmp_path: Path) -> None:
    """Each line is there at once and whole; without standard output there is none."""
    with (tmp_path / "out").open("w", encoding="utf-8") as out:
        Unbuffered(out).write("▮" * 100_000)
        assert "▮" * 100_000 == (tmp_path / "out").read_text("utf-8")
    Unbuffered(None).write("page: ")
    with pytest.raises(io.UnsupportedOperation):
        Unbuffered(io.TextIOWrapper(io.BytesIO())).write("page: ")


@pytest.mark.skipif(not hasattr(os, "set_blocking"), reason="Windows has only pipes that wait")
def test_a_pipe_that_does_not_wait_is_waited_for(pipe: tuple[int, TextIO], deaths: list[BaseException]) -> None:
    """More than it has room for comes out whole all the same."""
    reading, out = pipe
    os.set_blocking(out.fileno(), False)
    with Console(Unbuffered(out).write, Crew(deaths.append)) as telling:
        telling.say("x" * 1_000_000)
        read = 0
        while read < 1_000_000:
            read += len(os.read(reading, 65536))
    wait_for_its_end()
    os.close(reading)
    assert [] == deaths
