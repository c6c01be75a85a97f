"""Finds the photo finishes in a game's timeline.

The rulings alone do not say when a seat in a dead heat pressed, nor which presses had no effect; the facts at
which they were ruled do. So this goes through the steps, and every verdict is the referee's own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from companion.core.cards import Card, Line
from companion.games.goat.history.finish import Answer, Finish, PressMark, SprintHeat, Verdict
from companion.games.goat.history.steps import forwards
from companion.games.goat.rules import Record
from companion.games.goat.rules.events import Sprint
from companion.games.goat.rules.race import FASTEST_ANSWER, SAME_SLAP, Slap
from companion.games.goat.rules.rulings import (
    DeadHeat,
    FalseGrab,
    GoatRuling,
    Late,
    Safe,
    SetsChanged,
    Slowest,
    Took,
    Void,
    Win,
)
from companion.games.goat.rules.timeline import Step
from companion.units import Ns, Seat

# Hands that slap at the same nothing do so together.
TOGETHER: Ns = 2_000_000_000


@dataclass(slots=True)
class _FinishDraft:
    """A photo finish while it is being put together."""

    first: Ns
    race: bool
    since: Ns | None
    lines: tuple[Line, ...]
    tops: tuple[Card | None, ...] | None
    heights: tuple[int, ...] | None
    last: Ns
    ruled: dict[Slap, PressMark] = field(default_factory=dict[Slap, PressMark])
    tied: dict[Seat, Ns] = field(default_factory=dict[Seat, Ns])
    """Each seat's press in the race that led to a dead heat."""
    heats: list[SprintHeat] = field(default_factory=list[SprintHeat])
    order: list[Safe] = field(default_factory=list[Safe])
    slowest: Slowest | None = None
    took: int | None = None
    winners: tuple[Seat, ...] = ()


def find_finishes(record: Record, slaps: Sequence[Slap]) -> tuple[Finish, ...]:
    """`slaps`: all presses, in order."""
    drafts = _draft_finishes(forwards(record.newest), slaps)
    return tuple(_complete(number, draft, record, slaps) for number, draft in enumerate(drafts, 1))


def _draft_finishes(steps: Iterable[Step], slaps: Sequence[Slap]) -> list[_FinishDraft]:
    drafts: list[_FinishDraft] = []
    lines: tuple[Line, ...] = ()
    pressed = set(slaps)
    for step in steps:
        if step.fact is not None and isinstance(step.fact.event, Sprint) and drafts:
            _note_lamps(drafts[-1], step.fact.t, step.state.game.resolution)
        for said in step.said:
            if isinstance(said, SetsChanged):
                lines = said.lines
            # A penalty that finds no pile when it comes to be paid is void too, but that rules on no press.
            if isinstance(said, FalseGrab | Void) and (said.t, said.seat) not in pressed:
                continue
            draft = _find_draft(said, step, drafts, lines, slaps)
            if draft is not None:
                _note_ruling(draft, said, step, slaps)
    return drafts


def _find_draft(
    said: GoatRuling, step: Step, drafts: list[_FinishDraft], lines: tuple[Line, ...], slaps: Sequence[Slap]
) -> _FinishDraft | None:
    """The one that this ruling belongs to; a new one if it begins one."""
    latest = drafts[-1] if drafts else None
    races = latest is not None and latest.race
    is_on = latest is not None and latest.race and latest.slowest is None
    match said:
        case Safe() | DeadHeat():
            if not is_on:
                drafts.append(_begin_draft(_find_first_grab(said, step, slaps), step, said, lines))
        case FalseGrab() | Void() if not is_on and said.reason != "already_safe":
            if not _joins_false_slap(latest, said):
                drafts.append(_begin_draft(said.t, step, None, ()))
        case FalseGrab() | Void() | Slowest() | Took() | Win() if latest is not None:
            return latest
        case Late() if races:
            return latest
        case _:
            return None
    return drafts[-1]


def _joins_false_slap(latest: _FinishDraft | None, said: FalseGrab | Void) -> bool:
    return latest is not None and not latest.race and said.t - latest.last <= TOGETHER


def _begin_draft(first: Ns, step: Step, said: Safe | DeadHeat | None, lines: tuple[Line, ...]) -> _FinishDraft:
    board = step.state.board
    return _FinishDraft(
        first,
        said is not None,
        _find_race_start(step, said) if board is not None and said is not None else None,
        lines,
        board.tops if board else None,
        board.heights if board else None,
        first,
    )


def _find_race_start(step: Step, said: Safe | DeadHeat) -> Ns | None:
    if step.state.race is not None:
        return step.state.race.since
    # The race was over and paid for at once; then the ruling still says how long it took.
    return said.t - 1000 * said.reaction_us if isinstance(said, Safe) else None


def _find_first_grab(said: Safe | DeadHeat, step: Step, slaps: Sequence[Slap]) -> Ns:
    if isinstance(said, Safe):
        return said.t
    return min(_find_tied_presses(said, step, slaps).values())


def _find_tied_presses(said: DeadHeat, step: Step, slaps: Sequence[Slap]) -> dict[Seat, Ns]:
    """Each tied seat's press: its first within the resolution of the deciding one."""
    resolution = step.state.game.resolution
    return {seat: t for t, seat in reversed(slaps) if seat in said.seats and abs(t - said.t) <= resolution}


def _note_lamps(draft: _FinishDraft, t: Ns, resolution: Ns) -> None:
    if draft.heats and draft.heats[-1].lit is None and draft.slowest is None:
        heat = draft.heats[-1]
        draft.heats[-1] = replace(heat, lit=t)
        # Of two that jump together, the second may have been waiting for these very lamps.
        if len(draft.heats) > 1 and draft.heats[-2].lit is None and t <= heat.t + resolution:
            draft.heats[-2] = replace(draft.heats[-2], lit=t)


def _note_ruling(draft: _FinishDraft, said: GoatRuling, step: Step, slaps: Sequence[Slap]) -> None:
    match said:
        case Safe():
            draft.order.append(said)
            draft.last = max(draft.last, said.t)
            if said.seat not in draft.tied:
                draft.ruled[said.t, said.seat] = PressMark(said.t, said.seat, "safe", said.place, said.reaction_us)
        case DeadHeat():
            led = _find_tied_presses(said, step, slaps)
            if not draft.heats:
                draft.tied = led
            draft.heats.append(SprintHeat(said.t, said.seats))
            draft.last = max(draft.last, *led.values())
        case Slowest():
            draft.slowest = said
        case Late():
            draft.ruled[said.t, said.seat] = PressMark(said.t, said.seat, "late", None, said.reaction_us)
            draft.last = max(draft.last, said.t)
        case FalseGrab() | Void():
            draft.ruled[said.t, said.seat] = PressMark(said.t, said.seat, _read_verdict(said))
            draft.last = max(draft.last, said.t)
        case Took() if draft.slowest is not None and said.seat == draft.slowest.seat and draft.took is None:
            draft.took = said.cards
        case Win():
            draft.winners = said.seats
        case _:
            pass


def _read_verdict(said: FalseGrab | Void) -> Verdict:
    for verdict in ("no_set", "already_safe", "misplay", "no_pile"):
        if verdict == said.reason:
            return verdict
    raise ValueError(f"no such reason: {said.reason}")


def _complete(number: int, draft: _FinishDraft, record: Record, slaps: Sequence[Slap]) -> Finish:
    slowest = draft.slowest
    ended = slowest is not None
    places = {safe.seat: safe for safe in draft.order}
    for seat, t in draft.tied.items():
        safe = places.get(seat)
        reaction = safe.reaction_us if safe else _measure_reaction(draft, t)
        draft.ruled[t, seat] = PressMark(t, seat, "tied", safe.place if safe else None, reaction)
    return Finish(
        number,
        draft.first,
        draft.race,
        draft.since,
        record.game.resolution,
        len(record.game.seats) - 1,
        tuple(_list_marks(draft, slaps)),
        tuple(_list_heats(draft, slaps, record.game.resolution)),
        (*places, slowest.seat) if slowest else tuple(places),
        slowest.seat if slowest else None,
        draft.lines if ended else (),
        (slowest.choices or ()) if slowest else (),
        (slowest.cards or ()) if slowest else (),
        draft.took,
        draft.tops,
        draft.heights,
        draft.winners,
    )


def _measure_reaction(draft: _FinishDraft, t: Ns) -> int:
    return max(0, t - (draft.since if draft.since is not None else draft.first)) // 1000


def _list_marks(draft: _FinishDraft, slaps: Sequence[Slap]) -> Iterator[PressMark]:
    """All presses of the race. What answers the lamps of a sprint is drawn on a line of its own."""
    until = max(t for (t, _), mark in draft.ruled.items() if not (draft.heats and mark.verdict == "late"))
    before: dict[Seat, Ns] = {}
    for slap in slaps:
        t, seat = slap
        if draft.first <= t <= until:
            same = seat in before and t - before[seat] <= SAME_SLAP
            passed_over = PressMark(t, seat, "same_slap" if same else "unheard")
            mark = draft.ruled.get(slap, passed_over)
            if mark is not passed_over:
                before[seat] = t
            yield mark


def _list_heats(draft: _FinishDraft, slaps: Sequence[Slap], resolution: Ns) -> Iterator[SprintHeat]:
    """The dead heats, each with its sprint."""
    led_here = draft.tied
    heats: Iterable[tuple[SprintHeat, SprintHeat | None]] = zip(
        draft.heats, (*draft.heats[1:], None), strict=False
    )
    for heat, following in heats:
        answers: dict[Seat, Answer] = {}
        for slap in slaps:
            seat = slap[1]
            heard = seat in led_here and seat not in answers and _is_in_sprint(draft, slap, following, resolution)
            if heard and (answer := _find_answer(heat, slap, led_here[seat])) is not None:
                answers[seat] = answer
        yield replace(heat, answers=tuple(sorted(answers.values(), key=lambda each: (each.t, each.seat))))
        led_here = {seat: answers[seat].t for seat in following.seats} if following else {}


def _is_in_sprint(draft: _FinishDraft, slap: Slap, following: SprintHeat | None, resolution: Ns) -> bool:
    """Whether the sprint was still on; of what came after it only the last one's press is noted."""
    if following is not None:
        return slap[0] <= following.t + resolution
    return draft.slowest is None or slap[0] <= draft.slowest.t or slap in draft.ruled


def _find_answer(heat: SprintHeat, slap: Slap, led_here: Ns) -> Answer | None:
    t, seat = slap
    if t <= led_here:
        return None
    # A press at the very instant at which the lamps lit comes before them.
    if heat.lit is not None and t > heat.lit:
        return Answer(t, seat, jumped=t < heat.lit + FASTEST_ANSWER)
    return Answer(t, seat, jumped=True) if t - led_here > SAME_SLAP else None
