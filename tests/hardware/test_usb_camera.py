"""A USB camera: whose time stamps are brought onto our clock, that is locked once, and that may not be there."""

import struct
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.camera.usb_camera import pictures
from hardware.faults import CameraBusy, CameraGone, NoCamera

AGE_NS = 20_000_000
FOUND = 77.0


class SimCapture:
    """As OpenCV shows one: `behind_ns` is what its clock is behind ours."""

    def __init__(self, *, behind_ns: int = 0, many: int = 3, opens: bool = True, blank: int = -1) -> None:
        self.behind_ns = behind_ns
        self.many = many
        self.opens = opens
        self.blank = blank
        self.grabbed = 0
        self.light = 20
        self.settings: dict[int, float] = {}

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opens

    def set(self, what: int, value: float) -> bool:
        self.settings[what] = value
        return True

    def grab(self) -> bool:
        self.grabbed += 1
        return self.grabbed <= self.many

    def get(self, what: int) -> float:
        if what != cv2.CAP_PROP_POS_MSEC:
            return -1 if what == cv2.CAP_PROP_FOCUS else FOUND
        return (time.monotonic_ns() - AGE_NS - self.behind_ns) / 1_000_000

    def retrieve(self) -> tuple[bool, NDArray[np.uint8]]:
        return self.grabbed != self.blank, np.full((2, 2, 3), self.light, np.uint8)


def plugged(monkeypatch: pytest.MonkeyPatch, camera: SimCapture) -> None:
    def capture(_device: int | str, _by: int) -> SimCapture:
        return camera

    monkeypatch.setattr(cv2, "VideoCapture", capture)


@pytest.mark.parametrize("behind_ns", [0, time.monotonic_ns() - time.time_ns()], ids=["ours", "the wall's"])
def test_times_are_ours(monkeypatch: pytest.MonkeyPatch, behind_ns: int) -> None:
    """Also of a driver that stamps by the wall clock; a picture that can't be read is left out."""
    plugged(monkeypatch, SimCapture(behind_ns=behind_ns, blank=2))
    film = pictures("0")
    for frame in (next(film), next(film)):
        assert 0 <= time.monotonic_ns() - frame.t_ns < 1_000_000_000
        assert frame.ahead_ns == pytest.approx(-behind_ns, abs=1_000_000_000)
    with pytest.raises(CameraGone, match="still plugged in"):
        next(film)


def test_settled_is_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A colour must not drift while people play."""
    monkeypatch.setattr("hardware.camera.exposure_lock.SETTLE_NS", 0)
    camera = SimCapture()
    plugged(monkeypatch, camera)
    next(pictures("0"))
    assert 0 == camera.settings[cv2.CAP_PROP_AUTO_WB]
    assert 0 == camera.settings[cv2.CAP_PROP_AUTOFOCUS]
    # Held is what it has found, not what it was last set to.
    assert FOUND == camera.settings[cv2.CAP_PROP_EXPOSURE] == camera.settings[cv2.CAP_PROP_WB_TEMPERATURE]
    assert cv2.CAP_PROP_FOCUS not in camera.settings


def test_in_another_light_it_looks_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """When somebody has switched the lamp on."""
    monkeypatch.setattr("hardware.camera.exposure_lock.SETTLE_NS", 0)
    monkeypatch.setattr("hardware.camera.exposure_lock.PATIENCE_NS", 0)
    camera = SimCapture(many=4)
    plugged(monkeypatch, camera)
    film = pictures("0")
    next(film)
    camera.light = 200
    next(film)
    assert 0 == camera.settings[cv2.CAP_PROP_AUTO_WB]
    next(film)
    assert 1 == camera.settings[cv2.CAP_PROP_AUTO_WB]
    next(film)
    assert 0 == camera.settings[cv2.CAP_PROP_AUTO_WB]


def test_pictures_come_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a cable lets a few a second through."""
    camera = SimCapture()
    plugged(monkeypatch, camera)
    next(pictures("0"))
    assert cv2.VideoWriter.fourcc(*"MJPG") == camera.settings[cv2.CAP_PROP_FOURCC]
    assert 30 == camera.settings[cv2.CAP_PROP_FPS]


def test_why_there_is_none_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is not plugged in, somebody else has it, or it may not be used."""
    plugged(monkeypatch, SimCapture(opens=False))
    with pytest.raises(NoCamera, match="plugged in"):
        next(pictures(str(tmp_path / "video7")))
    (tmp_path / "video0").touch()
    with pytest.raises(NoCamera, match="is no camera"):
        next(pictures(str(tmp_path / "video0")))

    def capable(_fd: int, _request: int, answer: bytes) -> bytes:
        return struct.pack("<88xI12x", 0x4200001) + answer[104:]

    with monkeypatch.context() as camera:
        camera.setattr("fcntl.ioctl", capable)
        with pytest.raises(CameraBusy, match="Another program"):
            next(pictures(str(tmp_path / "video0")))

    def shut(*_: object) -> bool:
        return False

    monkeypatch.setattr("os.access", shut)
    with pytest.raises(CameraBusy, match="group video"):
        next(pictures(str(tmp_path / "video0")))
