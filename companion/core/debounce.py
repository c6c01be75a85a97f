"""Debouncing: turns the buttons' raw edges into presses and releases, in the order of the kernel's clock.

A switch does not close once: it rattles for some milliseconds when it is pressed and again when it is
let go. A filter that waits for calm would stamp the press with the end of the rattling, and the player
with the worse switch would lose. Here a press bears the time of the first edge of its train, and what
follows is locked out until the button has been at rest, released.

Nothing is judged before the hold-back is over. All edges older than `now - hold_back` have arrived by
then (the horizon), so what is read up to there, line by line in the kernel's own numbering, owes nothing
to the order of arrival. To prove a train takes longer than that: the contact that holds may begin as late
as `bounce` after the first edge, and must then last for `glitch`. So a proved press also waits while any
other button has an earlier edge that may still become a press. A clean press comes out
`hold_back + glitch` after its time (20.2 ms), and none later than `hold_back + bounce + glitch`
(35.2 ms; `hold_back + 2 * bounce` while lost edges leave a doubt). A release can wait: it is told when the
contacts have been at rest for `bounce`.

The state is a value. The caller builds a new one whenever the lines are requested anew, because the
kernel's numbers then begin again at 1.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf

from companion.core.button_faults import Chattering, Fault, LateEdge, Lost, Recovered, Repeated, Stuck
from companion.units import MILLISECOND, SECOND

# How many edges of a line are kept to be read again when one comes late: more than one press with its
# release can have (80).
_KEPT = 128


@dataclass(frozen=True, slots=True)
class Timing:
    """The limits of what switches and hands can do, as timeouts and rates."""

    # In a multi-line request edges up to 20 ms apart were seen to arrive in the wrong order under load.
    hold_back_ns: int = 20 * MILLISECOND
    # Microswitches rattle for 0.5 to 15 ms, on the way down and on the way up.
    bounce_ns: int = 15 * MILLISECOND
    # A spark or a neighbour's cable closes the line for microseconds; no finger does so for under 200 us.
    glitch_ns: int = 200_000
    # The fastest hands on record make 16 presses a second, and the worst switches 40 edges a press and 40
    # a release. Hence nobody makes more than 1280 edges a second; only a loose wire does. Either bound
    # serves: a wire that rests between its contacts makes few edges, but too many presses.
    presses_a_second: int = 16
    edges_a_press: int = 80
    # Nobody leans on a button for so long in a game of grabbing.
    stuck_ns: int = 10 * SECOND
    # A button that was left out must lie still for so long. It has to exceed the hold-back: only then do
    # stragglers of a storm fall into the storm, whatever their order.
    quiet_ns: int = SECOND

    @property
    def edges_a_second(self) -> int:
        return self.presses_a_second * self.edges_a_press


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of a button's line, with the kernel's timestamp."""

    button: int
    t_ns: int
    is_down: bool
    number: int  # the kernel's, for this line: 1, 2, 3, ...


@dataclass(frozen=True, slots=True)
class Press:
    """A proved press, with the time of its first edge."""

    button: int
    t: int


@dataclass(frozen=True, slots=True)
class Release:
    """The end of a press that was reported before."""

    button: int
    t: int
    """When the switch's contacts came to rest."""


_News = list[Press | Release | Fault]


@dataclass(frozen=True, slots=True)
class Train:
    """The debouncing state of a line after one of its edges."""

    button: int
    number: int = 0
    since: int = 0
    down: bool = False
    # When the recent contacts began. None has lasted long enough yet; a press would date from the first.
    firsts: tuple[int, ...] = ()
    # Edges are missing, so this may be the end of a press whose beginning was lost.
    doubtful: bool = False
    # The press that has been counted and not yet let go; it locks the line.
    pressed: int | None = None
    left_out: bool = False
    # Two leaky buckets for the rate limits, stored as the times at which they will be empty; they hold one second.
    edges_spent: int = 0
    presses_spent: int = 0

    @property
    def edge(self) -> Edge:
        return Edge(self.button, self.since, self.down, self.number)


@dataclass(frozen=True, slots=True)
class ButtonLine:
    """One button's line: the edges that have been read, and a buffer of those that wait for the hold-back."""

    past: tuple[Train, ...]  # never empty; after each of the last edges, silence not yet counted
    waiting: tuple[Edge, ...] = ()
    told: tuple[int, ...] = ()
    held: int | None = None
    """The newest reported press, until its release has been reported too."""


@dataclass(frozen=True, slots=True)
class Switches:
    """All buttons at one instant."""

    timing: Timing = Timing()
    begun: int = 0
    horizon: int = 0
    lines: Mapping[int, ButtonLine] = field(default_factory=dict[int, ButtonLine])
    proved: tuple[Press | Release, ...] = ()
    settled: int = 0
    """All presses and releases before this time have been reported."""


def begin(timing: Timing, now_ns: int, held: Iterable[int] = ()) -> Switches:
    """The state at the start. `held`: the buttons that were down when they were read, just before `now_ns`; one
    that is stuck from the start sends no edge."""
    trains = (Train(button, since=now_ns, down=True, pressed=now_ns) for button in held)
    return Switches(timing, begun=now_ns, lines={train.button: ButtonLine(past=(train,)) for train in trains})


def hear(switches: Switches, edge: Edge) -> Switches:
    """Adds an edge to the buffer; `until` judges it after the hold-back."""
    line = switches.lines.get(edge.button) or ButtonLine(past=(Train(edge.button, since=switches.begun),))
    waiting = line.waiting
    if len(waiting) == 2 * switches.timing.edges_a_second:
        # The buffer is full: the newest edge replaces the one before. The gap in the numbers shows the loss, and
        # the line's last level is kept.
        waiting = waiting[:-1]
    line = replace(line, waiting=(*waiting, edge))
    if line.past[-1].left_out:
        line = _swallow(line, switches.timing)
    return replace(switches, lines={**switches.lines, edge.button: line})


def until(switches: Switches, now_ns: int) -> tuple[Switches, tuple[Press | Release | Fault, ...]]:
    """Everything settled by `now_ns`: the faults first, then presses and releases, each by time and button."""
    timing = switches.timing
    horizon = max(switches.horizon, now_ns - timing.hold_back_ns)
    lines: dict[int, ButtonLine] = {}
    faults: list[Fault] = []
    changes = list(switches.proved)
    undecided: list[tuple[int, int]] = []
    for button, line in switches.lines.items():
        lines[button], rested, news = _settle(line, switches.horizon, horizon, timing)
        faults += [one for one in news if isinstance(one, Fault)]
        changes += [one for one in news if not isinstance(one, Fault)]
        undecided += [(first, button) for first in rested.firsts[:1]]
    changes.sort(key=_order)
    ready = bisect_left(changes, min(undecided), key=_order) if undecided else len(changes)
    faults.sort(key=lambda fault: (fault.t, fault.button, fault.name))
    settled = min([horizon - timing.bounce_ns, *(first for first, _ in undecided)])
    after = Switches(timing, switches.begun, horizon, lines, proved=tuple(changes[ready:]), settled=settled)
    return after, (*faults, *changes[:ready])


def _order(change: Press | Release) -> tuple[int, int]:
    return change.t, change.button


def _settle(line: ButtonLine, before: int, horizon: int, timing: Timing) -> tuple[ButtonLine, Train, _News]:
    due = [edge for edge in line.waiting if edge.t_ns < horizon]
    if not due:
        quiet: _News = []
        rested = _rest(line.past[-1], horizon, timing, quiet)
        if all(isinstance(one, Release) for one in quiet) and (line.held is None or not quiet):
            return line, rested, []
    due.sort(key=lambda edge: (edge.number, edge.t_ns))
    waiting = tuple(edge for edge in line.waiting if edge.t_ns >= horizon)
    due, news = _sift(line, due, before)
    past, rested, read = _read(line, due, horizon, timing)
    presses = _untold(line, [one for one in read if isinstance(one, Press)])
    held, changes = _by_turns(line.held, [*presses, *(one for one in read if isinstance(one, Release))])
    told = (*line.told, *(press.t for press in presses))[-_KEPT:]
    after = ButtonLine(tuple(past[-_KEPT:]), waiting, told, None if past[-1].left_out else held)
    if past[-1].left_out:
        after = _swallow(after, timing)  # an older number in the buffer would start the storm again
    return after, rested, [*news, *(one for one in read if isinstance(one, Fault)), *changes]


def _by_turns(held: int | None, changes: list[Press | Release]) -> tuple[int | None, list[Press | Release]]:
    """The press that is held at the end, and the changes without releases that end no reported press."""
    told: list[Press | Release] = []
    for change in sorted(changes, key=_order):
        if isinstance(change, Press):
            held = change.t
        elif held is None or change.t <= held:
            continue
        else:
            held = None
        told.append(change)
    return held, told


def _sift(line: ButtonLine, due: list[Edge], before: int) -> tuple[list[Edge], _News]:
    """Reports duplicate and late edges as faults, and keeps those that can still be put in order."""
    past = line.past
    known = {train.number for train in past} if due else set[int]()
    repeated: list[int] = []
    late: list[int] = []
    kept: list[Edge] = []
    for edge in due:
        forgotten = edge.number < past[0].number
        if edge.number in known or (forgotten and edge.t_ns >= before):
            repeated.append(edge.t_ns)
            continue
        known.add(edge.number)
        if edge.t_ns < before:
            late.append(edge.t_ns)
        if not forgotten:
            kept.append(edge)
    button = past[0].button
    return kept, [kind(button, min(at), len(at)) for kind, at in ((Repeated, repeated), (LateEdge, late)) if at]


def _read(line: ButtonLine, due: list[Edge], horizon: int, timing: Timing) -> tuple[list[Train], Train, _News]:
    """Goes on reading edges; after a late edge reads again from the place where that belongs."""
    news: _News = []
    place = bisect_left(line.past, due[0].number, key=lambda train: train.number) if due else len(line.past)
    past = list(line.past[:place])
    again = sorted([*due, *(train.edge for train in line.past[place:])], key=lambda edge: edge.number)
    newest = line.past[-1].number
    gaps: dict[int, int] = {}
    for edge in again:
        lost = edge.number - past[-1].number - 1
        # If edges of a storm were lost, the line was not quiet in between.
        train = past[-1] if past[-1].left_out and lost > 0 else _rest(past[-1], edge.t_ns, timing, news)
        if train.left_out != past[-1].left_out:
            past = [train]  # a change of `left_out` has been reported, so don't read across it again
        past.append(_take(train, edge, timing, news))
        if edge.number > newest + 1 and not past[-1].left_out:
            gaps[edge.t_ns] = edge.number - newest - 1
        newest = max(newest, edge.number)
    if gaps:
        news.append(Lost(past[0].button, min(gaps), sum(gaps.values())))
    rested = _rest(past[-1], horizon, timing, news)
    if rested.left_out != past[-1].left_out:
        past = [rested]
    return past, rested, news


def _untold(line: ButtonLine, presses: list[Press]) -> list[Press]:
    """The presses that have not been reported yet; one may have been reported with a later time, because its first
    edge came late."""
    times = [*(press.t for press in presses), inf]
    return [
        press
        for press, following in zip(presses, times[1:], strict=True)
        if not any(press.t <= told < following for told in line.told)
    ]


def _rest(train: Train, t_ns: int, timing: Timing, news: _News) -> Train:
    """The line after silence from its last edge until `t_ns`."""
    silence = t_ns - train.since
    if train.left_out:
        if not train.down and silence > timing.quiet_ns:
            news.append(Recovered(train.button, train.since + timing.quiet_ns))
            train = Train(train.button, train.number, train.since, down=False)
    elif train.down:
        if train.pressed is None:
            train = _prove(train, silence, timing, news)
        if train.pressed is not None and t_ns >= (end := max(train.pressed + timing.stuck_ns, train.since)):
            news.append(Stuck(train.button, end))
            train = _leave_out(train)
    elif silence > timing.bounce_ns and (train.pressed is not None or train.doubtful):
        news.append(Release(train.button, train.since))
        train = replace(train, pressed=None, firsts=(), doubtful=False)
    elif train.firsts and train.firsts[0] + timing.bounce_ns < t_ns:
        train = replace(train, firsts=_recent(train.firsts, t_ns, timing))
    return train


def _prove(train: Train, contact: int, timing: Timing, news: _News) -> Train:
    # A release's bounce may close the contact for milliseconds. Where edges are missing, this may be one,
    # and only a contact longer than any bounce proves a hand.
    needed = timing.bounce_ns + 1 if train.doubtful else timing.glitch_ns
    if contact < needed:
        return train
    first = train.firsts[0]
    spent = max(train.presses_spent, first) + SECOND // timing.presses_a_second
    if spent - first > SECOND:
        news.append(Chattering(train.button, train.since + needed))
        return _leave_out(train)
    news.append(Press(train.button, first))
    return replace(train, firsts=(), pressed=first, presses_spent=spent)


def _take(train: Train, edge: Edge, timing: Timing, news: _News) -> Train:
    if train.left_out:
        return _latest(train, edge)
    cost = SECOND // timing.edges_a_second
    # Lost edges count against the rate limit too.
    spent = max(train.edges_spent + (edge.number - train.number) * cost, edge.t_ns + cost)
    if spent - edge.t_ns > SECOND:
        news.append(Chattering(edge.button, edge.t_ns))
        return _leave_out(_latest(train, edge))
    down = edge.is_down
    firsts, doubtful, pressed = train.firsts, train.doubtful, train.pressed
    # Nobody lets go and presses again within `bounce`, so edges lost in so short a gap hide no press.
    hidden = edge.number > train.number + 1 and edge.t_ns - train.since > timing.bounce_ns
    if hidden:
        doubtful, pressed = True, None
    elif edge.number == 1 and not down and edge.t_ns <= train.since:
        pressed = edge.t_ns  # let go at our start, before the levels were read; the release's bounce follows
    # Down twice without a gap is a wobble: both edges came before the interrupt's thread could run. Up
    # twice, be it the first edge of all, or up after lost edges, ends a contact nobody saw begin: the earliest
    # time known for it.
    if pressed is None and (down or hidden or not train.down):
        firsts = (*_recent(firsts, edge.t_ns, timing), edge.t_ns)
    return Train(
        train.button,
        edge.number,
        edge.t_ns,
        down,
        firsts,
        doubtful,
        pressed,
        edges_spent=spent,
        presses_spent=train.presses_spent,
    )


def _recent(firsts: tuple[int, ...], t_ns: int, timing: Timing) -> tuple[int, ...]:
    """The contacts within `bounce` before `t_ns`: an earlier one was a separate glitch."""
    return tuple(first for first in firsts if first + timing.bounce_ns >= t_ns)


def _leave_out(train: Train) -> Train:
    return Train(train.button, train.number, train.since, train.down, left_out=True)


def _latest(train: Train, edge: Edge) -> Train:
    if (edge.t_ns, edge.number) <= (train.since, train.number):
        return train
    return replace(train, number=edge.number, since=edge.t_ns, down=edge.is_down)


def _swallow(line: ButtonLine, timing: Timing) -> ButtonLine:
    """Drops all but the last edge of a button that is left out: a storm takes no memory and little time."""
    train = line.past[-1]
    waiting: list[Edge] = []
    for edge in sorted(line.waiting, key=lambda edge: edge.t_ns):
        if edge.t_ns <= train.since + timing.quiet_ns:
            train = _latest(train, edge)
        else:
            waiting.append(edge)
    return replace(line, past=(train,), waiting=tuple(waiting))
