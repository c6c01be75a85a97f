"""Row Your Goat: all that belongs to it stands in this folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.games.game import Game, Rights
from companion.games.goat.rules import begun

if TYPE_CHECKING:
    from companion.demo.cast import Cast
    from companion.history.game_history import GameHistory
    from companion.web.game_page import GamePage


def _page() -> "GamePage":
    from companion.games.goat.page.goat_page import GoatPage  # noqa: PLC0415 - whoever asks for it needs Flask

    return GoatPage()


def _history() -> "GameHistory":
    from companion.games.goat.page.history_part import GoatHistory  # noqa: PLC0415 - as above

    return GoatHistory()


def _cast() -> "Cast":
    from companion.games.goat.cast.people import CAST  # noqa: PLC0415 - whoever asks for it needs OpenCV

    return CAST


GOAT: Final = Game(
    name="goat",
    title="Row Your Goat",
    folder=Path(__file__).parent,
    begin=begun,
    seats=range(2, 7),
    rights=Rights(
        by_seat=frozenset({"call", "accuse", "take"}),
        by_turn=frozenset({"laid"}),
        by_camera=frozenset({"card", "lift", "grid", "seen"}),
        by_buttons=frozenset({"press", "sprint"}),
    ),
    is_raced=True,
    page=_page,
    history=_history,
    cast=_cast,
)
