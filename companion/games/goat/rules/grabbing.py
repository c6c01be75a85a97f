"""Slaps for a lifebuoy: good, false, too late, or nothing at all."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from companion.games.goat.rules.board import Board
from companion.games.goat.rules.events import CardLaid, SeatPressed
from companion.games.goat.rules.judgement import Judgement
from companion.games.goat.rules.lifebuoys import begin_heat, end_race, give_lifebuoy
from companion.games.goat.rules.race import SAME_SLAP, Grab, Race, Slap, dead_heat, first_presses
from companion.games.goat.rules.rulings import FalseGrab, Late, Void
from companion.games.goat.rules.sprinting import answer_lamps
from companion.games.goat.rules.state import DoubtfulPress, Eye
from companion.units import Ns

INVITED: Final = "invited"
Excuse = int | Literal["invited"] | None
"""Of a press that no set justifies at its instant: the serial number of the card that will, or that a card
which does not count invited it, or that nothing helps it."""


def judge_press(judgement: Judgement, event: SeatPressed, excuse: Excuse) -> None:
    if isinstance(excuse, int):
        judgement.doubts = (*judgement.doubts, DoubtfulPress(event.t, event.seat, excuse))
        return
    judge_slap(judgement, (event.t, event.seat), (), invited=excuse is not None)
    judgement.conclude()


def judge_doubtful_presses(judgement: Judgement, card: CardLaid) -> None:
    """The presses that waited for this card."""
    serial, justified = judgement.fact.serial, judgement.race is not None or judgement.sets_lie()
    due = [
        doubt
        for doubt in judgement.doubts
        if doubt.card == serial or (doubt.card is None and justified and card.since <= doubt.t)
    ]
    if not due:
        return
    judgement.doubts = tuple(doubt for doubt in judgement.doubts if doubt not in due)
    slaps = [(doubt.t, doubt.seat) for doubt in due]
    for position, slap in enumerate(slaps):
        judge_slap(judgement, slap, slaps[position + 1 :], invited=False)
    judgement.conclude()


def judge_slap(judgement: Judgement, slap: Slap, waiting: Sequence[Slap], *, invited: bool) -> None:
    """`waiting`: later presses that wait for the same card; `invited`: only a misplayed card invited it."""
    t, seat = slap
    if judgement.end is not None or judgement.slaps.is_same_as_second(seat, t):
        return
    race = judgement.race
    if race is None:
        if judgement.sets_lie():
            _grab(judgement, _start_race(judgement, t), slap, waiting)
        else:
            _grab_nothing(judgement, slap, invited=invited)
    elif not race.on:
        _judge_late_press(judgement, race, slap)
    elif (grab := race.grab_of(seat)) is not None and grab.slap == slap:
        # It was part of a dead heat before it came; only now is it known whether its deck is empty.
        judgement.race = race.with_deck_empty(grab, judgement.hands.decks[seat] == 0)
    elif race.heat is not None:
        answer_lamps(judgement, race, race.heat, slap, _find_coming_presses(judgement, t, waiting))
    elif grab is None:
        _grab(judgement, race, slap, waiting)
    elif seat in race.safe:
        _grab_again(judgement, grab, slap)


def _find_coming_presses(judgement: Judgement, t: Ns, waiting: Sequence[Slap]) -> list[Slap]:
    """The presses after this one that may bear on it: a dead heat spans two resolutions at most."""
    until = t + 2 * judgement.game.resolution
    later = [
        (fact.t, fact.event.seat) for fact in judgement.ahead.until(until) if isinstance(fact.event, SeatPressed)
    ]
    return [(t, seat) for t, seat in (*waiting, *later) if not judgement.slaps.is_same_as_second(seat, t)]


def _start_race(judgement: Judgement, t: Ns) -> Race:
    if judgement.board is None:
        return Race(t, None)
    return Race(judgement.board.oldest_set, judgement.board.lines)


def _grab(judgement: Judgement, race: Race, slap: Slap, waiting: Sequence[Slap]) -> None:
    t, seat = slap
    race = _add_grabs(judgement, race, [slap])
    judged = [grab.slap for grab in race.grabs]
    order = judged + first_presses(_find_coming_presses(judgement, t, waiting), {grab.seat for grab in race.grabs})
    tie = dead_heat(order, judgement.seats, judgement.game.resolution)
    if tie is None or slap not in tie[1]:
        race = give_lifebuoy(judgement, race, seat, t)
    elif slap == tie[0]:
        race = _add_grabs(judgement, race, [other for other in tie[1] if other not in judged])
        # A press that waited for a later card can be as close to that of a seat that has its lifebuoy already.
        race = begin_heat(judgement, race, t, [other for other in tie[1] if other[1] not in race.safe])
    judgement.race = race
    if len(race.safe) == judgement.seats - 1:
        end_race(judgement, race, t)


def _add_grabs(judgement: Judgement, race: Race, slaps: Sequence[Slap]) -> Race:
    grabs = (Grab(t, seat, judgement.hands.decks[seat] == 0) for t, seat in slaps)
    return replace(race, grabs=(*race.grabs, *grabs))


def _judge_late_press(judgement: Judgement, race: Race, slap: Slap) -> None:
    t, seat = slap
    jumped = race.heat is not None and slap in race.heat.pressed
    if seat == race.slowest and not race.late and not jumped:
        judgement.race = replace(race, late=True)
        judgement.say(Late(t, seat, race.reaction_us(t)))


def _grab_again(judgement: Judgement, grab: Grab, slap: Slap) -> None:
    t, seat = slap
    if t - grab.t <= SAME_SLAP:
        return
    # Without a camera nobody is punished for a grab.
    if judgement.board is None or judgement.game.double_grab == "ignore":
        return
    judgement.slaps = judgement.slaps.with_second_slap(seat, t)
    judgement.owe_penalty(t, seat, "already_safe", FalseGrab(t, seat, "already_safe"))


def _grab_nothing(judgement: Judgement, slap: Slap, *, invited: bool) -> None:
    t, seat = slap
    if judgement.slaps.is_same_as_false(seat, t):
        return
    if invited or misplay_invites(judgement.board, judgement.eye):
        judgement.say(Void(t, seat, "misplay"))
        return
    judgement.slaps = judgement.slaps.with_false_slap(seat, t)
    judgement.owe_penalty(t, seat, "no_set", FalseGrab(t, seat, "no_set"))


def misplay_invites(board: Board | None, eye: Eye) -> bool:
    """Whether the newest card does not count, and with it there would be a set."""
    newest = eye.newest
    if newest is None or newest.lying is not None or board is None:
        return False
    return bool(board.sets_with(newest.cell, newest.card))
