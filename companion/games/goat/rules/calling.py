"""The last card: "Goat on board!" and "Goat overboard!"."""

from dataclasses import replace

from companion.games.goat.rules.events import Accuse, Call
from companion.games.goat.rules.hearing import Hearing
from companion.games.goat.rules.rulings import Called, NoEffect, Overboard
from companion.games.goat.rules.state import PendingCall


def hear_call(hearing: Hearing, event: Call) -> None:
    goats = hearing.goats
    if event.seat in goats.exposed:
        hearing.goats = goats.without_exposed(event.seat)
        hearing.say(Called(event.t, event.seat))
        return
    serial = hearing.fact.serial
    hearing.goats = replace(goats, calls=PendingCall(goats.calls, event.t, event.seat, serial))
    hearing.say(NoEffect(event.t, event.seat, serial))


def hear_accuse(hearing: Hearing, event: Accuse) -> None:
    target = event.target
    if target == event.seat or target not in hearing.goats.exposed or _calls_now(hearing, target):
        hearing.say(NoEffect(event.t, event.seat))
        return
    hearing.goats = hearing.goats.without_exposed(target)
    hearing.owe_penalty(event.t, target, "overboard", Overboard(event.t, target, event.seat))


def _calls_now(hearing: Hearing, seat: int) -> bool:
    """Whether that seat calls within the resolution of the accusation: then the caller has it."""
    until = hearing.t + hearing.game.resolution
    return any(isinstance(fact.event, Call) and fact.event.seat == seat for fact in hearing.ahead.until(until))
