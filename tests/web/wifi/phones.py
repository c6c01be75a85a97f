"""Live phones on a network of their own: many that read until they leave, some that never read, and one that
stays; see `test_wifi.py`."""

import json
import select
import socket
import sys
import time


def phone(server: str, mine: str, room: int | None = None) -> socket.socket:
    line = socket.socket()
    if room is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    line.settimeout(20)
    line.bind((mine, 0))
    line.connect((server, 8080))
    line.sendall(f"GET /api/events HTTP/1.1\r\nHost: {server}:8080\r\n\r\n".encode())
    return line


def main(server: str, stays: str, deaf: list[str], leave: list[str], seconds: float) -> None:
    kept = [phone(server, mine, 2048) for mine in deaf for _ in range(15)]
    lines = [phone(server, mine) for mine in leave for _ in range(15)]
    one = phone(server, stays)
    sys.stdout.write(f"{len(kept)} {len(lines)}\n")
    sys.stdout.flush()
    heard, longest, end = time.monotonic(), 0.0, time.monotonic() + seconds
    open_lines = [*lines, one]
    while time.monotonic() < end:
        for line in select.select(open_lines, [], [], 0.2)[0]:
            try:
                came = line.recv(65536)
            except OSError:
                came = b""
            if line is one and came:
                longest, heard = max(longest, time.monotonic() - heard), time.monotonic()
            elif not came:
                open_lines.remove(line)
    longest = max(longest, time.monotonic() - heard)
    sys.stdout.write(json.dumps({"longest_s": longest, "stays": one in open_lines}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3].split(","), sys.argv[4].split(","), float(sys.argv[5]))
