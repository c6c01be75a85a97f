"""`companion check`: goes through the rig part by part and says in plain words what is wrong and what to do.

Each part is checked by itself: a failure does not prevent the next check.
"""

import logging
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpiozero.exc import GPIOZeroError

from companion.app.address import Address
from companion.app.build_rig import camera_opener, open_buttons, open_lamps, open_pins, wires_of
from companion.app.config import SUPPLIED_DECK, RigPlan
from companion.app.serve_page import JOURNAL
from companion.errors import CompanionError
from companion.eyes.deck.deck_file import SUFFIX, read_deck
from companion.eyes.deck.deck_shelf import find_deck
from companion.eyes.grid.grid_from_mat import find_mat
from companion.eyes.scene.picture_quality import why_no_grid
from companion.files import why_not, write_whole
from companion.journal.schema import check_ours
from companion.live.health import LOW_DISK
from companion.rig.camera_words import BUILDERS_ADVICE
from companion.rig.clock_resolution import USUAL_US, load_resolution
from companion.web.server import addresses_of, listen
from hardware.camera.frames import SETTLE_NS, Frame
from hardware.faults import HardwareError

_log: Final = logging.getLogger(__name__)

SYS: Final = Path("/sys")
# Above this temperature a Pi throttles its CPU.
HOT_C: Final = 80
# Bits of the firmware's report: too little voltage now, and since it was switched on.
UNDER_NOW, UNDER_SINCE = 1 << 0, 1 << 16
PICTURE_S: Final = 0.5
LIT_S: Final = 1.0
TRIES: Final = 60
# After this many timeouts in a row a recording has ended.
ENDED: Final = 4
PROBE: Final = ".check"
UNSEEN: Final = {"none": "There is none; cards are not read.", "demo": "It is drawn."}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of checking one part of the rig."""

    part: str
    words: str
    well: bool = True


def check_rig(
    plan: RigPlan, data: Path, system: Path = SYS, wait: Callable[[float], object] = time.sleep
) -> Iterator[CheckResult]:
    """Checks the parts that this rig has: without a camera no deck is needed, and the supplied deck needs no
    check."""
    parts: dict[str, Callable[[], CheckResult]] = {
        "buttons": lambda: _buttons(plan),
        "lamps": lambda: _lamps(plan, wait),
        "camera": lambda: _camera(plan),
        "deck": lambda: _deck(plan, data),
        "page": lambda: _page(plan),
        "clock": lambda: _clock(data),
        "disk": lambda: _disk(data),
        "warmth": lambda: _warmth(system),
        "power": lambda: _power(system),
    }
    own = data / "models" / f"{SUPPLIED_DECK}{SUFFIX}"
    left_out = {
        "deck": plan.camera == "none" or (plan.deck == SUPPLIED_DECK and not own.exists()),
        "page": plan.address == Address(),
    }
    for part in (part for part in parts if not left_out.get(part)):
        try:
            yield parts[part]()
        except (HardwareError, GPIOZeroError, CompanionError, OSError) as error:
            _log.debug("Looking at the %s has failed.", part, exc_info=error)
            yield CheckResult(part, str(error), well=False)


def _buttons(plan: RigPlan) -> CheckResult:
    with ExitStack() as parts:
        source = open_buttons(plan, parts.enter_context(open_pins(plan)))
        if source is None:
            return CheckResult("buttons", "There are none to press; phones stand in for them.")
        parts.callback(source.close)
        held = source.held()
        if held:
            wires = wires_of(plan.seats)
            which = ", ".join(map(str, sorted({wires[number].place + 1 for number in held})))
            return CheckResult(
                "buttons",
                f"Pressed all the time: seat {which}. Do its wires touch, or are its contacts NC instead of NO?",
                well=False,
            )
        return CheckResult("buttons", f"{len(plan.seats)} seats, none pressed. {' '.join(source.doubts)}".strip())


def _lamps(plan: RigPlan, wait: Callable[[float], object]) -> CheckResult:
    wired = [number for number, seat in enumerate(plan.seats) if seat.lamp is not None]
    if not wired:
        return CheckResult("lamps", "There are none.")
    with ExitStack() as parts:
        lamps = parts.enter_context(open_lamps(plan, parts.enter_context(open_pins(plan))))
        for seat in wired:
            lamps.shine(seat, 1.0)
            wait(LIT_S)
            lamps.shine(seat, 0.0)
    seats = f"seat{'s' * (len(wired) > 1)} {', '.join(str(seat + 1) for seat in wired)}"
    return CheckResult("lamps", f"Lit for a second, one after the other, at {seats}: did each of them shine?")


def _camera(plan: RigPlan) -> CheckResult:
    if plan.camera in UNSEEN:
        return CheckResult("camera", UNSEEN[plan.camera])
    frame = _a_picture(plan)
    if frame is None:
        return CheckResult("camera", "It is there, but it gives no picture.", well=False)
    high, wide = frame.pixels.shape[:2]
    if plan.corners is not None:
        return CheckResult("camera", f"{wide} x {high} pixels; the grid's corners are given.")
    mat = find_mat(frame.pixels)
    if mat is None:
        return CheckResult("camera", BUILDERS_ADVICE[why_no_grid(frame.pixels)], well=False)
    if mat.corners[0][1] > mat.corners[2][1]:
        return CheckResult(
            "camera",
            "The mat lies upside down for the camera: turn the mat or the camera half round, or cells are "
            "counted from the other side.",
            well=False,
        )
    return CheckResult(
        "camera", f"{wide} x {high} pixels, the mat is in sight with {mat.markers} of its 4 markers."
    )


def _a_picture(plan: RigPlan) -> Frame | None:
    """A picture taken once the camera's exposure has settled, because many start dark; or a recording's last."""
    first, last, missed = None, None, 0
    with camera_opener(plan, lambda _: None)() as camera:
        while missed < (TRIES if last is None else ENDED):
            frame = camera.frame(PICTURE_S)
            if frame is None:
                missed += 1
                continue
            first, last, missed = first or frame, frame, 0
            if last.t_ns - first.t_ns >= SETTLE_NS:
                break
    return last


def _clock(data: Path) -> CheckResult:
    resolution = load_resolution(data)
    if resolution.measured is None:
        return CheckResult(
            "clock", f"Nobody has measured it yet ({USUAL_US} us are assumed): run companion timing."
        )
    return CheckResult("clock", f"Tells apart what is {resolution.us} us from each other ({resolution.measured}).")


def _deck(plan: RigPlan, data: Path) -> CheckResult:
    deck = read_deck(find_deck(plan.deck, data / "models"))
    return CheckResult("deck", f"{deck.name}: {len(deck.cards)} kinds of cards are taught.")


def _page(plan: RigPlan) -> CheckResult:
    with listen(plan.address.host, plan.address.port) as listening:
        return CheckResult("page", f"It can be served at {addresses_of(listening)[0]}")


def _disk(data: Path) -> CheckResult:
    """Checks free space, write permission, and whether the journal can be opened."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        write_whole(data / PROBE, b"")
        (data / PROBE).unlink()
    except OSError as error:
        why = why_not(error, data)
        return CheckResult("disk", f"{why[0].upper()}{why[1:]}.", well=False)
    check_ours(data / JOURNAL)
    free = shutil.disk_usage(data).free
    words = f"{free // 1_000_000} MB are free where the journal is kept ({data})."
    return CheckResult("disk", words if free > LOW_DISK else f"{words} Make room.", well=free > LOW_DISK)


def _warmth(system: Path) -> CheckResult:
    try:
        degrees = int((system / "class/thermal/thermal_zone0/temp").read_text()) / 1000
    except (FileNotFoundError, ValueError):
        return CheckResult("warmth", "This machine does not say how warm it is.")
    if degrees < HOT_C:
        return CheckResult("warmth", f"{degrees:.0f} °C.")
    return CheckResult(
        "warmth", f"{degrees:.0f} °C: give it air, or a heat sink; it slows itself down.", well=False
    )


def _power(system: Path) -> CheckResult:
    try:
        state = _supply(system)
    except ValueError:
        state = None
    if state is None:
        return CheckResult("power", "This machine does not watch its supply.")
    if state & UNDER_NOW:
        return CheckResult("power", "The supply is too weak: use the Pi's own, and a short cable.", well=False)
    if state & UNDER_SINCE:
        return CheckResult("power", "The supply was too weak for a moment since it was switched on.", well=False)
    return CheckResult("power", "The supply is strong enough.")


def _supply(system: Path) -> int | None:
    """The undervoltage bits as the firmware reports them; from the sensor where a newer kernel hides them."""
    # The path contains an address that differs on a Pi 5.
    for report in system.glob("devices/platform/soc*/soc*:firmware/get_throttled"):
        return int(report.read_text(), 16)
    for sensor in system.glob("class/hwmon/hwmon*"):
        if (sensor / "name").read_text().strip() == "rpi_volt":
            return UNDER_NOW if int((sensor / "in0_lcrit_alarm").read_text()) else 0
    return None
