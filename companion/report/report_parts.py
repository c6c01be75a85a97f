"""The parts of a report. Any of them may be missing; then the report says why."""

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from companion.app.running_file import find_running
from companion.errors import CompanionError
from companion.journal import JournalGame, Reader, export_lines
from companion.logs.logging_setup import FILE, OLD_FILE
from companion.report.versions import versions

JOURNAL: Final = "journal.db"
CONFIG: Final = "rig.toml"
SERVICE: Final = "table-companion"
MISREAD: Final = "misread"
ANSWERS_S: Final = 10.0
LINES: Final = 500
# The largest log that is included: ours is never longer.
LONGEST: Final = 8_000_000
# The largest game that is included: people's games are shorter.
EVENTS: Final = 20_000
# How many games are listed one by one, the newest.
GAMES: Final = 50
CHUNK: Final = 1 << 20
# The most bytes of a damaged journal that are searched for names: enough for many years.
SCANNED: Final = 256_000_000
# The list of names in a game's first event. It is also found in a file that SQLite can't read any more.
_SEATS: Final = re.compile(rb'"seats":\s*(\[(?:\s*"(?:[^"\\]|\\.){1,200}"\s*,?){1,16}\s*\])')


class CannotBeHad(CompanionError, LookupError):
    """Why a part of the report is missing."""


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    """The file's name in the report."""
    make: Callable[[], str | bytes]
    """Makes the content; raises if it can't be had."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the parts are read from."""

    data: Path
    config: Path | None
    health: Callable[[], str]
    log: Callable[[], str]


def sources_from_outside(data: Path, config: Path | None, url: str | None) -> Sources:
    """The sources as seen from another process than the running companion. `url`: the address of its page, if
    known."""

    def ask(path: str) -> str:
        running = find_running(data)
        if running is None and url is None:
            raise CannotBeHad(
                f"no companion runs with {data}: if one does elsewhere, say with --data or --url where"
            )
        return _ask(url or (running.url if running else ""), path, running.token if running else "")

    return Sources(data, config, lambda: ask("/healthz"), lambda: ask("/rig/log.txt"))


def parts_of(sources: Sources, *, pictures: bool) -> Iterator[Part]:
    data = sources.data
    # Not redacted: it has no private data, and some versions look like addresses.
    yield Part("versions.json", lambda: _json(versions()).encode())
    yield Part("config.json", lambda: _json(_config(sources.config or data / CONFIG)))
    yield Part("health.json", lambda: _json(json.loads(sources.health())))
    yield Part("journal.json", lambda: _json(_journal(data)))
    yield Part("newest-game.jsonl", lambda: _newest_game(data / JOURNAL))
    yield Part("log.txt", sources.log)
    yield Part("log-kept.txt", lambda: _read_kept(data / FILE))
    yield Part("log-kept-before.txt", lambda: _read_kept(data / OLD_FILE))
    yield Part("log-of-service.txt", _of_service)
    if pictures:
        yield from _pictures(data / MISREAD)


@dataclass(frozen=True, slots=True)
class Names:
    seats: tuple[str, ...] = ()
    """The players of the newest game."""
    everybody: tuple[str, ...] = ()
    """Everybody who ever played."""
    unread: tuple[tuple[str, str], ...] = ()
    """Files that may contain further names, and why they could not be read."""


def names_in(data: Path) -> Names:
    """All names of players, also from journals that are damaged or were set aside."""
    games = _games(data / JOURNAL)
    everybody = dict.fromkeys(name for game in games for name in game.seats)
    unread: list[tuple[str, str]] = []
    for path in sorted(data.glob(f"{JOURNAL}*")):
        try:
            if path.suffix == ".lock" or not path.is_file() or (games and path.name == JOURNAL):
                continue
            if path.stat().st_size > SCANNED:
                unread.append((path.name, "it is too big"))
                continue
            everybody |= dict.fromkeys(_names_within(path))
        except OSError as error:
            unread.append((path.name, error.strerror or str(error)))
    return Names(games[-1].seats if games else (), tuple(everybody), tuple(unread))


def _games(path: Path) -> list[JournalGame]:
    try:
        with Reader.open(path) as reader:
            return reader.games()
    except (CompanionError, OSError):
        return []


def _names_within(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        rest = b""
        while some := file.read(CHUNK):
            chunk = rest + some
            for found in _SEATS.finditer(chunk):
                yield from _texts(found[1])
            # Keep the end of this chunk, in case a match is cut in two.
            rest = chunk[-4096:]


def _texts(found: bytes) -> list[str]:
    try:
        said: Any = json.loads(found)
    except ValueError:
        return []
    return [str(name) for name in said]


def _ask(url: str, path: str, token: str) -> str:
    place = urlsplit(url).netloc
    connection = HTTPConnection(place, timeout=ANSWERS_S)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        said = answer.read(LONGEST).decode("utf-8", "replace")
    except (OSError, HTTPException) as error:
        raise CannotBeHad(f"no companion answers at {url} ({error})") from error
    finally:
        connection.close()
    # A companion with a problem answers 503, with a body that says what is wrong.
    if answer.status not in {200, 503}:
        raise CannotBeHad(f"{url} answers {answer.status}: {' '.join(said.split())[:200]}")
    return said


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _config(path: Path) -> dict[str, object]:
    """The rig.toml as written, without comments."""
    if not path.exists():
        return {"file": str(path), "is_there": False}
    try:
        return {"file": str(path), "is_there": True, "says": tomllib.loads(path.read_text("utf-8-sig"))}
    except ValueError as error:
        return {"file": str(path), "is_there": True, "wrong": str(error)}


def _journal(data: Path) -> dict[str, object]:
    path = data / JOURNAL
    said: dict[str, object] = {
        "free_bytes": shutil.disk_usage(data).free,
        "files": {file.name: file.stat().st_size for file in sorted(data.glob(f"{JOURNAL}*")) if file.is_file()},
        "set_aside": sorted(file.name for file in data.glob(f"{JOURNAL}.*-*Z*")),
    }
    try:
        said |= _within(path)
    except (CompanionError, OSError) as error:
        said["wrong"] = str(error)
    return said


def _within(path: Path) -> dict[str, object]:
    with Reader.open(path) as reader:
        games, last, edition = reader.games(), reader.last, reader.edition
    return {
        "edition": edition,
        "events": last,
        "games": len(games),
        "newest_games": [
            {"number": game.number, "game": game.game, "seats": len(game.seats), "events": game.entries}
            | {"begun": datetime.fromtimestamp(game.wall // 10**9, tz=UTC).isoformat()}
            for game in games[-GAMES:]
        ],
    }


def _newest_game(path: Path) -> str:
    """The newest game's events, so that it can be replayed."""
    out = BytesIO()
    with Reader.open(path) as reader:
        games = reader.games()
        if not games:
            raise CannotBeHad("nothing has been played yet")
        if games[-1].entries > EVENTS:
            raise CannotBeHad(f"it has {games[-1].entries} events: `companion journal export` has them")
        export_lines(reader, out, game=games[-1].number)
    return out.getvalue().decode("utf-8", "replace")


def _read_kept(path: Path) -> str:
    if not path.exists():
        raise CannotBeHad("none has been kept here yet")
    with path.open("r", encoding="utf-8", errors="replace") as file:
        return file.read(LONGEST)


def _of_service() -> str:
    """The service's log from journald, if it runs as a service here."""
    program = shutil.which("journalctl")
    if program is None:
        raise CannotBeHad("this machine has no journald")
    wanted = ["-u", SERVICE, "-n", str(LINES), "-o", "short-iso", "--no-hostname", "--no-pager"]
    try:
        done = subprocess.run(  # noqa: S603 - its own path, and words that nobody else chooses
            [program, *wanted], capture_output=True, text=True, errors="replace", timeout=ANSWERS_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise CannotBeHad("journalctl does not answer") from error
    if done.returncode != 0:
        raise CannotBeHad(f"journalctl says: {' '.join(done.stderr.split()) or done.returncode}")
    return done.stdout[-LONGEST:]


def _pictures(folder: Path) -> Iterator[Part]:
    for path in sorted(folder.glob("*.jpg")):
        yield Part(f"misread/{path.name}", path.read_bytes)
