"""From pictures of labelled cells to a taught deck.

The edges of a white card on white paper can't be found; so the cards are first laid over each other, by what is
printed on all of them, and then the rectangle is searched once, in the mean of all. Centres are right to 0.3 mm
so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.cards import Card
from companion.core.mat import CELLS
from companion.eyes.deck.taught_deck import TAUGHT_MM, TaughtCard, TaughtDeck
from companion.eyes.grid.flat_picture import LEFT_MM, TOP_MM, root_of, warp_flat
from companion.eyes.grid.grid_from_mat import Found, Grid
from companion.eyes.image.arrays import Floats, floats, quantile
from companion.eyes.image.cut_window import cut_window
from companion.eyes.light.gloss_removal import without_gloss

# All figures here were chosen by hand; no command measures them.
# In pixels (of 1 mm) across and down: wide enough for any card that lies in its cell and what surrounds it.
WINDOW: Final = (96, 112)
# From coarse to fine: up to how many pixels away, and at which turns, each card is searched around where it was.
FINELY: Final = (-1.0, -0.4, 0.0, 0.4, 1.0)
ROUNDS: Final = (
    (12, (0.0,)),
    (12, (-12.0, -8.0, -4.0, 0.0, 4.0, 8.0, 12.0)),
    (6, (-3.0, -1.5, 0.0, 1.5, 3.0)),
    *(((4, FINELY),) * 3),
)
# Then each card is aligned with those of its boat, which differ in nothing but colour.
BOAT_ROUNDS: Final = (
    (8, (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0)),
    (4, (-2.0, -1.0, 0.0, 1.0, 2.0)),
    *(((3, FINELY),) * 2),
)
WIDEST, NARROWEST = 70, 52
HIGHEST, LOWEST = 94, 76
# The card's sides are lines at least this strong, as a share of the strongest pair of lines.
CLEAR: Final = 0.5
# The inner sides of a printed frame are at least so far apart, as a share of the narrowest card.
INSIDE: Final = 0.8
# The mean of all the cards' centres is off the mean of their cells' middles by about so much.
BESIDE_MM: Final = 4.0
# A pair of lines may be off the common middle by so many half millimetres.
EVENLY: Final = 2
# So many pixels are cut off around: rounded corners, a worn edge, what lies below.
RIM: Final = 1


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A labelled cell, and where in the flat picture its card is thought to lie."""

    card: Card
    root: Floats
    """The whole picture laid flat, not only the cell."""
    edges: Floats
    """How steep each pixel of `root` is."""
    x: float
    y: float
    """The card's centre in pixels of `root`."""
    turn: float = 0.0
    """The card's turn in degrees."""


def cut_samples(picture: MatLike, grid: Grid, cards: Sequence[Card | None]) -> list[Sample]:
    root = root_of(warp_flat(picture, grid.to_mm, TAUGHT_MM))
    edges = _find_edges(root)
    samples: list[Sample] = []
    for cell, card in zip(CELLS, cards, strict=True):
        if card is not None:
            x, y = cell.centre
            samples.append(Sample(card, root, edges, x - LEFT_MM - 0.5, y - TOP_MM - 0.5))
    return samples


def deck_from_samples(name: str, samples: Sequence[Sample], found: Found) -> TaughtDeck:
    return TaughtDeck(name, without_gloss(cards_from_samples(samples, found)), white_known=found is Found.MAT)


def cards_from_samples(samples: Sequence[Sample], found: Found) -> tuple[TaughtCard, ...]:
    """The cards cut out alike, with their gloss still on them; `without_gloss` needs labels that are right."""
    laid, outer = _centre_cards(_align_samples(samples), samples)
    size = (outer[0] - 2 * RIM, outer[1] - 2 * RIM)
    return tuple(TaughtCard(one.card, _cut_card(one, size, white=found is Found.MAT, outer=outer)) for one in laid)


def _find_edges(root: Floats) -> Floats:
    smooth = cv2.GaussianBlur(root, (0, 0), 1.0)
    across, down = floats(cv2.Sobel(smooth, cv2.CV_32F, 1, 0)), floats(cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    return np.hypot(across, down).max(2)


def _cut_edges(sample: Sample, turn: float = 0.0, more: int = 0) -> Floats:
    wide, high = WINDOW
    edges = cut_window(sample.edges, sample.x, sample.y, sample.turn + turn, (wide + 2 * more, high + 2 * more))
    return np.minimum(edges / max(float(quantile(edges.ravel(), 0.97)), 1e-3), 1.5)


def _align_samples(samples: Sequence[Sample]) -> list[Sample]:
    laid = list(samples)
    for reach, turns in ROUNDS:
        laid = _align_round(laid, reach, turns)
    for boat in {one.card.boat for one in laid}:
        places = [place for place, one in enumerate(laid) if one.card.boat == boat]
        if len(places) > 1:
            same = [laid[place] for place in places]
            for reach, turns in BOAT_ROUNDS:
                same = _align_round(same, reach, turns)
            for place, one in zip(places, same, strict=True):
                laid[place] = one
    return laid


def _align_round(laid: Sequence[Sample], reach: int, turns: Sequence[float]) -> list[Sample]:
    """Each laid onto the mean of the others."""
    windows = [_cut_edges(one) for one in laid]
    together = np.sum(windows, 0, dtype=np.float32)
    return [
        _align_one((together - window) / (len(laid) - 1), one, reach, turns)
        for one, window in zip(laid, windows, strict=True)
    ]


def _align_one(others: Floats, sample: Sample, reach: int, turns: Sequence[float]) -> Sample:
    best, place = -2.0, sample
    for turn in turns:
        match = cv2.matchTemplate(_cut_edges(sample, turn, reach), others, cv2.TM_CCOEFF_NORMED)
        _, score, _, (x, y) = cv2.minMaxLoc(match)
        if score > best:
            best, place = score, _shift(replace(sample, turn=sample.turn + turn), x - reach, y - reach)
    return place


def _shift(sample: Sample, across: float, down: float) -> Sample:
    """Moves a sample in its card's own directions."""
    c, s = np.cos(np.radians(sample.turn)), np.sin(np.radians(sample.turn))
    return replace(sample, x=sample.x + c * across - s * down, y=sample.y + s * across + c * down)


def _centre_cards(laid: Sequence[Sample], begun: Sequence[Sample]) -> tuple[list[Sample], tuple[int, int]]:
    """The rectangle that the mean of all shows, and every card's centre in its middle. `begun`: in the middles of
    their cells."""
    mean = np.mean([_cut_edges(one) for one in laid], 0)
    cells_x, cells_y = np.mean([_offset_from(one, cell) for one, cell in zip(laid, begun, strict=True)], 0)
    left, wide = _find_sides(mean[20:-20].mean(0), NARROWEST, WIDEST, (WINDOW[0] - 1) / 2 + cells_x)
    top, high = _find_sides(mean[:, 20:-20].mean(1), LOWEST, HIGHEST, (WINDOW[1] - 1) / 2 + cells_y)
    across = left + wide / 2 - (WINDOW[0] - 1) / 2
    down = top + high / 2 - (WINDOW[1] - 1) / 2
    return [_shift(one, across, down) for one in laid], (wide, high)


def _offset_from(one: Sample, other: Sample) -> tuple[float, float]:
    """How far across and down the other's centre is, in the one's own directions."""
    c, s = np.cos(np.radians(one.turn)), np.sin(np.radians(one.turn))
    x, y = other.x - one.x, other.y - one.y
    return c * x + s * y, c * y - s * x


def _find_sides(profile: Floats, least: int, most: int, cells: float) -> tuple[int, int]:
    """The card's two sides: where the first is, and how far apart they are. `cells`: the mean of their middles.

    The strongest pair of lines may be a frame that is printed on the card, so it is the outermost that is clear
    and lies evenly around the middle of all lines."""
    pairs = [
        (float(min(profile[start], profile[start + apart])), start, apart)
        for apart in range(round(INSIDE * least), most)
        for start in range(len(profile) - apart)
    ]
    middles, may_be = np.zeros(2 * len(profile)), np.zeros(2 * len(profile), np.bool_)
    for strength, start, apart in pairs:
        middles[2 * start + apart] += strength**2
        may_be[2 * start + apart] |= apart >= least
    # The inner sides of a broad frame say where the middle is; they are too near each other to be the card's.
    beside = (np.arange(len(middles)) / 2 - cells) / BESIDE_MM
    middle = int((may_be * middles * np.exp(-(beside**2) / 2)).argmax())
    even = [pair for pair in pairs if pair[2] >= least and abs(2 * pair[1] + pair[2] - middle) <= EVENLY]
    clear = CLEAR * max(even)[0]
    widest = max(apart for strength, _, apart in even if strength >= clear)
    _, start, apart = max(pair for pair in even if pair[2] >= widest - 1)
    return start, apart


def _cut_card(sample: Sample, size: tuple[int, int], *, white: bool, outer: tuple[int, int]) -> Floats:
    picture = cut_window(sample.root, sample.x, sample.y, sample.turn, size)
    return picture / _measure_paper(sample, outer) if white else picture


def _measure_paper(sample: Sample, outer: tuple[int, int]) -> Floats:
    """What the bare mat beside the card gives back: the middle value of a frame of 3 mm, 3 mm away from it."""
    wide, high = outer
    frame = cut_window(sample.root, sample.x, sample.y, sample.turn, (wide + 12, high + 12))
    bare = np.ones(frame.shape[:2], bool)
    bare[3:-3, 3:-3] = False
    return np.asarray(np.median(frame[bare], 0), np.float32)
