"""What a game brings to the page: which words, which parts, and what a phone needs to know beside the state.

Nothing else in `companion.web` knows a game's name. Its templates are `templates/<name>/live.html`, `seat.html`
and `host.html`, its scripts `static/<name>/` under the same names.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from flask_babel.speaklater import LazyString

from companion.core.game_record import GameRecord
from companion.games.registry import GAMES
from companion.table.live_table import Snapshot


class GamePage(Protocol):
    name: ClassVar[str]
    title: ClassVar[LazyString]
    words: ClassVar[Mapping[str, LazyString]]
    """What its scripts say; sentences with `{gaps}`."""

    def beside(self, game: GameRecord) -> dict[str, object]:
        """What a phone needs beside the state, and no secret."""
        ...

    def options(self, game: GameRecord) -> Mapping[str, object]:
        """What it was begun with, as the contract names it."""
        ...

    def newest(self, game: GameRecord, words: Mapping[str, str]) -> str | None:
        """What an undo would take back."""
        ...

    def now(self, shown: Mapping[str, Any], words: Mapping[str, str]) -> str:
        """How it stands, in one sentence."""
        ...

    def log(self, shown: Mapping[str, Any], words: Mapping[str, str]) -> Sequence[str]:
        """What has been ruled last, oldest first."""
        ...

    def reactions(self, game: GameRecord, seat: int) -> Sequence[int]:
        """That seat's reaction times in this game, in microseconds, oldest first."""
        ...


def game_page(name: str) -> GamePage:
    return GAMES[name].page()


def page_of(snapshot: Snapshot) -> dict[str, object]:
    game, state = snapshot.evening.game, snapshot.state
    return {} if game is None or state is None else game_page(str(state["game"])).beside(game)
