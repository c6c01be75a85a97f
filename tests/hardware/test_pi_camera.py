"""The Pi's camera, by a stand-in for picamera2 that answers as the real one does above a webcam."""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from hardware.camera.frames import Frame, Pixels
from hardware.camera.pi_camera import is_settled, pictures
from hardware.faults import CameraBusy, NoCamera

MS = 1_000_000
HIGH, WIDE = 48, 64
BLUE = np.full((HIGH, WIDE, 3), (200, 40, 20), np.uint8)


@dataclass
class Request:
    config: Mapping[str, Any]
    said: Mapping[str, Any]
    pixels: Pixels
    released: bool = False

    def get_metadata(self) -> Mapping[str, Any]:
        return self.said

    def make_buffer(self, _: str) -> Pixels:
        return self.pixels

    def make_array(self, _: str) -> Pixels:
        return self.pixels

    def release(self) -> None:
        self.released = True


@dataclass
class Sensor:
    """What hangs there."""

    format: str
    shots: Sequence[Pixels]
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])
    controls: frozenset[str] = frozenset()
    busy: bool = False


class Picamera2:
    sensor: ClassVar[Sensor]
    asked: ClassVar[Mapping[str, Any]]
    set: ClassVar[list[Mapping[str, Any]]] = []

    def __init__(self, _: int) -> None:
        if self.sensor.busy:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.camera_controls = dict.fromkeys(self.sensor.controls)
        self.requests = [
            Request({"main": {"format": self.sensor.format}}, self.sensor.said, shot) for shot in self.sensor.shots
        ]

    @staticmethod
    def global_camera_info() -> list[dict[str, object]]:
        return [{"Num": 0}]

    def create_video_configuration(self, **asked: Any) -> Mapping[str, Any]:
        return asked

    def configure(self, asked: Mapping[str, Any]) -> None:
        Picamera2.asked = asked["controls"]
        if "FrameRate" in asked["controls"] and "FrameDurationLimits" not in self.camera_controls:
            raise RuntimeError("Control FrameDurationLimits is not advertised by libcamera")
        # Whatever format was asked for: it is adjusted to what the camera has.

    def start(self) -> None:
        """It was running before anybody asked."""

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        """They hold from some later picture on."""
        self.set.append(controls)

    def capture_request(self, *, wait: bool) -> Request:
        assert not wait
        return self.requests.pop(0)

    def wait(self, job: Request, timeout: float) -> Request:
        assert timeout > 0
        return job


@pytest.fixture(autouse=True)
def picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Picamera2))


def seen(sensor: Sensor) -> Frame:
    Picamera2.sensor = sensor
    return next(pictures(""))


def jpeg() -> Pixels:
    return np.asarray(cv2.imencode(".jpg", BLUE)[1], np.uint8).ravel()


def yuyv() -> Pixels:
    return np.asarray(cv2.cvtColor(BLUE, cv2.COLOR_BGR2YUV_YUY2), np.uint8)


def test_a_picture_bears_the_time_at_which_its_exposure_began() -> None:
    """The sensor stamps it when that is over."""
    stamp = time.monotonic_ns()
    said = {"SensorTimestamp": stamp, "ExposureTime": 20_000}
    frame = seen(Sensor("RGB888", [BLUE], said, frozenset({"FrameDurationLimits"})))
    assert stamp - 20 * MS == frame.t_ns
    assert 0 == frame.ahead_ns
    assert np.array_equal(BLUE, frame.pixels)


@pytest.mark.parametrize(
    ("controls", "focusing"), [(frozenset({"AfMode"}), {"AfMode": 2}), (frozenset[str](), {})]
)
def test_a_lens_that_can_looks_for_the_table(controls: frozenset[str], focusing: dict[str, int]) -> None:
    """Nobody else makes it; a camera that lets nobody choose refuses whoever does."""
    seen(Sensor("RGB888", [BLUE], {"SensorTimestamp": time.monotonic_ns()}, controls))
    assert focusing == Picamera2.asked


@pytest.mark.parametrize(("kind", "shot"), [("MJPEG", jpeg()), ("YUYV", yuyv())])
def test_a_webcam_in_its_place_gives_the_same_colours(kind: str, shot: Pixels) -> None:
    """It takes no orders how fast, and gives another format than it was asked for."""
    stamp = time.monotonic_ns()
    frame = seen(Sensor(kind, [shot], {"SensorTimestamp": stamp}))
    assert stamp == frame.t_ns
    assert (HIGH, WIDE, 3) == frame.pixels.shape
    assert np.abs(frame.pixels.astype(int) - BLUE).max() <= 4


def test_a_broken_picture_is_passed_over() -> None:
    """The next one counts."""
    stamp = time.monotonic_ns()
    frame = seen(Sensor("MJPEG", [jpeg()[:2], jpeg()], {"SensorTimestamp": stamp}))
    assert (HIGH, WIDE, 3) == frame.pixels.shape


def test_a_format_that_nobody_knows_is_said() -> None:
    """With its name."""
    with pytest.raises(NoCamera, match="NV21"):
        seen(Sensor("NV21", [BLUE]))


def test_a_camera_that_another_program_has_is_said() -> None:
    """In libcamera's own words too."""
    with pytest.raises(CameraBusy, match="resource busy"):
        seen(Sensor("RGB888", [BLUE], busy=True))


@pytest.mark.parametrize(
    ("said", "settled"),
    [
        ({}, True),
        ({"AeState": 2, "AfState": 2}, True),
        ({"AeState": 1}, False),
        ({"AeLocked": False}, False),
        ({"AeLocked": True, "AfState": 1}, False),
    ],
)
def test_whether_it_has_settled_is_the_cameras_to_say(said: dict[str, Any], settled: bool) -> None:  # noqa: FBT001 - a table
    """As far as it does."""
    assert settled is is_settled(said)


def test_it_is_held_as_it_has_settled_and_let_go_in_another_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what this camera has, and no more."""
    monkeypatch.setattr("hardware.camera.exposure_lock.SETTLE_NS", 0)
    monkeypatch.setattr("hardware.camera.exposure_lock.PATIENCE_NS", 0)
    said = {"SensorTimestamp": time.monotonic_ns(), "ExposureTime": 9_000, "AnalogueGain": 2.0, "LensPosition": 3}
    night, controls = np.zeros_like(BLUE), frozenset({"AeEnable", "AwbEnable", "ExposureTime"})
    Picamera2.sensor = Sensor("RGB888", [BLUE, night, night], said, controls)
    Picamera2.set = []
    film = pictures("")
    for _ in range(3):
        next(film)
    held, free = Picamera2.set
    assert {"AeEnable": False, "AwbEnable": False, "ExposureTime": 10_000} == held
    assert {"AeEnable": True, "AwbEnable": True} == free
