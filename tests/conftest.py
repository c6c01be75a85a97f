"""What holds for every test: it leaves no thread behind, and measuring data that is not there is said aloud."""

import threading
from collections.abc import Iterator

import pytest
from hypothesis import settings

# A machine that is busy is no failure; what a test finds it must find again.
settings.register_profile("table", deadline=None, derandomize=True)
settings.load_profile("table")


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread.name for thread in threading.enumerate() if thread not in before]
    assert left == []
