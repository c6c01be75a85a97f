"""The world's own thread."""

from pathlib import Path
from threading import Event as Signal

import pytest

from companion.demo.player import MEASURED_S, Measure, Pace, Player, Stretch
from companion.demo.schedule import Schedule, WorldClock
from companion.demo.world import World
from companion.threads.worker import Crew

from .evenings import S, quick_evening


def test_time_passes_at_the_asked_speed() -> None:
    """At speed 4 a second of the world takes a quarter of ours, and a key is stamped with the world's time."""
    pace = Pace(4, 10 * S, at=100.0)
    assert 0.25 == pace.ahead(11 * S, at=100.0)
    assert 0.125 == pace.ahead(11 * S, at=100.125)
    assert 12 * S == pace.world_time(100.5)


def test_what_is_said_between_two_pictures_bears_its_own_time() -> None:
    """The drawn world stands still meanwhile; whoever says something does not."""
    clock, stretch = WorldClock(10 * S), Stretch(Pace(1, 10 * S, at=100.0), 10 * S, 11 * S)
    times = [99.0, 100.25, 100.5, 102.0]
    assert [10 * S, 10 * S + S // 4, 10 * S + S // 2, 11 * S] == [stretch.time(at) for at in times]
    assert 10 * S == clock.passing()
    clock.flows = lambda: stretch.time(100.25)
    assert (10 * S, 10 * S + S // 4) == (clock(), clock.passing())
    # While the world goes on to its next instant, the one before is over.
    clock.now = 11 * S
    assert 11 * S == clock.passing()


def test_what_was_too_slow_is_not_made_up_for() -> None:
    """After a pause the world goes on at its speed instead of hurrying after."""
    pace = Pace(1, 0, at=0.0)
    assert 0.0 == pace.ahead(S, at=61.0)
    assert 1.0 == pace.ahead(2 * S, at=61.0)


def test_how_fast_it_really_goes_is_measured_in_stretches() -> None:
    """What is told is the newest whole stretch of time: 9 seconds of the world in each of ours, then 20."""
    measure = Measure(0, at=50.0)
    measure.look(9 * S, at=51.0)
    assert measure.reached is None
    measure.look(round(9 * MEASURED_S) * S, at=50.0 + MEASURED_S)
    assert 9.0 == measure.reached
    measure.look(round(29 * MEASURED_S) * S, at=50.0 + 2 * MEASURED_S)
    assert 20.0 == measure.reached


def test_plans_are_done_in_their_order() -> None:
    """What is due is done by its time, at one instant in the order of planning; what it plans for now as well."""
    agenda, done = Schedule(), list[str]()
    agenda.plan(5, lambda: done.append("b"))
    agenda.plan(5, lambda: done.append("c"))
    agenda.plan(1, lambda: agenda.plan(2, lambda: done.append("a")))
    agenda.plan(6, lambda: done.append("d"))
    agenda.run_due(5)
    assert ["a", "b", "c"] == done
    assert 6 == agenda.next
    agenda.clear()
    assert agenda.next is None


def test_it_plays_until_it_is_closed(tmp_path: Path) -> None:
    """The thread plays by itself, hears a key, and is gone when it is closed."""
    deaths: list[BaseException] = []
    with quick_evening(tmp_path, 2, yours=0) as evening:
        with Player(lambda: evening.world, 1000.0, Crew(deaths.append)) as playing:
            assert evening.table.wait(0, 30)
            assert evening.world.clock.flows is not None
            playing.key(" ")
            while not any('"type":"press"' in event for event in evening.events()):
                assert evening.table.wait(evening.table.snapshot.number, 30)
        number = evening.table.snapshot.number
        assert () == evening.table.wait(number, 0)
    assert [] == deaths


def test_nobody_waits_for_a_table_that_is_not_needed_any_more() -> None:
    """When it is closed while it is made ready, no other chore is done, nor is the table built."""
    closed, done = Signal(), list[str]()
    deaths: list[BaseException] = []

    def build() -> World:
        raise AssertionError("it was built")

    def closing() -> None:
        playing.close()
        done.append("one")
        closed.set()

    playing = Player(build, 1.0, Crew(deaths.append), (closing, lambda: done.append("another")))
    with playing:
        assert closed.wait(30)
    assert ["one"] == done
    assert [] == deaths


def test_all_chores_are_done_before_the_table_is_built() -> None:
    """In their order."""
    told, done = Signal(), list[str]()

    def build() -> World:
        done.append("built")
        raise OSError

    with Player(
        build, 1.0, Crew(lambda _: told.set()), (lambda: done.append("one"), lambda: done.append("another"))
    ):
        assert told.wait(30)
    assert ["one", "another", "built"] == done


def test_a_death_is_told() -> None:
    """What ends the world by itself reaches whoever waits for the program."""
    told = Signal()
    deaths: list[BaseException] = []

    def die() -> World:
        raise OSError("no such deck")

    def tell(death: BaseException) -> None:
        deaths.append(death)
        told.set()

    with Player(die, 1.0, Crew(tell)):
        assert told.wait(30)
    with pytest.raises(OSError, match="no such deck"):
        raise deaths[0]
