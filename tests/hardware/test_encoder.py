"""Buttons on a USB encoder or a keyboard: the kernel's time, and a plug that may come out."""

import errno
import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from companion.units import SECOND
from hardware.faults import NoAccess, NoButtons
from hardware.input.arcade_encoder import EncoderButtons, open_encoder, open_keyboards
from hardware.input.input_device import CODES, EV_KEY, EV_SYN, SYN_DROPPED, SYN_REPORT, InputReport
from hardware.ports import PRESSED, RELEASED, KernelEdge

from .conftest import SOON

TRIGGER, THUMB = CODES["BTN_TRIGGER"], CODES["BTN_THUMB"]


@dataclass
class SimEncoder:
    """As the kernel shows one: what is read is what was reported; unplugged it answers with ENODEV."""

    keys: tuple[int, ...] = tuple(range(TRIGGER, TRIGGER + 10))
    name: str = "Arcade encoder"
    down: set[int] = field(default_factory=set[int])
    reports: deque[InputReport] = field(default_factory=deque[InputReport])
    pipe: tuple[int, int] = field(default_factory=os.pipe)
    plugged: bool = True
    closed: bool = False
    loose: bool = False
    gone: int = errno.ENODEV
    """What the kernel says of one that is unplugged."""

    @property
    def fd(self) -> int:
        return self.pipe[0]

    def held(self) -> list[int]:
        if self.loose:
            raise OSError(errno.ENODEV, "No such device")
        # Whoever asks how the keys are is not told again how they came to be so.
        self.reports.clear()
        return sorted(self.down)

    def read(self) -> list[InputReport]:
        os.read(self.fd, 4096)
        if not self.plugged:
            raise OSError(self.gone, os.strerror(self.gone))
        reports, self.reports = list(self.reports), deque()
        return reports

    def close(self) -> None:
        self.closed = True
        for end in self.pipe:
            os.close(end)

    def report(self, t_ns: int, *changes: tuple[int, int]) -> None:
        for code, value in changes:
            (self.down.add if value else self.down.discard)(code)
        kinds = [(EV_KEY, code, value) for code, value in changes]
        self.tell(t_ns, *kinds, (EV_SYN, SYN_REPORT, 0))

    def tell(self, t_ns: int, *events: tuple[int, int, int]) -> None:
        self.reports += [InputReport(t_ns, *event) for event in events]
        os.write(self.pipe[1], b"!")

    def unplug(self) -> None:
        self.plugged = False
        os.write(self.pipe[1], b"!")


@dataclass
class Desk:
    """Where the encoder is plugged in, or not."""

    plugged: SimEncoder | None
    refuses: Exception | None = None
    looked: int = 0

    def open(self) -> list[Any]:
        self.looked += 1
        if self.refuses is not None:
            raise self.refuses
        return [self.plugged] if self.plugged else []


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr("hardware.input.arcade_encoder.AGAIN_S", 0)
    return Desk(SimEncoder())


@pytest.fixture
def buttons(desk: Desk) -> Iterator[EncoderButtons]:
    buttons = EncoderButtons((1, "BTN_THUMB", 3), desk.open, "USB encoder")
    yield buttons
    buttons.close()


def test_a_loose_plug_ends_nothing(desk: Desk, buttons: EncoderButtons) -> None:
    """Gone again before it has been looked at, or there only for root at first: it is looked for on."""
    encoder, again, later = desk.plugged, SimEncoder(loose=True), SimEncoder()
    assert encoder is not None
    desk.plugged = again
    encoder.unplug()
    assert () == buttons.read(0) == buttons.read(0)
    assert again.closed
    desk.refuses = NoAccess("The encoder may not be read.")
    buttons.read(0)
    assert "The encoder may not be read." == buttons.trouble
    desk.plugged, desk.refuses = later, None
    assert () == buttons.read(0)
    assert buttons.trouble is None
    later.report(9 * SECOND, (TRIGGER, 1))
    assert (KernelEdge(0, 9 * SECOND, PRESSED, 1),) == buttons.read(0)


def test_where_nothing_is_plugged_in_it_is_waited(desk: Desk, buttons: EncoderButtons, monkeypatch: Any) -> None:
    """As long as for a press, and not looked for a plug each time."""
    encoder, desk.plugged = desk.plugged, None
    assert encoder is not None
    encoder.unplug()
    buttons.read(0)
    monkeypatch.setattr("hardware.input.arcade_encoder.AGAIN_S", SOON)
    begun, looked = time.monotonic(), desk.looked
    assert () == buttons.read(0.01) == buttons.read(0.01)
    assert time.monotonic() >= begun + 0.02
    assert looked + 1 == desk.looked


def test_presses_bear_the_kernels_time(desk: Desk, buttons: EncoderButtons) -> None:
    """Two buttons in one report have the same: a dead heat. A key that repeats is pressed once."""
    encoder = desk.plugged
    assert encoder is not None
    first, second = TRIGGER, THUMB
    encoder.report(5 * SECOND + 123_000, (first, 1), (second, 1))
    encoder.report(6 * SECOND, (first, 2))
    encoder.report(7 * SECOND, (first, 0))
    t = 5 * SECOND + 123_000
    assert [
        KernelEdge(0, t, PRESSED, 1),
        KernelEdge(1, t, PRESSED, 1),
        KernelEdge(0, 7 * SECOND, RELEASED, 2),
    ] == [*buttons.read(0)]
    assert "equally fast" in buttons.doubts[0]


def test_what_the_kernel_dropped_is_a_gap(desk: Desk, buttons: EncoderButtons) -> None:
    """How the buttons are then is told, with something lost before it."""
    encoder = desk.plugged
    assert encoder is not None
    encoder.down.add(THUMB)
    encoder.tell(5 * SECOND, (EV_SYN, SYN_DROPPED, 0))
    assert (KernelEdge(1, 5 * SECOND, PRESSED, 2),) == buttons.read(0)
    assert (1,) == buttons.held()


@pytest.mark.parametrize("says", [errno.ENODEV, errno.EIO, errno.ENXIO])
def test_it_may_be_unplugged_and_plugged_in_again(desk: Desk, buttons: EncoderButtons, says: int) -> None:
    """Nothing restarts: it is said, what was held is let go, and the new plug counts. A hub says it in its own
    way."""
    encoder = desk.plugged
    assert encoder is not None
    encoder.gone = says
    encoder.report(5 * SECOND, (TRIGGER, 1))
    assert 1 == buttons.read(0)[0].number
    desk.plugged = None
    encoder.unplug()
    (gone,) = buttons.read(0)
    assert (0, RELEASED, 3) == (gone.button, gone.level, gone.number)
    assert () == buttons.read(0)
    assert encoder.closed
    assert "plug it in again" in (buttons.trouble or "")
    again = desk.plugged = SimEncoder()
    again.report(9 * SECOND, (THUMB, 1))
    (pressed,) = buttons.read(0)
    assert (1, PRESSED) == (pressed.button, pressed.level)
    assert buttons.trouble is None


def test_what_is_held_at_the_start_is_told(desk: Desk) -> None:
    """It sends no report to tell by."""
    assert desk.plugged is not None
    desk.plugged.down.add(THUMB)
    buttons = EncoderButtons((1, 2), desk.open, "USB encoder")
    assert (1,) == buttons.held()
    buttons.close()


def test_what_is_not_there_is_said() -> None:
    """No device, no such button, no such key; what was opened for that is let go."""
    desk = Desk(None)
    with pytest.raises(NoButtons, match="no USB encoder: plug it in"):
        EncoderButtons((1,), desk.open, "USB encoder")
    with pytest.raises(NoButtons, match="/dev/null is no input device"):
        open_encoder("/dev/null")()
    for keys, said in (
        ([11], "buttons 1 to 10, and no button 11"),
        ([1, "BTN_TRIGGER"], "1 and 'BTN_TRIGGER' are one key of Arcade encoder"),
        (["ß"], "no key 'ß'"),
    ):
        plugged = desk.plugged = SimEncoder()
        with pytest.raises(NoButtons, match=said):
            EncoderButtons(keys, desk.open, "USB encoder")
        assert plugged.closed


def test_a_keyboard_serves_too() -> None:
    """Its keys go by their letters."""
    board = SimEncoder(keys=(CODES["KEY_A"], CODES["KEY_L"]), name="Keyboard")
    buttons = EncoderButtons(("a", "KEY_L"), Desk(board).open, "keyboard")
    board.report(SECOND, (CODES["KEY_L"], 1))
    assert (KernelEdge(1, SECOND, PRESSED, 1),) == buttons.read(0)
    buttons.close()


def test_where_there_are_no_devices_none_is_found(tmp_path: Any) -> None:
    """A path that is not there may be plugged in later."""
    assert [] == open_encoder(str(tmp_path / "event7"))()
    assert [] == open_keyboards(tmp_path)()
