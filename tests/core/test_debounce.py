"""A thumb on a switch, written as edges in milliseconds, and what the table is told of it."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.button_faults import Chattering, Fault, LateEdge, Lost, Recovered, Repeated, Stuck
from companion.core.debounce import Edge, Press, Release, Switches, Timing, begin, hear, until

from ..exploring import examples

MS = 1_000_000
SECOND = 1000 * MS
START = 1000 * SECOND
TIMING = Timing()

Arrival = tuple[int, Edge]
Said = tuple[Press | Release | Fault, ...]
PRESSED, RELEASED = 0, 1


def at(ms: float) -> int:
    return START + round(ms * MS)


def edge(button: int, t_ns: int, level: int, number: int) -> Edge:
    return Edge(button, t_ns, level == PRESSED, number)


def line(*times_ms: float, seat: int = 0, first_level: int = PRESSED) -> list[Edge]:
    """Edges by turns down and up."""
    return [edge(seat, at(ms), (first_level + index) % 2, index + 1) for index, ms in enumerate(times_ms)]


def on_time(edges: Iterable[Edge]) -> list[Arrival]:
    return [(edge.t_ns, edge) for edge in edges]


def play(
    arrivals: Iterable[Arrival],
    poll_ns: int = 4 * MS,
    end_ms: float | None = None,
    switches: Switches | None = None,
) -> list[tuple[int, Said]]:
    """What is said at which poll; the last poll is long after the last arrival."""
    switches = switches or Switches()
    coming = deque(sorted(arrivals, key=lambda arrival: arrival[0]))
    last = coming[-1][0] + 60 * MS if end_ms is None else at(end_ms)
    said: list[tuple[int, Said]] = []
    now = START
    while now < last + poll_ns:
        while coming and coming[0][0] <= now:
            switches = hear(switches, coming.popleft()[1])
        switches, news = until(switches, now)
        said.append((now, news))
        now += poll_ns
    return said


def presses(said: Sequence[tuple[int, Said]]) -> list[Press]:
    return [one for _, news in said for one in news if isinstance(one, Press)]


def releases(said: Sequence[tuple[int, Said]]) -> list[Release]:
    return [one for _, news in said for one in news if isinstance(one, Release)]


def faults(said: Sequence[tuple[int, Said]]) -> list[Fault]:
    return [one for _, news in said for one in news if isinstance(one, Fault)]


# --- Trains, one by one


@pytest.mark.parametrize(
    ("times_ms", "pressed_at_ms"),
    [
        pytest.param([0, 100], [0], id="clean"),
        pytest.param([0], [0], id="still held"),
        pytest.param([0, 0.05, 0.2, 0.3, 1, 1.1, 4, 120], [0], id="short pulses, then held"),
        pytest.param([0, 3, 5, 6, 15, 120], [0], id="the last contact as late as a bounce may be"),
        pytest.param([0, 0.05, 15, 120], [0], id="held exactly a bounce after the first edge"),
        pytest.param([0, 0.05, 15.001, 120], [15.001], id="a glitch longer ago than a bounce"),
        pytest.param([0, 0.05, 14, 14.05, 18, 120], [14], id="a glitch, then a train"),
        pytest.param([0, 0.05, 500, 600], [500], id="a glitch long before"),
        pytest.param([0, 0.199999], [], id="a contact just too short"),
        pytest.param([0, 0.2], [0], id="a contact just long enough"),
        pytest.param([0, 0.1, 1, 1.1, 2, 2.1], [], id="sparks"),
        pytest.param([0, 100, 101, 104, 105, 110, 114, 115], [0], id="the release bounces with long contacts"),
        pytest.param([0, 100, 115, 118], [0], id="the release's last bounce at its very end"),
        pytest.param([0, 100, 115.001, 150], [0, 115.001], id="pressed again after a rest"),
        pytest.param([0, 50, 53, 100, 105, 200], [0], id="the thumb trembles"),
        pytest.param([0, 30, 70, 100, 140, 170], [0, 70, 140], id="drumming"),
    ],
)
def test_a_press_bears_the_time_of_its_trains_first_edge(
    times_ms: list[float], pressed_at_ms: list[float]
) -> None:
    """Each train gives one press at its first edge, a glitch none."""
    said = play(on_time(line(*times_ms)))
    assert [Press(0, at(ms)) for ms in pressed_at_ms] == presses(said)
    assert faults(said) == []


@pytest.mark.parametrize(
    ("times_ms", "released_at_ms"),
    [
        pytest.param([0, 100], [100], id="clean"),
        pytest.param([0], [], id="still held"),
        pytest.param([0, 0.199999], [], id="no press, no release"),
        pytest.param([0, 100, 101, 104, 105, 110], [110], id="the release bounces"),
        pytest.param([0, 50, 53, 100], [100], id="the thumb trembles"),
        pytest.param([0, 30, 70, 100, 140, 170], [30, 100, 170], id="drumming"),
    ],
)
def test_a_release_is_told_once_the_contacts_rest(times_ms: list[float], released_at_ms: list[float]) -> None:
    """Each ends a press, and is told once however long all is quiet afterwards."""
    said = play(on_time(line(*times_ms)), end_ms=2000)
    assert [Release(0, at(ms)) for ms in released_at_ms] == releases(said)


def test_a_release_that_nobody_saw_is_told_when_the_line_rests() -> None:
    """An edge was lost on the way: where the line comes to rest, the press is over all the same."""
    down, up, again, rest = line(0, 100, 200, 300)
    said = play(on_time([down, again, rest]), end_ms=2000)
    assert up not in [edge for _, edge in on_time([down, again, rest])]
    assert [Release(0, at(300))] == releases(said)


def test_an_edge_that_comes_late_brings_no_release_twice() -> None:
    """All since then is read again."""
    edges = line(0, 100, 400, 500)
    said = play([*on_time([edges[0], edges[1], edges[3]]), (at(900), edges[2])], end_ms=2000)
    assert [Release(0, at(100))] == releases(said)[:1]
    assert len(releases(said)) <= len(presses(said))


def test_a_button_that_is_left_out_is_not_released() -> None:
    """Nobody presses it any more; what it does when it has come to rest is told anew."""
    said = play(on_time(line(0, 11_000)), end_ms=14_000)
    assert [] == releases(said)
    assert [Stuck, Recovered] == [type(fault) for fault in faults(said)]


def test_it_is_known_up_to_when_all_has_been_told() -> None:
    """A bounce before the horizon; and no later than a contact of which nothing is known yet."""
    switches, _ = until(Switches(), at(100))
    assert at(100) - TIMING.hold_back_ns - TIMING.bounce_ns == switches.settled
    switches, _ = until(hear(switches, *line(95)), at(115.1))
    assert at(115.1) - TIMING.hold_back_ns - TIMING.bounce_ns == switches.settled


def test_a_clean_press_comes_out_once_it_is_proved_and_the_hold_back_is_over() -> None:
    """A press is told 20.2 ms after its time and not a nanosecond before."""
    switches = hear(Switches(), *line(0))
    switches, news = until(switches, at(20.2) - 1)
    assert news == ()
    switches, news = until(switches, at(20.2))
    assert (Press(0, at(0)),) == news
    assert until(switches, at(30))[1] == ()


def test_a_press_waits_for_an_earlier_train_that_is_not_decided() -> None:
    """A later press stays back while another seat's earlier edge may still become one."""
    switches = Switches()
    for edge in [*line(0, 0.1, 12, seat=1), *line(1, seat=0)]:
        switches = hear(switches, edge)
    switches, news = until(switches, at(32))
    assert news == ()
    _, news = until(switches, at(32.2))
    assert (Press(1, at(0)), Press(0, at(1))) == news


def test_a_glitch_holds_a_press_back_no_longer_than_a_bounce() -> None:
    """Once nothing can come of a glitch any more, the later press of another seat is told."""
    switches = Switches()
    for edge in [*line(0, 0.1, seat=1), *line(1, seat=0)]:
        switches = hear(switches, edge)
    switches, news = until(switches, at(35))
    assert news == ()
    assert (Press(0, at(1)),) == until(switches, at(35) + 1)[1]


def test_presses_of_one_instant_come_by_seat() -> None:
    """At equal times the seats decide the order, not the arrival."""
    arrivals = [(at(order), edge) for order, seat in enumerate([2, 0, 1]) for edge in line(0, seat=seat)]
    assert [Press(0, at(0)), Press(1, at(0)), Press(2, at(0))] == presses(play(arrivals))


def test_now_never_goes_back() -> None:
    """An earlier `now` settles nothing anew."""
    switches, _ = until(Switches(), at(100))
    assert (switches, ()) == until(switches, at(50))


# --- Held from the beginning


def test_a_button_let_go_while_the_lines_were_looked_at_is_no_press() -> None:
    """It was up when they were, and rose before; its release's bounce is no press, the next train is one."""
    edges = line(0, 2, 6, 300, 400, first_level=RELEASED)
    assert [Press(0, at(300))] == presses(play(on_time(edges), switches=begin(TIMING, at(1))))


@pytest.mark.parametrize("edges", [[10, 10.4, 12, 13, 100], [10, 10.1, 100]])
def test_a_first_edge_that_is_told_as_rising_is_a_press_like_any_other(edges: list[float]) -> None:
    """The kernel looks which way a line went after the interrupt; a busy one finds it bounced up again by then."""
    said = play(on_time(line(*edges, first_level=RELEASED)), switches=begin(TIMING, START))
    assert [Press(0, at(10))] == presses(said)
    assert faults(said) == []


def test_a_button_known_to_be_held_is_stuck_after_a_while() -> None:
    """One that is down from the start and sends nothing is reported once, and counts again after its release."""
    switches = begin(TIMING, START, held=[3])
    edges = line(12_000, 14_000, 14_100, seat=3, first_level=RELEASED)
    said = play(on_time(edges), poll_ns=50 * MS, switches=switches)
    assert [Stuck(3, at(10_000)), Recovered(3, at(13_000))] == faults(said)
    assert [Press(3, at(14_000))] == presses(said)


def test_a_button_known_to_be_held_is_let_go_like_any_other() -> None:
    """Its release is none of a press, nor is the bounce of it."""
    edges = line(100, 102, 105, 300, 400, seat=3, first_level=RELEASED)
    said = play(on_time(edges), switches=begin(TIMING, START, held=[3]))
    assert [Press(3, at(300))] == presses(said)
    assert faults(said) == []


# --- Edges lost, twice, late


def without(edges: Sequence[Edge], *numbers: int) -> list[Arrival]:
    return on_time(edge for edge in edges if edge.number not in numbers)


@pytest.mark.parametrize(
    ("edges", "numbers", "pressed_at_ms", "told_at_ms"),
    [
        pytest.param([0, 100, 300, 400], [2], [0, 300], 300, id="a release"),
        pytest.param([0, 100, 300, 400], [2, 3], [0], 400, id="a release and a press"),
        pytest.param([0, 100, 101, 104, 300, 400], [2], [0, 300], 101, id="a release, but not its bounce"),
        pytest.param([0, 100, 101, 104, 300, 400], [4], [0, 300], 300, id="the end of a release"),
        pytest.param([0, 100, 101, 104, 300, 400], [1], [300], 100, id="a press, but not its release's bounce"),
        pytest.param([0, 0.1, 2, 100, 300, 400], [1], [0.1, 300], 0.1, id="a train's first edge"),
        pytest.param([0, 0.1, 2, 100, 300, 400], [2, 3], [0, 300], 100, id="a train's bounce"),
        pytest.param([0, 0.1, 2, 2.1, 4, 100], [3], [0], 2.1, id="an edge amid a train"),
        pytest.param([0, 3, 5, 100], [2], [0], 5, id="an opening amid a train"),
        pytest.param([0, 100, 200, 200.1, 204, 300], [2, 3], [0, 200.1], 200.1, id="up to a train's middle"),
        pytest.param([0, 100, 300, 400], [1], [300], 100, id="the very first edge"),
        pytest.param([0, 0.1, 300, 400], [1, 2], [300], 300, id="all before the first one heard"),
        pytest.param([0, 100, 300, 400, 600, 605], [3], [0, 600], 400, id="a press; the next tap is short"),
    ],
)
def test_a_gap_is_reported_and_only_what_is_proved_is_a_press(
    edges: list[float], numbers: list[int], pressed_at_ms: list[float], told_at_ms: float
) -> None:
    """Lost edges are counted; no release becomes a press for them, and no press that was heard is lost."""
    said = play(without(line(*edges), *numbers))
    assert [Lost(0, at(told_at_ms), len(numbers))] == faults(said)
    assert [Press(0, at(ms)) for ms in pressed_at_ms] == presses(said)


def test_the_same_level_twice_without_a_gap_is_a_wobble() -> None:
    """Two edges merged by the kernel are no second press, and a merged contact begins a train."""
    down_twice = [edge(0, at(0), 0, 1), edge(0, at(500), 0, 2), edge(0, at(600), 1, 3)]
    assert [Press(0, at(0))] == presses(play(on_time(down_twice)))
    up_twice = [*line(0, 100), edge(0, at(300), 1, 3), edge(0, at(302), 0, 4), edge(0, at(400), 1, 5)]
    assert [Press(0, at(0)), Press(0, at(300))] == presses(play(on_time(up_twice)))


def test_an_edge_that_arrives_twice_counts_once_and_is_reported() -> None:
    """A duplicate changes no press, whether it comes at once or long after."""
    edges = line(0, 100, 300, 400)
    at_once = play(on_time([*edges, edges[2]]))
    assert [Repeated(0, at(300), 1)] == faults(at_once)
    long_after = play([*on_time(edges), (at(600), edges[0]), (at(600), edges[2])])
    assert [Repeated(0, at(0), 2)] == faults(long_after)
    assert [Press(0, at(0)), Press(0, at(300))] == presses(at_once) == presses(long_after)


def test_a_late_press_comes_with_its_true_time() -> None:
    """What arrives after the hold-back is reported and still becomes a press."""
    stalled = [(at(250), edge) for edge in line(0, 3, 5, 100, 101, 103)]
    said = play(stalled)
    assert [LateEdge(0, at(0), 6)] == faults(said)
    assert [Press(0, at(0))] == presses(said)


def test_a_late_edge_is_put_where_it_belongs() -> None:
    """A press whose release was read before it is found when it comes."""
    press, release = line(0, 100)
    said = play([(at(100), release), (at(300), press)])
    assert [Lost(0, at(100), 1), LateEdge(0, at(0), 1)] == faults(said)
    assert [Press(0, at(0))] == presses(said)


def test_a_gap_is_reported_once_though_a_late_edge_is_read_in() -> None:
    """Another edge lost after the late one's place is not reported anew."""
    edges = line(0, 100, 300, 400, 600, 700)
    said = play([*without(edges, 2, 5), (at(900), edges[1])])
    assert [Lost(0, at(300), 1), Lost(0, at(700), 1), LateEdge(0, at(100), 1)] == faults(said)


def test_faults_of_one_poll_come_by_time() -> None:
    """The seat whose trouble began first is named first."""
    edges = [*line(0, 50, seat=0)[1:], *line(0, 40, seat=1)[1:]]
    said = play([(at(60), replace(edge, number=3)) for edge in edges], poll_ns=100 * MS)
    assert [Lost(1, at(40), 2), Lost(0, at(50), 2)] == faults(said)


def test_a_late_bounce_is_no_press() -> None:
    """The release's bounce is locked out, however late it comes."""
    edges = line(0, 100, 101, 104)
    said = play([*on_time(edges[:2]), *((at(300), edge) for edge in edges[2:])])
    assert [Press(0, at(0))] == presses(said)


def test_a_late_first_edge_makes_no_second_press() -> None:
    """A train already told is not told again with its true beginning."""
    first, *rest = line(0, 0.1, 2, 100)
    said = play([*on_time(rest), (at(300), first)])
    assert [Press(0, at(0.1))] == presses(said)


def test_an_edge_late_beyond_memory_is_reported_and_left_alone() -> None:
    """An edge older than all that is kept can no longer be placed."""
    times = [float(ms) for ms in range(0, 40 * 150, 40)]
    edges = line(*times)
    said = play([*without(edges, 3), (at(7000), edges[2])])
    assert [Lost(0, at(120), 1), LateEdge(0, at(80), 1)] == faults(said)
    assert len(presses(said)) == 74


def test_numbers_that_run_backwards_are_reported() -> None:
    """A number older than all that is kept, under a new time, is called repeated and ignored."""
    edges = line(*(float(ms) for ms in range(0, 40 * 150, 40)))
    said = play(on_time([*edges, edge(0, at(6500), 0, 1)]))
    assert [Repeated(0, at(6500), 1)] == faults(said)
    assert len(presses(said)) == 75


# --- Chattering and stuck


def storm(begin_ms: float, edges_a_second: int, edges: int, seat: int = 0) -> list[Edge]:
    return line(*(begin_ms + index * 1000 / edges_a_second for index in range(edges)), seat=seat)


def test_a_storm_is_reported_once_and_left_out_until_it_is_quiet() -> None:
    """10,000 edges a second take one report, and the press after a second's quiet counts again."""
    edges = storm(0, 10_000, 20_000)
    after = [edge(0, at(ms), index % 2, 20_001 + index) for index, ms in enumerate([2500, 2600, 4000, 4100])]
    said = play(on_time([*edges, *after]))
    assert [Chattering, Recovered] == [type(fault) for fault in faults(said)]
    assert at(2600) + SECOND == faults(said)[1].t
    assert [Press(0, at(4000))] == presses(said)


def test_a_storm_is_known_from_the_first_edge_no_hand_could_make() -> None:
    """1280 edges may come at once, the next one is a storm's."""
    edges = [edge(0, at(0), index % 2, index + 1) for index in range(1281)]
    assert faults(play(on_time(edges[:-1]))) == []
    assert [Chattering(0, edges[-1].t_ns)] == faults(play(on_time(edges)))


def test_lost_edges_belong_to_the_storm_in_which_they_were_lost() -> None:
    """Whoever could not keep up with a storm has heard little of it, and it is one all the same."""
    edges = storm(0, 10_000, 3_000)
    said = play(without(edges, *range(100, 2_900)))
    assert [Chattering(0, edges[2_899].t_ns)] == faults(said)


def test_edges_lost_in_a_long_time_are_no_storm() -> None:
    """Ten seconds of tapping that nobody heard are ten seconds of tapping."""
    said = play([*on_time(line(0, 100)), (at(10_000), edge(0, at(10_000), 0, 2_003))])
    assert [Lost(0, at(10_000), 2_000)] == faults(said)


def test_the_fastest_hand_with_the_worst_switch_does_not_chatter() -> None:
    """16 presses a second with 80 edges each are all counted."""
    rattle = [index * 15 / 39 for index in range(40)]
    press = [*rattle[:-1], *(31 + ms for ms in rattle[:-1])]
    edges = line(*(beat * 62.5 + ms for beat in range(48) for ms in press))
    said = play(on_time(edges))
    assert [Press(0, at(beat * 62.5)) for beat in range(48)] == presses(said)
    assert faults(said) == []


def test_a_slow_chatter_is_more_presses_than_a_hand_can_make() -> None:
    """A loose wire that rests between its contacts, 25 times a second, is left out too."""
    said = play(on_time(line(*(float(ms) for ms in range(0, 8000, 20)))))
    assert [Chattering] == [type(fault) for fault in faults(said)]
    assert 16 <= len(presses(said)) <= 48


def test_a_press_heard_before_its_button_is_back_still_counts() -> None:
    """What follows a second's quiet waits, even where nobody has asked meanwhile."""
    edges = storm(0, 10_000, 1600)
    slap = [edge(0, at(1300), 0, 1601), edge(0, at(1400), 1, 1602)]
    said = play(on_time([*edges, *slap]), poll_ns=900 * MS, end_ms=4500)
    assert [Chattering, Recovered] == [type(fault) for fault in faults(said)]
    assert [Press(0, at(1300))] == presses(said)


@pytest.mark.parametrize(("rest_ns", "told"), [(SECOND, 0), (SECOND + 1, 1)])
def test_a_second_of_quiet_has_to_be_a_whole_one(rest_ns: int, told: int) -> None:
    """What comes a second after the storm belongs to it; after that it is a press."""
    edges = storm(0, 10_000, 1600)
    slap = edge(0, edges[-1].t_ns + rest_ns, 0, 1601)
    assert told == len(presses(play(on_time([*edges, slap]))))


def test_a_button_is_not_back_while_an_edge_of_its_storm_may_still_arrive() -> None:
    """The quiet has to be over by the horizon."""
    edges = storm(0, 10_000, 1600)
    switches = Switches()
    for edge in edges:
        switches = hear(switches, edge)
    back = edges[-1].t_ns + SECOND
    switches, news = until(switches, back + TIMING.hold_back_ns)
    assert [Chattering] == [type(fault) for fault in news]
    assert (Recovered(0, back),) == until(switches, back + TIMING.hold_back_ns + 1)[1]


def test_a_storm_is_told_once_though_a_smaller_number_bears_a_later_time() -> None:
    """A line that was looked at is told of before what it had done just before."""
    edges = storm(0, 1_000, 100)
    looked, before, rest = edge(0, at(101), 0, 1_500), edge(0, at(100), 1, 1_501), edge(0, at(300), 1, 1_502)
    said = play([*on_time(edges), (at(102), looked), (at(102), before), (at(301), rest)], poll_ns=MS // 4)
    assert [Chattering] == [type(fault) for fault in faults(said)]


def test_what_is_missing_of_a_storm_is_not_reported() -> None:
    """A button that is left out has been reported once, and that is enough."""
    said = play(without(storm(0, 10_000, 1600), 1590), poll_ns=900 * MS, end_ms=2700)
    assert [Chattering, Recovered] == [type(fault) for fault in faults(said)]


def test_a_line_that_lost_edges_was_not_quiet() -> None:
    """Of a storm that nobody read for long the last edges are missing, but they were made."""
    edges = line(*(number / 10 for number in range(3_000)), first_level=RELEASED)
    later = [edge(0, at(400 + 100 * look), look % 2, 3_002 + 2 * look) for look in range(20)]
    said = play(on_time([*edges, *later]), poll_ns=2_500 * MS, end_ms=2_500)
    assert [Chattering] == [type(fault) for fault in faults(said)]
    assert presses(said) == []


def test_an_older_edge_of_a_storm_does_not_undo_the_newest() -> None:
    """A button that is left out is as its newest edge says, in whichever order the last ones arrive."""
    storm_edges = storm(0, 10_000, 1600)
    last_down, last_up = edge(0, at(161), PRESSED, 1601), edge(0, at(162), RELEASED, 1602)
    said = play([*on_time(storm_edges), (at(190), last_up), (at(195), last_down)], end_ms=1300)
    assert [Chattering, Recovered] == [type(fault) for fault in faults(said)]
    assert at(162) + SECOND == faults(said)[1].t


def test_that_a_button_is_back_is_told_once_though_a_late_edge_is_read_in() -> None:
    """What comes late after a storm is read in after it."""
    after = [edge(0, at(ms), index % 2, 1_601 + index) for index, ms in enumerate([1300, 1400, 1500, 1600])]
    edges = [*storm(0, 10_000, 1600), *after]
    said = play([*without(edges, 1603), (at(3000), edges[1602])], poll_ns=900 * MS, end_ms=4500)
    assert [Chattering, Recovered, Lost, LateEdge] == [type(fault) for fault in faults(said)]
    assert [Press(0, at(1300)), Press(0, at(1500))] == presses(said)


def test_an_edge_that_comes_late_was_no_quiet_either() -> None:
    """Until it is known when it was made, the storm may have gone on."""
    edges = [*storm(0, 10_000, 1600), edge(0, at(1300), 0, 1601), edge(0, at(1400), 1, 1602)]
    said = play([*without(edges, 1601), (at(3000), edges[1600])], poll_ns=900 * MS, end_ms=4500)
    assert [Chattering, Recovered, LateEdge] == [type(fault) for fault in faults(said)]
    assert at(2400) == faults(said)[1].t
    assert [] == presses(said)


def test_a_storm_takes_no_room() -> None:
    """While a button is left out nothing of it is kept but its last edge."""
    switches = Switches()
    for edge in storm(0, 10_000, 3_000):
        switches, _ = until(hear(switches, edge), edge.t_ns)
    assert (len(switches.lines[0].past), len(switches.lines[0].waiting)) == (1, 0)


def test_nobody_reading_for_long_keeps_a_bounded_number_and_the_last_level() -> None:
    """A line that is not read keeps 2560 edges; the gap tells of the others, and the rest level is right."""
    edges = line(*(300.0 * index for index in range(2563)))
    switches = Switches()
    for edge in edges:
        switches = hear(switches, edge)
    assert len(switches.lines[0].waiting) == 2560
    _, news = until(switches, edges[-1].t_ns + SECOND)
    assert Lost(0, edges[-1].t_ns, 3) == news[0]
    assert Press(0, edges[-1].t_ns) == news[-1]


def test_a_stuck_button_is_reported_once_and_counts_again_after_its_release() -> None:
    """Held for ten seconds it is left out; trembling meanwhile does not bring it back."""
    said = play(on_time(line(0, 5000, 5005, 12_000, 12_005, 13_000, 15_000, 15_100)), poll_ns=20 * MS)
    assert [Stuck(0, at(10_000)), Recovered(0, at(14_000))] == faults(said)
    assert [Press(0, at(0)), Press(0, at(15_000))] == presses(said)


def test_a_wire_that_never_rests_is_stuck() -> None:
    """A hum of 111 edges a second is one press at most, and stuck when it is down after ten seconds."""
    said = play(on_time(line(*(float(ms) for ms in range(0, 11_000, 9)))), poll_ns=20 * MS)
    assert [Stuck(0, at(10_008))] == faults(said)
    assert [Press(0, at(0))] == presses(said)


def test_how_long_is_stuck_is_a_parameter() -> None:
    """The bound comes with the timing."""
    switches = Switches(replace(TIMING, stuck_ns=2 * SECOND))
    said = play(on_time(line(0)), end_ms=3000, switches=switches)
    assert [Stuck(0, at(2000))] == faults(said)


def test_one_late_edge_can_show_that_a_button_was_stuck() -> None:
    """What a late edge puts right is reported as if it had come in time."""
    edges = line(0, 8995, 9000)
    said = play([*without(edges, 2), (at(9500), edges[1])], poll_ns=20 * MS, end_ms=11_000)
    assert [Lost(0, at(9000), 1), LateEdge(0, at(8995), 1), Stuck(0, at(10_000))] == faults(said)


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (Lost(2, 0, 7), "edges_lost"),
        (Repeated(2, 0, 7), "edges_repeated"),
        (LateEdge(2, 0, 7), "edges_late"),
        (Chattering(2, 0), "button_chatters"),
        (Stuck(2, 0), "button_stuck"),
        (Recovered(2, 0), "button_back"),
    ],
)
def test_a_fault_has_a_name_and_a_sentence(fault: Fault, name: str) -> None:
    """The name is stable; the sentence says which seat of 1 to 6, and how many signals where they are counted."""
    assert name == fault.name
    sentence = fault.sentence(2)
    assert "seat 3" in sentence
    assert ("(7)" in sentence) == hasattr(fault, "edges")
    assert sentence.endswith(".")


# --- Any hand, any switch


@dataclass(frozen=True)
class Slap:
    """One press as the hand and the switch made it: nanoseconds, each part after the one before."""

    rest: int
    glitch: int  # a spark in the middle of the rest, this long; 0 for none
    down: tuple[int, ...]
    hold: int
    up: tuple[int, ...]


RATTLE = st.lists(st.integers(1, 15 * MS), unique=True, max_size=38).map(
    lambda offsets: tuple(sorted(offsets)[: len(offsets) // 2 * 2])
)
SLAP = st.builds(
    Slap,
    rest=st.integers(48 * MS, 400 * MS),
    glitch=st.sampled_from([0, 0, 1, 100_000, 199_999]),
    down=RATTLE,
    hold=st.integers(31 * MS, 300 * MS),
    up=RATTLE,
)
HAND = st.lists(SLAP, min_size=1, max_size=4)
SMOOTH_HAND = st.lists(st.builds(replace, SLAP, glitch=st.just(0)), min_size=1, max_size=4)


@dataclass(frozen=True)
class Played:
    edges: list[Edge]
    trains: list[tuple[int, int]]  # of each press the first edge and the last

    @property
    def presses(self) -> list[Press]:
        return [Press(self.edges[0].button, first) for first, _ in self.trains]


def by_hand(slaps: Sequence[Slap], seat: int = 0) -> Played:
    times: list[int] = []
    trains: list[tuple[int, int]] = []
    now = START
    for slap in slaps:
        if slap.glitch:
            times += [now + slap.rest // 2, now + slap.rest // 2 + slap.glitch]
        first = now + slap.rest
        release = first + slap.hold
        times += [first, *(first + offset for offset in slap.down)]
        times += [release, *(release + offset for offset in slap.up)]
        now = times[-1]
        trains.append((first, now))
    edges = [edge(seat, t_ns, index % 2, index + 1) for index, t_ns in enumerate(times)]
    return Played(edges, trains)


@given(HAND, st.integers(1 * MS, 30 * MS))
def test_every_press_comes_once_at_its_first_edge(slaps: list[Slap], poll_ns: int) -> None:
    """Whatever the bounce, the glitches and the beat of the polls, the presses are the hand's."""
    played = by_hand(slaps)
    said = play(on_time(played.edges), poll_ns)
    assert played.presses == presses(said)
    assert faults(said) == []


@given(HAND, HAND, st.randoms(use_true_random=False), st.integers(1 * MS, 30 * MS))
def test_arrival_order_never_matters(one: list[Slap], other: list[Slap], chance: Random, poll_ns: int) -> None:
    """Any delays up to the hold-back give the same presses, sorted over the whole evening, and no fault."""
    seats = [by_hand(one, seat=0), by_hand(other, seat=1)]
    edges = [edge for played in seats for edge in played.edges]
    said = play([(edge.t_ns + chance.randint(0, TIMING.hold_back_ns), edge) for edge in edges], poll_ns)
    true = sorted((press for played in seats for press in played.presses), key=lambda p: (p.t, p.button))
    assert true == presses(said)
    assert faults(said) == []


@given(HAND, HAND)
def test_no_press_waits_longer_than_hold_back_bounce_and_glitch(one: list[Slap], other: list[Slap]) -> None:
    """35.2 ms after its time a press has been told, whatever the others do."""
    edges = [*by_hand(one, seat=0).edges, *by_hand(other, seat=1).edges]
    longest = TIMING.hold_back_ns + TIMING.bounce_ns + TIMING.glitch_ns
    for now, news in play(on_time(edges), poll_ns=2 * MS):
        assert all(now - press.t < longest + 2 * MS for press in news if isinstance(press, Press))


@given(HAND, st.integers(-20, 900), st.integers(50, 60_000), st.integers(1, 1500))
def test_a_storm_at_one_seat_never_changes_anothers_presses(
    slaps: list[Slap], begin_ms: int, edges_a_second: int, edges: int
) -> None:
    """The other seats' presses are the same with a storm and without."""
    played = by_hand(slaps, seat=1)
    noise = storm(begin_ms + 20, edges_a_second, edges, seat=0)
    said = play(on_time([*played.edges, *noise]))
    assert played.presses == [press for press in presses(said) if press.button == 1]
    assert {0} >= {fault.button for fault in faults(said)}
    assert [(p.t, p.button) for p in presses(said)] == sorted((p.t, p.button) for p in presses(said))


@settings(max_examples=examples(25))
@given(
    st.integers(1400, 2000),
    st.sampled_from([None, 0, 15, 100, 700, 990, 1600]),
    st.integers(0, 1000),
    st.integers(5 * MS, 900 * MS),
)
def test_a_storm_ends_the_same_in_any_order(edges: int, rest_ms: int | None, seed: int, poll_ns: int) -> None:
    """When a button is left out and when it is back depends on its edges, not on arrivals and polls."""
    chance = Random(seed)
    noise = storm(0, 10_000, edges)
    if rest_ms is not None:
        slap = [noise[-1].t_ns + rest_ms * MS + 500_000, noise[-1].t_ns + (rest_ms + 100) * MS]
        noise += [edge(0, t_ns, (edges + index) % 2, edges + 1 + index) for index, t_ns in enumerate(slap)]
    shuffled = [(edge.t_ns + chance.randint(0, TIMING.hold_back_ns), edge) for edge in noise]
    in_order, in_disorder = (
        play(arrivals, beat, end_ms=4000) for arrivals, beat in ((on_time(noise), 4 * MS), (shuffled, poll_ns))
    )
    assert presses(in_order) == presses(in_disorder)
    assert faults(in_order) == faults(in_disorder)


@given(SMOOTH_HAND, st.data())
def test_lost_edges_invent_no_press_and_lose_none_that_was_heard(slaps: list[Slap], data: st.DataObject) -> None:
    """Of a run of lost edges: every press told is a true one's, once, and those untouched are all told."""
    played = by_hand(slaps)
    last = len(played.edges)
    gone_from = data.draw(st.integers(1, last))
    gone = range(gone_from, data.draw(st.integers(gone_from, last)) + 1)
    heard = [edge for edge in played.edges if edge.number not in gone]
    said = presses(play(on_time(heard), end_ms=(played.trains[-1][1] - START) / MS + 60))
    touched = {edge.t_ns for edge in played.edges if edge.number in gone}
    for first, end in played.trains:
        told = [press.t for press in said if first <= press.t <= end]
        if any(first <= t_ns <= end for t_ns in touched):
            assert len(told) <= 1
        else:
            assert [first] == told
    assert all(any(first <= press.t <= end for first, end in played.trains) for press in said)


@given(SMOOTH_HAND, st.integers(0, 1500), st.integers(0, 500))
def test_a_reader_that_stalls_loses_nothing(slaps: list[Slap], stall_ms: int, stalled_ms: int) -> None:
    """All that arrives at the end of a stall becomes presses with their true times, each once."""
    played = by_hand(slaps)
    stall, end = at(stall_ms), at(stall_ms + stalled_ms)
    arrivals = [(end if stall <= edge.t_ns < end else edge.t_ns, edge) for edge in played.edges]
    said = play(arrivals)
    assert played.presses == presses(said)
    assert {LateEdge} >= {type(fault) for fault in faults(said)}


@given(SMOOTH_HAND, st.data())
def test_one_late_edge_costs_no_press(slaps: list[Slap], data: st.DataObject) -> None:
    """Every train is told exactly once, and at its first edge unless this is what came late."""
    played = by_hand(slaps)
    late = data.draw(st.sampled_from(played.edges))
    delay = data.draw(st.integers(TIMING.hold_back_ns, 400 * MS))
    arrivals = [(edge.t_ns + (delay if edge == late else 0), edge) for edge in played.edges]
    said = sorted(press.t for press in presses(play(arrivals)))
    assert len(played.trains) == len(said)
    for told, (first, end) in zip(said, played.trains, strict=True):
        assert told == first or first <= late.t_ns <= end
        assert first <= told <= end


@given(HAND, st.data())
def test_the_hands_trains_are_what_they_are_said_to_be(slaps: list[Slap], data: st.DataObject) -> None:
    """Edges that arrive twice change no press."""
    played = by_hand(slaps)
    twice = data.draw(st.lists(st.sampled_from(played.edges), max_size=5))
    said = play([*on_time(played.edges), *((edge.t_ns + 30 * MS, edge) for edge in twice)])
    assert played.presses == presses(said)
    assert len(twice) == sum(fault.edges for fault in faults(said) if isinstance(fault, Repeated))
    assert all(a.t <= b.t for a, b in pairwise(presses(said)))
