"""What each thread is doing at this moment: of a program that hangs, that tells where."""

import sys
import threading
import traceback
from collections.abc import Iterator


def doing() -> str:
    """Each thread with the lines of the program that it is in, the innermost last."""
    return "\n".join(_told())


def _told() -> Iterator[str]:
    # Its documentation says that it is for this. They may end while they are looked at.
    frames = sys._current_frames()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    for thread in sorted(threading.enumerate(), key=lambda thread: thread.name):
        frame = frames.get(thread.ident or 0)
        if frame is not None:
            yield f"{thread.name}{' (daemon)' * thread.daemon}"
            yield "".join(traceback.format_stack(frame))
