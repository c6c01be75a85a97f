"""The Pi's own camera through picamera2: settings locked once settled, timestamps from the sensor, every wait
limited.

picamera2 waits without a timeout by default, and so hangs when the ribbon cable comes loose. Any camera that
libcamera knows can be used; one that is not a Pi's own gives its own format and size, whatever was requested.
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
# Mains lamps flicker a hundred times a second; an exposure of whole periods averages that out.
FLICKER_US: Final = 10_000
LONGEST_US: Final = 30_000
# libcamera's values for manual focus and for continuous autofocus.
FOCUSED, FOCUSING = 0, 2
LOOKING: Final[Mapping[str, object]] = {"AeEnable": True, "AwbEnable": True, "AfMode": FOCUSING}
# libcamera's values for a settled exposure and for a lens that is still focusing.
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
    """When the exposure began. The sensor stamps a picture at the end of the first line's exposure."""
    return int(said.get("SensorTimestamp", now)) - int(said.get("ExposureTime", 0)) * MICROSECOND


def _follow(camera: Any, turn: Adjustment | None, said: Mapping[str, Any]) -> None:
    if turn is not None:
        controls = locking(said) if turn is Adjustment.HOLD else LOOKING
        camera.set_controls({key: value for key, value in controls.items() if key in camera.camera_controls})


def is_settled(said: Mapping[str, Any]) -> bool:
    """As far as the camera reports it. An older libcamera only reports whether the exposure is locked."""
    exposed = said["AeState"] == CONVERGED if "AeState" in said else said.get("AeLocked", True)
    return bool(exposed) and said.get("AfState") != SCANNING


def _pixels(request: Any) -> Pixels | None:
    """None for a damaged picture."""
    # libcamera's RGB888 is stored as BGR.
    match request.config["main"]["format"]:
        case "RGB888":
            return request.make_array("main")
        case "YUYV":
            return np.asarray(cv2.cvtColor(request.make_array("main"), cv2.COLOR_YUV2BGR_YUY2), np.uint8)
        case "MJPEG":
            # A short fault of the cable cuts a picture short.
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
        # A camera that has no such controls refuses them.
        controls: dict[str, Any] = {}
        if "FrameDurationLimits" in camera.camera_controls:
            controls["FrameRate"] = FRAMES_A_SECOND
        if "AfMode" in camera.camera_controls:
            # Continuous autofocus has to be requested for a Camera Module 3.
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
    """The controls that lock the present settings, with an exposure that averages out mains flicker."""
    controls: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    exposure, gain = said.get("ExposureTime"), said.get("AnalogueGain")
    if exposure and gain:
        # A short exposure means daylight, which does not flicker.
        steady = min(max(round(exposure / FLICKER_US), 1) * FLICKER_US, LONGEST_US)
        chosen = steady if exposure >= FLICKER_US / 2 and gain * exposure / steady >= 1 else exposure
        controls |= {"ExposureTime": int(chosen), "AnalogueGain": float(gain * exposure / chosen)}
    if colours := said.get("ColourGains"):
        controls["ColourGains"] = tuple(colours)
    if (lens := said.get("LensPosition")) is not None:
        controls |= {"AfMode": FOCUSED, "LensPosition": float(lens)}
    return controls
