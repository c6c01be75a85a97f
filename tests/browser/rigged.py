"""The rig itself, as `companion run` builds it, with simulated lines: pages are touched, buttons are pressed."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

import cv2
from playwright.sync_api import Page, expect

from companion.app.build_rig import RunOptions, rig
from companion.app.config import RigPlan, SeatPlan
from companion.core.debounce import Timing
from companion.drawn.drawn_lot import pile_by_lot, scene_by_lot
from companion.files import write_whole
from companion.games.goat.cast.supplied_deck import goat_faces
from companion.threads.shutdown import Stop
from companion.threads.worker import Crew
from hardware.gpio.simchip import SimChip

from ..remembered import paint

Start = Callable[..., "Rigged"]
SOON_S = 20.0
FINGER_NS = 60_000_000
FRAME_NS = 250_000_000
SEATS = (SeatPlan(17, 27, 22), SeatPlan(5, 6, 13), SeatPlan(19, 26, 21))


def until(true: object) -> None:
    """Waits for what must come."""
    assert callable(true)
    waits = Event()
    for _ in range(round(SOON_S / 0.02)):
        if true():
            return
        waits.wait(0.02)
    raise AssertionError("it never came true")


@dataclass
class Rigged:
    url: str
    chip: SimChip
    plan: RigPlan
    said: list[str] = field(default_factory=list[str])

    @property
    def code(self) -> str:
        """As it stands in the program's output."""
        lines = [line for said in self.said for line in said.splitlines()]
        return next(line for line in lines if line.startswith("pairing code: ")).split()[-1]

    def press(self, place: int) -> None:
        """Somebody slaps the button there."""
        pin = self.plan.seats[place].grab
        assert isinstance(pin, int)
        now = self.chip.clock()
        self.chip.press(pin, now)
        self.chip.let_go(pin, now + FINGER_NS)

    def shines(self, place: int) -> bool:
        lamp = self.plan.seats[place].lamp
        assert lamp is not None
        return self.chip.level(lamp)

    def hold(self, place: int) -> None:
        """Something has lain on the button there for a while."""
        pin = self.plan.seats[place].grab
        assert isinstance(pin, int)
        self.chip.press(pin, self.chip.clock() - Timing().stuck_ns)


class Mat:
    """A folder of pictures as a camera: what lies there, over and over, until somebody lays another card."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self._cards: dict[int, str] = {}
        self._film()

    def lay(self, cell: int, boat: str) -> None:
        """A pink one."""
        self._cards[cell] = boat
        self._film()

    def _film(self) -> None:
        faces = {face.name: face for face in goat_faces()}
        lying = {cell: pile_by_lot(cell, [faces[boat, "pink"]], 4) for cell, boat in self._cards.items()}
        piles = tuple(lying.get(cell, ()) for cell in range(9))
        pixels, _ = paint(replace(scene_by_lot(4, (), light="neutral", filled=0), piles=piles))
        name = f"{len(self._cards)}.png"
        cv2.imwrite(str(self.folder / name), pixels)
        frames = [{"file": name, "t_ns": number * FRAME_NS} for number in range(2)]
        write_whole(self.folder / "frames.json", json.dumps({"frames": frames}).encode())


@contextmanager
def rigged(plan: RigPlan, data: Path, chip: SimChip) -> Generator[Rigged]:
    stop, said = Stop(), list[str]()
    with rig(RunOptions(plan, data, "127.0.0.1"), Crew(stop), said.append) as up:
        yield Rigged(up.url.rstrip("/"), chip, plan, said)
    stop.raise_death()


def pair(phone: Page, rig: Rigged, place: int, chair: str) -> None:
    """As the dialog says that is open, by the button at that place."""
    phone.click(f"#pairing button:text-is('{chair}')")
    expect(phone.locator("#pairing-word")).to_contain_text(chair)
    rig.press(place)
    expect(phone.locator("#pairing")).to_be_hidden()


def type_code(phone: Page, rig: Rigged) -> None:
    """Where there are no buttons."""
    phone.fill("#code", rig.code)
    phone.keyboard.press("Enter")
    expect(phone.locator("#pairing")).to_be_hidden()


def begin_with_a_gap(phone: Page, rig: Rigged, kid: Page | None = None) -> None:
    """Mum sits at the first place and is host, Kid at the third."""
    phone.goto(f"{rig.url}/host")
    phone.click("#pair-first")
    pair(phone, rig, 0, "Seat 1")
    if kid is not None:
        kid.goto(rig.url)
        kid.click("#pair")
        pair(kid, rig, 2, "Seat 3")
        expect(kid.locator(".speaks")).to_contain_text("It is paired for seat 3.")
    phone.fill("#name-0", "Mum")
    phone.fill("#name-2", "Kid")
    phone.click("button:text-is('Begin')")
    expect(phone.locator("#now")).to_have_text("Mum's turn")
