"""Only who sits at the table may speak; the first of an evening is host, and guessing leads nowhere."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event as Gate

import pytest

from companion.errors import MayNot, SenselessEvent, TooOften
from companion.web.pairing import PRESS_WITHIN_S, SILENT_S, Pairing
from companion.web.phones import EVENING_S, MOST, Phone
from companion.web.tries import AN_HOUR, IN_ALL_AN_HOUR, KEPT, Tries

from .aboard import until

HERE, THERE = "192.168.7.7", "192.168.7.8"
ADA, BEN, CY = "ada" * 8, "ben" * 8, "cy" * 12


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Buttons:
    """A test's finger, and its patience: after so many waits in vain the ten seconds are over."""

    def __init__(self, clock: Clock, *, exists: bool = True) -> None:
        self.exists = exists
        self.clock = clock
        self.pressed: int | None = None
        self.in_vain = Gate()

    def await_press(self, seat: int, within_s: float) -> bool:
        if self.in_vain.wait(within_s / 20):
            self.clock.now += PRESS_WITHIN_S
        return seat == self.pressed


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pairing(clock: Clock) -> Iterator[Pairing]:
    with Pairing(clock=clock, wall=clock) as pairing:
        yield pairing


def enter(pairing: Pairing, token: str, seat: int | None = None, address: str = HERE) -> Phone:
    assert pairing.code is not None
    return pairing.by_code(address, token, pairing.code, seat)


def wrong(pairing: Pairing) -> str:
    assert pairing.code is not None
    return f"{(int(pairing.code) + 1) % 10**6:06}"


def guess(pairing: Pairing, address: str = HERE) -> None:
    with pytest.raises(MayNot, match="not the code"):
        pairing.by_code(address, ADA, wrong(pairing), None)


def test_the_code_has_six_figures_and_is_another_each_time() -> None:
    """Zeros in front count."""
    codes = {Pairing().code for _ in range(20)}
    assert len(codes) > 1
    assert all(code is not None and len(code) == 6 and code.isdigit() for code in codes)


def test_the_first_one_paired_is_host(pairing: Pairing) -> None:
    """The others sit at the table; a stranger is nobody."""
    assert Phone(0, host=True) == enter(pairing, ADA, 0)
    assert Phone(1, host=False) == enter(pairing, BEN, 1)
    assert Phone(0, host=True) == pairing.phone(ADA)
    assert Phone(1, host=False) == pairing.phone(BEN)
    assert [None, None, None] == [pairing.phone(CY), pairing.phone(None), pairing.phone("")]


def test_pairing_anew_changes_the_seat_and_nothing_else(pairing: Pairing) -> None:
    """The host stays host, wherever it sits; without buttons the phone that is known just says where."""
    enter(pairing, ADA)
    enter(pairing, BEN, 1)
    assert Phone(2, host=True) == enter(pairing, ADA, 2)
    assert Phone(3, host=True) == pairing.by_button(HERE, ADA, 3)
    with pytest.raises(MayNot, match="type the code"):
        pairing.by_button(HERE, CY, 3)


def test_three_wrong_codes_a_minute_are_all(pairing: Pairing, clock: Clock) -> None:
    """Then not even the right one helps, from this address; a minute after the first it does."""
    for _ in range(3):
        guess(pairing)
        clock.now += 1
    with pytest.raises(TooOften) as refused:
        enter(pairing, ADA)
    assert 58 == refused.value.again_in_s
    assert enter(pairing, BEN, address=THERE).host
    clock.now += refused.value.again_in_s
    assert Phone(None, host=False) == enter(pairing, ADA)


def test_ten_wrong_codes_an_hour_are_all(pairing: Pairing, clock: Clock) -> None:
    """However slowly they come."""
    for _ in range(AN_HOUR):
        guess(pairing)
        clock.now += 61
    with pytest.raises(TooOften) as refused:
        enter(pairing, ADA)
    assert refused.value.again_in_s == 3600 - 610 + 1
    clock.now += refused.value.again_in_s
    guess(pairing)


def test_many_addresses_together_guess_no_more_than_so_often(pairing: Pairing, clock: Clock) -> None:
    """One device may have as many as it likes."""
    for number in range(IN_ALL_AN_HOUR):
        guess(pairing, f"fd00::{number:x}")
    with pytest.raises(TooOften):
        enter(pairing, ADA, address=THERE)
    clock.now += 3600
    enter(pairing, ADA, address=THERE)


def test_only_so_many_addresses_are_remembered(clock: Clock) -> None:
    """Whoever fills the memory with others still stands in the sum of all."""
    failed = Tries(clock)
    for number in range(KEPT + 5):
        failed.failed(f"address {number}")
    assert KEPT == len(failed)


def test_what_is_no_code_is_a_wrong_one(pairing: Pairing) -> None:
    """Whatever characters it has."""
    for code in ("", "ü" * 6):
        with pytest.raises(MayNot):
            pairing.by_code(HERE, ADA, code, None)
    with pytest.raises(MayNot):
        pairing.by_code(HERE, ADA, "\ud800", None)


def test_the_button_pairs_whoever_asked_for_it(clock: Clock) -> None:
    """It waits, and the phone that asks again after the press is that seat's. A code is nothing there."""
    buttons = Buttons(clock)
    with Pairing(buttons, clock=clock, wall=clock) as pairing:
        assert pairing.code is None
        with pytest.raises(MayNot, match="button"):
            pairing.by_code(HERE, ADA, "123456", 2)
        assert [None, None] == [pairing.by_button(HERE, ADA, 2) for _ in range(2)]
        with pytest.raises(MayNot, match="Another phone"):
            pairing.by_button(THERE, BEN, 2)
        buttons.pressed = 2
        assert Phone(2, host=True) == answered(pairing, ADA, 2)
        assert pairing.phone(BEN) is None


def answered(pairing: Pairing, token: str, seat: int, address: str = HERE) -> Phone:
    found: list[Phone | None] = [None]

    def ask() -> bool:
        found[0] = pairing.by_button(address, token, seat)
        return found[0] is not None

    until(ask)
    assert found[0] is not None
    return found[0]


def test_a_button_that_nobody_presses_pairs_nobody(clock: Clock) -> None:
    """It is a failed try like a wrong code; the next who asks waits anew."""
    buttons = Buttons(clock)
    with Pairing(buttons, clock=clock, wall=clock) as pairing:
        buttons.in_vain.set()
        for _ in range(3):
            with pytest.raises(MayNot, match="Nobody pressed"):
                answered(pairing, ADA, 2)
        assert pairing.phone(ADA) is None
        with pytest.raises(TooOften):
            pairing.by_button(HERE, ADA, 2)
        assert pairing.by_button(THERE, BEN, 2) is None
        clock.now += 2 * PRESS_WITHIN_S
        buttons.pressed = 2
        assert Phone(2, host=True) == answered(pairing, CY, 2, THERE)


def test_buttons_that_do_not_exist_leave_the_code(clock: Clock) -> None:
    """As in the demo."""
    with Pairing(Buttons(clock, exists=False)) as pairing:
        assert pairing.code is not None


def test_closing_does_not_wait_for_a_finger(clock: Clock) -> None:
    """The wait for a button ends with the program; it does not even wait for the ten seconds."""
    with Pairing(Buttons(clock), clock=clock) as pairing:
        assert pairing.by_button(HERE, ADA, 0) is None
    assert 1000.0 == clock.now


def test_the_host_passes_it_on(pairing: Pairing) -> None:
    """To a phone that is there; nobody else can."""
    enter(pairing, ADA, 0)
    enter(pairing, BEN, 1)
    with pytest.raises(MayNot, match="Only the host"):
        pairing.pass_host(BEN, 1)
    with pytest.raises(MayNot, match="Only the host"):
        pairing.pass_host(CY, 1)
    with pytest.raises(SenselessEvent, match="seat 4"):
        pairing.pass_host(ADA, 4)
    pairing.pass_host(ADA, 1)
    assert [Phone(0, host=False), Phone(1, host=True)] == [pairing.phone(ADA), pairing.phone(BEN)]


def test_a_host_that_is_heard_of_no_more_is_host_no_more(pairing: Pairing, clock: Clock) -> None:
    """Its battery is empty: who pairs next takes over, or who asks for it; not while the host is there."""
    enter(pairing, ADA, 0)
    enter(pairing, BEN, 1)
    clock.now += SILENT_S
    assert pairing.phone(ADA) is not None
    clock.now += SILENT_S
    assert not enter(pairing, CY, 2).host
    clock.now += 1
    pairing.pass_host(BEN, 1)
    assert Phone(1, host=True) == pairing.phone(BEN)
    clock.now += SILENT_S + 1
    assert enter(pairing, CY, 2).host


def test_an_evening_ends(pairing: Pairing, clock: Clock) -> None:
    """The next day's first phone is host."""
    enter(pairing, ADA, 0)
    clock.now += EVENING_S + 1
    assert pairing.phone(ADA) is None
    assert enter(pairing, BEN, 1).host


def test_only_so_many_phones_are_paired(pairing: Pairing) -> None:
    """The one that was paired longest ago pairs again."""
    for number in range(MOST + 1):
        enter(pairing, f"phone {number}")
    assert [None, Phone(None, host=False)] == [pairing.phone("phone 0"), pairing.phone("phone 1")]


def test_a_restart_parts_nobody_from_the_table(tmp_path: Path, clock: Clock) -> None:
    """Seats and host are as they were; what the phones carry stands in no file."""
    file = tmp_path / "phones.json"
    with Pairing(kept=file, clock=clock, wall=clock) as pairing:
        enter(pairing, ADA, 0)
        enter(pairing, BEN, 1)
        pairing.pass_host(ADA, 1)
    with Pairing(kept=file, clock=clock, wall=clock) as pairing:
        assert [Phone(0, host=False), Phone(1, host=True)] == [pairing.phone(ADA), pairing.phone(BEN)]
    assert ADA not in file.read_text()
    assert 0o600 == file.stat().st_mode & 0o777


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"seats":{"a":"x"},"since":{}}', '{"seats":{"a":1},"since":[]}', "\x00", "1"]
)
def test_a_damaged_file_pairs_nobody(tmp_path: Path, text: str) -> None:
    """Each can pair anew; the evening begins all the same."""
    file = tmp_path / "phones.json"
    file.write_text(text)
    with Pairing(kept=file) as pairing:
        assert pairing.phone(ADA) is None
        assert enter(pairing, ADA).host
    assert 1 == len(json.loads(file.read_text())["seats"])
