"""Recordings: out as bare events, in as all of them or none."""

import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import InvalidEvent, NoSuchGame
from companion.journal import Entry, Journal, Reader, export_lines, import_lines
from companion.table.recording import parsed_lines

from ..exploring import examples
from .evening import GAME, keep, press, texts

GOLDEN = Path(__file__).parents[1] / "games" / "goat" / "golden"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def exported(path: Path, game: int | None = None) -> tuple[int, bytes]:
    out = io.BytesIO()
    with Reader.open(path) as reader:
        return export_lines(reader, out, game=game).events, out.getvalue()


def imported(journal: Journal, recording: Iterable[bytes], *, version: int = 1) -> tuple[Entry, ...]:
    return import_lines(journal, parsed_lines(recording), version=version)


def test_an_exported_recording_is_the_events_and_nothing_else(path: Path) -> None:
    """One event a line, to the last character as it was appended."""
    events = [GAME, ' {"t" : 5,"type":"note","x":"ü🐐\\n\u2028"}', press(6)]
    keep(path, events)
    assert (3, "".join(event + "\n" for event in events).encode()) == exported(path)


def test_one_game_is_exported_up_to_the_next(path: Path) -> None:
    """From its first event to the last before another game begins."""
    keep(path, [press(1), GAME, press(2), press(3), GAME, press(4)])
    assert (3, f"{GAME}\n{press(2)}\n{press(3)}\n".encode()) == exported(path, 2)
    assert (2, f"{GAME}\n{press(4)}\n".encode()) == exported(path, 5)


@pytest.mark.parametrize("number", [0, 1, 3, 4, 99])
def test_what_begins_no_game_is_no_game(path: Path, number: int) -> None:
    """A number that isn't a game's first is refused, and nothing is written."""
    keep(path, [press(1), GAME, press(2)])
    with Reader.open(path) as reader:
        out = io.BytesIO()
        with pytest.raises(NoSuchGame, match=f"No game in the journal begins with event {number}"):
            export_lines(reader, out, game=number)
        assert out.getvalue() == b""


def test_golden_evenings_survive_the_journal(tmp_path: Path) -> None:
    """Every recorded evening comes out of the journal as it went in."""
    recordings = [each for each in GOLDEN.glob("*.jsonl") if not each.name.endswith(".rulings.jsonl")]
    assert recordings
    for recording in recordings:
        before = recording.read_bytes()
        path = tmp_path / recording.stem / "journal.db"
        with Journal.open(path) as journal:
            imported(journal, io.BytesIO(before))
        assert before == exported(path)[1]


def test_an_imported_recording_goes_behind_what_is_there(path: Path) -> None:
    """Line ends of Windows and empty lines are no part of an event; the vocabulary's version is kept."""
    keep(path, [press(1)])
    with Journal.open(path) as journal:
        entries = imported(journal, io.BytesIO(f"{GAME}\r\n\n{press(2)}\n \n{press(3)}".encode()), version=3)
        assert [(entry.number, entry.version) for entry in entries] == [(2, 3), (3, 3), (4, 3)]
    assert [press(1), GAME, press(2), press(3)] == texts(path)


WRONG = {
    "no JSON": (b"{", "Expecting property name"),
    "no object": (b"[]", "must be a JSON object"),
    "no time": (b'{"type":"press"}', '"t" must be an integer'),
    "no type": (b'{"t":1}', '"type" must be a word'),
    "no UTF-8": (b'{"t":1,"type":"\xff"}', "'utf-8' codec can't decode"),
    "a NUL": (b'{"t":1,"type":"\x00"}', "Invalid control character"),
    "a byte order mark": (b'\xef\xbb\xbf{"t":1,"type":"x"}', "BOM"),
    "a ruling": (b'{"t":1,"ruling":"turn","seat":0}', '"type" must be a word'),
}


@pytest.mark.parametrize(("line", "why"), WRONG.values(), ids=WRONG)
def test_one_wrong_line_keeps_the_whole_recording_out(path: Path, line: bytes, why: str) -> None:
    """The error names the line and what is wrong with it, and nothing is appended."""
    recording = [press(1).encode() + b"\n", line + b"\n", press(2).encode() + b"\n"]
    with Journal.open(path) as journal:
        with pytest.raises(InvalidEvent, match=r"^(Line 2 of the recording|line 2): ") as refusal:
            imported(journal, recording)
        assert why in str(refusal.value)
        assert journal.last == 0


@settings(max_examples=examples(30))  # each one keeps two journals, and the disk takes its time
@given(st.lists(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers() | st.none())))
def test_what_is_exported_can_be_imported(
    tmp_path_factory: pytest.TempPathFactory, said: list[dict[str, int]]
) -> None:
    """Out and in again gives the same recording."""
    folder = tmp_path_factory.mktemp("lines")
    events = [json.dumps(each | {"t": t, "type": "x"}, ensure_ascii=t % 2 == 0) for t, each in enumerate(said)]
    keep(folder / "one.db", events)
    with Journal.open(folder / "two.db") as journal:
        imported(journal, io.BytesIO(exported(folder / "one.db")[1]))
    assert events == texts(folder / "two.db")
