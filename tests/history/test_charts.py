"""The drawings as text: well-formed, with what they show in words, and nothing that could run."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.history.charts.chart_scale import Scale, log_ticks
from companion.history.charts.deck_chart import Course, draw_decks
from companion.history.charts.lane_chart import Band, Lane, MarkerLine, Needle, TimeView, draw_lanes
from companion.history.charts.seat_chart import Difference, draw_differences
from companion.history.charts.spread_chart import NamedSpread, draw_spreads
from companion.history.spread import measure_spread
from companion.history.svg import Caption

from .past import XML

CAPTION = Caption("it", "A title", "What it shows.")
NASTY = "<script>alert('&')</script>\x00\ud800"


def drawn(name: str = "Ada") -> dict[str, str]:
    found = measure_spread([300_000, 500_000, 700_000])
    assert found is not None
    view = TimeView(0, 1000, lambda value: f"{value:.0f} us")
    lane = Lane(
        0,
        name,
        "412.345 ms",
        (
            Needle(412.345, "safe"),
            Needle(500, "same_slap", is_minor=True),
            Needle(900, "no_set", is_wrong=True),
        ),
        head="a-head",
    )
    return {
        "lanes": draw_lanes(
            CAPTION, view, [lane], lines=[MarkerLine(10, name, "set")], bands=[Band(400, 420, "resolution")]
        ),
        "spreads": draw_spreads(CAPTION, [NamedSpread(name, "500 ms", found)], lambda us: f"{us / 1e6:g} s"),
        "decks": draw_decks(
            CAPTION,
            [Course(0, name, ((0, 30), (5, 29))), Course(1, name, ((0, 30),))],
            10,
            marks=[5],
            written=lambda s: f"{s:.0f} s",
        ),
        "seats": draw_differences(
            CAPTION,
            [Difference(name, "+5 %", 0.01, 0.05, 0.09), Difference(name, "not known")],
            written=lambda share: f"{share:+.0%}",
            ends=("faster", "slower"),
        ),
    }


@pytest.mark.parametrize("kind", ["lanes", "spreads", "decks", "seats"])
def test_a_drawing_says_what_it_is_to_whoever_can_not_see_it(kind: str) -> None:
    """It is one picture with a title and a description, both named as its label."""
    root = ET.fromstring(drawn()[kind])  # noqa: S314 - our own

    assert "img" == root.get("role")
    assert "A title" == root.findtext(f"{XML}title")
    assert "What it shows." == root.findtext(f"{XML}desc")
    assert "it-title it-desc" == root.get("aria-labelledby")
    assert {"it-title", "it-desc"} <= {element.get("id") for element in root.iter()}


@pytest.mark.parametrize("kind", ["lanes", "spreads", "decks", "seats"])
def test_a_name_is_a_name(kind: str) -> None:
    """Whatever people are called, the drawing stays well-formed and nothing in it is a script."""
    root = ET.fromstring(drawn(NASTY)[kind])  # noqa: S314 - our own

    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert not [key for element in root.iter() for key in element.attrib if key.startswith("on") or key == "style"]
    assert any("<script>" in (element.text or "") for element in root.iter(f"{XML}text"))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("Bernadette", "Bernadette"),
        ("Konstantin", "Konstantin"),
        ("iiiiiiiiiiiiiiii", "iiiiiiiiiiiiiiii"),
        ("Anna Maria Theresia", "Anna Mar…"),
        ("Ada          and others", "Ada…"),
        ("WWWWWWWWWW", "WWWWW…"),
        ("ÄÖÜÄÖÜÄÖÜÄÖÜ", "ÄÖÜÄÖÜÄ…"),
        ("e\u0301" * 9, "e\u0301" * 9),
        ("山羊山羊山羊山羊", "山羊山羊山…"),
    ],
)
def test_a_name_takes_no_more_than_its_room(name: str, shown: str) -> None:
    """By what its letters are wide, not by how many there are; a name that is not whole is told whole to whoever
    rests on it."""
    root = ET.fromstring(drawn(name)["decks"])  # noqa: S314 - our own
    names = [element.text for element in root.iter(f"{XML}text") if element.get("class") == "name"]
    whole = [element.text for element in root.iterfind(f".//{XML}svg/{XML}title")]

    assert [shown] * 2 == names
    assert ([] if shown == name else [name] * 2) == whole


@given(st.text())
def test_no_text_breaks_a_drawing(name: str) -> None:
    """Not even one that is no text."""
    for drawing in drawn(name).values():
        ET.fromstring(drawing)  # noqa: S314 - our own


def test_the_values_are_in_the_drawing() -> None:
    """The press stands where its time is, and the value is written beside it."""
    root = ET.fromstring(drawn()["lanes"])  # noqa: S314 - our own
    texts = [element.text for element in root.iter(f"{XML}text")]
    [safe] = [element for element in root.iter(f"{XML}svg") if "safe" in element.get("class", "")]

    assert "412.345 ms" in texts
    assert safe.get("x") == f"{(0.03 + 0.412345 * 0.94) * 100:.2f}".rstrip("0") + "%"


def test_the_resolution_is_drawn_to_scale() -> None:
    """20 of 1000 units are two hundredths of the line."""
    root = ET.fromstring(drawn()["lanes"])  # noqa: S314 - our own
    [band] = [element for element in root.iter(f"{XML}rect") if "resolution" in element.get("class", "")]

    assert "1.88%" == band.get("width")


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9))
def test_ticks_are_few_and_inside(low: float, width: float) -> None:
    """At most one more than asked for, each within the scale."""
    scale = Scale(low, low + width)
    ticks = list(scale.ticks(5))

    assert len(ticks) <= 6
    assert all(scale.low - width * 1e-6 <= tick <= scale.high + width * 1e-6 for tick in ticks)


def test_logarithmic_ticks_are_one_two_five() -> None:
    """As people count."""
    assert [200, 500, 1000, 2000] == log_ticks(150, 3000)
