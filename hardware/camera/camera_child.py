"""The child that holds a camera: `python -m hardware.camera.camera_child MODULE:DRIVER WHICH MEMORY`. See
`hardware.camera.camera_process`.

It ends when nobody holds the other end of its input any more, whatever the camera is doing then.
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
    # The drivers' libraries say much on their own; our words go where they can't.
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
    # A camera that hangs would keep an orderly end waiting for ever.
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
