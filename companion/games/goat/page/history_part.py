"""What Row Your Goat shows in the history: a game's races and decks, and what all of its games come to."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask_babel import gettext
from markupsafe import Markup

from companion.core.cards import Card
from companion.games.goat.history import Story, make_story
from companion.games.goat.history.fairness import SeatSpeed
from companion.games.goat.history.goat_totals import GoatTotals
from companion.games.goat.history.racers import Racer
from companion.games.goat.history.records import Records
from companion.games.goat.history.story import DeckLevels
from companion.games.goat.page.goat_page import WORDS
from companion.games.goat.page.photo_finish import FinishPart, finish_part
from companion.games.goat.rules import Record
from companion.history.charts.deck_chart import Course, draw_decks
from companion.history.charts.seat_chart import Difference, draw_differences
from companion.history.charts.spread_chart import NamedSpread, draw_spreads
from companion.history.judged_game import JudgedGame
from companion.history.svg import Caption
from companion.history.totals import Totals
from companion.web.formatting import format_game_time, format_ms, format_number, format_percent, format_seconds
from companion.web.sentences import filled
from companion.web.services import TablePictures

# More rows than that nobody compares; the table beside has all.
DRAWN = 12
# A drawing of a few presses would only pretend to say something.
FEWEST_PRESSES = 3


@dataclass(frozen=True, slots=True)
class GamePart:
    """Beside what every game has."""

    template: str
    story: Story
    decks: Markup
    levels: tuple[tuple[str, tuple[int, ...]], ...]
    finishes: tuple[FinishPart, ...]

    def card_name(self, card: Card | None) -> str:
        return card_name(card)


def game_part(game: JudgedGame, camera: TablePictures | None) -> GamePart:
    assert isinstance(game.record, Record)
    story = make_story(game.record)
    names = game.seats
    return GamePart(
        "goat/game.html",
        story,
        _draw_decks(story, names),
        tuple((format_game_time(level.t - story.t), level.decks) for level in _by_race(story)),
        tuple(
            finish_part(finish, names, story.t, _kept_pictures(camera, game.number, finish.t))
            for finish in story.finishes
        ),
    )


def card_name(card: Card | None) -> str:
    if card is None:
        return str(WORDS["unknown"])
    return filled({"card": str(WORDS["card"])}, "card", boat=WORDS[card.boat], colour=WORDS[card.colour])


def _kept_pictures(camera: TablePictures | None, game: int, t: int) -> tuple[str, ...]:
    if camera is None:
        return ()
    return tuple(which for which in ("before", "after") if camera.finish(game, t, which) is not None)


def _by_race(story: Story) -> list[DeckLevels]:
    """The table beside the drawing has a row for each race, not for each card."""
    instants = [story.t, *(race.t for race in story.races), story.end]
    found = [next(level for level in reversed(story.levels) if level.t <= t) for t in instants]
    return [DeckLevels(t, level.decks) for t, level in zip(instants, found, strict=True)]


def _draw_decks(story: Story, names: Sequence[str]) -> Markup:
    courses = [
        Course(
            seat,
            name,
            tuple(((level.t - story.t) / 1e9, level.decks[seat]) for level in story.levels),
            head=f"goat-{seat}",
        )
        for seat, name in enumerate(names)
    ]
    ends = ", ".join(f"{course.name} {course.last}" for course in courses)
    return draw_decks(
        Caption(
            "decks",
            gettext("Everybody's deck over the game"),
            gettext("Cards in the deck at the end: %(ends)s.", ends=ends),
        ),
        courses,
        max(1.0, (story.end - story.t) / 1e9),
        marks=[(race.t - story.t) / 1e9 for race in story.races],
        written=lambda s: format_game_time(round(s * 1e9)),
    )


@dataclass(frozen=True, slots=True)
class HistoryPart:
    """What all its games come to."""

    template: str
    racers: list[Racer]
    reactions: Markup | None
    speeds: list[SeatSpeed]
    fairness: Markup | None
    verdict: str
    records: Records

    def seat_name(self, speed: SeatSpeed) -> str:
        return seat_name(speed)

    def difference(self, speed: SeatSpeed) -> str:
        return difference(speed)


def history_part(totals: Totals) -> HistoryPart:
    own = totals.own
    assert isinstance(own, GoatTotals)
    speeds = own.speeds
    return HistoryPart(
        "goat/history.html",
        own.racers,
        _draw_reactions(own.racers),
        speeds,
        _draw_seats(speeds),
        _verdict(speeds),
        own.records,
    )


def _draw_reactions(racers: Sequence[Racer]) -> Markup | None:
    measured = [
        NamedSpread(racer.name, format_ms(racer.spread.median), racer.spread)
        for racer in racers
        if racer.spread and racer.spread.count >= FEWEST_PRESSES
    ]
    if not measured:
        return None
    measured.sort(key=lambda each: each.spread.median)
    said = ", ".join(f"{each.name} {each.value}" for each in measured[:DRAWN])
    return draw_spreads(
        Caption(
            "reactions",
            gettext("Reaction times"),
            gettext("Half of all slaps are faster than: %(said)s.", said=said),
        ),
        measured[:DRAWN],
        format_seconds,
    )


def _draw_seats(speeds: Sequence[SeatSpeed]) -> Markup | None:
    if not any(speed.slower is not None for speed in speeds):
        return None
    return draw_differences(
        Caption("seats", gettext("Is any seat faster?"), _verdict(speeds)),
        [
            Difference(seat_name(speed), difference(speed), speed.least, speed.slower, speed.most)
            for speed in speeds
        ],
        written=lambda share: format_percent(share, signed=True),
        ends=(gettext("faster"), gettext("slower")),
    )


def seat_name(speed: SeatSpeed) -> str:
    return gettext("Seat %(n)s", n=format_number(speed.seat + 1))


def difference(speed: SeatSpeed) -> str:
    if speed.slower is None or speed.least is None or speed.most is None:
        return gettext("not known yet")
    return gettext(
        "%(slower)s (%(least)s to %(most)s)",
        slower=format_percent(speed.slower, signed=True),
        least=format_percent(speed.least, signed=True),
        most=format_percent(speed.most, signed=True),
    )


def _verdict(speeds: Sequence[SeatSpeed]) -> str:
    if not any(speed.slower is not None for speed in speeds):
        return gettext(
            "Not enough has been played, or everybody always sat in the same seat: change seats now and then."
        )
    unfair = [speed for speed in speeds if speed.unfair]
    if not unfair:
        return gettext("No seat is faster than chance would explain: the difference is the people.")
    fastest = min(unfair, key=lambda speed: speed.slower or 0.0)
    slowest = max(unfair, key=lambda speed: speed.slower or 0.0)
    said: list[str] = []
    if (fastest.slower or 0.0) < 0:
        said.append(gettext("%(seat)s is faster than chance would explain.", seat=seat_name(fastest)))
    if (slowest.slower or 0.0) > 0:
        said.append(gettext("%(seat)s is slower than chance would explain.", seat=seat_name(slowest)))
    return " ".join([*said, gettext("Look at its button and its cable, and at how far it is to reach.")])
