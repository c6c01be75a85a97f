"""Where a running companion is found by another program of the same user, such as `companion report`.

The file says where its page answers, and a password that is drawn anew at each start: who can read it may read the
log without being a paired phone.
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
    url: str
    token: str
    pid: int


@contextmanager
def announce(folder: Path, addresses: Sequence[str], token: str) -> Generator[None]:
    """As long as it runs. `addresses` of its page: the last is this machine's own. Without the file it runs as
    well."""
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
    """The one that runs there, or did when the power went. Raises `OSError` where that may not be read."""
    try:
        said: Any = json.loads((folder / FILE).read_text("utf-8"))
        return Running(str(said["url"]), str(said["token"]), int(said["pid"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        # Written while the power went.
        return None


def _write(path: Path, running: Running) -> None:
    # For nobody else from the first byte on.
    write_whole(path, json.dumps(asdict(running)).encode(), mode=0o600)
