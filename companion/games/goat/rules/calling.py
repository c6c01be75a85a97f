"""The last card: "Goat on board!" and "Goat overboard!"."""

from dataclasses import replace

from companion.games.goat.rules.events import Accuse, Call
from companion.games.goat.rules.judgement import Judgement
from companion.games.goat.rules.rulings import Called, NoEffect, Overboard
from companion.games.goat.rules.state import PendingCall


def judge_call(judgement: Judgement, event: Call) -> None:
    calls = judgement.calls
    if event.seat in calls.exposed:
        judgement.calls = calls.without_exposed(event.seat)
        judgement.say(Called(event.t, event.seat))
        return
    serial = judgement.fact.serial
    judgement.calls = replace(calls, pending=PendingCall(calls.pending, event.t, event.seat, serial))
    judgement.say(NoEffect(event.t, event.seat, serial))


def judge_accusation(judgement: Judgement, event: Accuse) -> None:
    target = event.target
    if target == event.seat or target not in judgement.calls.exposed or _calls_in_time(judgement, target):
        judgement.say(NoEffect(event.t, event.seat))
        return
    judgement.calls = judgement.calls.without_exposed(target)
    judgement.owe_penalty(event.t, target, "overboard", Overboard(event.t, target, event.seat))


def _calls_in_time(judgement: Judgement, seat: int) -> bool:
    """Whether that seat calls within the resolution of the accusation: then the caller has it."""
    until = judgement.t + judgement.game.resolution
    return any(isinstance(fact.event, Call) and fact.event.seat == seat for fact in judgement.ahead.until(until))
