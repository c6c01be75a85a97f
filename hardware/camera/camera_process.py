"""Runs a camera in a child process and gives its newest picture.

The child writes each picture to shared memory and reports it on its standard output; here it is copied before it
is overwritten. Every wait has a timeout, and a child that does not answer is killed: nothing in this process can
hang on a camera.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar, Final, Self

from hardware.camera.frame_slots import Slot, SlotReader
from hardware.camera.frames import Frame
from hardware.faults import CameraBusy, CameraGone, CameraTrouble, NoCamera

DRIVERS: Final = {"pi": "hardware.camera.pi_camera:pictures", "usb": "hardware.camera.usb_camera:pictures"}
# The timeout for the first picture, from the start of the process: libcamera is slow to start.
FIRST_S: Final = 15.0
# The timeout for the next picture; after that the camera counts as gone.
SILENT_S: Final = 3.0
# The timeout for the child to end after it was killed. One that hangs in the kernel's driver can't even be killed
# before the driver returns.
ENDS_S: Final = 1.0
# Log levels: without the usual messages of the drivers' libraries, but with their warnings or errors.
QUIET: Final = {"LIBCAMERA_LOG_LEVELS": "*:WARN", "OPENCV_LOG_LEVEL": "ERROR"}
TROUBLES: Final = {kind.__name__: kind for kind in (NoCamera, CameraBusy, CameraGone)}


def camera(what: str) -> "Camera":
    """A camera by name: "pi" or "pi:1", "usb:0"."""
    kind, _, which = what.partition(":")
    return Camera(DRIVERS[kind], which)


class Camera:
    """A camera in a child process. `driver`: "module:function", a `hardware.camera.frames.Driver`; `which`: which
    of its cameras."""

    _hanging: ClassVar[list[subprocess.Popen[bytes]]] = []
    """Children that could not be killed. Another one would hang as well, and each of them holds memory."""

    def __init__(self, driver: str, which: str = "", first_s: float = FIRST_S) -> None:
        self._hanging[:] = [child for child in self._hanging if child.poll() is None]
        if self._hanging:
            raise CameraGone(
                "The camera hangs in its driver and can't be stopped: unplug it; if that does not help, switch "
                "this machine off and on."
            )
        self._shared = SlotReader()
        self._unparsed = b""
        self._due = time.monotonic() + first_s
        self._child = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "hardware.camera.camera_child", driver, which, str(self._shared.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(self._shared.memory,),
            # Ctrl-C in the terminal is for this process only: a child that ended by it would count as one that
            # died.
            start_new_session=True,
            env={**QUIET, **os.environ},
        )

    def frame(self, timeout_s: float) -> Frame | None:
        """The newest picture not given yet; None if none has arrived within the timeout. Raises `CameraTrouble`
        when there will be no more."""
        newest = self._newest(timeout_s)
        if newest is None:
            if time.monotonic() > self._due:
                raise CameraGone(
                    "The camera gives no pictures any more, and does not say why: is its cable loose?"
                )
            return None
        self._due = time.monotonic() + SILENT_S
        frame = self._copy_frame(newest)
        return frame if frame is not None else self.frame(timeout_s)

    def _copy_frame(self, said: Mapping[str, Any]) -> Frame | None:
        """None if it was overwritten meanwhile."""
        pixels = self._shared.take(Slot(said["number"], said["start"], said["high"], said["wide"]))
        return None if pixels is None else Frame(said["t"], pixels, said["ahead"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._child.kill()
        if self._exit_code() is None:
            self._hanging.append(self._child)
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()
        self._shared.close()

    def _newest(self, timeout_s: float) -> Mapping[str, Any] | None:
        lines = self._messages(timeout_s)
        for line in lines:
            if "trouble" in line:
                raise TROUBLES.get(line["trouble"], CameraTrouble)(line["words"])
        return lines[-1] if lines else None

    def _messages(self, timeout_s: float) -> list[Any]:
        """All messages of the child since the last call; waits that long for the first."""
        assert self._child.stdout is not None
        output = self._child.stdout.fileno()
        end = time.monotonic() + timeout_s
        while b"\n" not in self._unparsed:
            if not select.select([output], [], [], max(0, end - time.monotonic()))[0]:
                return []
            self._read(output)
        while select.select([output], [], [], 0)[0]:
            more = os.read(output, 65536)
            self._unparsed += more
            if not more:
                break
        *whole, self._unparsed = self._unparsed.split(b"\n")
        return [json.loads(line) for line in whole]

    def _read(self, output: int) -> None:
        some = os.read(output, 65536)
        if not some:
            raise CameraGone(f"The camera's program has ended by itself ({self._exit_code()}).")
        self._unparsed += some

    def _exit_code(self) -> int | None:
        """The child's exit code; None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            return self._child.wait(ENDS_S)
        return None
