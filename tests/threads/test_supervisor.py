"""What the main thread looks after."""

from itertools import pairwise

import pytest

from companion.threads import systemd
from companion.threads.supervisor import CHECK_S, Supervisor
from companion.threads.worker import Crew


class One:
    """A thread of somebody's."""

    name, sentence, is_alive = "one", "It is gone.", True

    def __init__(self) -> None:
        self.can_go_on = True
        self.checks = 0

    def check(self) -> None:
        self.checks += 1

    def excuse(self) -> None:
        """It needs none."""


@pytest.mark.parametrize("every_s", [10.0, 20 / 3, 0.5])
def test_all_are_looked_after_and_systemd_is_told_while_they_can_go_on(
    monkeypatch: pytest.MonkeyPatch, every_s: float
) -> None:
    """Every second at least, also where systemd asks for nothing; that is told three times in the time that it
    gives, however often somebody looks."""
    now, said = 0.0, list[float]()

    def every(_: object = None) -> float:
        return every_s

    def tell(_: str) -> None:
        said.append(now)

    monkeypatch.setattr(systemd, "every_s", every)
    monkeypatch.setattr(systemd, "tell", tell)
    crew, one = Crew(), One()
    crew.add(one)
    supervisor = Supervisor(crew, clock=lambda: now)
    assert min(CHECK_S, every_s) == supervisor.every_s

    def look_for_a_minute() -> None:
        nonlocal now
        end = now + 60
        while now < end:
            supervisor.look()
            now += 0.125

    look_for_a_minute()
    assert 60 / supervisor.every_s - 2 <= one.checks <= 60 / supervisor.every_s + 2
    assert 60 / every_s - 3 <= len(said) <= 60 / every_s + 2
    assert max(later - before for before, later in pairwise(said)) <= every_s + CHECK_S
    one.can_go_on = False
    said.clear()
    look_for_a_minute()
    assert [] == said
