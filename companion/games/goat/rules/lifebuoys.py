"""Giving out the lifebuoys, and what happens when the last one is gone or cannot be given."""

from dataclasses import replace

from companion.games.goat.rules.debts import Debt
from companion.games.goat.rules.judgement import Judgement
from companion.games.goat.rules.race import Grab, Heat, Race, Slap
from companion.games.goat.rules.rulings import DeadHeat, Safe, Slowest, Win
from companion.games.goat.rules.state import End
from companion.units import Ns, Seat


def give_lifebuoy(judgement: Judgement, race: Race, seat: Seat, t: Ns) -> Race:
    """`t`: the press that earned it; in a sprint the press that ended it."""
    grab = race.grab_of(seat)
    assert grab is not None
    judgement.say(Safe(t, seat, len(race.safe) + 1, race.reaction_us(grab.t)))
    return replace(race, safe=(*race.safe, seat))


def begin_heat(judgement: Judgement, race: Race, t: Ns, slaps: list[Slap]) -> Race:
    heat = Heat(tuple(slaps))
    judgement.say(DeadHeat(t, heat.seats))
    return replace(race, heat=heat)


def end_race(judgement: Judgement, race: Race, t: Ns) -> None:
    """All lifebuoys are gone: the seat that has none is the slowest."""
    seat = next(seat for seat in range(judgement.seats) if seat not in race.safe)
    judgement.race = replace(race, slowest=seat)
    winners = tuple(sorted(grab.seat for grab in race.grabs if _wins(judgement, race, grab)))
    board = judgement.board
    if board is None:
        judgement.say(Slowest(t, seat))
        judgement.debts = judgement.debts.with_debt(Debt(t, seat, "slowest"))
    else:
        asked = race.asked_for(board)
        cards = tuple(board.cards_on(cells) for cells in asked.values())
        judgement.say(Slowest(t, seat, tuple(asked), cards))
        lists = tuple(sorted(set(asked.values())))
        judgement.debts = judgement.debts.with_debt(Debt(t, seat, "slowest", lists))
    if winners:
        judgement.say(Win(t, winners))
        judgement.end = End(winners)


def _wins(judgement: Judgement, race: Race, grab: Grab) -> bool:
    # On a coarse clock a dead heat can be decided before all of its presses have come.
    deck_empty = grab.deck_empty if grab.t <= judgement.t else not judgement.hands.decks[grab.seat]
    return deck_empty and grab.seat in race.safe and not judgement.debts.owes(grab.seat)
