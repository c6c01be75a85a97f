"""Where people sit is kept with their game: over a restart, out into a recording and in again."""

import json
from pathlib import Path

import pytest

from companion.journal import Journal, Reader
from companion.table.live_table import Table

from ..said import Run

SOON = 20.0
GAP: dict[str, object] = {
    "t": 0,
    "type": "game",
    "game": "goat",
    "seats": ["Mum", "Kid"],
    "places": [0, 2],
    "starter": 0,
}


def places_of(table: Table) -> tuple[int, ...]:
    game = table.snapshot.evening.game
    assert game is not None
    return game.seating.places


def test_after_a_restart_everybody_sits_where_they_sat(tmp_path: Path) -> None:
    """In the middle of the game."""
    for _ in range(2):
        with Journal.open(tmp_path / "journal.db") as journal, Table(journal) as table:
            if table.snapshot.evening.game is None:
                table.tell(GAP).result(SOON)
            assert (0, 2) == places_of(table)


def test_a_recording_goes_out_and_in_with_its_gaps(run: Run, tmp_path: Path) -> None:
    """And is judged as one without."""
    recording = tmp_path / "gap.jsonl"
    recording.write_text(json.dumps(GAP) + "\n")
    assert 0 == run("journal", "import", recording).code
    out = tmp_path / "out.jsonl"
    assert 0 == run("journal", "export", out).code
    assert GAP == json.loads(out.read_text())
    journal = tmp_path / "data" / "journal.db"
    with Reader.open(journal) as reader:
        assert ("Mum", "Kid") == reader.games()[0].seats
    with Journal.open(journal) as kept, Table(kept) as table:
        assert (0, 2) == places_of(table)
    dense = tmp_path / "dense.jsonl"
    dense.write_text(json.dumps({key: value for key, value in GAP.items() if key != "places"}) + "\n")
    said = run("replay", recording)
    assert (0, said.out) == (said.code, run("replay", dense).out)


@pytest.mark.parametrize("places", [[0], [2, 0], [0, 9], "02", [0, 0.5]])
def test_places_that_make_no_sense_are_named_with_their_line(run: Run, tmp_path: Path, places: object) -> None:
    """In one sentence, and with 2."""
    recording = tmp_path / "senseless.jsonl"
    recording.write_text(json.dumps({**GAP, "places": places}) + "\n")
    said = run("replay", recording)
    assert 2 == said.code
    assert "line 1" in said.err.lower()
    assert "`places`" in said.err
