"""Slaps for a lifebuoy: good, false, too late, or nothing at all."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from companion.games.goat.rules.board import Board
from companion.games.goat.rules.events import CardLaid, SeatPressed
from companion.games.goat.rules.hearing import Hearing
from companion.games.goat.rules.lifebuoys import begin_heat, end_race, give
from companion.games.goat.rules.race import SAME_SLAP, Grab, Race, Slap, dead_heat, first_presses
from companion.games.goat.rules.rulings import FalseGrab, Late, Void
from companion.games.goat.rules.sprinting import answer_lamps
from companion.games.goat.rules.state import Doubt, Eye
from companion.units import Ns

INVITED: Final = "invited"
Foreseen = int | Literal["invited"] | None
"""Of a press that no set justifies at its instant: the serial number of the card that will, or that a card
which does not count invited it, or that nothing helps it."""


def hear_press(hearing: Hearing, event: SeatPressed, foreseen: Foreseen) -> None:
    if isinstance(foreseen, int):
        hearing.doubts = (*hearing.doubts, Doubt(event.t, event.seat, foreseen))
        return
    judge_slap(hearing, (event.t, event.seat), (), invited=foreseen is not None)
    hearing.conclude()


def hear_doubts(hearing: Hearing, card: CardLaid) -> None:
    """The presses that waited for this card."""
    serial, justified = hearing.fact.serial, hearing.race is not None or hearing.sets_lie()
    due = [
        doubt
        for doubt in hearing.doubts
        if doubt.card == serial or (doubt.card is None and justified and card.since <= doubt.t)
    ]
    if not due:
        return
    hearing.doubts = tuple(doubt for doubt in hearing.doubts if doubt not in due)
    slaps = [(doubt.t, doubt.seat) for doubt in due]
    for position, slap in enumerate(slaps):
        judge_slap(hearing, slap, slaps[position + 1 :], invited=False)
    hearing.conclude()


def judge_slap(hearing: Hearing, slap: Slap, waiting: Sequence[Slap], *, invited: bool) -> None:
    """`waiting`: later presses that wait for the same card; `invited`: only a misplayed card invited it."""
    t, seat = slap
    if hearing.end is not None or hearing.slaps.is_same_as_again(seat, t):
        return
    race = hearing.race
    if race is None:
        if hearing.sets_lie():
            _grab(hearing, _started(hearing, t), slap, waiting)
        else:
            _grab_nothing(hearing, slap, invited=invited)
    elif not race.on:
        _press_too_late(hearing, race, slap)
    elif (grab := race.grab_of(seat)) is not None and grab.slap == slap:
        # It was part of a dead heat before it came; only now is it known whether its deck is empty.
        hearing.race = race.with_bare(grab, hearing.hands.decks[seat] == 0)
    elif race.heat is not None:
        answer_lamps(hearing, race, race.heat, slap, _coming(hearing, t, waiting))
    elif grab is None:
        _grab(hearing, race, slap, waiting)
    elif seat in race.safe:
        _grab_again(hearing, grab, slap)


def _coming(hearing: Hearing, t: Ns, waiting: Sequence[Slap]) -> list[Slap]:
    """The presses after this one that may bear on it: a dead heat spans two resolutions at most."""
    until = t + 2 * hearing.game.resolution
    later = [
        (fact.t, fact.event.seat) for fact in hearing.ahead.until(until) if isinstance(fact.event, SeatPressed)
    ]
    return [(t, seat) for t, seat in (*waiting, *later) if not hearing.slaps.is_same_as_again(seat, t)]


def _started(hearing: Hearing, t: Ns) -> Race:
    if hearing.board is None:
        return Race(t, None)
    return Race(hearing.board.oldest_set, hearing.board.lines)


def _grab(hearing: Hearing, race: Race, slap: Slap, waiting: Sequence[Slap]) -> None:
    t, seat = slap
    race = _grabbed(hearing, race, [slap])
    judged = [grab.slap for grab in race.grabs]
    order = judged + first_presses(_coming(hearing, t, waiting), {grab.seat for grab in race.grabs})
    tie = dead_heat(order, hearing.seats, hearing.game.resolution)
    if tie is None or slap not in tie[1]:
        race = give(hearing, race, seat, t)
    elif slap == tie[0]:
        race = _grabbed(hearing, race, [other for other in tie[1] if other not in judged])
        # A press that waited for a later card can be as close to that of a seat that has its lifebuoy already.
        race = begin_heat(hearing, race, t, [other for other in tie[1] if other[1] not in race.safe])
    hearing.race = race
    if len(race.safe) == hearing.seats - 1:
        end_race(hearing, race, t)


def _grabbed(hearing: Hearing, race: Race, slaps: Sequence[Slap]) -> Race:
    grabs = (Grab(t, seat, hearing.hands.decks[seat] == 0) for t, seat in slaps)
    return replace(race, grabs=(*race.grabs, *grabs))


def _press_too_late(hearing: Hearing, race: Race, slap: Slap) -> None:
    t, seat = slap
    jumped = race.heat is not None and slap in race.heat.pressed
    if seat == race.slowest and not race.late and not jumped:
        hearing.race = replace(race, late=True)
        hearing.say(Late(t, seat, race.reaction_us(t)))


def _grab_again(hearing: Hearing, grab: Grab, slap: Slap) -> None:
    t, seat = slap
    if t - grab.t <= SAME_SLAP:
        return
    # Without a camera nobody is punished for a grab.
    if hearing.board is None or hearing.game.double_grab == "ignore":
        return
    hearing.slaps = hearing.slaps.again(seat, t)
    hearing.owe_penalty(t, seat, "already_safe", FalseGrab(t, seat, "already_safe"))


def _grab_nothing(hearing: Hearing, slap: Slap, *, invited: bool) -> None:
    t, seat = slap
    if hearing.slaps.is_same_as_false(seat, t):
        return
    if invited or misplay_invites(hearing.board, hearing.eye):
        hearing.say(Void(t, seat, "misplay"))
        return
    hearing.slaps = hearing.slaps.falsely(seat, t)
    hearing.owe_penalty(t, seat, "no_set", FalseGrab(t, seat, "no_set"))


def misplay_invites(board: Board | None, eye: Eye) -> bool:
    """Whether the newest card does not count, and with it there would be a set."""
    newest = eye.newest
    if newest is None or newest.lying is not None or board is None:
        return False
    return bool(board.sets_with(newest.cell, newest.card))
