"""An evening at the table: one game after the other, each heard event by event."""

from dataclasses import dataclass

from companion.core.event_fields import MISSING, Scope, one_of
from companion.core.game_record import GameRecord
from companion.core.strict_json import raw_event
from companion.errors import InvalidEvent
from companion.games.game import Game
from companion.games.registry import GAMES


@dataclass(frozen=True, slots=True, eq=False)
class Evening:
    """The current game and the one before it. Immutable."""

    game: GameRecord | None = None
    past: GameRecord | None = None
    """The game before this one, closed."""
    begun: int = 0
    """How many games have begun."""
    played: Game | None = None
    """The definition of the newest game."""

    def hear(self, value: object) -> "Evening":
        """The evening after this event. Raises `InvalidEvent`; this evening is immutable, so it is unchanged."""
        raw = raw_event(value)
        if raw.get("type") != "game":
            if self.game is None:
                raise InvalidEvent("no game has begun; the first event must be of the type `game`")
            # Called for every event, and five times as fast as `replace`.
            return Evening(self.game.hear(raw), self.past, self.begun, self.played)
        game = GAMES[one_of(GAMES)(raw.get("game", MISSING), "game: `game`", Scope(0, {}))]
        past = self.game.closed() if self.game is not None else None
        if past is not None and not past.over:
            raise InvalidEvent(
                "game: the game before is not over yet; play it to its end, or record this one elsewhere"
            )
        return Evening(game.begin(raw), past, self.begun + 1, game)
