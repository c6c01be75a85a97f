"""The Pi's own camera through picamera2: locked once it has settled, stamped by the sensor, never waited for long.

picamera2 waits without end by default, and a ribbon that has come loose makes it do just that. Any camera that
libcamera knows may hang there; one that is not a Pi's own gives what format and size it can, whatever was asked.
"""

import time
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import cv2
import numpy as np

from companion.units import MICROSECOND
from hardware.camera.exposure_lock import Adjustment, ExposureLock
from hardware.camera.frames import SIZE, Frame, OffsetClock, Pictures, Pixels, find_clock
from hardware.faults import CameraBusy, CameraGone, NoCamera

WAIT_S: Final = 2.0
FRAMES_A_SECOND: Final = 30.0
# Lamps on the mains flicker a hundred times a second; an exposure of whole periods does not see it.
FLICKER_US: Final = 10_000
LONGEST_US: Final = 30_000
# libcamera's numbers for the lens left where it is, and for one that follows what it sees.
FOCUSED, FOCUSING = 0, 2
LOOKING: Final[Mapping[str, object]] = {"AeEnable": True, "AwbEnable": True, "AfMode": FOCUSING}
# And for an exposure that has been found, and a lens that is on its way.
CONVERGED, SCANNING = 2, 1


def pictures(number: str) -> Pictures:
    try:
        picamera2: Any = import_module("picamera2").Picamera2
    except ImportError as error:
        raise NoCamera(
            f"The Pi's camera needs picamera2 ({error}): sudo apt install python3-picamera2, and a venv made with "
            "--system-site-packages."
        ) from error
    if len(picamera2.global_camera_info()) <= int(number or 0):
        raise NoCamera(
            "No camera answers at the Pi's ribbon: is it pushed in as far as it goes, with its contacts the right "
            "way round, and was the Pi switched off and on since?"
        )
    camera = _open(picamera2, int(number or 0))
    exposure = ExposureLock(time.monotonic_ns())
    clock: OffsetClock | None = None
    while True:
        request = _next(camera)
        try:
            said, pixels = request.get_metadata(), _pixels(request)
        finally:
            request.release()
        now = time.monotonic_ns()
        t = began(said, now)
        if clock is None:
            clock = find_clock(t, now, time.clock_gettime_ns(time.CLOCK_BOOTTIME), time.time_ns()) or OffsetClock()
        if pixels is not None:
            _follow(camera, exposure.next_adjustment(pixels, now, ready=is_settled(said)), said)
            yield Frame(clock.ours(t), pixels, clock.ahead_ns)


def began(said: Mapping[str, Any], now: int) -> int:
    """The sensor stamps a picture when its first line has been exposed and is read out."""
    return int(said.get("SensorTimestamp", now)) - int(said.get("ExposureTime", 0)) * MICROSECOND


def _follow(camera: Any, turn: Adjustment | None, said: Mapping[str, Any]) -> None:
    if turn is not None:
        controls = locking(said) if turn is Adjustment.HOLD else LOOKING
        camera.set_controls({key: value for key, value in controls.items() if key in camera.camera_controls})


def is_settled(said: Mapping[str, Any]) -> bool:
    """As far as the camera tells. An older libcamera says of its exposure only whether it is locked."""
    exposed = said["AeState"] == CONVERGED if "AeState" in said else said.get("AeLocked", True)
    return bool(exposed) and said.get("AfState") != SCANNING


def _pixels(request: Any) -> Pixels | None:
    """None for a picture that came broken."""
    # Its RGB888 is what everybody else calls BGR.
    match request.config["main"]["format"]:
        case "RGB888":
            return request.make_array("main")
        case "YUYV":
            return np.asarray(cv2.cvtColor(request.make_array("main"), cv2.COLOR_YUV2BGR_YUY2), np.uint8)
        case "MJPEG":
            # A cable that fails for an instant cuts one short.
            packed = np.asarray(request.make_buffer("main"), np.uint8)
            whole: Any = cv2.imdecode(packed, cv2.IMREAD_COLOR)
            return whole
        case other:
            raise NoCamera(
                f"The camera gives its pictures as {other}, which can't be read: another one is needed."
            )


def _open(picamera2: Any, number: int) -> Any:
    try:
        camera = picamera2(number)
        main = {"size": SIZE, "format": "RGB888"}
        # A camera that lets nobody choose refuses whoever does.
        controls: dict[str, Any] = {}
        if "FrameDurationLimits" in camera.camera_controls:
            controls["FrameRate"] = FRAMES_A_SECOND
        if "AfMode" in camera.camera_controls:
            # Nobody else lets the lens of a Camera Module 3 look for the table.
            controls["AfMode"] = FOCUSING
        camera.configure(camera.create_video_configuration(main=main, buffer_count=4, controls=controls))
        camera.start()
    except RuntimeError as error:
        raise CameraBusy(
            f"The Pi's camera can't be had ({error}): if another program uses it, end that one."
        ) from error
    return camera


def _next(camera: Any) -> Any:
    job = camera.capture_request(wait=False)
    try:
        return camera.wait(job, timeout=WAIT_S)
    except TimeoutError:
        raise CameraGone("The Pi's camera gives no more pictures: has its ribbon come loose?") from None


def locking(said: Mapping[str, Any]) -> dict[str, Any]:
    """What keeps a camera as it is now, with an exposure that sees no flicker of the mains."""
    controls: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    exposure, gain = said.get("ExposureTime"), said.get("AnalogueGain")
    if exposure and gain:
        # A short one is of daylight, which doesn't flicker.
        steady = min(max(round(exposure / FLICKER_US), 1) * FLICKER_US, LONGEST_US)
        chosen = steady if exposure >= FLICKER_US / 2 and gain * exposure / steady >= 1 else exposure
        controls |= {"ExposureTime": int(chosen), "AnalogueGain": float(gain * exposure / chosen)}
    if colours := said.get("ColourGains"):
        controls["ColourGains"] = tuple(colours)
    if (lens := said.get("LensPosition")) is not None:
        controls |= {"AfMode": FOCUSED, "LensPosition": float(lens)}
    return controls
