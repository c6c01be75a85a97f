"""Builds the demo: a drawn table with everything around it, closed again in order."""

import logging
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import segno

from companion.app.open_table import TablePlace, open_table
from companion.app.serve_page import PageParts, serve, with_code
from companion.demo.cast import Cast, Company, cast_of
from companion.demo.player import Player
from companion.demo.schedule import WorldClock
from companion.demo.terminal import Live, RulingLog, Terminal, keyboard
from companion.demo.world import World
from companion.errors import JournalError
from companion.logs.console import Console, Unbuffered
from companion.logs.log_lines import NOTICE, Ring
from companion.logs.logging_setup import Logged, logging_to
from companion.report.versions import in_short
from companion.rig.button_stats import ButtonStats
from companion.rig.clock_resolution import USUAL_US
from companion.rig.lamp_board import LampBoard
from companion.rig.protocols import ClockReport, Rig
from companion.rig.race_photos import RacePhotos
from companion.table.live_table import Table
from companion.threads import systemd
from companion.threads.shutdown import HUNG_UP, Stop, stopped_by_signals
from companion.threads.supervisor import Supervisor
from companion.threads.worker import Crew
from companion.units import SECOND, Ns, Seat

if TYPE_CHECKING:
    from companion.demo.camera_eyes import DrawnCamera

_log: Final = logging.getLogger(__name__)

# The terminal's redraw interval; a key is read at once.
REDRAW_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class DemoOptions:
    company: Company
    speed: float
    bind: str | None
    port: int | None
    data: Path | None
    language: str = "en"
    """The page's language for browsers that speak none of ours."""
    verbose: bool = False


class DrawnClocks:
    """Clocks of the drawn table: pictures and presses share one, with the resolution of a usual rig."""

    def report(self) -> ClockReport:
        return ClockReport(offset_us=0.0, resolution_us=USUAL_US)


@dataclass(frozen=True, slots=True)
class Demo:
    """The drawn table with everything around it. The page answers at once; the game runs within `playing`."""

    table: Table
    playing: Player
    url: str
    code: str | None


@contextmanager
def demo(options: DemoOptions, crew: Crew, log: Ring | None = None) -> Generator[Demo]:
    """The page comes first: phones can look while the table is still being drawn. `log`: for the page."""
    with ExitStack() as parts:
        data = options.data or Path(parts.enter_context(TemporaryDirectory(prefix="companion-demo-")))
        place = TablePlace(data, options.bind, options.port)
        opened = open_table(place, _clock_after, crew, parts, table_time=lambda clock: clock.passing)
        table, clock, game = opened.table, opened.clock, opened.last_game
        company, cast = options.company, cast_of(options.company.game)
        if table.snapshot.evening.game is None:
            # Phones see who plays while the table is still being drawn. If nothing can be stored yet, the page
            # says so, and the people sit down when there is room.
            with suppress(JournalError):
                game = table.tell(cast.first_game(company.seats)).result().number
        camera = _open_camera(cast, data / "models", opened.photos, clock)
        stats = ButtonStats(clock, drawn=True)

        def world() -> World:
            eyes = camera.eyes(table, crew.troubles) if camera is not None else None
            return World(table, clock, eyes, company, game, stats=stats)

        vision = camera.vision if camera is not None else None
        board = LampBoard(table, company.seats)
        rig = Rig(vision.view if vision is not None else None, stats, board, DrawnClocks())
        seats, language = company.seats, options.language
        shown = PageParts(table, data, stats, vision, rig, seats, language, log or Ring(), demo=True)
        page = serve(shown, opened.listening, crew, parts)
        playing = Player(world, options.speed, crew, camera.chores if camera is not None else ())
        yield Demo(table, playing, page.url, page.pairing.code)


def _clock_after(latest: Ns) -> WorldClock:
    """A clock that begins after all events in the journal, so that its time can be the table's."""
    return WorldClock(latest + SECOND)


def _open_camera(cast: Cast, models: Path, photos: RacePhotos, clock: WorldClock) -> "DrawnCamera | None":
    if cast.deck is None:
        return None
    from companion.demo.camera_eyes import DrawnCamera  # noqa: PLC0415 - a game without a camera needs no OpenCV

    return DrawnCamera.above(cast.deck, models, photos, clock)


def run_demo(options: DemoOptions) -> None:
    """Runs the demo until it is stopped."""
    stop = Stop()
    crew = Crew(stop)
    shown = _terminal(options.company.yours)
    with (
        stopped_by_signals(stop),
        Console(shown.say, crew) as console,
        logging_to(console.say, out=sys.stdout, verbose=options.verbose) as log,
    ):
        _log.info("%s; a drawn table: %s", in_short(), options)
        with demo(options, crew, log.ring) as built:
            if options.data is not None:
                log.keep_in(options.data)
            _welcome(console, built, options.company)
            with built.playing:
                systemd.tell(systemd.READY)
                _look_on(built, stop, console, shown, partial(_look_after, Supervisor(crew), log))
            if stop.is_hung_up:
                _log.log(NOTICE, HUNG_UP)
        stop.raise_death()


def _terminal(yours: Seat | None) -> Terminal:
    out = Unbuffered(sys.stdout)
    return Live(out, yours=yours) if _is_watched() else RulingLog(out)


def _is_watched() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _welcome(console: Console, built: Demo, company: Company) -> None:
    yours = company.yours
    if _is_watched():
        code_of_url = StringIO()
        segno.make(built.url).terminal(code_of_url, compact=True)
        console.say(code_of_url.getvalue())
    console.say(with_code(f"page: {built.url}", built.code))
    if yours is not None:
        console.say(
            f"Seat {yours + 1} is yours: {cast_of(company.game).yours}; "
            f"your phone's page is {built.url}seat/{yours}"
        )


def _look_after(supervisor: Supervisor, log: Logged) -> None:
    supervisor.look()
    log.look()


def _look_on(built: Demo, stop: Stop, console: Console, shown: Terminal, look_after: Callable[[], None]) -> None:
    newest, slow = 0, False
    with keyboard(stop.wait) as wait_for_key:
        while not stop.said:
            look_after()
            key = wait_for_key(REDRAW_S)
            if key:
                built.playing.key(key.lower())
            for snapshot in built.table.wait(newest, 0):
                console.tell(partial(shown.show, snapshot))
                newest = snapshot.number
            reached = built.playing.reached
            if reached is not None and not slow:
                slow = True
                _log.log(NOTICE, "As fast as this machine can: %.1f times as fast as people.", reached)
