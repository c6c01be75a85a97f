"""The command line: what it prints, what it says when it cannot, and with which exit code."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import pytest

import companion
from companion import __main__ as command_line
from companion.__main__ import cli
from companion.bench import referee_bench as bench
from companion.cli import lazy_group
from companion.cli.lazy_group import LazyGroup
from companion.journal import Journal

from .games.goat.rules.play import card, game, heard, pinks, press, rulings_of
from .kinds import mostly_slow
from .said import Run

EXAMPLE = Path(command_line.__file__).parent / "games" / "goat" / "evening.jsonl"


def recording(folder: Path, *events: object) -> Path:
    path = folder / "evening.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return path


def commands(group: click.Group, name: str = "companion") -> Iterator[tuple[str, click.Command]]:
    yield name, group
    context = click.Context(group)
    for sub in group.list_commands(context):
        command = group.get_command(context, sub)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {sub}")
        else:
            yield f"{name} {sub}", command


@pytest.mark.parametrize(
    ("name", "command"), [*commands(cli)], ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_command_shows_an_example_and_the_exit_codes(name: str, command: click.Command) -> None:
    """Help says what it does, shows one example that begins with the command, and explains the exit codes."""
    text = command.get_help(click.Context(command, info_name=name))

    assert f"Example: {name}" in text
    assert "Exit codes: 0" in text


def test_the_bundled_evening_is_replayed(run: Run) -> None:
    """A whole game, won by somebody, all on standard output."""
    said = run("replay", EXAMPLE)

    lines = [json.loads(line) for line in said.out.splitlines()]
    assert (said.code, said.err) == (0, "")
    assert "win" in [line.get("ruling") for line in lines]
    assert lines[-1]["state"]["phase"] == "over"


def test_a_replay_with_states(run: Run, tmp_path: Path) -> None:
    """One state for each event and one at the end."""
    said = run("replay", "--state", recording(tmp_path, game(), *pinks()))

    assert sum(line.startswith('{"state"') for line in said.out.splitlines()) == 5


def test_a_senseless_line_is_named(run: Run, tmp_path: Path) -> None:
    """One line on standard error, nothing on the other, and exit code 2."""
    path = recording(tmp_path, game(), press(1, 7))
    said = run("replay", path)

    assert said.code == 2
    assert said.out == ""
    expected = f"companion: {path}, line 2: press: `seat` must be a whole number from 0 to 1, not 7\n"
    assert expected == said.err


def test_a_line_without_end_is_refused(run: Run, tmp_path: Path) -> None:
    """A file that is one long line costs no more memory than a line may be long."""
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"x" * 3_000_000)
    said = run("replay", path)

    assert (said.code, said.err) == (
        2,
        f"companion: {path}, line 1: the line is 1000001 bytes long; no event is\n",
    )


@pytest.mark.parametrize("arguments", [("replay",), ("replay", "a", "b"), ("sing",), ("replay", "--loud", "a")])
def test_a_wrong_command_line_is_code_2(run: Run, arguments: tuple[str, ...]) -> None:
    """What the command line does not know makes no sense either."""
    said = run(*arguments)

    assert said.code == 2
    assert said.err.startswith("companion: ")
    assert re.search(r"[^.](\.|\?) See `companion[\w ]* --help`\.\n$", said.err)
    assert said.err.count("\n") == 1


def test_a_mistyped_command_is_asked_back(run: Run) -> None:
    """A question ends with its mark, not with a full stop behind it."""
    said = run("dem")
    assert "Did you mean 'demo'? See `companion --help`." in said.err


def test_a_missing_file_is_code_1(run: Run, tmp_path: Path) -> None:
    """The file's name and what is the matter, in one line."""
    said = run("replay", tmp_path / "nothing.jsonl")

    advice = "No such file or directory; is the name right, and the folder?"
    assert (said.code, said.err) == (1, f"companion: {tmp_path / 'nothing.jsonl'}: {advice}\n")


def test_a_mistyped_command_may_be_any_of_them(run: Run) -> None:
    """None of them is loaded for it; and what resembles none is not guessed at."""
    group = LazyGroup("companion", lazy=command_line.COMMANDS)

    assert group.get_command(click.Context(group), "jornal") is None
    assert {} == group.commands
    assert "No such command 'jornal'. Did you mean 'journal'? See `companion --help`." in run("jornal").err
    assert "No such command 'zzz'. See `companion --help`." in run("zzz").err
    assert "Did you mean 'backup'? See `companion journal --help`." in run("journal", "bakup").err


def test_an_interrupt_is_heard_while_a_command_loads(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever presses Ctrl-C then sees no traceback, and the shell learns of it."""

    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(lazy_group, "import_module", interrupted)
    said = run("deck", "-o", "deck.pdf")

    assert (130, "", "") == (said.code, said.out, said.err.strip())


LOADED = """
import sys
from companion.__main__ import main
main()
print(*sorted({"cv2", "numpy"} & sys.modules.keys()), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [
        (("replay", str(EXAMPLE)), ""),
        (("journal", "import", str(EXAMPLE)), ""),
        (("deck", "-o", "deck.pdf"), "cv2 numpy"),
        (("--help",), ""),
    ],
    ids=["replay", "import", "deck", "help"],
)
def test_a_command_loads_only_what_it_needs(tmp_path: Path, arguments: tuple[str, ...], loaded: str) -> None:
    """Who replays a recording or reads the help does not wait for OpenCV; who prints a deck does."""
    told = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "COMPANION_DATA": str(tmp_path)},
    )

    assert loaded == told.stderr.strip()


LOADED_BY_A_RIG = """
import sys
from companion.app import build_rig
from companion.cli import rig_commands
rooms = {room for name in sys.modules if name.startswith("companion.") for room in name.split(".")}
print(*sorted({"demo", "drawn", "paper", "bench", "printed", "cast"} & rooms))
print(sum(name.startswith(("companion.", "hardware.")) for name in sys.modules))
"""
# It was 203 when this was written; one who adds a room for the rig raises it.
RIG_MODULES = 230


def test_the_rig_at_a_real_table_loads_no_demo() -> None:
    """Nor what is drawn or printed: a Pi has neither the time nor the room for it."""
    told = subprocess.run([sys.executable, "-c", LOADED_BY_A_RIG], capture_output=True, text=True, check=True)
    rooms, modules = told.stdout.splitlines()

    assert "" == rooms
    assert RIG_MODULES > int(modules)


def test_the_help_names_every_command(run: Run) -> None:
    """Each with what it is for, in its own first words."""
    told = run("--help").out
    _, root = next(commands(cli))
    assert isinstance(root, click.Group)
    context = click.Context(root)

    names = "backup bench check deck demo journal look mat replay report restore run teach timing watch"
    assert names.split() == root.list_commands(context)
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        assert command is not None
        words = command.get_short_help_str(limit=30).removesuffix("...")
        assert re.search(rf"^  {name} +{re.escape(words)}", told, re.MULTILINE)
        assert command.get_short_help_str(limit=1000) == command_line.COMMANDS[name].purpose


def test_no_command_shows_the_help(run: Run) -> None:
    """Who types only the name is shown what there is."""
    said = run("--help")

    assert said.code == 0
    assert "replay" in said.out
    assert run("--version").out == f"companion, version {companion.__version__}\n"


def test_standard_input_is_a_recording(tmp_path: Path) -> None:
    """A dash reads what comes in, as a process of its own; the error names it."""
    lines = "".join(json.dumps(event) + "\n" for event in (game(), card(1, 0)))
    command = [sys.executable, "-m", "companion", "replay", "-"]
    good = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, cwd=tmp_path)
    bad = subprocess.run(command, input="{}", capture_output=True, text=True, check=False, cwd=tmp_path)

    told = [json.loads(line) for line in good.stdout.splitlines()]
    assert told[:-1] == rulings_of(heard([game(), card(1, 0)]))
    assert good.returncode == 0
    assert (bad.returncode, bad.stdout) == (2, "")
    assert (
        bad.stderr
        == "companion: standard input, line 1: no game has begun; the first event must be of the type `game`\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes that break")
@pytest.mark.parametrize("buffered", mostly_slow([True, False]))
@pytest.mark.parametrize(
    "arguments",
    [
        ("replay", str(EXAMPLE)),
        ("look", "--corners", "10,10 310,10 310,310 10,310", "blank.png", "blank.png"),
        ("watch", "--corners", "10,10 310,10 310,310 10,310", "film"),
        ("deck", "-o", "deck.pdf"),
        ("deck", "--help"),
        ("--help",),
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[-1:]),
)
def test_a_reader_that_has_seen_enough_is_no_error(
    tmp_path: Path, arguments: tuple[str, ...], *, buffered: bool
) -> None:
    """Into `head` each command ends quietly, and with 0: it has done what was asked for."""
    (tmp_path / "film").mkdir()
    blank = cv2.imencode(".png", np.full((320, 320, 3), 128, np.uint8))[1].tobytes()
    (tmp_path / "blank.png").write_bytes(blank)
    (tmp_path / "film" / "0.png").write_bytes(blank)
    frames = [{"file": "0.png", "t_ns": number * 200_000_000} for number in range(15)]
    (tmp_path / "film" / "frames.json").write_text(json.dumps({"frames": frames}))
    command = [sys.executable, "-m", "companion", *arguments]
    environment = {**os.environ, "COMPANION_DATA": str(tmp_path), "PYTHONUNBUFFERED": "" if buffered else "1"}
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment, check=False
    )
    os.close(writing)

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("corners", "why"),
    [
        ("0,0 900,900 900,0 0,900", "no square as a camera can see it"),
        ("0,0 0,900 900,900 900,0", "go round the wrong way"),
        ("0,0 9,0 9,9 0,9", "too close together"),
        ("0,0 900,0 900,900", "must be four"),
        ("0,0 900,0 900,900 0", "must be two numbers"),
        ("a,0 900,0 900,900 0,900", 'write the corners as "x,y x,y x,y x,y"'),
    ],
)
def test_corners_that_can_not_be_meant_are_refused_with_the_reason(run: Run, corners: str, why: str) -> None:
    """Whoever has mixed them up is not told how to write them."""
    said = run("look", "--corners", corners, "table.jpg")

    assert (2, "", 1) == (said.code, said.out, said.err.count("\n"))
    assert why in said.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_no_reader_that_has_seen_enough(tmp_path: Path) -> None:
    """What was asked for is not there: it says so, and ends with 1."""
    command = [sys.executable, "-m", "companion", "replay", str(EXAMPLE)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False)

    said = "companion: No space left on device; make room there and try again\n"
    assert (1, said) == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EDQUOT, "you may keep no more there: make room and try again"),
        (errno.EROFS, "that disk can only be read: is its card locked, or worn out?"),
        (errno.EIO, "that disk fails: look at the card and its reader"),
        (errno.ETXTBSY, "look at the file and its folder"),
    ],
)
def test_what_a_disk_says_comes_with_what_to_do(
    run: Run, monkeypatch: pytest.MonkeyPatch, number: int, advice: str
) -> None:
    """In one line, whatever was to be read or written."""

    def fails(_: str) -> None:
        raise OSError(number, os.strerror(number), "cards.pdf")

    monkeypatch.setattr(lazy_group, "import_module", fails)
    said = run("mat", "-o", "cards.pdf")
    assert (1, f"companion: cards.pdf: {os.strerror(number)}; {advice}\n") == (said.code, said.err)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("command", ["demo", "run"])
def test_what_runs_until_it_is_stopped_may_be_stopped_while_it_loads(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str, number: int
) -> None:
    """That is no failure, however soon it comes."""

    def interrupted(_: str) -> None:
        signal.raise_signal(number)

    monkeypatch.setattr(lazy_group, "import_module", interrupted)
    said = run(command)

    assert (0, "", "") == (said.code, said.out, said.err)


def test_a_command_may_end_with_a_code_of_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the demo's benchmark does where something is wrong."""

    def wrong(*_: object) -> list[str]:
        return ["wrong: all of it"]

    monkeypatch.setattr("companion.bench.demo_bench.bench_demo", wrong)
    said = run("bench", "demo")

    assert (1, "wrong: all of it\n") == (said.code, said.out)
    assert run("bench", "demo", "--minutes", "nan").code == 2


def test_a_journal_goes_out_and_comes_back(run: Run, tmp_path: Path) -> None:
    """Import, list, export, and what comes out is what went in."""
    path = recording(tmp_path, game(), *pinks(), press(3.4, 1))

    assert run("journal", "import", path).out == f"5 events added to {tmp_path / 'data' / 'journal.db'}.\n"
    listed = run("journal", "list").out
    assert "goat      5 events  Ada, Ben" in listed
    out = tmp_path / "out.jsonl"
    assert run("journal", "export", out).out == f"5 events written to {out}.\n"
    assert out.read_bytes() == path.read_bytes()
    assert run("replay", out).code == 0
    again = tmp_path / "again.jsonl"
    assert run("journal", "export", "--game", 2, again).code == 1
    assert run("journal", "export", "--game", 1, again).code == 0
    assert again.read_bytes() == path.read_bytes()


def test_an_export_to_standard_output(tmp_path: Path) -> None:
    """A dash writes the recording itself and nothing else."""
    with Journal.open(tmp_path / "journal.db") as journal:
        journal.append([json.dumps(game())])
    command = [sys.executable, "-m", "companion", "journal", "export", "--data", str(tmp_path), "-"]
    told = subprocess.run(command, capture_output=True, check=True)

    assert json.loads(told.stdout) == game()


def test_an_import_is_all_or_nothing(run: Run, tmp_path: Path) -> None:
    """A recording that the running game makes senseless is refused with its line, and nothing is added."""
    path = recording(tmp_path, game(), card(1, 0))
    assert run("journal", "import", path).code == 0
    again = run("journal", "import", path)

    assert (again.code, again.out) == (2, "")
    assert "line 1: game: the game before is not over yet" in again.err
    with Journal.open(tmp_path / "data" / "journal.db") as journal:
        assert journal.last == 2


def test_an_import_reads_every_line_once(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The rules and the journal look at the same event; nobody parses its text anew."""
    read: list[str] = []
    decode = json.JSONDecoder.decode

    def counted(decoder: json.JSONDecoder, text: str, *more: Any) -> object:
        read.append(text)
        return decode(decoder, text, *more)

    # All ways of reading JSON lead through it.
    monkeypatch.setattr(json.JSONDecoder, "decode", counted)
    path = recording(tmp_path, game(), *pinks(), press(3.4, 1))

    assert run("journal", "import", path).code == 0
    assert path.read_text(encoding="utf-8").splitlines(keepends=True) == read


def test_what_only_the_journal_cannot_take_is_named_too(run: Run, tmp_path: Path) -> None:
    """The rules do not mind a line end within a line; the journal does, and then nothing is added."""
    path = tmp_path / "odd.jsonl"
    path.write_bytes(json.dumps(game()).encode() + b'\n{"t":5,\r"type":"press","seat":1}\n')
    said = run("journal", "import", path)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"companion: {path}, Line 2 of the recording: ")
    assert said.err.endswith(": it must stand on one line.\n")
    with Journal.open(tmp_path / "data" / "journal.db") as journal:
        assert journal.last == 0


def test_an_export_overwrites_nothing(run: Run, tmp_path: Path) -> None:
    """A file that is there already stays as it is."""
    path = recording(tmp_path, game())
    assert run("journal", "import", path).code == 0
    said = run("journal", "export", path)

    assert (said.code, said.err) == (1, f"companion: {path} is there already; give another name.\n")


def test_a_backup_and_back(run: Run, tmp_path: Path) -> None:
    """A backup is one file; restoring sets the present journal aside and says where."""
    kept = tmp_path / "kept.db"
    run("journal", "import", recording(tmp_path, game()))

    assert run("journal", "backup", kept).out == f"1 events are safe in {kept}.\n"
    run("journal", "import", recording(tmp_path, card(1, 0)))
    said = run("journal", "restore", kept)
    assert said.code == 0
    assert "What was there is" in said.out
    assert "    1 events" in run("journal", "list").out


def test_a_journal_is_no_recording(run: Run, tmp_path: Path) -> None:
    """Whoever replays the journal itself is told how to get a recording out of it."""
    run("journal", "import", recording(tmp_path, game()))
    said = run("replay", tmp_path / "data" / "journal.db")

    assert said.code == 2
    assert "`companion journal export`" in said.err


def test_a_byte_order_mark_means_nothing(run: Run, tmp_path: Path) -> None:
    """Some editors put one first; replay and import pass over it, and the line numbers stay."""
    path = tmp_path / "windows.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(game()).encode() + b"\r\n\r\n" + json.dumps(card(1, 0)).encode())
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"\n\n{}\n")

    assert run("replay", path).code == 0
    assert run("journal", "import", path).code == 0
    assert "line 3: " in run("journal", "import", bad).err
    assert "line 3: " in run("replay", bad).err


def test_nothing_is_said_to_be_nothing(run: Run, tmp_path: Path) -> None:
    """An empty recording and an empty journal are no errors, but are not silent either."""
    Journal.open(tmp_path / "data" / "journal.db").close()

    assert (run("replay", recording(tmp_path)).code, run("replay", recording(tmp_path)).out) == (0, "")
    assert run("replay", recording(tmp_path)).err == "There is no event in it.\n"
    assert run("journal", "list").err == "No game has been played yet.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such shell")
def test_a_closed_standard_input_is_said() -> None:
    """As a service has it."""
    command = f"{sys.executable} -m companion replay - <&-"
    told = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)

    assert (told.returncode, told.stderr) == (
        1,
        "companion: There is no standard input to read from; name a file.\n",
    )


def test_no_journal_is_said_in_one_line(run: Run) -> None:
    """Looking at a journal that is not there makes none."""
    said = run("journal", "list")

    assert said.code == 1
    assert said.err.startswith("companion: There is no journal at ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(("what", "paper"), [("mat", "a3"), ("mat", "Letter"), ("deck", "A4"), ("deck", "letter")])
def test_what_is_to_be_printed_is_a_pdf(run: Run, tmp_path: Path, what: str, paper: str) -> None:
    """It says where it is, and that it must not be scaled."""
    out = tmp_path / "print.pdf"
    said = run(what, "-o", out, "--paper", paper)

    assert (said.code, said.err) == (0, "")
    assert f"is in {out}. Print it at 100 %" in said.out
    assert out.read_bytes().startswith(b"%PDF-")
    assert run(what, "-o", tmp_path / "no" / "print.pdf").code == 1
    assert run(what, "-o", out, "--paper", "napkin").code == 2


def test_the_benchmark_prints_both_sizes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few and many evenings, side by side, and the ratio between them."""
    monkeypatch.setattr(bench, "FEW", 1)
    monkeypatch.setattr(bench, "MANY", 3)
    said = run("bench", "referee")

    assert said.code == 0
    head, *rows, ratio = said.out.splitlines()[1:]
    assert head.split() == ["evenings", "events", "events/s", "us/event"]
    assert [row.split()[0] for row in rows] == ["1", "3"]
    assert ratio.startswith("an event among 3 evenings costs ")
