"""The thread that tells what happens, which nobody waits for but a test."""

import threading

SOON = 20.0


def wait_for_its_end() -> None:
    for thread in threading.enumerate():
        if thread.name == "telling":
            thread.join(SOON)
