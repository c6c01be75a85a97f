"""What each seat's lamp says. A set that nobody has grabbed never shows in it: finding it is the game."""

from companion.core.lamp import Lamp
from companion.games.goat.rules.race import is_on
from companion.games.goat.rules.state import State
from companion.units import Seat


def lamps(state: State) -> tuple[Lamp, ...]:
    return tuple(_lamp(state, seat) for seat in range(state.seats))


def _lamp(state: State, seat: Seat) -> Lamp:
    if state.end is not None:
        return Lamp.BREATHING if seat in state.end.winners else Lamp.DARK
    race, debt = state.race, state.debts.queue[0] if state.debts.queue else None
    if is_on(race):
        if race.heat is not None and seat in race.heat.seats:
            # Dark until they light all at once: then they sprint.
            return Lamp.DARK if race.heat.lit is None else Lamp.SOLID
        return Lamp.SOLID if seat in race.safe else Lamp.DARK
    if debt is not None:
        return _pickup_lamp(state, seat)
    return Lamp.BREATHING if seat == state.hands.turn else Lamp.DARK


def _pickup_lamp(state: State, seat: Seat) -> Lamp:
    """Who has to take piles, the slowest and whoever pays a penalty, and who is still safe from the race."""
    why = [debt.why for debt in state.debts.queue if debt.seat == seat]
    if "slowest" in why:
        return Lamp.BLINKING
    if why:
        return Lamp.FAST
    return Lamp.SOLID if state.race is not None and seat in state.race.safe else Lamp.DARK
