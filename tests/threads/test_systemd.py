"""systemd hears that the companion is up and alive; where there is none, nobody minds."""

import socket
from pathlib import Path
from unittest.mock import Mock

import pytest

from companion.threads.systemd import ALIVE, READY, SELDOM_S, every_s, tell


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_is_told(abstract: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a table of cases
    """On the socket that it names, be it a path or an abstract one."""
    path = f"@{tmp_path}/notify" if abstract else f"{tmp_path}/notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{path[1:]}" if abstract else path)
        systemd.settimeout(20)
        tell(READY, {"NOTIFY_SOCKET": path})
        tell(ALIVE, {"NOTIFY_SOCKET": path})
        assert (b"READY=1", b"WATCHDOG=1") == (systemd.recv(99), systemd.recv(99))


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": ""}])
def test_without_systemd_nobody_is_told(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is opened to anybody."""
    opened = Mock()
    monkeypatch.setattr(socket, "socket", opened)
    tell(READY, environment)
    assert not opened.called


@pytest.mark.parametrize(
    ("asked", "seconds"), [("30000000", 10.0), ("6000000", 2.0), ("0", SELDOM_S), ("x", SELDOM_S)]
)
def test_signs_of_life(asked: str, seconds: float) -> None:
    """Three in the time that systemd gives."""
    assert seconds == every_s({"WATCHDOG_USEC": asked})
    assert SELDOM_S == every_s({})
