"""A dead heat is decided by a sprint: the lamps light, and the last to answer is the slowest."""

from dataclasses import replace

from companion.games.goat.rules.events import Sprint
from companion.games.goat.rules.judgement import Judgement
from companion.games.goat.rules.lifebuoys import begin_heat, end_race, give_lifebuoy
from companion.games.goat.rules.race import Heat, Race, Slap, dead_heat, first_presses
from companion.units import Ns


def judge_sprint(judgement: Judgement, event: Sprint) -> None:
    race = judgement.race
    if race is not None and race.heat is not None and race.heat.lit is None:
        judgement.race = replace(race, heat=replace(race.heat, lit=event.t))


def answer_lamps(judgement: Judgement, race: Race, heat: Heat, slap: Slap, coming: list[Slap]) -> None:
    """`coming`: the presses after this one that may bear on it; the lamps may light among them."""
    if not heat.counts(slap):
        return
    heat = _find_lit_lamps(judgement, heat, slap[0])
    answers = [slap, *first_presses((other for other in coming if heat.counts(other)), {slap[1]})]
    if heat.jumped(slap[0]):
        _judge_jump(judgement, race, heat, slap, answers)
    else:
        _judge_answer(judgement, race, heat, slap, answers)


def _find_lit_lamps(judgement: Judgement, heat: Heat, t: Ns) -> Heat:
    """As it will be when everybody who may have jumped together with that press has jumped."""
    if heat.lit is not None:
        return heat
    until = t + judgement.game.resolution
    lit = next((fact.t for fact in judgement.ahead.until(until) if isinstance(fact.event, Sprint)), None)
    return replace(heat, lit=lit)


def _judge_jump(judgement: Judgement, race: Race, heat: Heat, slap: Slap, answers: list[Slap]) -> None:
    """Who answers faster than anybody can has guessed, and is the slowest at once."""
    t = slap[0]
    until = t + judgement.game.resolution
    jumpers = [other for other in answers if other[0] <= until and heat.jumped(other[0])]
    guessed = {seat for _, seat in jumpers}
    for grab in sorted((grab for grab in race.grabs if grab.seat in heat.seats), key=lambda grab: grab.slap):
        if grab.seat not in guessed:
            race = give_lifebuoy(judgement, race, grab.seat, t)
    if len(jumpers) == 1:
        # It is kept, so that the same press told twice is not taken for a late one.
        end_race(judgement, replace(race, heat=replace(heat, pressed=(slap,))), t)
    else:
        judgement.race = begin_heat(judgement, race, t, jumpers)


def _judge_answer(judgement: Judgement, race: Race, heat: Heat, slap: Slap, answers: list[Slap]) -> None:
    t = slap[0]
    pressed = (*heat.pressed, slap)
    order = [*heat.pressed, *answers]
    tie = dead_heat(order, len(heat.slaps), judgement.game.resolution)
    tied = tie[1] if tie is not None else []
    judgement.race = replace(race, heat=replace(heat, pressed=pressed))
    if len(pressed) < len(heat.slaps) - 1:
        return
    for other in pressed:
        if other not in tied:
            race = give_lifebuoy(judgement, race, other[1], t)
    if tied:
        judgement.race = begin_heat(judgement, race, t, tied)
    else:
        end_race(judgement, race, t)
