"""A link that opens a play in the app BG Stats: it shows everything filled in, and asks before it saves. Nothing
is sent by the rig; the whole play is in the link."""

import json
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from companion.games.registry import GAMES
from companion.history.game_summary import GameSummary
from companion.history.person_names import person_key

PAGE: Final = "https://app.bgstatsapp.com/createPlay.html"
# The app stores these as the identity of games and people: they must never change.
SOURCE: Final = "Table Companion"


def play_to_json(game: GameSummary) -> dict[str, object]:
    begun = datetime.fromtimestamp(game.begun / 1e9, UTC)
    return {
        "sourceName": SOURCE,
        # The number alone is not unique: each journal has a first game.
        "sourcePlayId": f"{game.number}-{game.begun // 1_000_000_000}",
        "playDate": f"{begun:%Y-%m-%d %H:%M:%S}",
        "durationMin": max(1, round(game.lasted / 60e9)),
        "game": {
            "name": GAMES[game.game].title,
            "sourceGameId": game.game,
            "noPoints": True,
        },
        "players": [
            {
                "name": " ".join(name.split()),
                "sourcePlayerId": person_key(name),
                "winner": seat in game.winners,
                "startPlayer": seat == game.starter,
            }
            for seat, name in enumerate(game.seats)
        ],
    }


def play_link(game: GameSummary) -> str | None:
    """None while nobody has won or lost."""
    if not game.over or game.put_away:
        return None
    return (
        f"{PAGE}?data={quote(json.dumps(play_to_json(game), ensure_ascii=False, separators=(',', ':')), safe='')}"
    )
