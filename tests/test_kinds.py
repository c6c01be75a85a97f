"""What the plain run leaves out is said, computing takes one thread, and examples are tried in proportion."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest
from hypothesis import settings

from .exploring import examples
from .kinds import mostly_slow

ROOT = Path(__file__).parents[1]
TASKS = Path("/proc/self/task")
CONFTEST = """
from tests.kinds import LeftOut

def pytest_configure(config):
    config.pluginmanager.register(LeftOut(config.option.markexpr, config.option.keyword))
"""
TESTS = """
import pytest

def test_this():
    pass

@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_that(seed):
    pass

@pytest.mark.slow
@pytest.mark.browser
def test_what_is_seen():
    pass
"""


@pytest.mark.parametrize(
    ("processes", "wanted", "passed", "said"),
    [
        (1, "not slow and not browser", 1, ["Left out: 1 browser, 3 slow tests"]),
        (0, "browser", 1, []),
    ],
)
def test_what_is_left_out_is_said(
    tmp_path: Path, processes: int, wanted: str, passed: int, said: list[str]
) -> None:
    """In one line before the last, by however many processes it is run; but not to who asks for a kind."""
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  slow\n  browser\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", f"-n{processes}", "-m", wanted]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert f"{passed} passed" in lines[-1]
    assert said == [line.partition(".")[0] for line in lines if "Left out" in line]


def test_one_thread_computes() -> None:
    """The other tests need the other processors."""
    assert "1" == os.environ["OPENBLAS_NUM_THREADS"]
    assert 1 == cv2.getNumThreads()


@pytest.mark.skipif(not TASKS.exists(), reason="only Linux lists a process's threads")
def test_eyes_begin_no_thread_for_products() -> None:
    """Also where somebody else's program looks through them."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    look = f"import companion.eyes.look, os; print(len(os.listdir('{TASKS}')))"
    done = subprocess.run(
        [sys.executable, "-c", look], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert "1\n" == done.stdout


def test_examples_are_in_proportion() -> None:
    """Whatever profile was asked for."""
    usual = settings().max_examples
    assert usual == examples(100)
    assert 10 * usual == examples(1000)
    assert 1 == examples(1)


def test_the_first_are_quick_and_the_others_slow() -> None:
    """Be they single values or several in a tuple."""
    params = mostly_slow(["a", ("b", 1), "c"], 2)
    assert [("a",), ("b", 1), ("c",)] == [param.values for param in params]
    assert [0, 0, 1] == [len(param.marks) for param in params]
