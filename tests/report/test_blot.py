"""What is blotted out of a report, however it is written."""

import json
from urllib.parse import quote

import pytest

from companion.report.redact import Blotter, labels_of


@pytest.mark.parametrize(
    ("text", "blotted"),
    [
        ("Ada slaps", "Seat 1 slaps"),
        ("ADA, ada: Ada's", "Seat 1, Seat 1: Seat 1's"),
        ("file_Ada.png", "file_Seat 1.png"),
        ("Adapter, Canada", "Adapter, Canada"),
        ("Zoë and Zoe\u0308", "Seat 2 and Seat 2"),
        (json.dumps("Zoë O'Neil \\ Jr"), '"Person 3"'),
        (f"/seat?name={quote('Zoë')}", "/seat?name=Seat 2"),
        ("Jo Ann and Jo", "Person 4 and Person 5"),
        ("a journal of Jo", "a journal of Person 5"),
        ("A is not a", "Person 6 is not a"),
        ("🐐🐐🐐", "Person 7Person 7Person 7"),
        ("x <b> &lt;b&gt;", "x Person 8 Person 8"),
    ],
)
def test_a_name_is_found_however_it_is_written(text: str, blotted: str) -> None:
    """But not within another word."""
    others = ["ada", "Zoë O'Neil \\ Jr", "Jo Ann", "Jo", "A", "🐐", "<b>"]
    assert blotted == Blotter(labels_of(("Ada", "Zoë"), others)).text(text)


def test_of_names_that_begin_alike_the_right_one_is_found() -> None:
    """However many there are, and whatever stands in them."""
    names = [
        "An",
        "Ann",
        "Anna",
        "Anna B.",
        "Anna Bo",
        "An.",
        "A(",
        "A(b",
        "Ännchen",
        *(f"N{n}" for n in range(1000)),
    ]
    labels = labels_of((), names)
    blotter = Blotter(labels)
    for name in names:
        assert f"<{labels[name]}>" == blotter.text(f"<{name}>")
    assert "Annas N1000 Anni" == blotter.text("Annas N1000 Anni")
    assert f"{labels['Anna']} Bob {labels['An.']}" == blotter.text("ANNA Bob an.")


@pytest.mark.parametrize(
    ("text", "blotted"),
    [
        ("/home/ada/goats/rig.toml", "/home/…/goats/rig.toml"),
        ("'/Users/Ada Byron/x'", "'/Users/… Byron/x'"),
        (r"C:\Users\Ada\x", r"C:\Users\…\x"),
        ("pairing code: 123456", "pairing code: …"),
        ("mqtts://ada:pass@broker:8883", "mqtts://…@broker:8883"),
        (
            "page: http://192.168.1.7:8080/ and http://[fe80::1]/",
            "page: http://192.168.1.7:8080/ and http://[fe80::1]/",
        ),
        ("http://[2003:e4:bf00::7]:8080/ 93.184.215.14", "http://[…]:8080/ …"),
        ("12:30:45.123 cafe::beef:: 300.1.2.3", "12:30:45.123 cafe::beef:: 300.1.2.3"),
    ],
)
def test_what_says_where_somebody_lives_is_blotted_out(text: str, blotted: str) -> None:
    """So are codes and passwords. Addresses within a house are everybody's."""
    assert blotted == Blotter({}).text(text)


def test_of_a_setting_that_is_secret_only_the_name_stays() -> None:
    """However deep, and whatever its value is made of."""
    said = {
        "camera": "pi",
        "seats": [{"grab": "KEY_A", "lamp": 5}],
        "hall": {"broker": "mqtts://x", "password_file": "/etc/x", "user": "me", "auth": ["a"], "ca": "x.pem"},
    }
    gone = {"broker": "mqtts://x", "password_file": "…", "user": "…", "auth": "…", "ca": "…"}
    assert {**said, "hall": gone} == Blotter({}).value(said)
