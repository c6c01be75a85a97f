"""Giving out the lifebuoys, and what happens when the last one is gone or cannot be given."""

from dataclasses import replace

from companion.games.goat.rules.debts import Debt
from companion.games.goat.rules.hearing import Hearing
from companion.games.goat.rules.race import Grab, Heat, Race, Slap
from companion.games.goat.rules.rulings import DeadHeat, Safe, Slowest, Win
from companion.games.goat.rules.state import End
from companion.units import Ns, Seat


def give(hearing: Hearing, race: Race, seat: Seat, t: Ns) -> Race:
    """`t`: the press that earned it; in a sprint the press that ended it."""
    grab = race.grab_of(seat)
    assert grab is not None
    hearing.say(Safe(t, seat, len(race.safe) + 1, race.reaction_us(grab.t)))
    return replace(race, safe=(*race.safe, seat))


def begin_heat(hearing: Hearing, race: Race, t: Ns, slaps: list[Slap]) -> Race:
    heat = Heat(tuple(slaps))
    hearing.say(DeadHeat(t, heat.seats))
    return replace(race, heat=heat)


def end_race(hearing: Hearing, race: Race, t: Ns) -> None:
    """All lifebuoys are gone: the seat that has none is the slowest."""
    seat = next(seat for seat in range(hearing.seats) if seat not in race.safe)
    hearing.race = replace(race, slowest=seat)
    winners = tuple(sorted(grab.seat for grab in race.grabs if _wins(hearing, race, grab)))
    board = hearing.board
    if board is None:
        hearing.say(Slowest(t, seat))
        hearing.debts = hearing.debts.owing(Debt(t, seat, "slowest"))
    else:
        asked = race.asked_for(board)
        cards = tuple(board.cards_on(cells) for cells in asked.values())
        hearing.say(Slowest(t, seat, tuple(asked), cards))
        lists = tuple(sorted(set(asked.values())))
        hearing.debts = hearing.debts.owing(Debt(t, seat, "slowest", lists))
    if winners:
        hearing.say(Win(t, winners))
        hearing.end = End(winners)


def _wins(hearing: Hearing, race: Race, grab: Grab) -> bool:
    # On a coarse clock a dead heat can be decided before all of its presses have come.
    bare = grab.bare if grab.t <= hearing.t else not hearing.hands.decks[grab.seat]
    return bare and grab.seat in race.safe and not hearing.debts.owes(grab.seat)
