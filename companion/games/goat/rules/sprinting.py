"""A dead heat is decided by a sprint: the lamps light, and the last to answer is the slowest."""

from dataclasses import replace

from companion.games.goat.rules.events import Sprint
from companion.games.goat.rules.hearing import Hearing
from companion.games.goat.rules.lifebuoys import begin_heat, end_race, give
from companion.games.goat.rules.race import Heat, Race, Slap, dead_heat, first_presses
from companion.units import Ns


def hear_sprint(hearing: Hearing, event: Sprint) -> None:
    race = hearing.race
    if race is not None and race.heat is not None and race.heat.lit is None:
        hearing.race = replace(race, heat=replace(race.heat, lit=event.t))


def answer_lamps(hearing: Hearing, race: Race, heat: Heat, slap: Slap, coming: list[Slap]) -> None:
    """`coming`: the presses after this one that may bear on it; the lamps may light among them."""
    if not heat.counts(slap):
        return
    heat = _lit_soon(hearing, heat, slap[0])
    answers = [slap, *first_presses((other for other in coming if heat.counts(other)), {slap[1]})]
    if heat.jumped(slap[0]):
        _jump(hearing, race, heat, slap, answers)
    else:
        _answer(hearing, race, heat, slap, answers)


def _lit_soon(hearing: Hearing, heat: Heat, t: Ns) -> Heat:
    """As it will be when everybody who may have jumped together with that press has jumped."""
    if heat.lit is not None:
        return heat
    until = t + hearing.game.resolution
    lit = next((fact.t for fact in hearing.ahead.until(until) if isinstance(fact.event, Sprint)), None)
    return replace(heat, lit=lit)


def _jump(hearing: Hearing, race: Race, heat: Heat, slap: Slap, answers: list[Slap]) -> None:
    """Who answers faster than anybody can has guessed, and is the slowest at once."""
    t = slap[0]
    until = t + hearing.game.resolution
    jumpers = [other for other in answers if other[0] <= until and heat.jumped(other[0])]
    guessed = {seat for _, seat in jumpers}
    for grab in sorted((grab for grab in race.grabs if grab.seat in heat.seats), key=lambda grab: grab.slap):
        if grab.seat not in guessed:
            race = give(hearing, race, grab.seat, t)
    if len(jumpers) == 1:
        # It is kept, so that the same press told twice is not taken for a late one.
        end_race(hearing, replace(race, heat=replace(heat, pressed=(slap,))), t)
    else:
        hearing.race = begin_heat(hearing, race, t, jumpers)


def _answer(hearing: Hearing, race: Race, heat: Heat, slap: Slap, answers: list[Slap]) -> None:
    t = slap[0]
    pressed = (*heat.pressed, slap)
    order = [*heat.pressed, *answers]
    tie = dead_heat(order, len(heat.slaps), hearing.game.resolution)
    tied = tie[1] if tie is not None else []
    hearing.race = replace(race, heat=replace(heat, pressed=pressed))
    if len(pressed) < len(heat.slaps) - 1:
        return
    for other in pressed:
        if other not in tied:
            race = give(hearing, race, other[1], t)
    if tied:
        hearing.race = begin_heat(hearing, race, t, tied)
    else:
        end_race(hearing, race, t)
