"""What people are called, whatever they paste: it shows, stands in one line, and turns nothing round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.names import LONGEST, clean_name, shown_name, shown_names

FAMILY = "\N{WOMAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
PIRATE = "\N{WAVING BLACK FLAG}\u200d\N{SKULL AND CROSSBONES}\ufe0f"
SCOTLAND = "\N{WAVING BLACK FLAG}" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbsct") + "\U000e007f"


@pytest.mark.parametrize(
    "name",
    [
        *("Ada", "Großmutter Hilde", "Zoë", "O'Neill-Ní", "Nguyễn Thị", "李小龍", "<b>&amp;{seat}", "Ben 2"),
        *("שרה", "שָׂרָה", "محمد", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0915\u094d\u200d\u0937"),
        *(FAMILY, PIRATE, SCOTLAND, "\N{WAVING HAND SIGN}\U0001f3fd"),
    ],
)
def test_a_name_stays_as_it_is(name: str) -> None:
    """In whatever script, with pictures of several parts and with the marks that its language writes."""
    assert name == clean_name(name)


@pytest.mark.parametrize(
    ("pasted", "name"),
    [
        ("live \u202eevil", "live evil"),
        ("\u2066Ada\u2069\u200e\u200f\u061c", "Ada"),
        ("A\u200bd\u2060a\ufeff", "Ada"),
        ("Ada\x00\x07\x1b[31m", "Ada[31m"),
        ("  Ada\t\n Lovelace\u2028 ", "Ada Lovelace"),
        ("A\u200dd\u200ca\u200d", "Ada"),
        ("x\U000e0067\U000e007f", "x"),
        ("A" + "\u0301" * 30 + "da", "Á" + "\u0301" * 4 + "da"),
        ("\u0301\u0302Ada", "Ada"),
        ("So\xadphie", "Sophie"),
        ("\ue000Ada\ud800", "Ada"),
        ("A" * 500, "A" * LONGEST),
        ("A" * (LONGEST - 1) + " B", "A" * (LONGEST - 1)),
    ],
)
def test_what_does_not_show_is_left_out(pasted: str, name: str) -> None:
    """Controls, marks that turn a sentence round, towers of accents; blanks are one, and too long is cut."""
    assert name == clean_name(pasted)


@pytest.mark.parametrize(
    "name", ["", "   ", "\u200b\u200b", "\u3164", "\u2800", "\u202e", "\u0301", "\u200d", "\xa0"]
)
def test_nothing_is_no_name(name: str) -> None:
    """And where an old recording has one, somebody is seen to sit there."""
    assert "" == clean_name(name)
    assert "?" == shown_name(name)


def test_a_name_from_right_to_left_turns_only_itself_round() -> None:
    """It is isolated from the sentence around it; others are what they are."""
    assert ("Ada", "\u2068שרה\u2069", "live evil") == shown_names(["Ada", "שרה", "live \u202eevil"])


@given(st.text())
def test_whatever_is_pasted_is_fit_to_be_shown(text: str) -> None:
    """It is in one line, no longer than a name, and clean once it has been cleaned."""
    name = clean_name(text)
    assert name == clean_name(name)
    assert len(name) <= LONGEST
    assert name == " ".join(name.split())
