"""A camera in a process of its own: the newest picture, and an answer whatever the camera does."""

import signal
import subprocess

import numpy as np
import pytest

from hardware.camera.camera_process import Camera
from hardware.camera.frames import Frame, OffsetClock, find_clock
from hardware.camera.pi_camera import locking
from hardware.camera.sim_camera import BEFORE, HIGH, SIZES, WIDE
from hardware.faults import CameraBusy, CameraGone, CameraTrouble, NoCamera

from .conftest import SOON

SIM = "hardware.camera.sim_camera:pictures"
MS = 1_000_000


def first(camera: Camera) -> Frame:
    frame = camera.frame(SOON)
    assert frame is not None
    return frame


def test_pictures_come_one_newer_than_the_other() -> None:
    """Whole, each with its instant; what came meanwhile is passed over."""
    with Camera(SIM, "steady") as camera:
        before, after = first(camera), first(camera)
    assert (HIGH, WIDE, 3) == before.pixels.shape
    assert 1 == len(np.unique(after.pixels))
    assert before.t_ns < after.t_ns
    assert before.pixels[0, 0, 0] < after.pixels[0, 0, 0]


def test_pictures_of_any_size_come_whole() -> None:
    """Also where the next one is of another size than the one before; none shows anything of another."""
    seen: set[tuple[int, ...]] = set()
    with Camera(SIM, "turning") as camera:
        while len(seen) < len(SIZES):
            frame = first(camera)
            number = frame.pixels.flat[0]
            assert (frame.pixels == number).all()
            assert (*SIZES[int(number) % len(SIZES)], 3) == frame.pixels.shape
            seen.add(frame.pixels.shape)


def test_one_whose_pictures_are_too_large_says_so() -> None:
    """How large they are and how large they may be; nobody has to guess at why it ended."""
    words = r"pictures of 9152 x 6944 pixels, for which there is no memory: at most 12 million"
    with Camera(SIM, "huge") as camera, pytest.raises(CameraTrouble, match=words):
        until_trouble(camera)


@pytest.mark.parametrize(("which", "kind"), [("absent", NoCamera), ("busy", CameraBusy)])
def test_a_camera_that_can_not_be_had_says_why(which: str, kind: type[Exception]) -> None:
    """In the driver's own words, in this process."""
    with Camera(SIM, which) as camera, pytest.raises(kind, match=r"camera|program"):
        camera.frame(SOON)


def until_trouble(camera: Camera) -> None:
    for _ in range(round(SOON / 0.01)):
        camera.frame(0.01)


@pytest.mark.parametrize("which", ["gone", "hung"])
def test_a_camera_that_is_pulled_out_is_told(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that answers no more, and never would; closing it waits for nobody."""
    monkeypatch.setattr("hardware.camera.camera_process.SILENT_S", 0.2)
    with Camera(SIM, which) as camera:
        assert BEFORE >= first(camera).pixels[0, 0, 0]
        with pytest.raises(CameraGone):
            until_trouble(camera)


def test_a_driver_that_dies_is_told() -> None:
    """Nobody waits for its pictures."""
    nobody = Camera("hardware.camera.sim_camera:nothing_of_that_name")
    with nobody as camera, pytest.raises(CameraGone, match="has ended by itself"):
        until_trouble(camera)


def test_one_that_the_kernel_does_not_let_go_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that hangs can't be killed; closing it waits for nobody, and no other one is sent after it."""
    left: list[subprocess.Popen[bytes]] = []

    def not_killed(child: subprocess.Popen[bytes]) -> None:
        left.append(child)
        child.send_signal(signal.SIGSTOP)

    monkeypatch.setattr("hardware.camera.camera_process.ENDS_S", 0.05)
    monkeypatch.setattr(subprocess.Popen, "kill", not_killed)
    with Camera(SIM, "steady") as camera:
        first(camera)
    (child,) = left
    assert child.returncode is None
    with pytest.raises(CameraGone, match="hangs in its driver"):
        Camera(SIM, "steady")
    # Without whom it was for, it ends when it is let go; then there is a next one.
    child.send_signal(signal.SIGCONT)
    child.wait(SOON)
    monkeypatch.undo()
    with Camera(SIM, "steady") as camera:
        first(camera)


@pytest.mark.parametrize(
    ("t", "clock"),
    [(99_990, OffsetClock(0)), (200_000 * MS - 5, OffsetClock(200_000 * MS - 100_000)), (77, None)],
)
def test_a_pictures_clock_is_known_by_its_time(t: int, clock: OffsetClock | None) -> None:
    """Ours, another of the kernel's, or none of them."""
    far = 2_000_000_000
    assert clock == find_clock(t, 100_000 if clock else far, 200_000 * MS, 10**18)
    if clock is not None:
        assert 99_990 <= clock.ours(t) <= 100_000


def test_settled_is_locked() -> None:
    """With the exposure it has found, in whole periods of the mains' flicker, and as bright as it was."""
    said = {"ExposureTime": 17_000, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.0), "LensPosition": 3.5}
    assert {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 20_000,
        "AnalogueGain": pytest.approx(1.7),
        "ColourGains": (1.5, 2.0),
        "AfMode": 0,
        "LensPosition": 3.5,
    } == locking(said)


@pytest.mark.parametrize(("exposure", "gain"), [(800, 1.0), (9_500, 1.0)])
def test_daylight_keeps_its_exposure(exposure: int, gain: float) -> None:
    """It does not flicker, and no gain goes below 1."""
    locked = locking({"ExposureTime": exposure, "AnalogueGain": gain})
    assert (exposure, gain) == (locked["ExposureTime"], locked["AnalogueGain"])


def test_a_camera_without_such_numbers_is_locked_as_far_as_it_goes() -> None:
    """Another system's camera tells none."""
    assert {"AeEnable": False, "AwbEnable": False} == locking({})
