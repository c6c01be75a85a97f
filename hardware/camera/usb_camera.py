"""A USB camera through Video4Linux, with the driver's own timestamps; its settings are fixed once they have
settled."""

import fcntl
import os
import struct
import time
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from hardware.camera.exposure_lock import Adjustment, ExposureLock
from hardware.camera.frames import SIZE, Frame, OffsetClock, Pictures, find_clock
from hardware.faults import CameraBusy, CameraGone, CameraTrouble, NoCamera

# Video4Linux's values for manual exposure and for automatic exposure.
MANUAL, FOUND = 1, 3
AUTOMATIC: Final = (
    (cv2.CAP_PROP_AUTO_EXPOSURE, FOUND, MANUAL, cv2.CAP_PROP_EXPOSURE),
    (cv2.CAP_PROP_AUTO_WB, 1, 0, cv2.CAP_PROP_WB_TEMPERATURE),
    (cv2.CAP_PROP_AUTOFOCUS, 1, 0, cv2.CAP_PROP_FOCUS),
)
"""The automatic settings of a camera: the switch, its two states, and the value that was found."""
# Compressed: only ten uncompressed pictures of that size a second fit through a USB 2 cable.
PACKED: Final = "MJPG"
FRAMES_A_SECOND: Final = 30
# Video4Linux's VIDIOC_QUERYCAP, and the offset in its answer of this device's own capabilities.
QUERY_CAPABILITIES: Final = 0x80685600
CAPABILITIES_SIZE, CAPABILITIES_AT, TAKES_PICTURES = 104, 88, 1


def pictures(device: str) -> Pictures:
    """The pictures of a USB camera. `device`: its number, or its path."""
    camera = cv2.VideoCapture(int(device) if device.isdecimal() else device, cv2.CAP_V4L2)
    if not camera.isOpened():
        raise _why_not(Path(f"/dev/video{device}" if device.isdecimal() else device))
    camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*PACKED))
    camera.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
    camera.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
    camera.set(cv2.CAP_PROP_FPS, FRAMES_A_SECOND)
    clock: OffsetClock | None = None
    exposure = ExposureLock(time.monotonic_ns())
    while camera.grab():
        now = time.monotonic_ns()
        t = round(camera.get(cv2.CAP_PROP_POS_MSEC) * 1_000_000)
        if clock is None:
            clock = find_clock(t, now, time.clock_gettime_ns(time.CLOCK_BOOTTIME), time.time_ns())
        whole, pixels = camera.retrieve()
        if whole:
            seen = pixels.astype(np.uint8, copy=False)
            match exposure.next_adjustment(seen, now):
                case Adjustment.HOLD:
                    _hold(camera)
                case Adjustment.FREE:
                    _free(camera)
                case None:
                    pass
            # A camera without timestamps: the picture is at least older than now.
            yield Frame(clock.ours(t), seen, clock.ahead_ns) if clock is not None else Frame(now, seen)
    raise CameraGone(f"USB camera {device} gives no more pictures: is it still plugged in?")


def _why_not(path: Path) -> CameraTrouble:
    if not path.exists():
        return NoCamera(f"There is no USB camera at {path}: is it plugged in?")
    if not os.access(path, os.R_OK | os.W_OK):
        return CameraBusy(
            f"{path} may not be used by this user: add it to the group video (sudo usermod -aG video NAME) "
            "and log in again."
        )
    if not _takes_pictures(path):
        return NoCamera(f"{path} is no camera: `companion run` without a rig.toml finds the right one.")
    return CameraBusy(f"Another program has the camera at {path}: end that one.")


def _takes_pictures(path: Path) -> bool:
    """Whether it is a capture device: a webcam has a second device for metadata, and a Pi a dozen that only
    process pictures."""
    device = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        said = fcntl.ioctl(device, QUERY_CAPABILITIES, bytes(CAPABILITIES_SIZE))
    except OSError:
        return False
    finally:
        os.close(device)
    (capabilities,) = struct.unpack_from("<I", said, CAPABILITIES_AT)
    return bool(capabilities & TAKES_PICTURES)


def _hold(camera: cv2.VideoCapture) -> None:
    """Fixes the automatic settings at their present values; a camera that does not support one keeps it
    automatic."""
    for switch, _, by_hand, what in AUTOMATIC:
        found = camera.get(what)
        camera.set(switch, by_hand)
        if found > 0:
            # Many cameras fall back to the last manual value, so it is set again.
            camera.set(what, found)


def _free(camera: cv2.VideoCapture) -> None:
    for switch, by_itself, _, _ in AUTOMATIC:
        camera.set(switch, by_itself)
