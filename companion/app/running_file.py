"""A file by which other programs of the same user, such as `companion report`, find a running companion.

It holds the page's addresses and a token that is random at each start: a program that can read the file may read
the log without being a paired phone.
"""

import json
import logging
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from companion.files import why_not, write_whole

_log: Final = logging.getLogger(__name__)

FILE: Final = "running.json"


@dataclass(frozen=True, slots=True)
class Running:
    """What the file says about a running companion."""

    url: str
    token: str
    pid: int


@contextmanager
def announce(folder: Path, addresses: Sequence[str], token: str) -> Generator[None]:
    """Keeps the file there while the companion runs. `addresses`: of its page, the last one is local. If the file
    can't be written the companion runs all the same."""
    path = folder / FILE
    try:
        _write(path, Running(addresses[-1], token, os.getpid()))
    except OSError as error:
        _log.info("`companion report` won't find this companion by itself: %s", why_not(error, folder))
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def find_running(folder: Path) -> Running | None:
    """The companion that runs there, or ran at the last power cut; None if there is none. Raises `OSError` if the
    file may not be read."""
    try:
        said: Any = json.loads((folder / FILE).read_text("utf-8"))
        return Running(str(said["url"]), str(said["token"]), int(said["pid"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        # The file was damaged by a power cut.
        return None


def _write(path: Path, running: Running) -> None:
    # Readable by this user only, from the first byte on.
    write_whole(path, json.dumps(asdict(running)).encode(), mode=0o600)
