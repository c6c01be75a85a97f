"""Which phone may send which event.

A fact comes from whoever knows it best. The camera knows what lies on the grid and the buttons know who pressed,
better than any person. So a phone may only replace what is missing: the camera while there is none, the buttons
where there are none.

- A seat's own phone may say what its player has said or done (the game's `Rights` name those events), and press
  where no button exists. Never for another seat.
- Every paired phone may say what the game's `Rights` leave to anyone.
- The host may say that for every seat, and all that is for people to say beside it: beginning, correcting,
  undoing, fouls. Only the host may stand in for the camera, and for the lamps of a sprint.
- Nobody may send a time: only the table's clock sets it.

Unknown events (`{"type":"dance"}`) are passed to the rules, whose refusal says what is wrong.
"""

import unicodedata
from collections.abc import Mapping
from typing import Final, cast

from companion.core.names import LONGEST, clean_name
from companion.core.strict_json import Raw, raw_event
from companion.errors import InvalidEvent, NotAllowed
from companion.games.game import Rights
from companion.games.registry import GAMES
from companion.rig.camera_words import failing
from companion.web.paired_phones import Phone
from companion.web.services import Services

# The host's page checks this too and shows the same sentence before it sends anything.
SAME_NAME: Final = "Two of them have the same name; write one of them so that they can be told apart."


def check_allowed(value: object, phone: Phone, services: Services) -> Raw:
    """The event, if this phone may say it. Raises `NotAllowed`, or `InvalidEvent` for what is no event at all."""
    event = raw_event(value)
    for key in _instants(services) & event.keys():
        raise InvalidEvent(f"`{key}` is not for a phone to say: the table's own clock knows when it is")
    kind = event.get("type")
    if not isinstance(kind, str):
        raise InvalidEvent("an event's `type` must be a word")
    why_not = _reason_refused(event, phone, services)
    if why_not is not None:
        _raise_if_invalid(event, services)
        raise NotAllowed(why_not)
    return _with_clean_names(_with_resolution(event, services)) if kind == "game" else event


def _with_clean_names(event: Raw) -> Raw:
    """Cleans pasted names for display. A list of anything but names is left for the rules to refuse."""
    said = event.get("seats")
    if not isinstance(said, list):
        return event
    names = [_clean(name, number) for number, name in enumerate(cast("list[object]", said), 1)]
    known = [_known_as(name) for name in names if isinstance(name, str)]
    if len(set(known)) < len(known):
        raise InvalidEvent(SAME_NAME)
    return {**event, "seats": names}


def _known_as(name: str) -> str:
    """The key by which the history tells people apart; the page uses the same one."""
    return "".join(unicodedata.normalize("NFKC", name).lower().split())


def _clean(name: object, number: int) -> object:
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST:
        return name
    clean = clean_name(name)
    if not clean:
        raise InvalidEvent(f"In the name of player {number} nothing can be seen: write it with letters.")
    return clean


def _reason_refused(event: Raw, phone: Phone, services: Services) -> str | None:
    kind, rights = event["type"], _rights(services)
    if kind in rights.left_to_buttons and _has_button(event, services):
        return "At this table the buttons say that."
    if kind in rights.left_to_camera and services.camera is not None and failing(services.camera) is None:
        return "The camera says what lies there; if it's wrong, the host corrects it."
    if not phone.host and not _may_tell(event, phone, services):
        return "That's for the host to say, or for the seat itself."
    return None


def _has_button(event: Raw, services: Services) -> bool:
    """Whether the event's seat has a button; for an event without a seat, whether there are any buttons."""
    game, seat = services.table.snapshot.evening.game, event.get("seat")
    if game is None or type(seat) is not int or not 0 <= seat < len(game.seats):
        return services.has_buttons
    return services.has_button_at(game.seating.place_of(seat))


def _raise_if_invalid(event: Raw, services: Services) -> None:
    """Raises `InvalidEvent` for a seat, a cell or a colour that does not exist."""
    game = services.table.snapshot.evening.game
    if game is not None and event["type"] != "game":
        game.hear({"t": 0, **event})


def _with_resolution(event: Raw, services: Services) -> Raw:
    """Adds the measured clock resolution of this rig to the event, if it was measured: races are judged by it."""
    name, clocks = event.get("game"), services.rig.clocks
    game = GAMES.get(name) if isinstance(name, str) else None
    if game is None or not game.is_raced:
        return event
    us = round(clocks.report().resolution_us) if clocks is not None else 0
    return {"resolution_us": us, **event} if us else event


def _may_tell(event: Mapping[str, object], phone: Phone, services: Services) -> bool:
    rights = _rights(services)
    if event.get("type") in rights.by_anyone:
        return True
    snapshot = services.table.snapshot
    game, state = snapshot.evening.game, snapshot.state
    own = game.seating.seat_at(phone.place) if game is not None else None
    if own is None or game is None or state is None:
        return False
    if event.get("type") in rights.by_turn:
        return state.get("turn") == own
    seat = event.get("seat")
    return event.get("type") in rights.by_seat | rights.left_to_buttons and type(seat) is int and seat == own


def _rights(services: Services) -> Rights:
    """The rights of the game that is played; before the first game, only the host may send anything."""
    state = services.table.snapshot.state
    return GAMES[str(state["game"])].rights if state is not None else Rights()


def _instants(services: Services) -> frozenset[str]:
    played = services.table.snapshot.evening.played
    return played.instants if played is not None else frozenset({"t"})
