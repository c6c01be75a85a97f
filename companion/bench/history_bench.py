"""How long the history takes with the games of years, at the first look after a start too, and what many downloads
at once cost somebody who only wants to know how the game stands."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from companion.bench.measured_game import measured_game
from companion.history.archive import Archive
from companion.history.summary_worker import SummaryWorker
from companion.journal import Journal, Reader
from companion.live.feed import Feed
from companion.table.live_table import Table
from companion.web import create_app
from companion.web.game_page import page_of
from companion.web.pairing import Pairing
from companion.web.server import Server, listen
from companion.web.services import Services

GAMES: Final = 5000
# As many as an unpaired phone may request at once, and more than the server has threads.
AT_ONCE: Final = 20
ASKED: Final = 20
SOON: Final = 600.0
_A_DAY: Final = 24 * 3600 * 10**9
T = TypeVar("T")


def bench_history(games: int = GAMES) -> Iterator[str]:
    with TemporaryDirectory(prefix="companion-bench-") as folder:
        path = Path(folder) / "journal.db"
        events = _write_journal(path, games)
        yield f"{games} games, {events} events:"
        reading, _ = _time(lambda: _read_all(path))
        yield f"reading every event:            {reading:9.1f} ms"
        opening, _ = _time(lambda: Journal.open(path).close())
        yield _line("opening, with all checked:", opening, reading)
        cold, _ = _time(lambda: Archive(path).list_games())
        yield _line("first look, nothing kept:", cold, reading)
        adding, archive = _time(lambda: _summarize_all(path))
        yield f"adding all up, once:            {adding:9.1f} ms, {adding / games:.1f} a game"
        loading, archive = _time(lambda: _load_archive(path))
        yield _line("taking up what is kept:", loading, reading)
        warm, _ = _time(archive.list_games)
        yield _line("a look after that:", warm, reading)
        yield from _measure_pages(path, archive, reading)


def _line(what: str, ms: float, reading: float) -> str:
    return f"{what:<32}{ms:9.1f} ms, {ms / reading:.4f} of reading all"


def _write_journal(path: Path, games: int) -> int:
    # All games are the same except for their players and times.
    one = [json.dumps(event, separators=(",", ":")) for event in measured_game()[1].evening(1, 4)]
    walls = iter(range(0, games * _A_DAY, _A_DAY))
    with Journal.open(path, wall=lambda: next(walls, 0)) as journal:
        for _ in range(games):
            journal.append(one)
    return games * len(one)


def _read_all(path: Path) -> None:
    with Reader.open(path) as reader:
        for _ in reader.entries():
            pass


def _summarize_all(path: Path) -> Archive:
    archive = Archive(path)
    archive.load_summaries()
    while archive.summarize_next(lambda: None):
        pass
    return archive


def _load_archive(path: Path) -> Archive:
    archive = Archive(path)
    archive.load_summaries()
    archive.update_totals()
    return archive


def _measure_pages(path: Path, archive: Archive, reading: float) -> Iterator[str]:
    with ExitStack() as parts:
        table = parts.enter_context(Table(parts.enter_context(Journal.open(path))))
        feed = parts.enter_context(Feed(table, None, page_of))
        services = Services(table, path, feed, Pairing(), archive=archive)
        listening = listen("127.0.0.1", 0)
        port: int = listening.getsockname()[1]
        parts.enter_context(SummaryWorker(archive))
        parts.enter_context(Server(create_app(services), listening))
        # The first page fills the caches of templates and catalogues, whichever page it is.
        _request(port, "/game/1")
        first, _ = _time(lambda: _request(port, "/history"))
        yield _line("its first page, as a phone has it:", first, reading)
        later = median(_time(lambda: _request(port, "/history?page=3"))[0] for _ in range(5))
        yield _line("another page:", later, reading)
        alone = _slowest_state(port)
        with ThreadPoolExecutor(AT_ONCE) as phones:
            loading = [phones.submit(_request, port, "/history/races.csv") for _ in range(AT_ONCE)]
            beside = _slowest_state(port)
            answers = [each.result(SOON) for each in loading]
        yield f"how the game stands:            {alone:9.1f} ms"
        yield f"beside {AT_ONCE} that want all presses: {beside:9.1f} ms, {beside / alone:.1f} times as long"
        yield f"of those {answers.count(200)} had them, {answers.count(429)} were asked to come again"


def _slowest_state(port: int) -> float:
    return max(_time(lambda: _request(port, "/api/state"))[0] for _ in range(ASKED))


def _request(port: int, path: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=SOON)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def _time(do: Callable[[], T]) -> tuple[float, T]:
    begin = time.perf_counter()
    done = do()
    return (time.perf_counter() - begin) * 1e3, done
