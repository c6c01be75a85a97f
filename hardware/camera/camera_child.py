"""The child that holds a camera: `python -m hardware.camera.camera_child MODULE:DRIVER WHICH MEMORY`. See
`hardware.camera.camera_process`.

It ends when the other end of its standard input is closed, even if the camera hangs.
"""

import json
import os
import sys
from dataclasses import asdict
from importlib import import_module
from threading import Thread
from typing import Any

from hardware.camera.frame_slots import SlotWriter
from hardware.camera.frames import Driver
from hardware.faults import CameraTrouble


def main(name: str, which: str, memory: str) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    # The drivers' libraries print to standard output; our messages use a copy of it that they can't reach.
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    module, _, driver = name.partition(":")
    pictures: Driver = getattr(import_module(module), driver)
    shared = SlotWriter(int(memory))
    try:
        for frame in pictures(which):
            _say(out, t=frame.t_ns, ahead=frame.ahead_ns, **asdict(shared.put(frame.pixels)))
    except CameraTrouble as trouble:
        _say(out, trouble=type(trouble).__name__, words=str(trouble))


def _say(out: Any, **what: object) -> None:
    out.write(json.dumps(what) + "\n")


def _end_with_parent() -> None:
    sys.stdin.read()
    # Not `sys.exit`: a camera that hangs would block an orderly end for ever.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
