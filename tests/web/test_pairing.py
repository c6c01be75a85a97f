"""Only who sits at the table may speak; the first of an evening is host, and guessing leads nowhere."""

import errno
import json
import os
import time
from pathlib import Path

import pytest

from companion.core.debounce import Press
from companion.core.seating import MOST_PLACES
from companion.errors import InvalidEvent, NotAllowed, RateLimited
from companion.rig.button_stats import ButtonStats
from companion.threads.troubles import Troubles
from companion.web import pairing as pairings
from companion.web.paired_phones import EVENING_S, MOST, Phone, digest
from companion.web.pairing import COMES_BACK_S, PRESS_WITHIN_S, SILENT_S, Pairing
from companion.web.phones_file import AGAIN_S
from companion.web.rate_limit import A_MINUTE, AN_HOUR, HOUR_S, IN_ALL, KEPT, OF_A_NETWORK, PairingAttempts
from companion.web.security import PHONE_COOKIE

from .aboard import aboard

DAY = 24 * 3600
HERE, THERE = "192.168.7.7", "192.168.7.8"
ADA, BEN, CY = "ada" * 8, "ben" * 8, "cy" * 12


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Buttons:
    """A test's finger."""

    def __init__(self, clock: Clock, *, exists: bool = True) -> None:
        self.exists = exists
        self.clock = clock
        self.pressed: dict[int, float] = {}

    def press(self, seat: int) -> None:
        self.pressed[seat] = self.clock.now

    def pressed_ago(self, seat: int) -> float | None:
        return self.clock.now - self.pressed[seat] if seat in self.pressed else None


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pairing(clock: Clock) -> Pairing:
    return Pairing(clock=clock, wall=clock)


@pytest.fixture
def buttons(clock: Clock) -> Buttons:
    return Buttons(clock)


@pytest.fixture
def by_button(buttons: Buttons, clock: Clock) -> Pairing:
    """Where a button pairs a phone."""
    return Pairing(buttons, clock=clock, wall=clock)


def enter(pairing: Pairing, token: str, seat: int | None = None, address: str = HERE) -> Phone:
    assert pairing.code is not None
    return pairing.by_code(address, token, pairing.code, seat)


def wrong(pairing: Pairing) -> str:
    assert pairing.code is not None
    return f"{(int(pairing.code) + 1) % 10**6:06}"


def guess(pairing: Pairing, address: str = HERE) -> None:
    with pytest.raises(NotAllowed, match="not the code"):
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
    with pytest.raises(NotAllowed, match="type the code"):
        pairing.by_button(HERE, CY, 3)


def test_three_wrong_codes_a_minute_are_all(pairing: Pairing, clock: Clock) -> None:
    """Then not even the right one helps, from this address; a minute after the first it does."""
    for _ in range(3):
        guess(pairing)
        clock.now += 1
    with pytest.raises(RateLimited) as refused:
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
    with pytest.raises(RateLimited) as refused:
        enter(pairing, ADA)
    assert refused.value.again_in_s == 3600 - 610 + 1
    clock.now += refused.value.again_in_s
    guess(pairing)


def test_many_addresses_together_guess_no_more_than_so_often(pairing: Pairing, clock: Clock) -> None:
    """One device may have as many as it likes, in as many networks. Who comes then waits for half a minute and not
    for an hour; and however long it goes on, there is one guess in each such part of an hour."""
    for number in range(IN_ALL):
        guess(pairing, f"fd00:0:0:{number:x}::1")
    with pytest.raises(RateLimited) as refused:
        enter(pairing, ADA, address=THERE)
    assert HOUR_S // IN_ALL + 1 == refused.value.again_in_s
    clock.now += refused.value.again_in_s
    guess(pairing, "fd00:0:0:ffff::1")
    with pytest.raises(RateLimited):
        guess(pairing, "fd00:0:0:fffe::1")
    clock.now += HOUR_S / IN_ALL
    assert enter(pairing, ADA, address=THERE).host


def test_only_so_many_addresses_are_remembered(clock: Clock) -> None:
    """Whoever fills the memory with others still stands in the sum of all."""
    failed = PairingAttempts(clock)
    for number in range(KEPT + 5):
        failed.note_failure(f"address {number}")
    assert KEPT == len(failed)


def test_what_is_no_code_is_a_wrong_one(pairing: Pairing) -> None:
    """Whatever characters it has."""
    for code in ("", "ü" * 6):
        with pytest.raises(NotAllowed):
            pairing.by_code(HERE, ADA, code, None)
    with pytest.raises(NotAllowed):
        pairing.by_code(HERE, ADA, "\ud800", None)


def test_the_button_pairs_whoever_asked_for_it(by_button: Pairing, buttons: Buttons, clock: Clock) -> None:
    """It waits, and the phone that asks again after the press is that seat's. A code is nothing there."""
    assert by_button.code is None
    with pytest.raises(NotAllowed, match="button"):
        by_button.by_code(HERE, ADA, "123456", 2)
    assert [None, None] == [by_button.by_button(HERE, ADA, 2) for _ in range(2)]
    clock.now += 3
    buttons.press(2)
    clock.now += 0.4
    assert Phone(2, host=True) == by_button.by_button(HERE, ADA, 2)
    assert Phone(2, host=True) == by_button.phone(ADA)


def test_another_seats_press_pairs_nobody(by_button: Pairing, buttons: Buttons) -> None:
    """Nor does one from before the phone has asked: that was meant for the game."""
    buttons.press(2)
    buttons.clock.now += 0.5
    assert by_button.by_button(HERE, ADA, 2) is None
    buttons.clock.now += 0.5
    for seat in (0, 1, 3):
        buttons.press(seat)
    assert by_button.by_button(HERE, ADA, 2) is None
    assert by_button.phone(ADA) is None


def test_at_a_place_without_a_button_sits_who_has_pressed_another(buttons: Buttons, clock: Clock) -> None:
    """Nobody who has proved nothing."""
    pairing = Pairing(buttons, wired=6, clock=clock, wall=clock)
    with pytest.raises(NotAllowed, match="That seat has no button; press another seat's"):
        pairing.by_button(HERE, ADA, 8)
    assert pairing.by_button(HERE, ADA, 5) is None
    clock.now += 1
    buttons.press(5)
    assert Phone(5, host=True) == pairing.by_button(HERE, ADA, 5)
    assert Phone(8, host=True) == pairing.by_button(HERE, ADA, 8)


def test_two_phones_can_not_wait_for_one_seat(by_button: Pairing, buttons: Buttons, clock: Clock) -> None:
    """Nobody could say whose press it was. The second is told so, and is not paired by the first one's."""
    assert by_button.by_button(HERE, ADA, 2) is None
    with pytest.raises(NotAllowed, match="Another phone"):
        by_button.by_button(THERE, BEN, 2)
    assert by_button.by_button(THERE, BEN, 1) is None
    clock.now += 1
    buttons.press(2)
    assert by_button.by_button(HERE, ADA, 2) == Phone(2, host=True)
    assert by_button.by_button(THERE, BEN, 2) is None
    assert by_button.by_button(THERE, BEN, 2) is None
    clock.now += 1
    buttons.press(2)
    assert by_button.by_button(THERE, BEN, 2) == Phone(2, host=False)


def test_after_ten_seconds_it_is_off_again(by_button: Pairing, buttons: Buttons, clock: Clock) -> None:
    """A press in the last instant counts, also if the phone asks a moment later; one after it does not."""
    assert by_button.by_button(HERE, ADA, 2) is None
    clock.now += PRESS_WITHIN_S
    buttons.press(2)
    clock.now += 0.4
    assert by_button.by_button(HERE, ADA, 2) == Phone(2, host=True)
    assert by_button.by_button(HERE, BEN, 2) is None
    clock.now += PRESS_WITHIN_S + 0.1
    buttons.press(2)
    with pytest.raises(NotAllowed, match="Nobody pressed"):
        by_button.by_button(HERE, BEN, 2)
    assert by_button.phone(BEN) is None
    assert by_button.by_button(HERE, BEN, 2) is None


def test_a_button_that_nobody_presses_is_a_failed_try(by_button: Pairing, buttons: Buttons, clock: Clock) -> None:
    """Like a wrong code; from another address one may ask all the same."""
    for _ in range(A_MINUTE):
        assert by_button.by_button(HERE, ADA, 2) is None
        clock.now += PRESS_WITHIN_S + 1
        with pytest.raises(NotAllowed, match="Nobody pressed"):
            by_button.by_button(HERE, ADA, 2)
    with pytest.raises(RateLimited):
        by_button.by_button(HERE, ADA, 2)
    assert by_button.by_button(THERE, BEN, 2) is None
    clock.now += 1
    buttons.press(2)
    assert by_button.by_button(THERE, BEN, 2) == Phone(2, host=True)


def test_a_stranger_can_not_hold_a_seat_for_ever(by_button: Pairing, clock: Clock) -> None:
    """Asking and never coming back is a failed try too."""
    for number in range(A_MINUTE):
        assert by_button.by_button(HERE, f"stranger {number}", 2) is None
        clock.now += PRESS_WITHIN_S + 0.1
    with pytest.raises(RateLimited):
        by_button.by_button(HERE, "stranger again", 2)
    assert by_button.by_button(THERE, BEN, 2) is None


def test_nobody_waits_for_every_button_at_once(by_button: Pairing) -> None:
    """Whoever did would be paired by the next slap of anybody."""
    assert [None] * A_MINUTE == [by_button.by_button(HERE, f"stranger {seat}", seat) for seat in range(A_MINUTE)]
    with pytest.raises(RateLimited):
        by_button.by_button(HERE, "stranger", 5)
    assert by_button.by_button(THERE, BEN, 5) is None


def test_a_phone_waits_for_one_button(by_button: Pairing, buttons: Buttons) -> None:
    """Whoever has touched the wrong seat touches another; the first is free again."""
    for seat in range(6):
        assert by_button.by_button(HERE, ADA, seat) is None
    assert by_button.by_button(THERE, BEN, 0) is None
    buttons.clock.now += 1
    buttons.press(5)
    assert by_button.by_button(HERE, ADA, 5) == Phone(5, host=True)


def test_who_comes_back_late_begins_anew(by_button: Pairing, clock: Clock) -> None:
    """It slept in somebody's pocket; nothing is held against it but the try."""
    assert by_button.by_button(HERE, ADA, 2) is None
    clock.now += PRESS_WITHIN_S + COMES_BACK_S + 1
    assert by_button.by_button(HERE, ADA, 2) is None


def test_buttons_that_nobody_can_press_leave_the_code(clock: Clock) -> None:
    """As in the demo, where drawn people press all the time: they pair nobody."""
    buttons = Buttons(clock, exists=False)
    pairing = Pairing(buttons, clock=clock, wall=clock)
    assert pairing.code is not None
    with pytest.raises(NotAllowed, match="type the code"):
        pairing.by_button(HERE, ADA, 2)
    buttons.press(2)
    with pytest.raises(NotAllowed, match="type the code"):
        pairing.by_button(HERE, ADA, 2)


def test_a_phone_is_paired_by_its_button_over_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """202 and a cookie to be known again by, until that seat presses; then 200. Nobody pressed: 403."""
    tally = ButtonStats(time.monotonic_ns)
    with aboard(tmp_path, buttons=tally) as ship:
        ada, ben = ship.client(), ship.client()

        def ask(seat: int) -> int:
            return ada.post("/api/pair", json={"seat": seat}).status_code

        asked = ada.post("/api/pair", json={"seat": 2})
        assert (202, False) == (asked.status_code, asked.get_json()["paired"])
        assert {"HttpOnly", "SameSite=Strict"} <= set(asked.headers["Set-Cookie"].split("; "))
        tally.note(1, Press(1, time.monotonic_ns()))
        assert 202 == ask(2)
        assert 403 == ben.post("/api/pair", json={"seat": 2}).status_code
        tally.note(2, Press(2, time.monotonic_ns()))
        paired = ada.post("/api/pair", json={"seat": 2})
        assert (200, {"paired": True, "seat": 2, "host": True, "by": "button"}) == (
            paired.status_code,
            paired.json,
        )
        monkeypatch.setattr(pairings, "PRESS_WITHIN_S", 0.0)
        assert 202 == ben.post("/api/pair", json={"seat": 0}).status_code
        assert 403 == ben.post("/api/pair", json={"seat": 0}).status_code


def test_nobody_in_the_house_is_locked_out_by_a_neighbour(pairing: Pairing, clock: Clock) -> None:
    """All its phones share the beginning of their IPv6 addresses; each has its own tries, as those with IPv4."""
    for _ in range(A_MINUTE):
        guess(pairing, "2001:db8::1")
        guess(pairing, HERE)
    for address in ("2001:db8::1", HERE):
        with pytest.raises(RateLimited):
            enter(pairing, ADA, address=address)
    assert enter(pairing, ADA, address="2001:db8::2").host
    assert not enter(pairing, BEN, address=THERE).host
    clock.now += 61
    assert not enter(pairing, CY, address="2001:db8::1").host


def test_an_ipv6_device_guesses_no_more_for_all_its_addresses(pairing: Pairing, clock: Clock) -> None:
    """It may take another of its 2^64 for each guess: then its network has its pace, and no other."""
    for number in range(OF_A_NETWORK):
        guess(pairing, f"2001:db8::{number + 1:x}")
    with pytest.raises(RateLimited) as refused:
        enter(pairing, ADA, address="2001:db8::ffff:1")
    assert HOUR_S // OF_A_NETWORK + 1 == refused.value.again_in_s
    assert enter(pairing, ADA, address="2001:db8:0:1::1").host
    assert not enter(pairing, BEN, address=HERE).host
    clock.now += refused.value.again_in_s
    enter(pairing, CY, address="2001:db8::ffff:1")


def test_what_is_no_address_counts_as_it_is_written() -> None:
    """Some servers say nothing of who asks; all of these are one."""
    failed = PairingAttempts(Clock())
    for _ in range(A_MINUTE):
        failed.note_failure("")
    with pytest.raises(RateLimited):
        failed.check("")


def test_the_host_passes_it_on(pairing: Pairing) -> None:
    """To a phone that is there; nobody else can."""
    enter(pairing, ADA, 0)
    enter(pairing, BEN, 1)
    with pytest.raises(NotAllowed, match="Only the host"):
        pairing.pass_host(BEN, 1)
    with pytest.raises(NotAllowed, match="Only the host"):
        pairing.pass_host(CY, 1)
    with pytest.raises(InvalidEvent, match="seat 5"):
        pairing.pass_host(ADA, 4)
    pairing.pass_host(ADA, 1)
    assert [Phone(0, host=False), Phone(1, host=True)] == [pairing.phone(ADA), pairing.phone(BEN)]
    assert 1 == pairing.host()


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


def test_every_seat_that_can_be_said_can_be_kept(tmp_path: Path) -> None:
    """One that could not would cost all the others theirs."""
    with aboard(tmp_path) as ship:
        phone = ship.paired(0)
        said = [phone.post("/api/pair", json={"seat": seat}).status_code for seat in range(MOST_PLACES + 1)]
        assert [*[200] * MOST_PLACES, 422] == said
    with aboard(tmp_path) as ship:
        assert ship.services.pairing.has_host


def test_a_restart_parts_nobody_from_the_table(tmp_path: Path, clock: Clock) -> None:
    """Seats and host are as they were; what the phones carry stands in no file."""
    file = tmp_path / "phones.json"
    pairing = Pairing(kept=file, clock=clock, wall=clock)
    enter(pairing, ADA, 0)
    enter(pairing, BEN, 1)
    pairing.pass_host(ADA, 1)
    pairing = Pairing(kept=file, clock=clock, wall=clock)
    assert [Phone(0, host=False), Phone(1, host=True)] == [pairing.phone(ADA), pairing.phone(BEN)]
    assert ADA not in file.read_text()
    assert 0o600 == file.stat().st_mode & 0o777


KEPT_PHONE = '{"boot":"b","uptime":5,"wall":5,"host":%s,"phones":{"a":{"seat":%s,"since":%s}}}'


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{}",
        b"1",
        b"\0" * 4096,
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"seats":{"a":1},"since":{"a":5},"host":"a"}',
        b'{"boot":"b","uptime":5,"wall":5,"phones":[]}',
        b'{"boot":"b","uptime":5,"wall":5,"phones":{"a":1}}',
        b'{"boot":"b","uptime":1e999,"wall":5,"phones":{}}',
        *((KEPT_PHONE % each).encode() for each in (("[]", "-1", "5"), ("1", '"x"', "5"), ("{}", "1", "-1e999"))),
        (KEPT_PHONE % ('"a"', "1", "5"))[:-9].encode(),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_a_damaged_file_pairs_nobody(tmp_path: Path, text: bytes) -> None:
    """Each can pair anew; the evening begins all the same."""
    file = tmp_path / "phones.json"
    file.write_bytes(text)
    pairing = Pairing(kept=file)
    assert (None, False) == (pairing.phone(ADA), pairing.has_host)
    assert enter(pairing, ADA).host
    assert 1 == len(json.loads(file.read_text())["phones"])


def test_what_is_no_file_pairs_nobody(tmp_path: Path) -> None:
    """A folder, or a pipe that nobody fills: the evening begins all the same."""
    assert enter(Pairing(kept=tmp_path), ADA).host
    pipe = tmp_path / "phones.json"
    os.mkfifo(pipe)
    assert not Pairing(kept=pipe).has_host


def test_a_kept_host_must_be_a_phone_that_is_kept(tmp_path: Path, clock: Clock) -> None:
    """Whatever else stands there is no host; the phones are paired all the same."""
    file = tmp_path / "phones.json"
    for host in ("[]", '"somebody"', "null", "1"):
        file.write_text((KEPT_PHONE % (host, "1", "5")).replace('"a"', f'"{digest(ADA)}"'))
        pairing = Pairing(kept=file, clock=clock, wall=clock, boot="b")
        assert Phone(1, host=False) == pairing.phone(ADA)


@pytest.mark.parametrize("jump", [-40 * DAY, -13 * 3600, 13 * 3600, 20_000 * DAY])
def test_a_wall_clock_that_is_set_forgets_nobody(tmp_path: Path, clock: Clock, jump: float) -> None:
    """A Pi without a battery boots with an old time, and the network sets it in the middle of the evening: neither
    then nor after a restart of the program does anybody pair anew. Nor after a power cut: what is kept has been
    written with the time that is right."""
    file, wall = tmp_path / "phones.json", Clock()
    pairing = Pairing(kept=file, clock=clock, wall=wall, boot="first")
    enter(pairing, ADA, 0)
    wall.now += jump
    for seconds in (20, 3600):
        clock.now += seconds
        wall.now += seconds
        assert Phone(0, host=True) == pairing.phone(ADA)
    assert Phone(0, host=True) == Pairing(kept=file, clock=clock, wall=wall, boot="first").phone(ADA)
    up = Clock()
    up.now, wall.now = 10.0, wall.now + 60
    assert Phone(0, host=True) == Pairing(kept=file, clock=up, wall=wall, boot="second").phone(ADA)


def test_a_night_with_the_power_off_ends_an_evening(tmp_path: Path, clock: Clock) -> None:
    """As far as the wall clock knows of it. One that has stood still meanwhile leaves yesterday's phones paired,
    and yet the first of today is host."""
    file, wall = tmp_path / "phones.json", Clock()
    enter(Pairing(kept=file, clock=clock, wall=wall, boot="first"), ADA, 0)
    clock.now = 20.0
    asleep = Pairing(kept=file, clock=clock, wall=wall, boot="second")
    assert Phone(1, host=True) == enter(asleep, BEN, 1)
    assert Phone(0, host=False) == asleep.phone(ADA)
    wall.now += 14 * 3600
    assert Pairing(kept=file, clock=clock, wall=wall, boot="third").phone(ADA) is None


def test_an_evening_is_counted_over_restarts(tmp_path: Path, clock: Clock) -> None:
    """Twelve hours after they were paired they are strangers, however often the program began meanwhile."""
    file = tmp_path / "phones.json"
    enter(Pairing(kept=file, clock=clock, wall=clock, boot="b"), ADA, 0)
    for hours in (5, 6):
        clock.now += hours * 3600
        assert Pairing(kept=file, clock=clock, wall=clock, boot="b").phone(ADA) is not None
    clock.now += 3601
    assert Pairing(kept=file, clock=clock, wall=clock, boot="b").phone(ADA) is None


def test_whoever_can_not_be_kept_is_paired_all_the_same(tmp_path: Path, clock: Clock) -> None:
    """The disk is gone: that is said once, and it is written as soon as the disk is back, by whoever asks next."""
    board, folder = Troubles(), tmp_path / "disk"
    pairing = Pairing(kept=folder / "phones.json", clock=clock, wall=clock, troubles=board)
    assert enter(pairing, ADA, 0).host
    assert not enter(pairing, BEN, 1).host
    [trouble] = board.current()
    assert ("phones", True) == (trouble.key, "is gone: put it back" in trouble.sentence)
    folder.mkdir()
    clock.now += AGAIN_S - 1
    pairing.phone(BEN)
    assert not (folder / "phones.json").exists()
    clock.now += 1
    # A page that is only open never waits for a disk.
    pairing.hear(BEN)
    assert not (folder / "phones.json").exists()
    pairing.phone(BEN)
    assert () == board.current()
    kept = Pairing(kept=folder / "phones.json", clock=clock, wall=clock)
    assert [Phone(0, host=True), Phone(1, host=False)] == [kept.phone(ADA), kept.phone(BEN)]


def test_on_a_full_disk_a_phone_is_told_that_it_is_paired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 200 and a cookie that holds."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("companion.web.phones_file.write_whole", full)
    with aboard(tmp_path) as ship:
        phone = ship.paired(1)
        assert {"paired": True, "seat": 1, "host": True, "by": "code"} == phone.get("/api/pair").get_json()


def test_only_the_server_chooses_what_a_phone_carries(tmp_path: Path) -> None:
    """Whatever a stranger brings along, be it as long as ours: for the button too it is given another, and by that
    it is known when it asks again."""
    tally = ButtonStats(time.monotonic_ns)
    with aboard(tmp_path, buttons=tally) as ship:
        stranger = ship.client()
        own = "x" * 43
        stranger.set_cookie(PHONE_COOKIE, own)
        assert 202 == stranger.post("/api/pair", json={"seat": 2}).status_code
        given = stranger.get_cookie(PHONE_COOKIE)
        assert given is not None
        assert own != given.value
        tally.note(2, Press(2, time.monotonic_ns()))
        assert 200 == stranger.post("/api/pair", json={"seat": 2}).status_code
        kept = stranger.get_cookie(PHONE_COOKIE)
        assert kept is not None
        assert given.value == kept.value
        assert ship.services.pairing.phone(own) is None


def test_whose_button_is_unplugged_pairs_by_the_code(buttons: Buttons, by_button: Pairing) -> None:
    """And by the button again when it is back."""
    assert by_button.code is None
    buttons.exists = False
    assert enter(by_button, ADA, 1).place == 1
    code = by_button.code
    assert code is not None
    buttons.exists = True
    with pytest.raises(NotAllowed, match="a seat's button"):
        by_button.by_code(HERE, BEN, code, None)
