"""The rig at a real table: built from rig.toml or from the detected hardware, and shut down in order."""

import logging
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpiozero.pins import Factory

from companion.app.config import RigPlan, SeatPlan
from companion.app.open_table import TablePlace, open_table
from companion.app.serve_page import PageParts, code_in_words, serve, with_code
from companion.core.gestures import ButtonUse
from companion.eyes.grid.grid_from_corners import parse_corners
from companion.eyes.grid.grid_from_mat import grid_at_corners
from companion.footage.open_footage import open_footage
from companion.logs.console import Console, Unbuffered
from companion.logs.log_lines import NOTICE, Ring
from companion.logs.logging_setup import logging_to
from companion.report.versions import in_short
from companion.rig.button_stats import ButtonStats
from companion.rig.button_worker import ButtonWorker, Wire
from companion.rig.camera_worker import CameraWorker, FrameSource
from companion.rig.clock_resolution import Resolution, load_resolution
from companion.rig.deck_in_play import DeckInPlay
from companion.rig.lamp_board import LampBoard
from companion.rig.lamp_sender import LampSender
from companion.rig.played_camera import PlayedCamera
from companion.rig.protocols import ClockReport, Rig
from companion.rig.race_photos import RacePhotos
from companion.rig.vision import Vision
from companion.table.live_table import Table
from companion.table.table_clock import TableClock
from companion.threads import systemd
from companion.threads.shutdown import HUNG_UP, Stop, stopped_by_signals
from companion.threads.supervisor import Supervisor
from companion.threads.worker import Crew
from hardware.camera.camera_process import DRIVERS, camera
from hardware.gpio.factory_choice import pin_factory
from hardware.gpio.gpio_buttons import GpioButtons
from hardware.gpio.gpio_lamps import GpioLamps
from hardware.input.arcade_encoder import EncoderButtons, open_encoder, open_keyboards
from hardware.ports import EdgeSource

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of `companion run`."""

    plan: RigPlan
    data: Path
    bind: str | None = None
    port: int | None = None
    remarks: tuple[str, ...] = ()
    """Remarks on how the plan was made, for the log."""
    verbose: bool = False
    config: Path | None = None
    """The rig.toml, where it is not the one in the data folder."""


@dataclass(slots=True)
class MeasuredClocks:
    """The measured resolution of the buttons' clock and the offset of the camera's."""

    resolution: Resolution
    camera_worker: CameraWorker | None = None
    """None until the camera worker exists."""

    def report(self) -> ClockReport:
        ahead = self.camera_worker.ahead_ns if self.camera_worker is not None else None
        return ClockReport(
            offset_us=None if ahead is None else -ahead / 1000, resolution_us=float(self.resolution.us)
        )


class NoLamps:
    """Stands in for the lamps of a rig that has none."""

    trouble: str | None = None

    def shine(self, seat: int, brightness: float) -> None:
        """Does nothing: without lamps people see on the page whose turn it is."""


def run_rig(options: RunOptions) -> None:
    """Runs the rig until it is stopped by a signal or by a thread that can't go on."""
    stop, out = Stop(), Unbuffered(sys.stdout)
    crew = Crew(stop)
    with (
        stopped_by_signals(stop),
        Console(lambda line: out.write(f"{line}\n"), crew) as console,
        logging_to(console.say, out=sys.stdout, verbose=options.verbose) as log,
    ):
        _log.info("%s; the data is kept in %s.", in_short(), options.data)
        for remark in options.remarks:
            _log.log(NOTICE, "%s", remark)
        _log.info("The rig: %s", options.plan)
        with rig(options, crew, console.say, log.ring):
            log.keep_in(options.data)
            systemd.tell(systemd.READY)
            supervisor = Supervisor(crew)
            while not stop.wait(supervisor.every_s):
                log.look()
                supervisor.look()
            if stop.is_hung_up:
                _log.log(NOTICE, HUNG_UP)
        stop.raise_death()


@dataclass(frozen=True, slots=True)
class Up:
    url: str


@contextmanager
def rig(options: RunOptions, crew: Crew, say: Callable[[str], None], log: Ring | None = None) -> Generator[Up]:
    """Builds the rig and says the page's address; the page answers before the camera is open. `log`: the newest
    lines, for the host's page."""
    plan = options.plan
    with ExitStack() as parts:
        place = TablePlace(options.data, options.bind, options.port)
        opened = open_table(place, TableClock.after, crew, parts)
        table, clock, data = opened.table, opened.clock, opened.data
        stats = ButtonStats(clock, drawn=plan.buttons == "none")
        vision = _vision(plan, DeckInPlay(plan.deck, data / "models", crew.troubles), clock, opened.photos)
        clocks = MeasuredClocks(load_resolution(data))
        _log.info("Presses are told apart from %d us on (%s).", clocks.resolution.us, clocks.resolution.measured)
        board = LampBoard(table, len(plan.seats))
        page = serve(
            PageParts(
                table,
                data,
                stats,
                vision,
                _rig_for_page(plan, vision, stats, board, clocks),
                wired=len(plan.seats),
                language=plan.language or "en",
                log=log or Ring(),
                config=options.config,
            ),
            opened.listening,
            crew,
            parts,
        )
        pins = parts.enter_context(open_pins(plan))
        lamps = parts.enter_context(open_lamps(plan, pins))
        parts.enter_context(LampSender(table, lamps, board, clock=clock, crew=crew))

        def say_code() -> None:
            """Shows the pairing code on the console only, because it must not be in the log."""
            if page.pairing.code is not None:
                say(code_in_words(page.pairing.code))

        at = AtTheTable(table, clock, crew, say_code)
        camera_worker = _camera_worker(plan, at, vision, opened.last_game)
        parts.enter_context(_button_worker(plan, at, pins, stats, camera_worker))
        clocks.camera_worker = camera_worker
        parts.enter_context(camera_worker or nullcontext())
        say(with_code(f"page: {page.url}", page.pairing.code))
        yield Up(page.url)


def _warn(words: str) -> None:
    _log.warning("%s", words)


@dataclass(frozen=True, slots=True)
class AtTheTable:
    """What the camera worker and the button worker both need."""

    table: Table
    clock: TableClock
    crew: Crew
    say_code: Callable[[], None]
    """Shows the pairing code: without buttons people pair their phones by it."""


def _rig_for_page(
    plan: RigPlan, vision: Vision | None, stats: ButtonStats, board: LampBoard, clocks: MeasuredClocks
) -> Rig:
    """The parts that the page can show and try out. Where phones stand in for buttons their presses are counted in
    the stats too, but there are no buttons to show."""
    has_lamps = any(seat.lamp is not None for seat in plan.seats)
    return Rig(
        vision.view if vision is not None else None,
        stats if plan.buttons != "none" else None,
        board if has_lamps else None,
        clocks,
    )


def _camera_worker(plan: RigPlan, at: AtTheTable, vision: Vision | None, game: int) -> CameraWorker | None:
    if vision is None:
        return None
    return CameraWorker(at.table, vision, camera_opener(plan, _warn), at.clock, game=game, crew=at.crew)


def _button_worker(
    plan: RigPlan, at: AtTheTable, pins: Factory | None, stats: ButtonStats, camera_worker: CameraWorker | None
) -> AbstractContextManager[object]:
    source = open_buttons(plan, pins)
    if source is None:
        return nullcontext()
    for doubt in source.doubts:
        _warn(doubt)
    pressed = camera_worker.pressed if camera_worker is not None else _keep_no_pictures
    wires = wires_of(plan.seats)
    return ButtonWorker(at.table, source, wires, stats, at.clock, pressed=pressed, gone=at.say_code, crew=at.crew)


def _keep_no_pictures(_t: int) -> None:
    """Without a camera there are no pictures of a press to keep."""


def _vision(plan: RigPlan, deck: DeckInPlay, clock: TableClock, photos: RacePhotos) -> Vision | None:
    if plan.camera == "none":
        return None
    corners = (
        None if plan.corners is None else grid_at_corners(parse_corners([list(point) for point in plan.corners]))
    )
    return Vision(deck.eyes(), photos, corners, clock=clock, find_eyes=deck.eyes)


def camera_opener(plan: RigPlan, say: Callable[[str], None]) -> Callable[[], AbstractContextManager[FrameSource]]:
    if plan.camera.partition(":")[0] in DRIVERS:
        return lambda: camera(plan.camera)
    return lambda: PlayedCamera(lambda: open_footage(plan.camera, say))


@contextmanager
def open_pins(plan: RigPlan) -> Generator[Factory | None]:
    """Opens gpiozero's pin factory: ours, unless GPIOZERO_PIN_FACTORY names another; None where nothing is wired
    to pins."""
    if plan.buttons != "gpio" and not any(seat.lamp is not None for seat in plan.seats):
        yield None
        return
    factory = pin_factory(chip=plan.chip, consumer="table companion")
    try:
        yield factory
    finally:
        factory.close()


def open_buttons(plan: RigPlan, pins: Factory | None) -> EdgeSource | None:
    grabs, calls = [seat.grab for seat in plan.seats], [seat.call for seat in plan.seats]
    keys = [*grabs, *(call for call in calls if call is not None)]
    kind, _, path = plan.buttons.partition(":")
    match kind:
        case "gpio":
            assert pins is not None
            return GpioButtons(keys, pins)
        case "evdev":
            return EncoderButtons(keys, open_encoder(path), f"USB encoder {path}")
        case "keyboard":
            return EncoderButtons(keys, open_keyboards(), "keyboard")
        case _:
            return None


def wires_of(seats: Sequence[SeatPlan]) -> tuple[Wire, ...]:
    """Each button's place and use, in the order in which the buttons are opened."""
    calls = (Wire(number, ButtonUse.CALL) for number, seat in enumerate(seats) if seat.call is not None)
    return (*(Wire(number) for number in range(len(seats))), *calls)


@contextmanager
def open_lamps(plan: RigPlan, pins: Factory | None) -> Generator[GpioLamps | NoLamps]:
    if pins is None:
        yield NoLamps()
        return
    lamps = GpioLamps([seat.lamp for seat in plan.seats], pins)
    try:
        yield lamps
    finally:
        lamps.close()
