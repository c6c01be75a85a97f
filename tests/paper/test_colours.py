"""The four colours stay four: for all eyes, in all lamps, and without any colour at all."""

from itertools import combinations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.cards import BOATS, COLOURS
from companion.games.goat.printed.printed_card import BACK, CARD
from companion.games.goat.printed.printed_deck import back_picture, card_picture
from companion.games.goat.printed.suit_art import SUITS
from companion.paper.raster import Picture
from companion.paper.shapes import Rgb

Numbers = NDArray[np.float64]

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009:
# the complete forms, for linear RGB.
EYES = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Each lamp's share of linear red, green and blue, and the least that may lie between two grounds in CIELAB. Ten is
# what people call a different colour; a camera that cannot adapt sees the candle's row.
LAMPS = [((1.0, 1.0, 1.0), 30.0), ((1.0, 0.55, 0.15), 19.0), ((1.0, 0.45, 0.04), 9.0)]
PAIRS = list(combinations(COLOURS, 2))
# From sRGB's definition, D65.
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear(colour: Rgb) -> Numbers:
    share = np.array(colour) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def lab(light: Numbers) -> Numbers:
    share = TO_XYZ @ np.clip(light, 0, 1) / TO_XYZ.sum(axis=1)
    x, y, z = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in map(float, share))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize(("lamp", "least"), LAMPS, ids=["daylight", "warm lamp", "candle"])
def test_grounds_are_far_apart(eyes: str, lamp: tuple[float, ...], least: float) -> None:
    """Each pair, as simulated for the colour-blind and under lamps with hardly any blue."""
    seen = {colour: lab(np.array(EYES[eyes]) @ (linear(SUITS[colour].ground) * lamp)) for colour in COLOURS}

    near = {pair: float(np.linalg.norm(seen[pair[0]] - seen[pair[1]])) for pair in PAIRS}

    assert {} == {pair: distance for pair, distance in near.items() if distance < least}


def test_grounds_differ_in_lightness_alone() -> None:
    """A photograph without colours still has four different grounds, and none of them is the back's."""
    lightness = sorted(float(lab(linear(suit.ground))[0]) for suit in SUITS.values())

    assert min(np.diff(lightness)) > 15
    assert min(np.linalg.norm(lab(linear(BACK)) - lab(linear(suit.ground))) for suit in SUITS.values()) > 45


def grey(seen: Picture) -> Numbers:
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.float64)


def likeness(one: Numbers, other: Numbers) -> float:
    """1 for the same drawing, whatever its brightness and contrast."""
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def small(boat: str, colour: str) -> Numbers:
    return grey(card_picture(boat, colour, 60 / CARD.width))


def drawn_lines(seen: Numbers) -> Numbers:
    """Without the ground, whose lightness differs from colour to colour."""
    return seen - np.asarray(cv2.GaussianBlur(seen, (0, 0), 2), np.float64)


def test_signs_are_told_apart_without_colour() -> None:
    """In a grey picture of 60 pixels a card, a sign is like itself on another boat and unlike the other signs."""
    signs = {(boat, colour): small(boat, colour)[7:18, 7:18] for boat in BOATS for colour in COLOURS}
    for one, other in combinations(signs, 2):
        alike = likeness(signs[one], signs[other])
        assert alike > 0.95 if one[1] == other[1] else alike < 0.7


def test_boats_are_told_apart_without_colour() -> None:
    """In a grey picture of 60 pixels a card, a boat is like itself in other colours, unlike other boats."""
    boats = {(boat, colour): drawn_lines(small(boat, colour))[20:] for boat in BOATS for colour in COLOURS}
    for one, other in combinations(boats, 2):
        alike = likeness(boats[one], boats[other])
        assert alike > 0.6 if one[0] == other[0] else alike < 0.45


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("boat", BOATS)
def test_a_card_shows_which_way_up_it_lies(boat: str, colour: str) -> None:
    """Upside down it is another picture, even in grey."""
    seen = small(boat, colour)

    assert likeness(seen[5:-5, 5:-5], seen[5:-5, 5:-5][::-1, ::-1]) < 0.5


def test_the_back_does_not_show_which_way_up_it_lies() -> None:
    """Nobody knows a card by its back."""
    seen = back_picture(4)

    assert np.abs(seen.astype(int) - seen[::-1, ::-1]).max() < 80
    assert np.abs(seen.astype(int) - seen[::-1, ::-1]).mean() < 1
