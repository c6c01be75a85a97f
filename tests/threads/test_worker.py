"""What becomes of a background thread that fails, hangs or ends."""

import threading
from collections.abc import Callable
from queue import Queue

import pytest

from companion.errors import TableClosed
from companion.threads import worker as worker_module
from companion.threads.troubles import Troubles
from companion.threads.worker import Crew, Policy, Worker, WorkerHangs

WAIT_S = 20.0


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(worker_module, "LONGEST_PAUSE_S", 0.002)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Digger(Worker):
    """Does in each turn what it is handed."""

    def __init__(self, policy: Policy, clock: Clock | None = None, *, is_vital: bool = True) -> None:
        self.board = Troubles()
        self.deaths: Queue[BaseException] = Queue()
        super().__init__(
            "digger",
            policy,
            crew=Crew(self.deaths.put, self.board, clock or Clock()),
            sentence="Nobody digs.",
            is_vital=is_vital,
        )
        self.crew = self._crew
        self.jobs: Queue[Callable[[], None]] = Queue()
        self.recovered = 0
        self.closing = self._closing

    @property
    def thread(self) -> threading.Thread:
        return self._thread

    @property
    def pause_s(self) -> float:
        return self._pause_s()

    def fail_once(self) -> None:
        self.jobs.put(fail)
        assert not self._try_turn()

    def watch(self, changes: list[tuple[str, ...]]) -> None:
        """Notes the board at each change."""
        board = Troubles(lambda: changes.append(tuple(trouble.key for trouble in board.current())))
        self.board = self._troubles = board

    def turn(self) -> None:
        with self.resting():
            job = self.jobs.get()
        job()

    def recover(self) -> None:
        self.recovered += 1

    def do(self, job: Callable[[], None]) -> None:
        """And waits until it has begun with it."""
        begun = threading.Event()

        def begin() -> None:
            begun.set()
            job()

        self.jobs.put(begin)
        assert begun.wait(WAIT_S)

    def settle(self) -> None:
        """Returns when a turn has gone well and the next one has begun."""
        self.do(nothing)
        self.do(nothing)

    def close(self) -> None:
        self._closing.set()
        self.jobs.put(nothing)
        super().close()


def nothing() -> None:
    pass


def fail() -> None:
    raise ZeroDivisionError("a stone")


def kill() -> None:
    raise SystemExit


class Hang:
    def __init__(self) -> None:
        self.over = threading.Event()

    def __call__(self) -> None:
        assert self.over.wait(WAIT_S)


@pytest.mark.parametrize("death", [fail, kill])
def test_a_fatal_failure_ends_the_program(death: Callable[[], None]) -> None:
    with Digger(Policy.FATAL) as digger:
        digger.do(death)
        assert isinstance(digger.deaths.get(timeout=WAIT_S), (ZeroDivisionError, SystemExit))


@pytest.mark.parametrize("death", [fail, kill])
def test_a_failure_is_told_and_it_goes_on(death: Callable[[], None]) -> None:
    with Digger(Policy.RESTART) as digger:
        changes: list[tuple[str, ...]] = []
        digger.watch(changes)
        digger.do(death)
        digger.settle()
        assert changes == [("digger",), ()]
        assert digger.recovered == 1
        assert digger.is_alive
        assert digger.can_go_on
        assert digger.deaths.empty()


def test_pauses_grow_and_begin_anew_after_a_good_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "FIRST_PAUSE_S", 0.25)
    monkeypatch.setattr(worker_module, "LONGEST_PAUSE_S", 30.0)
    clock = Clock()
    digger = Digger(Policy.RESTART, clock)
    pauses: list[float] = []

    def fails_once() -> None:
        digger.fail_once()
        pauses.append(digger.pause_s)
        clock.now += pauses[-1]

    for _ in range(9):
        fails_once()
    assert pauses == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30]
    clock.now += worker_module.PROVEN_S + 60
    fails_once()
    assert pauses[-1] == 0.25


def test_a_hung_worker_gets_a_new_thread_and_the_old_one_touches_nothing_more() -> None:
    clock, hang = Clock(), Hang()
    with Digger(Policy.RESTART, clock) as digger:
        crew = digger.crew
        digger.do(hang)
        old = digger.thread
        crew.check()
        assert digger.thread is old, "it has only just begun"
        for clock.now in (4.0, 8.0):
            crew.check()
        assert digger.thread is old
        clock.now = 11.0
        assert crew.dead() == ("digger",)
        crew.check()
        assert digger.thread is not old
        assert [trouble.sentence for trouble in digger.board.current()] == ["Nobody digs."]
        digger.settle()
        assert digger.board.current() == ()
        assert crew.dead() == ()
        hang.over.set()
        old.join(WAIT_S)
        assert not old.is_alive()
        digger.settle()
        assert digger.is_alive


def test_a_machine_that_slept_has_silenced_nobody() -> None:
    clock, hang = Clock(), Hang()
    with Digger(Policy.FATAL, clock) as digger:
        digger.do(hang)
        clock.now = 3600.0
        digger.crew.check()
        assert digger.crew.can_go_on
        assert digger.deaths.empty()
        for seconds in range(1, 12):
            clock.now = 3600.0 + seconds
            digger.crew.check()
        assert not digger.crew.can_go_on
        clock.now = 7200.0
        digger.crew.check()
        assert ("digger",) == digger.crew.dead()
        hang.over.set()


def test_who_is_not_vital_stays_down_and_the_program_goes_on() -> None:
    clock, hang = Clock(), Hang()
    with Digger(Policy.RESTART, clock, is_vital=False) as digger:
        threads = hang_again_and_again(digger, clock, hang)
        assert digger.deaths.empty()
        assert digger.can_go_on
        assert not digger.is_alive
        assert ["digger"] == [trouble.key for trouble in digger.crew.wrong()]
        hang.over.set()
    for thread in threads:
        thread.join(WAIT_S)


def test_one_that_is_left_behind_at_the_end_touches_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    hang, done = Hang(), threading.Event()

    def awake() -> None:
        hang()
        digger.beat()
        done.set()

    with Digger(Policy.FATAL) as digger:
        digger.do(awake)
        monkeypatch.setattr(worker_module, "CLOSE_S", 0.0)
    hang.over.set()
    digger.thread.join(WAIT_S)
    assert not digger.thread.is_alive()
    assert not done.is_set()


def hang_again_and_again(digger: Digger, clock: Clock, hang: Hang) -> set[threading.Thread]:
    """Until no new thread is tried any more."""
    threads = {digger.thread}
    for _ in range(worker_module.MOST_REPLACEMENTS + 1):
        assert digger.can_go_on
        digger.do(hang)
        clock.now += 11.0
        digger.check()
        threads.add(digger.thread)
    digger.check()
    assert len(threads) == worker_module.MOST_REPLACEMENTS + 1
    return threads


def test_when_new_threads_hang_as_well_only_a_new_process_helps() -> None:
    clock, hang = Clock(), Hang()
    with Digger(Policy.RESTART, clock) as digger:
        threads = hang_again_and_again(digger, clock, hang)
        assert not digger.can_go_on
        assert isinstance(digger.deaths.get_nowait(), WorkerHangs)
        assert digger.deaths.empty()
        hang.over.set()
        for old in threads - {digger.thread}:
            old.join(WAIT_S)
            assert not old.is_alive()


def test_a_fatal_worker_that_hangs_ends_the_program() -> None:
    clock, hang = Clock(), Hang()
    with Digger(Policy.FATAL, clock) as digger:
        digger.do(hang)
        clock.now = 11.0
        assert not digger.can_go_on
        digger.check()
        assert isinstance(digger.deaths.get_nowait(), WorkerHangs)
        hang.over.set()


def test_who_waits_does_not_hang() -> None:
    clock = Clock()
    with Digger(Policy.FATAL, clock) as digger:
        digger.settle()
        clock.now = 1e9
        digger.check()
        assert digger.is_alive
        assert digger.deaths.empty()


def test_a_thread_that_ends_without_a_word_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with Digger(Policy.RESTART) as digger:
        digger.settle()

        def end(_seconds: float) -> bool:
            raise SystemExit

        with monkeypatch.context() as broken:
            broken.setattr(digger.closing, "wait", end)
            old = digger.thread
            digger.do(fail)
            old.join(WAIT_S)
        assert not digger.is_alive
        digger.check()
        digger.settle()
        assert digger.is_alive
        assert digger.board.current() == ()


def test_it_ends_with_the_table() -> None:
    def closed() -> None:
        raise TableClosed("closed")

    with Digger(Policy.RESTART) as digger:
        digger.do(closed)
        digger.thread.join(WAIT_S)
        digger.check()
        assert digger.can_go_on
        assert digger.board.current() == ()


def test_what_has_not_begun_is_not_missed() -> None:
    digger = Digger(Policy.FATAL)
    digger.check()
    assert digger.can_go_on
    digger.close()
    assert digger.deaths.empty()
