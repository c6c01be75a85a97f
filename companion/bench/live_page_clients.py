"""Many live phones in one process of their own, so that what they cost is not counted as the table's.

Run as `python -m companion.bench.live_page_clients PORT PHONES`. Says `ready` when all have seen the first state,
and when their lines have ended, when each of them saw which number, by the clock that all processes share:
CLOCK_MONOTONIC.
"""

import json
import re
import selectors
import socket
import sys
import time
from typing import Final, cast

HERE: Final = "127.0.0.1"
PIECE: Final = 1 << 16
_STATE: Final = re.compile(rb'event: state\ndata: \{"no":(\d+),[^\n]*\n\n')


class Looker:
    def __init__(self, port: int) -> None:
        self.line = socket.create_connection((HERE, port))
        self.line.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.line.settimeout(0)
        self.seen: dict[int, int] = {}
        self._rest = b""

    def read(self) -> bool:
        """False once its connection has ended."""
        piece = self.line.recv(PIECE)
        now = time.monotonic_ns()
        self._rest += piece
        found = list(_STATE.finditer(self._rest))
        for state in found:
            self.seen.setdefault(int(state[1]), now)
        if found:
            self._rest = self._rest[found[-1].end() :]
        return bool(piece)


def main(port: int, phones: int) -> None:
    lookers = [Looker(port) for _ in range(phones)]
    ready = False
    with selectors.DefaultSelector() as waiting:
        for looker in lookers:
            waiting.register(looker.line, selectors.EVENT_READ, looker)
        while waiting.get_map():
            for key, _ in waiting.select():
                if not cast("Looker", key.data).read():
                    waiting.unregister(key.fileobj)
                    cast("Looker", key.data).line.close()
            if not ready and all(looker.seen for looker in lookers):
                ready = True
                print("ready", flush=True)  # noqa: T201 - what it is started for
    print(json.dumps([looker.seen for looker in lookers]))  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
