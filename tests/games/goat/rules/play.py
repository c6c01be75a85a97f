"""Short words for what people do at the table, and for what the referee makes of it."""

import json
from collections.abc import Iterable
from typing import Any

from companion.table.evening import Evening

Event = dict[str, Any]
S = 1_000_000_000
MS = 1_000_000
US = 1_000


def at(seconds: float) -> int:
    return round(seconds * 1_000_000) * US


def game(seats: int = 2, t: float = 0, **more: Any) -> Event:
    names = ["Ada", "Ben", "Cy", "Dora", "Emil", "Fee"][:seats]
    return {"t": at(t), "type": "game", "game": "goat", "seats": names, "starter": 0, **more}


def card(t: float, cell: int, boat: str = "raft", colour: str = "pink", **more: Any) -> Event:
    if "since" in more:
        more["from"] = at(more.pop("since"))
    return {"t": at(t), "type": "card", "cell": cell, "boat": boat, "colour": colour, **more}


def pinks(*times: float) -> list[Event]:
    """A row of three pink cards: a set."""
    boats = ("raft", "ring", "jetski")
    return [card(t, cell, boats[cell], "pink") for cell, t in enumerate(times or (1, 2, 3))]


def press(t: float, seat: int) -> Event:
    return {"t": at(t), "type": "press", "seat": seat}


def lift(t: float, *cells: int) -> Event:
    return {"t": at(t), "type": "lift", "cells": list(cells)}


def sprint(t: float) -> Event:
    return {"t": at(t), "type": "sprint"}


def seen(t: float) -> Event:
    return {"t": at(t), "type": "seen"}


def undo(t: float) -> Event:
    return {"t": at(t), "type": "undo"}


def fix(t: float, **what: Any) -> Event:
    return {"t": at(t), "type": "fix", **what}


def heard(events: Iterable[Event]) -> Evening:
    evening = Evening()
    for event in events:
        evening = evening.hear(event)
    return evening


def state_of(evening: Evening) -> Event:
    assert evening.game is not None
    return _plain(evening.game.state())


def rulings_of(evening: Evening) -> list[Event]:
    """Of the running game, when all is known."""
    assert evening.game is not None
    return [_plain(said.as_json()) for _, said in evening.game.closed().rulings()]


def judged(*events: Event) -> list[Event]:
    return rulings_of(heard(events))


def names(rulings: Iterable[Event]) -> list[str]:
    return [ruling["ruling"] for ruling in rulings]


def only(rulings: Iterable[Event], *kinds: str) -> list[Event]:
    return [ruling for ruling in rulings if ruling["ruling"] in kinds]


def _plain(value: Any) -> Any:
    """As JSON has it: lists for tuples."""
    return json.loads(json.dumps(value))
