"""rig.toml: read whole, and every mistake named with its line."""

from pathlib import Path

import pytest

from companion.app.address import Address
from companion.app.config import KEYS, USUAL, RigPlan, SeatPlan, parsed_config, read_config
from companion.core.languages import LANGUAGES
from companion.errors import BadConfig

WHOLE = """\
language = "de"
address = "192.168.1.7:8081"
camera = "usb:0"
buttons = "gpio"
deck = "goats"
corners = [
    [10, 20], [500, 22.5],
    [510, 470],
    [12, 460],
]

[[seats]]
grab = 17
call = 27
lamp = "GPIO22"

[[seats]]
grab = "GPIO5"
"""


def test_a_whole_rig() -> None:
    """Everything that can be said."""
    plan = RigPlan(
        seats=(SeatPlan(17, 27, 22), SeatPlan(5)),
        camera="usb:0",
        corners=((10, 20), (500, 22.5), (510, 470), (12, 460)),
        language="de",
        address=Address("192.168.1.7", 8081),
    )
    assert plan == parsed_config(WHOLE)


def test_an_empty_file_is_the_usual_rig() -> None:
    """Six seats, wired as the drawing shows, a Pi's camera and the mat."""
    plan = parsed_config("")
    assert RigPlan(USUAL) == plan
    assert 6 == len(USUAL)
    pins = [pin for seat in USUAL for pin in (seat.grab, seat.call, seat.lamp)]
    assert len(pins) == len(set(pins))


def test_other_buttons_have_other_keys() -> None:
    """And no lamps."""
    assert KEYS == tuple(seat.grab for seat in parsed_config('buttons = "keyboard"').seats)
    none = parsed_config('buttons = "none"').seats
    assert (1, 2, 3, 4, 5, 6) == tuple(seat.grab for seat in none)
    assert {None} == {seat.lamp for seat in none}


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (":8080", Address(None, 8080)),
        ("0.0.0.0", Address("0.0.0.0", None)),  # noqa: S104 - only read
        ("[::1]:80", Address("::1", 80)),
        ("[fe80::1]", Address("fe80::1", None)),
        ("::1", Address("::1", None)),
        ("[::ffff:127.0.0.1]:80", Address("::ffff:127.0.0.1", 80)),
        ("localhost:8080", Address("localhost", 8080)),
        ("rig2:8080", Address("rig2", 8080)),
        ("rig.local:81", Address("rig.local", 81)),
    ],
)
def test_addresses(said: str, meant: Address) -> None:
    """With or without a port."""
    assert meant == parsed_config(f'address = "{said}"').address


def test_keys_of_an_encoder_are_no_pins() -> None:
    """A key and a lamp's pin may have the same number."""
    plan = parsed_config(
        'buttons = "evdev:/dev/input/event3"\n[[seats]]\ngrab = 5\nlamp = 5\n[[seats]]\ngrab = "BTN_TOP"'
    )
    assert (SeatPlan(5, None, 5), SeatPlan("BTN_TOP")) == plan.seats


@pytest.mark.parametrize("others", ['buttons = "demo"\ncamera = "demo"', 'buttons = "none"'])
def test_where_nothing_is_wired_the_seats_may_stay_as_they_are(others: str) -> None:
    """Pins as pins, keys as keys."""
    plan = parsed_config(f'{others}\n[[seats]]\ngrab = "GPIO17"\nlamp = 22\n[[seats]]\ngrab = "KEY_A"')
    assert (SeatPlan(17, None, 22), SeatPlan("KEY_A")) == plan.seats


PORT_ONLY = '8080 is a port: write ":8080"'
TWO = "[[seats]]\ngrab = 17\n[[seats]]\n"


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("camera = = 1", 1, "Invalid value"),
        ('kamera = "pi"', 1, "did you mean 'camera'"),
        ('\nzebra = "pi"', 2, "known are seats, buttons"),
        ('camera = ""', 1, "camera: '' is no text"),
        ('camera = "usb:x"', 1, 'as in "usb:0"'),
        ('camera = "usb"', 1, 'as in "usb:0"'),
        ('camera = "pi:left"', 1, '"pi:1"'),
        ('\n\nbuttons = "pins"', 3, 'none of "gpio"'),
        ('language = "tlh"', 1, f"none of {', '.join(LANGUAGES)}"),
        ('address = "x:99999"', 1, "99999 is no port"),
        ('buttons = "demo"', 1, "belong together"),
        ('\ncamera = "demo"', 2, "belong together"),
        ("mat = false", 1, "corners are needed"),
        ("mat = true\ncorners = [[0,0],[1,0],[1,1],[0,1]]", 2, "not both"),
        ("corners = [[0,0],[1,0],[1,1]]", 1, "the corners must be four"),
        ("corners = [[0,0],[1,0],[1,1],[0,true]]", 1, "a corner must be two numbers"),
        ("seats = 3", 1, "2 to 9 seats"),
        ("[[seats]]\ngrab = 5", 1, "2 to 9 seats"),
        (f"{TWO}call = 5", 3, "seat 2: it has no grab"),
        (f"{TWO}grab = 17", 4, "17 is already seat 1's grab"),
        (f"{TWO}grab = 40", 4, "there is no GPIO40"),
        (f"{TWO}grab = 1", 4, "there is no GPIO1 to"),
        (f'{TWO}grab = "red"', 4, "'red' is no pin"),
        (f"{TWO}grab = true", 4, "True is no pin"),
        (f"{TWO}grab = 5\nlapm = 7", 5, "did you mean 'lamp'"),
        (f'buttons = "none"\n{TWO}grab = 99', 5, "there is no GPIO99"),
        (f'buttons = "none"\n{TWO}grab = 5\nlamp = 17', 6, "17 is already seat 1's grab"),
        (f'buttons = "demo"\ncamera = "demo"\n{TWO}grab = 99', 6, "there is no GPIO99"),
        (f'buttons = "demo"\ncamera = "demo"\n{TWO}grab = "gpio17"', 6, "17 is already seat 1's grab"),
        ('buttons = "demo"\ncamera = "demo"\ndeck = "ours"', 3, "shows the deck 'goats'"),
        ("chip = 'x'\nseats = [\n {grab = 17},\n {grab = 17},\n]", 3, "17 is already seat 1's grab"),
        ("seats = [\n {grab = 17}, # {\n {grab = 5, lapm = 3},\n]", 3, "did you mean 'lamp'"),
        ("seats = [\n {grab = 17},\n\n {lamp = 3}]", 1, "seat 2: it has no grab"),
        ("\nseats = [1, 2]", 2, "1 is no seat"),
        ("seats = [\n {grab = 17},\n [5]]", 1, "[5] is no seat"),
        ('deck = """\n[[seats]]\n"""\nzebra = 1', 4, "'zebra' is not known"),
        ("'kamera' = 1", 1, "did you mean 'camera'"),
        ('\n"la\\u006dp" . x = 1', 1, "'lamp' is not known"),
        ("[[seats]]\n[[zebra.x]]\na = 1", 2, "'zebra' is not known"),
        ("\n[zebra]\nseats = 1\n[zebra.y]", 2, "'zebra' is not known"),
        ("seats = 1979-05-27 07:32:00.5\nzebra = [{a = []}, 1.5]", 2, "'zebra' is not known"),
        ('address = "x..y"', 1, "'x..y' is no name of a machine"),
        ('address = "a b"', 1, "'a b' is no address of a machine"),
        ('address = "x:0"', 1, "0 is no port"),
        ('address = "::1]"', 1, "is no address"),
        ('address = "[::1"', 1, "is no address"),
        ('address = "[::1]8080"', 1, "is no address"),
        ('\naddress = "8080"', 2, PORT_ONLY),
        ("address = 8080", 1, PORT_ONLY),
        ('address = "\uff18\uff10\uff18\uff10"', 1, PORT_ONLY),
        ('address = "8080:"', 1, PORT_ONLY),
        ('address = "8080:80"', 1, "'8080' is no number of a machine"),
        ('address = "8080:0.0.0.0"', 1, 'the port stands behind the address, as in "0.0.0.0:8080"'),
        ('address = "8080:rig.local"', 1, 'the port stands behind the address, as in "rig.local:8080"'),
        ('address = "192.168.1"', 1, "'192.168.1' is no number of a machine; it has four parts"),
        ('address = "192.168.1.300:80"', 1, "'192.168.1.300' is no number of a machine"),
        ('address = "192.168.1.07"', 1, "'192.168.1.07' is no number of a machine"),
        ('address = "0x7f000001"', 1, "'0x7f000001' is no number of a machine"),
        ('address = "http://rig.local:81/"', 1, 'leave the rest away, as in "rig.local:81"'),
        ('address = "HTTPS://[::1]:81/rig?a#b"', 1, 'leave the rest away, as in "[::1]:81"'),
        ('address = "rig.local/tv"', 1, 'leave the rest away, as in "rig.local"'),
        ('address = "http://"', 1, "is no address"),
        ('address = ":0"', 1, "0 is no port; they go from 1 to 65535"),
        ('address = ":70000"', 1, "70000 is no port; they go from 1 to 65535"),
        ('address = ":"', 1, "is no address"),
        ("address = -1", 1, "-1 is no text"),
        ("address = true", 1, "True is no text"),
        (f'buttons = "keyboard"\n{TWO}grab = []', 5, "is no key"),
        (f'buttons = "keyboard"\n{TWO}grab = 17', 5, "17 is already seat 1's grab"),
        (f'buttons = "keyboard"\n{TWO}grab = "a"\ncall = "KEY_A"', 6, "KEY_A is already seat 2's grab"),
        ('camera = "usb:²"', 1, 'as in "usb:0"'),
        ("mat = 1", 1, "neither true nor false"),
        ("corners = [[0,0],[900,900],[900,0],[0,900]]", 1, "corners"),
        (f"corners = [[0,0],[900,0],[900,900],[0,1{'0' * 400}]]", 1, "a corner must be two numbers"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, line: int, word: str) -> None:
    """And with what to write instead."""
    with pytest.raises(BadConfig) as caught:
        parsed_config(text)
    assert word in str(caught.value)
    assert f"line {line}" in str(caught.value)
    assert str(caught.value).startswith("rig.toml")


@pytest.mark.parametrize("text", [f"seats = {'[' * 5000}{']' * 5000}", f"[[seats]]\ngrab = {'9' * 5000}"])
def test_what_is_far_too_much(text: str) -> None:
    """Is refused like anything else."""
    with pytest.raises(BadConfig, match=r"rig\.toml"):
        parsed_config(text)


@pytest.mark.parametrize(
    ("said", "meant"),
    [("/dev/video2", "usb:/dev/video2"), ("usb:/dev/v4l/by-id/x", "usb:/dev/v4l/by-id/x"), ("0", "usb:0")],
)
def test_a_usb_camera_may_be_named_by_its_device(said: str, meant: str) -> None:
    """And is looked through as any other."""
    assert meant == parsed_config(f'camera = "{said}"').camera


def test_corners_need_no_mat() -> None:
    """Whether that is said or not."""
    corners = "corners = [[10,20],[500,22],[510,470],[12,460]]"
    assert parsed_config(corners) == parsed_config(f"mat = false\n{corners}")


def test_a_file_of_windows(tmp_path: Path) -> None:
    """Begins with a mark that is no word."""
    (tmp_path / "rig.toml").write_text('language = "de"', "utf-8-sig")
    assert "de" == read_config(tmp_path / "rig.toml").language


def test_a_file_that_can_not_be_read(tmp_path: Path) -> None:
    """Is named."""
    with pytest.raises(BadConfig, match="No such file"):
        read_config(tmp_path / "rig.toml")
    (tmp_path / "rig.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadConfig, match="no text in UTF-8"):
        read_config(tmp_path / "rig.toml")
    (tmp_path / "rig.toml").write_text(WHOLE)
    assert "usb:0" == read_config(tmp_path / "rig.toml").camera
