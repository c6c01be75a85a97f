"""The last pictures that were misread: kept for a report, few, and on no thread that anybody waits for."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from companion.errors import TableClosed
from companion.journal import Journal
from companion.logs.logging_setup import logging_to
from companion.rig.misread_photos import APART_S, KEPT, WIDEST_PX, MisreadPhotos
from companion.table.live_table import Table

GOLDEN = Path(__file__).parents[1] / "games" / "goat" / "golden"
SOON = 20.0
GAME: dict[str, Any] = {"type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0}
FIX: dict[str, Any] = {"type": "fix", "decks": [31, 29]}


class Here:
    """A table, what its camera shows, and a clock that a test turns."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.table = table
        self.folder = folder
        self.now = 0.0
        self.pixels: MatLike | None = np.full((480, 640, 3), 90, np.uint8)
        self.misread = MisreadPhotos(table, lambda: self.pixels, folder, lambda: self.now)

    def tell(self, *events: dict[str, Any]) -> list[str]:
        """What is kept then."""
        for event in events:
            self.table.tell(event).result(SOON)
        self.misread.turn()
        return sorted(path.name for path in self.folder.glob("*"))


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    with Journal.open(tmp_path / "journal.db") as journal, Table(journal) as table:
        yield Here(table, tmp_path / "misread")


def test_what_people_correct_is_kept(here: Here) -> None:
    """As the camera saw it then; what else happens is not."""
    assert [] == here.tell(GAME)
    assert ["0000000002-corrected.jpg"] == here.tell(FIX)
    kept = cv2.imread(str(here.folder / "0000000002-corrected.jpg"))
    assert kept is not None
    assert (480, 640, 3) == kept.shape


def test_cards_that_drift_are_kept(here: Here) -> None:
    """The camera sees others than everybody thinks."""
    evening = GOLDEN / "the-camera-disagrees.jsonl"
    events = [json.loads(line) for line in evening.read_text().splitlines()]
    assert any(name.endswith("-adrift.jpg") for name in here.tell(*events))


def test_few_are_kept(here: Here) -> None:
    """The newest; and not one after the other, for an SD card wears out."""
    names = here.tell(GAME)
    for number in range(KEPT + 3):
        here.now += APART_S["corrected"]
        names = here.tell({**FIX, "decks": [30 + number, 30 - number]})
    assert [f"{number:010d}-corrected.jpg" for number in range(5, 5 + KEPT)] == names
    here.now += APART_S["corrected"] - 1
    assert names == here.tell(FIX)


def test_a_huge_picture_is_made_smaller(here: Here) -> None:
    """A dozen megapixels tell no more."""
    here.pixels = np.full((3000, 4000, 3), 90, np.uint8)
    (name,) = here.tell(GAME, FIX)
    kept = cv2.imread(str(here.folder / name))
    assert kept is not None
    assert (1440, WIDEST_PX) == kept.shape[:2]


def test_without_a_picture_there_is_none(here: Here) -> None:
    """People correct themselves also before the camera has opened."""
    here.pixels = None
    assert [] == here.tell(GAME, FIX)


def test_what_can_not_be_kept_is_logged(here: Here, tmp_path: Path) -> None:
    """And the next is tried again."""
    (tmp_path / "misread").write_text("in the way")
    here.tell(GAME)
    told: list[str] = []
    with logging_to(told.append) as log:
        here.tell(FIX)
    assert [logging.INFO] == [line.level for line in log.ring.lines()]
    assert "can't be kept" in log.ring.lines()[0].text
    assert [] == told


def test_it_ends_with_the_table(here: Here) -> None:
    """And works on a thread of its own until then."""
    with here.misread:
        here.table.tell(GAME).result(SOON)
    here.table.close()
    with pytest.raises(TableClosed):
        here.misread.turn()
