"""What a game brings to the history."""

from typing import TYPE_CHECKING, Protocol

from companion.history.kept_game import KeptGame
from companion.history.past import Past

if TYPE_CHECKING:
    from companion.web.services import TablePictures


class PagePart(Protocol):
    @property
    def template(self) -> str: ...


class GameHistory(Protocol):
    def game_part(self, kept: KeptGame, camera: "TablePictures | None") -> PagePart:
        """Of one game, beside what every game has."""
        ...

    def past_part(self, past: Past) -> PagePart:
        """What all of its games come to."""
        ...
