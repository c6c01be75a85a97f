"""A game of bells at the real rig: each thing that a finger can do becomes the event that the game says it is."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from companion.core.game_record import GameRecord, Ruling
from companion.core.gestures import DOUBLE_WITHIN, ButtonGesture, ButtonUse, GestureMade
from companion.games.game import Game, Rights, says
from companion.table import evening as evening_of_games
from companion.units import MILLISECOND, SECOND
from companion.web import game_page, permissions
from hardware.gpio.simchip import SimChip

from .test_build_rig import PLAN, Phone, paired, phone_lines, running_rig, slap, until

pytestmark = pytest.mark.usefixtures("chip")


@dataclass(frozen=True, slots=True)
class Bells(GameRecord):
    """Whose turn it is draws; a whole second means out."""

    names: tuple[str, ...]
    turn: int = 0

    @property
    def seats(self) -> tuple[str, ...]:
        return self.names

    @property
    def over(self) -> bool:
        return False

    def hear(self, raw: object) -> "Bells":
        event = cast("dict[str, Any]", raw)
        return replace(self, turn=(self.turn + 1) % len(self.names)) if event["type"] == "draw" else self

    def rulings(self) -> Iterator[tuple[int, Ruling]]:
        return iter(())

    def state(self) -> dict[str, object]:
        return {"game": "bells", "turn": self.turn}


def draw(made: GestureMade, seat: int, game: GameRecord) -> Mapping[str, object] | None:
    """Only of whoever has the turn."""
    return says("draw")(made, seat, game) if game.state()["turn"] == seat else None


def out(made: GestureMade, seat: int, _game: GameRecord) -> Mapping[str, object]:
    return {"t": made.t, "type": "out", "seat": seat, "since": made.pressed}


class BellsPage:
    """Which nobody looks at here."""

    def beside(self, _game: GameRecord) -> dict[str, object]:
        return {}


def not_asked_for() -> Any:
    raise AssertionError


BELLS = Game(
    name="bells",
    title="Bells",
    folder=Path(__file__).parent,
    begin=lambda raw: Bells(tuple(cast("dict[str, Any]", raw)["seats"])),
    seats=range(2, 10),
    rights=Rights(),
    buttons={
        (ButtonUse.GRAB, ButtonGesture.PRESS): says("ring"),
        (ButtonUse.GRAB, ButtonGesture.RELEASE): says("hush"),
        (ButtonUse.GRAB, ButtonGesture.DOUBLE): says("peal"),
        (ButtonUse.GRAB, ButtonGesture.HOLD): says("toll"),
        (ButtonUse.CALL, ButtonGesture.PRESS): draw,
        (ButtonUse.CALL, ButtonGesture.HOLD): out,
    },
    waits_for_hold=frozenset({ButtonUse.CALL}),
    page=lambda: cast("Any", BellsPage()),
    history=not_asked_for,
    cast=not_asked_for,
)
GAME = {"type": "game", "game": "bells", "seats": ["Ada", "Ben", "Cy"]}
# The grab of seat 1, and the only button for calls, which is seat 0's.
GRAB, CALL = 5, 27


@pytest.fixture
def phone(chip: SimChip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Phone]:
    """Of seat 0, at a table at which the bells are played."""
    for module in (evening_of_games, permissions, game_page):
        monkeypatch.setattr(module, "GAMES", {"bells": BELLS})
    with running_rig(PLAN, tmp_path, []) as phone:
        paired(phone, chip)
        assert 200 == phone.say(GAME)
        yield phone


def events(phone: Phone) -> Sequence[dict[str, Any]]:
    """Without the end of the press by which the phone was paired."""
    heard: list[dict[str, Any]] = [json.loads(line) for line in phone_lines(phone)[1:]]
    return [event for event in heard if (event["type"], event["seat"]) != ("hush", 0)]


def told(phone: Phone, *kinds: str) -> Sequence[dict[str, Any]]:
    until(lambda: len(events(phone)) >= len(kinds))
    heard = events(phone)
    assert [*kinds] == [event["type"] for event in heard]
    return heard


def test_a_press_counts_at_once_and_its_end_is_told(phone: Phone, chip: SimChip) -> None:
    """While it is held nobody knows yet how long it will be."""
    chip.press(GRAB)
    (ring,) = told(phone, "ring")
    chip.let_go(GRAB, ring["t"] + 80 * MILLISECOND)
    _, hush = told(phone, "ring", "hush")
    assert 80 * MILLISECOND == hush["t"] - ring["t"]
    assert 1 == hush["seat"]


def test_a_long_press_is_told_while_it_is_held(phone: Phone, chip: SimChip) -> None:
    """A second after it began."""
    chip.press(GRAB)
    ring, toll = told(phone, "ring", "toll")
    assert SECOND == toll["t"] - ring["t"]


def test_two_quick_presses_mean_one_thing(phone: Phone, chip: SimChip) -> None:
    """The second is no ring of its own."""
    now = chip.clock()
    slap(chip, GRAB, now)
    slap(chip, GRAB, now + DOUBLE_WITHIN)
    ring, _, peal, _ = told(phone, "ring", "hush", "peal", "hush")
    assert DOUBLE_WITHIN == peal["t"] - ring["t"]


def test_a_short_press_is_none_until_it_is_over(phone: Phone, chip: SimChip) -> None:
    """Where a long one means something else; and what it means is for the game as it stands to say."""
    now = chip.clock()
    slap(chip, CALL, now)
    (drawn,) = told(phone, "draw")
    assert now == drawn["t"]
    assert 1 == phone.state()["turn"]
    # Another's turn: the next one draws nothing.
    slap(chip, CALL, chip.clock())
    chip.press(CALL, chip.clock() + 500 * MILLISECOND)
    drawn, gone = told(phone, "draw", "out")
    assert SECOND == gone["t"] - gone["since"]
