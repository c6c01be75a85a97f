"""What a game adds to the pages: its words, its templates, scripts, style sheets and drawings, and the data that a
phone needs beside the state.

Nothing in `companion.web` knows a game's name: it asks the registry, and each game's page asks nothing back. The
files lie in `page/` of the game's folder (`Game.folder`): templates in `templates/<name>/`, scripts and style
sheets in `static/`, texts in `translations/`. `companion/games/goat/page` is an example.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, Protocol

from flask_babel.speaklater import LazyString
from markupsafe import Markup

from companion.core.cards import Card
from companion.core.game_record import GameRecord
from companion.games.registry import GAMES
from companion.table.live_table import Snapshot

FaceName = Literal["live", "tv", "seat", "host"]
FIRST_GAME: Final = next(iter(GAMES))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFace:
    """One of the pages that follow the table, as a game fills it.

    The script is a module that exports `part()`: an object with `show(seen)`, which draws the newest state;
    `told(ruling, names)`, the sentence for a ruling ("" for none); optionally `heard(ruling, names)`, true for a
    ruling that needs no sentence, and `builtFor(seen)`: when its value changes, the page is loaded again.
    """

    template: str
    """The template inside the page: "goat/live.html"."""
    script: str
    sheets: tuple[str, ...] = ()
    """The face's own style sheets, besides those of every page."""
    words: frozenset[str] = frozenset()
    """Groups of words (a key's part before its first dot) that only this face's script uses; other faces are sent
    without them."""


class GamePage(Protocol):
    """The interface between the web server and one game."""

    name: ClassVar[str]
    title: ClassVar[LazyString]
    words: ClassVar[Mapping[str, LazyString]] = {}
    """The words for its scripts: sentences with `{gaps}`."""
    faces: ClassVar[Mapping[FaceName, GameFace]]
    sheets: ClassVar[tuple[str, ...]] = ()
    """Style sheets for its drawings on other pages: the history, pairing and the builder's page."""
    seat_picture: ClassVar[str | None] = None
    """A template that draws the player at the seat `seat` beside their name; it refers to `seat_art`."""

    def seat_art(self) -> Markup:
        """SVG definitions of who sits there."""
        return Markup()

    def art(self) -> Markup:
        """All other SVG definitions that the game's templates and scripts refer to."""
        return Markup()

    def card_label(self, card: Card, words: Mapping[str, str]) -> tuple[str, str] | None:
        """What the builder's page calls a card read by the camera, and the CSS class for its colour. None if no
        camera reads the cards."""
        del card, words
        return None

    def beside(self, game: GameRecord) -> dict[str, object]:
        """Public data that a phone needs beside the state. It must hold no secret."""
        del game
        return {}

    def options(self, game: GameRecord) -> Mapping[str, object]:
        """The options that the game was begun with, under their names in the contract."""
        del game
        return {}

    def undo_sentence(self, game: GameRecord, words: Mapping[str, str]) -> str | None:
        """What an undo would take back; None if there is nothing to undo."""
        del game, words
        return None

    def now(self, shown: Mapping[str, Any], words: Mapping[str, str]) -> str:
        """The current state of the game in one sentence."""
        ...

    def log(self, shown: Mapping[str, Any], words: Mapping[str, str]) -> Sequence[str]:
        """The newest rulings in words, oldest first."""
        del shown, words
        return ()

    def seat_data(self, game: GameRecord, seat: int) -> object:
        """JSON that this seat's page fetches by itself now and then, because it is too large for each update."""
        del game, seat
        return None


def game_page(name: str) -> GamePage:
    """The page of the game with that name."""
    return GAMES[name].page()


def find_game_page(name: str) -> GamePage | None:
    """None for an unknown name: another version of the program may have written the journal."""
    return GAMES[name].page() if name in GAMES else None


def newest_page(snapshot: Snapshot) -> GamePage:
    """The page of the newest game; before any was begun, of the first game in the registry."""
    state = snapshot.state
    return game_page(str(state["game"]) if state is not None else FIRST_GAME)


def page_of(snapshot: Snapshot) -> dict[str, object]:
    """The data that a phone needs beside the state of that snapshot."""
    game = snapshot.evening.game
    return newest_page(snapshot).beside(game) if game is not None else {}
