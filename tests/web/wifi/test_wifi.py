"""A whole house leaves the Wi-Fi, with real networks of which the kernel itself says that nobody is there.

The same with errors that are put in by hand: `tests/web/test_leaving.py`.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
SERVER = "10.77.0.1"
DEAF = [f"10.77.0.{number}" for number in range(14, 18)]
LEAVE = [f"10.77.0.{number}" for number in range(2, 14)]
STAYS = "10.77.0.18"
# The kernel gives a phone that answers nothing 15 seconds.
LASTS_S = 35
HOUSE, YARD = "companion_house", "companion_yard"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None,
        reason="networks of one's own need Linux, root and iproute2",
    ),
]


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S607 - as root has it


@pytest.fixture
def networks() -> Iterator[None]:
    """Two, with one cable between them."""
    with ExitStack() as undo:
        for name in (HOUSE, YARD):
            ip("netns", "add", name)
            undo.callback(ip, "netns", "del", name)
        ip("link", "add", "companion_a", "netns", HOUSE, "type", "veth", "peer", "companion_b", "netns", YARD)
        ip("-n", HOUSE, "addr", "add", f"{SERVER}/24", "dev", "companion_a")
        # Those that are added later may go without the first.
        for address in (STAYS, *LEAVE, *DEAF):
            ip("-n", YARD, "addr", "add", f"{address}/24", "dev", "companion_b")
        for name, device in ((HOUSE, "companion_a"), (YARD, "companion_b"), (HOUSE, "lo"), (YARD, "lo")):
            ip("-n", name, "link", "set", device, "up")
        yield


def begun(undo: ExitStack, network: str, module: str, *words: object) -> subprocess.Popen[str]:
    command = ["ip", "netns", "exec", network, sys.executable, "-m", f"tests.web.wifi.{module}", *map(str, words)]
    program = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    undo.callback(program.communicate)
    undo.callback(program.kill)
    return program


def line_of(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    return program.stdout.readline()


@pytest.mark.usefixtures("networks")
def test_180_phones_leave_while_sixty_never_read() -> None:
    """One after the other, half of them out of the house, half out of its reach: whoever stays hears everything as
    soon as ever, and each that leaves is one line in the log."""
    with ExitStack() as undo:
        house = begun(undo, HOUSE, "house", SERVER, LASTS_S + 5)
        assert "up\n" == line_of(house)
        phones = begun(undo, YARD, "phones", SERVER, STAYS, ",".join(DEAF), ",".join(LEAVE), LASTS_S)
        assert "60 180\n" == line_of(phones)
        for number, address in enumerate(LEAVE):
            if number % 2:
                ip("-n", HOUSE, "route", "add", "blackhole", f"{address}/32")
            else:
                ip("-n", YARD, "addr", "del", f"{address}/24", "dev", "companion_b")
            Event().wait(0.5)
        stayed: Any = json.loads(line_of(phones))
        told: Any = json.loads(line_of(house))
    left = {line: count for line, count in told["said"].items() if "has left without a word" in line}
    assert stayed["stays"]
    # However busy this machine is: beyond what the house itself was late.
    assert stayed["longest_s"] < 2 + told["longest_s"]
    assert 150 <= sum(left.values()) <= 240
    assert 0 == told["traces"]
    assert told["ok"]
    assert {} == {line: count for line, count in told["said"].items() if count > 1 and line not in left}
