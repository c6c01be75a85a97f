"""Row Your Goat on the page: its words, and what a phone sees beside the state."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import ClassVar, Final

from flask_babel import lazy_gettext as _
from markupsafe import Markup

from companion.core.cards import Card
from companion.core.game_record import GameRecord
from companion.core.names import clean_name
from companion.games.goat.page import page_art
from companion.games.goat.page.goat_words import WORDS
from companion.games.goat.page.ruling_sentences import Json, Words, fill_sentence, now, ruling_told
from companion.games.goat.rules.events import (
    Accuse,
    Call,
    CardLaid,
    Event,
    Fix,
    Foul,
    LaidUnseen,
    PileLifted,
    SeatPressed,
    Sprint,
    Take,
)
from companion.games.goat.rules.record import Record
from companion.games.goat.rules.rulings import Called, GoatRuling, Late, NoEffect, Placed, Safe, SetsChanged, Turn
from companion.games.goat.rules.timeline import backwards
from companion.units import MICROSECOND
from companion.web.game_page import FaceName, GameFace
from companion.web.sentences import filled

# What has just been ruled, as many as a phone shows at a glance; an update stays well under 2 kB.
SHOWN: Final = 6
UNDONE: Final[Mapping[type[Event], str]] = {
    CardLaid: "undo.card",
    PileLifted: "undo.lift",
    SeatPressed: "undo.press",
    Call: "undo.call",
    Accuse: "undo.accuse",
    Fix: "undo.fix",
    LaidUnseen: "undo.laid",
    Take: "undo.take",
    Sprint: "undo.sprint",
}


class GoatPage:
    name: ClassVar = "goat"
    title: ClassVar = _("Row Your Goat")
    words: ClassVar = WORDS
    faces: ClassVar[Mapping[FaceName, GameFace]] = {
        "live": GameFace(template="goat/live.html", script="live.js", sheets=("table.css",)),
        "tv": GameFace(template="goat/live.html", script="live.js", sheets=("table.css", "tv.css")),
        "seat": GameFace(
            template="goat/seat.html",
            script="seat.js",
            sheets=("table.css", "people.css"),
            words=frozenset({"me", "seat"}),
        ),
        "host": GameFace(
            template="goat/host.html",
            script="host.js",
            sheets=("table.css", "people.css"),
            words=frozenset({"fix", "foul", "begin", "undo"}),
        ),
    }
    sheets: ClassVar[tuple[str, ...]] = ("art.css",)
    seat_picture: ClassVar[str | None] = "goat/seat_picture.html"

    def seat_art(self) -> Markup:
        return page_art.goats()

    def art(self) -> Markup:
        return page_art.cards()

    def card_label(self, card: Card, words: Words) -> tuple[str, str]:
        return filled(words, "card", boat=words[card.boat], colour=words[card.colour]), card.colour

    def beside(self, game: GameRecord) -> dict[str, object]:
        record = _record(game)
        said: list[dict[str, object]] = []
        for ruling in _told_backwards(record):
            if not isinstance(ruling, Turn | Placed | SetsChanged):
                said.append(ruling.as_json())
            if len(said) == SHOWN:
                break
        board = record.newest.state.board
        return {
            "said": said[::-1],
            "put_away": record.put_away is not None,
            # The lamps of a dead heat are lit, for whoever has none at the seat.
            "lit": record.newest.state.phase == "sprint" and record.sudden_light is None,
            "race": [[safe.seat, safe.reaction_us] for safe in _newest_race(record)],
            # Whose card lies on top, as far as it is anybody's: only that seat can have laid it wrongly.
            "laid": [pile[-1].owner if pile else None for pile in board.piles] if board is not None else None,
        }

    def options(self, game: GameRecord) -> Mapping[str, object]:
        begun = _record(game).game
        return {
            "seats": tuple(map(clean_name, begun.seats)),
            "starter": begun.starter,
            **({"places": begun.seating.places} if begun.seating is not None else {}),
            "resolution_us": begun.resolution // MICROSECOND,
            "double_grab": begun.double_grab,
            "grid": "camera" if begun.camera else "none",
        }

    def undo_sentence(self, game: GameRecord, words: Words) -> str | None:
        record = _record(game)
        if record.heard is None:
            return None
        event = _event_of(record, record.heard.serial)
        if event is None:
            return words["undo.other"]
        key, gaps = _taken_back(event)
        return fill_sentence(key, gaps, game.seats, words)

    def now(self, shown: Json, words: Words) -> str:
        page = shown["page"]
        return now(shown["state"], shown["names"], words, lit=page["lit"], put_away=page["put_away"])

    def log(self, shown: Json, words: Words) -> Sequence[str]:
        return [ruling_told(ruling, shown["names"], words) for ruling in shown["page"]["said"]]

    def seat_data(self, game: GameRecord, seat: int) -> Sequence[int]:
        """That seat's reaction times in this game, in microseconds, oldest first."""
        if not game.has_camera:
            # They are counted from the first press, not from the card that made the set.
            return ()
        rulings = [said for _serial, said in _record(game).rulings()]
        return [said.reaction_us for said in rulings if isinstance(said, Safe | Late) and said.seat == seat]


def _record(game: GameRecord) -> Record:
    if not isinstance(game, Record):
        raise TypeError(f"this page shows goats, not {type(game).__name__}")
    return game


def _told_backwards(record: Record) -> Iterator[GoatRuling]:
    """Newest first. A call that came a moment early was answered twice; the second answer counts."""
    answered: set[int | None] = set()
    for step in backwards(record.newest):
        for said in reversed(step.said):
            if isinstance(said, Called):
                answered.add(said.answers)
            if not (isinstance(said, NoEffect) and said.call is not None and said.call in answered):
                yield said


def _newest_race(record: Record) -> list[Safe]:
    """Who got a lifebuoy in the last race, or has one in this, in order."""
    race: list[Safe] = []
    for said in _told_backwards(record):
        if isinstance(said, Safe):
            race.append(said)
            if said.place == 1:
                break
    return race[::-1]


def _event_of(record: Record, serial: int) -> Event | None:
    """None for what was told of a time before the game: it was ignored, and nothing is kept of it."""
    facts = chain(record.waiting, (step.fact for step in backwards(record.newest)))
    return next((fact.event for fact in facts if fact is not None and fact.serial == serial), None)


def _taken_back(event: Event) -> tuple[str, Json]:
    """Which sentence, and what goes into its gaps."""
    gaps: dict[str, object] = {}
    match event:
        case CardLaid():
            gaps = {**event.card.as_json(), "cell": event.cell}
        case PileLifted():
            gaps = {"cells": event.cells}
        case SeatPressed() | Call():
            gaps = {"seat": event.seat}
        case Accuse():
            gaps = {"seat": event.seat, "target": event.target}
        case Take():
            gaps = {"seat": event.seat, "cards": event.cards}
        case Foul():
            return f"undo.foul.{event.reason}", {"seat": event.seat}
        case _:
            pass
    return UNDONE[type(event)], gaps
