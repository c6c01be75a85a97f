"""What a game brings to the page: its words, the templates, scripts and style sheets of each face, its drawings,
and what a phone needs to know beside the state.

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
    `told(ruling, names)`, the sentence for a ruling ("" for none); and, where they are of use,
    `heard(ruling, names)`, true for a ruling that needs no more words, and `builtFor(seen)`: as soon as that gives
    something else, the page is fetched again.
    """

    template: str
    """The inside of the page: "goat/live.html"."""
    script: str
    sheets: tuple[str, ...] = ()
    """Its own style sheets: all that it needs beside those of the frame."""
    words: frozenset[str] = frozenset()
    """Families of words (a key's part before its first dot) that this face's script alone says: the others come
    without them."""


class GamePage(Protocol):
    name: ClassVar[str]
    title: ClassVar[LazyString]
    words: ClassVar[Mapping[str, LazyString]] = {}
    """What its scripts say; sentences with `{gaps}`."""
    faces: ClassVar[Mapping[FaceName, GameFace]]
    sheets: ClassVar[tuple[str, ...]] = ()
    """Style sheets of its drawings where they are shown elsewhere: on pages of earlier games, where people come
    to the table, and on the builder's."""
    seat_picture: ClassVar[str | None] = None
    """A template that draws who sits at the seat `seat`, where the page shows names; it refers to `seat_art`."""

    def seat_art(self) -> Markup:
        """SVG definitions of who sits there."""
        return Markup()

    def art(self) -> Markup:
        """All other SVG definitions that its templates and scripts refer to."""
        return Markup()

    def card_label(self, card: Card, words: Mapping[str, str]) -> tuple[str, str] | None:
        """What the builder's page calls a card that the camera reads, and the class that colours it. None where no
        camera reads the cards."""
        del card, words
        return None

    def beside(self, game: GameRecord) -> dict[str, object]:
        """What a phone needs beside the state, and no secret."""
        del game
        return {}

    def options(self, game: GameRecord) -> Mapping[str, object]:
        """What it was begun with, as the contract names it."""
        del game
        return {}

    def undo_sentence(self, game: GameRecord, words: Mapping[str, str]) -> str | None:
        """What an undo would take back; None if there is nothing."""
        del game, words
        return None

    def now(self, shown: Mapping[str, Any], words: Mapping[str, str]) -> str:
        """How it stands, in one sentence."""
        ...

    def log(self, shown: Mapping[str, Any], words: Mapping[str, str]) -> Sequence[str]:
        """What has been ruled last, oldest first."""
        del shown, words
        return ()

    def seat_data(self, game: GameRecord, seat: int) -> object:
        """What that seat's page fetches by itself now and then, as JSON: too much to come with each update."""
        del game, seat
        return None


def game_page(name: str) -> GamePage:
    return GAMES[name].page()


def find_game_page(name: str) -> GamePage | None:
    """None for a game that an older or newer program has noted."""
    return GAMES[name].page() if name in GAMES else None


def newest_page(snapshot: Snapshot) -> GamePage:
    """Of the game that was begun last; before any has been, of the first that there is."""
    state = snapshot.state
    return game_page(str(state["game"]) if state is not None else FIRST_GAME)


def page_of(snapshot: Snapshot) -> dict[str, object]:
    """What a phone needs beside the state of that snapshot."""
    game = snapshot.evening.game
    return newest_page(snapshot).beside(game) if game is not None else {}
