"""Row Your Goat: all that belongs to it stands in this folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.core.game_record import Ruling
from companion.core.gestures import ButtonGesture, ButtonUse
from companion.games.game import CameraUse, Game, Rights, says
from companion.games.goat.rules import begin_game
from companion.games.goat.rules.rulings import Adrift, Safe
from companion.units import Ns

if TYPE_CHECKING:
    from companion.demo.cast import Cast
    from companion.history.game_history import GameHistory
    from companion.paper.sheet import DeckPaper
    from companion.web.game_page import GamePage

DECK_NAME: Final = "goats"


def _race_photo(ruling: Ruling) -> Ns | None:
    """Of whoever grabbed first and was right."""
    return ruling.t if isinstance(ruling, Safe) and ruling.place == 1 else None


def _is_misread(ruling: Ruling) -> bool:
    return isinstance(ruling, Adrift) and bool(ruling.cells)


def _page() -> "GamePage":
    from companion.games.goat.page.goat_page import GoatPage  # noqa: PLC0415 - whoever asks for it needs Flask

    return GoatPage()


def _history() -> "GameHistory":
    from companion.games.goat.history.goat_history import GoatHistory  # noqa: PLC0415 - as above

    return GoatHistory()


def _cast() -> "Cast":
    from companion.games.goat.cast.goat_cast import CAST  # noqa: PLC0415 - as above

    return CAST


def _print_deck(path: Path, paper: "DeckPaper") -> None:
    from companion.games.goat.printed.printed_deck import write_deck  # noqa: PLC0415 - as above

    write_deck(path, paper)


GOAT: Final = Game(
    name="goat",
    title="Row Your Goat",
    folder=Path(__file__).parent,
    begin=begin_game,
    seats=range(2, 7),
    rights=Rights(
        by_seat=frozenset({"call", "accuse", "take"}),
        by_turn=frozenset({"laid"}),
        left_to_camera=frozenset({"card", "lift", "grid", "seen"}),
        left_to_buttons=frozenset({"press", "sprint"}),
    ),
    is_raced=True,
    instants=frozenset({"t", "from"}),
    camera=CameraUse(
        deck=DECK_NAME,
        looks_again_after=frozenset({"fix", "undo", "foul"}),
        corrections=frozenset({"fix", "undo"}),
        is_misread=_is_misread,
        race_photo=_race_photo,
    ),
    buttons={
        (ButtonUse.GRAB, ButtonGesture.PRESS): says("press"),
        (ButtonUse.CALL, ButtonGesture.PRESS): says("call"),
    },
    page=_page,
    history=_history,
    cast=_cast,
    print_deck=_print_deck,
)
