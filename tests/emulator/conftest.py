"""The rig's machine, built once; without it these tests are skipped, and say why."""

from collections.abc import Callable

import pytest

from .machine import Machine, build, is_built, lacking


@pytest.fixture(scope="session")
def built() -> None:
    why = lacking()
    if why is not None:
        pytest.skip(why)
    if not is_built():
        build()


@pytest.fixture(scope="session")
def new_machine(built: None, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Machine]:  # noqa: ARG001
    def new() -> Machine:
        machine = Machine(tmp_path_factory.mktemp("rig", numbered=True))
        machine.lay_out()
        return machine

    return new


@pytest.fixture
def machine(new_machine: Callable[[], Machine]) -> Machine:
    return new_machine()
