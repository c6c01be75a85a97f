"""A served table on a network of its own, at which something is new ten times a second; see `test_wifi.py`."""

import json
import logging
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from companion.web.server import Server, listen
from tests.web.aboard import GAME, aboard


class Lines(logging.Handler):
    """What stands in the log."""

    def __init__(self) -> None:
        super().__init__()
        self.said: Counter[str] = Counter()
        self.traces = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.said[record.getMessage()] += 1
        self.traces += record.exc_info is not None


def main(address: str, seconds: float) -> None:
    lines = Lines()
    logging.basicConfig(level=logging.INFO, handlers=[lines])
    with TemporaryDirectory() as data, aboard(Path(data)) as ship:
        ship.tell(GAME)
        with Server(ship.app, listen(address, 8080)):
            sys.stdout.write("up\n")
            sys.stdout.flush()
            longest, before, end = 0.0, time.monotonic(), time.monotonic() + seconds
            while before < end:
                ship.tell({"type": "call", "seat": 0})
                time.sleep(0.1)
                longest, before = max(longest, time.monotonic() - before), time.monotonic()
            with urlopen(f"http://{address}:8080/healthz", timeout=20) as answer:
                health = json.load(answer)
    said = {"longest_s": longest, "ok": health["ok"], "said": lines.said, "traces": lines.traces}
    sys.stdout.write(json.dumps(said) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
