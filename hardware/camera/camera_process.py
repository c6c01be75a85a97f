"""A camera in a process of its own, and always its newest picture.

The child gives each picture through memory that both share, and says on its output which and of when; here it is
taken out of the way of the next. Whoever waits, waits with a time-out, and a child that does not answer is killed:
there is no camera in this process that could hang.
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
# From the start of the process to the first picture: libcamera takes its time.
FIRST_S: Final = 15.0
# A camera that has given pictures and gives none for so long is gone.
SILENT_S: Final = 3.0
# A program that has ended is gone at once; one that hangs in the kernel's driver can't even be killed before that
# lets it go.
ENDS_S: Final = 1.0
# What the drivers' libraries tell of themselves each time; what goes wrong they still say.
QUIET: Final = {"LIBCAMERA_LOG_LEVELS": "*:WARN", "OPENCV_LOG_LEVEL": "ERROR"}
TROUBLES: Final = {kind.__name__: kind for kind in (NoCamera, CameraBusy, CameraGone)}


def camera(what: str) -> "Camera":
    """ "pi" or "pi:1", "usb:0"."""
    kind, _, which = what.partition(":")
    return Camera(DRIVERS[kind], which)


class Camera:
    """`driver`: "module:function", a `hardware.camera.frames.Driver`; `which`: of the cameras that it knows."""

    _hanging: ClassVar[list[subprocess.Popen[bytes]]] = []
    """Those that the kernel has not let go. The next one would hang there too, and each takes its memory."""

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
            # Ctrl-C in the terminal is for us; the child ends with us, and not as one that has died.
            start_new_session=True,
            env={**QUIET, **os.environ},
        )

    def frame(self, timeout_s: float) -> Frame | None:
        """The newest picture that has not been given yet; None if none has come in that time. Raises
        `CameraTrouble` when there will be none any more."""
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
        """None if it was written over meanwhile."""
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
        """All that the child has said since; waits so long for the first."""
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
        """With which code; None if it hasn't."""
        with suppress(subprocess.TimeoutExpired):
            return self._child.wait(ENDS_S)
        return None
