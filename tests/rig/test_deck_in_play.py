"""A deck that can't be read ends no evening: people play on, it is said, and when it is there it is used."""

import json
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.app import build_rig
from companion.drawn.drawn_lot import scene_by_lot
from companion.eyes.deck.deck_shelf import SUPPLIED
from companion.games.goat.cast.supplied_deck import goat_faces
from companion.rig import deck_in_play
from companion.rig.camera_worker import FrameSource
from companion.rig.deck_in_play import RETRY_S, DeckInPlay
from companion.threads.troubles import DECK, Troubles
from hardware.gpio.simchip import SimChip

from ..app.test_build_rig import GAME, PLAN, Phone, paired, phone_lines, running_rig, slap
from ..eyes.test_deck_file import parts, rewritten
from ..remembered import paint
from ..still import Still
from ..waiting import until

GOATS = next(folder / "goats.deck" for folder in SUPPLIED if (folder / "goats.deck").exists())


def missing(_: Path) -> None:
    """Nobody has taught it."""


def damaged(path: Path) -> None:
    path.write_bytes(GOATS.read_bytes()[:5000])


def newer(path: Path) -> None:
    path.write_bytes(GOATS.read_bytes())
    _, about, _ = parts(path)
    rewritten(path, {**about, "version": 99})


def a_folder(path: Path) -> None:
    path.mkdir()


@pytest.fixture
def now() -> list[float]:
    return [100.0]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    (tmp_path / "models").mkdir()
    return tmp_path / "models"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (missing, "ours: there is no such deck and no such file; there are goats, or teach one"),
        (damaged, "ours.deck: "),
        (newer, "a later version of the companion has taught this deck; update this one"),
        (a_folder, "The deck ours can't be read: "),
    ],
)
def test_it_is_used_as_soon_as_it_can_be_read(
    spoil: Callable[[Path], None], words: str, models: Path, now: list[float]
) -> None:
    """Until then the board says why not and what to do; nobody looks for it at every picture."""
    spoil(models / "ours.deck")
    troubles = Troubles()
    deck = DeckInPlay("ours", models, troubles, clock=lambda: now[0])
    assert deck.eyes() is None
    trouble = troubles.find(DECK)
    assert trouble is not None
    assert words in trouble.sentence
    assert trouble.sentence.endswith("people say on the page what lies there.")
    if (models / "ours.deck").is_dir():
        (models / "ours.deck").rmdir()
    shutil.copy(GOATS, models / "ours.deck")
    assert deck.eyes() is None
    now[0] += RETRY_S
    eyes = deck.eyes()
    assert eyes is not None
    assert troubles.find(DECK) is None


@pytest.fixture
def phone(chip: SimChip, tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Phone]:
    """Of a rig whose camera works, and whose deck is damaged."""
    damaged(models / "ours.deck")
    pixels, _ = paint(scene_by_lot(4, goat_faces(), light="neutral", mat=True, filled=3))

    @contextmanager
    def camera(_: str) -> Generator[FrameSource]:
        yield Still(np.asarray(pixels, np.uint8), chip.clock)

    monkeypatch.setattr(build_rig, "camera", camera)
    monkeypatch.setattr(deck_in_play, "RETRY_S", 0.05)
    monkeypatch.setattr("companion.rig.picture_reader.BLIND", 50_000_000)
    with running_rig(replace(PLAN, camera="usb:0", deck="ours"), tmp_path, []) as phone:
        yield phone


def test_a_damaged_deck_does_not_end_the_referee(phone: Phone, chip: SimChip, models: Path) -> None:
    """Play goes on by the buttons, and the page says why no card is read; once the deck is there they are."""
    paired(phone, chip)
    assert 200 == phone.say({**GAME, "grid": "camera"})
    assert "ours.deck" in phone.ask("/healthz")[1]["deck"]
    assert "The taught deck can't be read" in phone.page("/rig").replace("&#39;", "'")
    assert "Nothing has been read yet." in phone.page("/rig/now")
    slap(chip, 5, chip.clock())
    until(lambda: any(json.loads(line)["type"] == "seen" for line in phone_lines(phone)))
    shutil.copy(GOATS, models / "ours.deck")
    until(lambda: "deck" not in phone.ask("/healthz")[1])
    until(lambda: "Rowboat" in phone.page("/rig/now"))
    until(lambda: any(json.loads(line)["type"] == "grid" for line in phone_lines(phone)))
