"""Where something lies that is not the table: a card, a hand, a sleeve.

Nobody says beforehand what the table looks like. What is seen in many of the places between and beside the cells
is the table, whether paper, wood or a checked cloth; what is only seen in a few is not. A shadow makes it darker,
and bluer, because what then lights it is the sky or the wall.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import cv2
import numpy as np

from companion.core.mat import CELL_SIDE, CELLS, GRID
from companion.eyes.card.search import CardPlace
from companion.eyes.grid.flat_picture import COARSE_MM, LEFT_MM, SIDE_PX, TOP_MM
from companion.eyes.image.arrays import Bits, Bools, Bytes, Floats, Whole, floats, mean_of_channels, over_channels
from companion.eyes.light.illumination import tint

# All thresholds here were chosen by hand; `companion bench thresholds` measures only the shares that come of them.
# Cells are 92 mm wide, cards 63 x 88 mm: about so far from a cell's edge the table shows.
GAP_MM: Final = 7.0
# Hardly a card reaches so near the point where four cells meet, and none so far beside the grid.
CORNER_MM: Final = 14.0
OUTSIDE_MM: Final = 8.0
# The mat's paper goes on so far around the grid.
PAPER_MM: Final = 7.0
# Around a card, for what sticks out of its pile and its shadow.
BESIDE_MM: Final = 4.0
# A colour is the table's if it is seen in this share of the places, and in so many of them at least.
OFTEN: Final = 0.15
SEVERAL: Final = 4
# And if it is seen in so many of the nine parts of the picture. An arm lies in a few parts; but in mixed light so
# does some of the table, so what is seen in only four parts is an arm if it reaches in from the edge.
SPREAD: Final = 4
WIDELY: Final = 5
# How finely colours are told apart: tint, and the logarithm of brightness.
TINT_STEP: Final = 0.05
BRIGHT_STEP: Final = 0.15
TINTS, BRIGHTS = 80, 36
# The coarser steps in which it is counted how much there is of each colour.
ROUGH_STEP: Final = 0.12
ROUGHS: Final = 40
# A cell may have twice as much of a colour as the table has all over.
TWICE: Final = 2.0
# A shadow takes away up to so many steps of brightness, and adds so many steps of blue for each of them.
DARKER: Final = 6
BLUER: Final = 2
MOST_BLUER: Final = 8
# A bare cell's strange share is up to so many times the median of the corners, but always below MOST_PATTERNED;
# or it is below FAR_LESS of the strange share of each card without its rim.
TIMES_CORNERS: Final = 4.0
MOST_PATTERNED: Final = 0.4
FAR_LESS: Final = 1 / 3
RIM_MM: Final = 4.0
# The part of a cell on which cards lie.
INNER_MM: Final = 36.0

# A lamp mirrored in a polished table makes it so much brighter, and paler; the edge of a card that is white is
# sharp.
BRIGHTER: Final = 6
PALER: Final = 2
SHARP: Final = 0.02
SHARP_MM: Final = 6.0

# What is printed is compared with what is around it so far, and looked at in squares of that side.
ROUGH_MM: Final = 6.0
ROUGH_BLOCK_MM: Final = 12.0


@dataclass(frozen=True, slots=True)
class ColourShifts:
    """What a colour of the table becomes in other light, in steps of colour."""

    green: int
    """By how many steps green may change, each way."""
    levels: tuple[tuple[int, range], ...]
    """Changes of brightness, each with the changes of blue that may come with it."""


_SHADES: Final = ColourShifts(
    1, tuple((-darker, range(-1, 2 + min(max(darker, 0) * BLUER, MOST_BLUER))) for darker in range(-1, DARKER + 1))
)
_GLEAMS: Final = ColourShifts(
    PALER, tuple((brighter, range(-PALER, PALER + 1)) for brighter in range(1, BRIGHTER + 1))
)
# The furthest that shifts go, in steps of blue, green and brightness.
_REACH: Final = np.array([MOST_BLUER + 2, PALER, BRIGHTER + 1])
# The colour table is padded by that, so that every shift is one index offset for all colours.
_SHAPE: Final = (TINTS + 2 * (MOST_BLUER + 2), TINTS + 2 * PALER, BRIGHTS + 2 * (BRIGHTER + 1))


@dataclass(frozen=True, eq=False)
class Tabletop:
    """What a picture shows of the table, where the cards that are known to lie there don't cover it."""

    coarse: Floats
    cards: Sequence[CardPlace]
    size_mm: tuple[float, float]
    on_mat: bool

    @cached_property
    def _smoothed(self) -> Floats:
        return floats(cv2.GaussianBlur(self.coarse, (3, 3), 0))

    @cached_property
    def _tints(self) -> Floats:
        return tint(self._smoothed)

    @cached_property
    def _uncovered(self) -> Bools:
        return ~area_covered(self.cards, self.size_mm)

    @cached_property
    def strange(self) -> Bools:
        """Which pixels are not the table's colours, though it may be a lamp mirrored in it."""
        table, _ = self._colour_spreads
        return table < SPREAD

    @cached_property
    def unlike_cards(self) -> float:
        """The strange share below which a cell is far less strange than each card that lies there."""
        cards = [share_beneath(self.strange, card, self.size_mm, RIM_MM) for card in self.cards]
        return FAR_LESS * min(cards) if len(cards) > 1 else 0.0

    @cached_property
    def patterned(self) -> float:
        """The share of a bare cell that may be strange: no flower or lemon of a printed cloth is seen often, but
        the corners between cells show how much of the cloth is strange."""
        if self.on_mat:
            return 0.0
        free = [self.strange[corner][self._uncovered[corner]] for corner in _corners()]
        corners = [float(one.mean()) for one in free if one.size] or [0.0]
        return min(TIMES_CORNERS * float(np.median(corners)), MOST_PATTERNED)

    def foreign(self, spread: int = SPREAD) -> Bools:
        """Which pixels are not the table."""
        table, gleams = self._colour_spreads
        return (table < spread) & ~((gleams >= spread) & self.smooth)

    @cached_property
    def _colour_spreads(self) -> tuple[Bytes, Bytes]:
        """Over how many parts of the picture each pixel's colour is spread, if it is seen often: as the table, and
        as a lamp mirrored in it."""
        bright = floats(over_channels(cv2.add, np.log(np.maximum(self._smoothed, 0.02)))) / 3
        brights = np.clip(np.floor(bright / BRIGHT_STEP).astype(np.int64) + BRIGHTS - 5, 0, BRIGHTS - 1)
        blues, greens = _quantise(self._tints, TINT_STEP, TINTS)
        steps = np.stack([blues, greens, brights]) + _REACH[:, None, None]
        # Paper is alike all over, so there it is enough to look where no card lies; a cloth has many colours.
        shown = (places_between(on_mat=True) if self.on_mat else _gap_pixels()) & self._uncovered
        colours = (steps[0] * _SHAPE[1] + steps[1]) * _SHAPE[2] + steps[2]
        table, gleams = (spread[colours] for spread in _count_spreads(steps[:, shown], _place_numbers()[shown]))
        return table, gleams

    @cached_property
    def smooth(self) -> Bools:
        """Where there is no sharp edge."""
        around = floats(cv2.GaussianBlur(self.coarse, (0, 0), SHARP_MM / COARSE_MM))
        return np.asarray(over_channels(cv2.max, np.abs(self._smoothed - around)) < SHARP)

    def excess(self, cell: int) -> float:
        """The share of a cell by which its colours exceed what the table has of them: shows the backs of cards
        that are as red as the stripes of the cloth."""
        colours, corners, everywhere = self._rough_colours
        there = whole_part(cell)
        alike = np.maximum(everywhere, _shares_with_neighbours(colours[there][corners[there]]))
        return float(np.maximum(_colour_shares(colours[inner_part(cell)]) - TWICE * alike, 0).sum())

    @cached_property
    def _rough_colours(self) -> tuple[Whole, Bools, Floats]:
        """Each pixel's coarse colour, which pixels show the table, and how much of each colour the table has."""
        blues, greens = _quantise(self._tints, ROUGH_STEP, ROUGHS)
        colours = blues * ROUGHS + greens
        corners = places_between(on_mat=self.on_mat) & self._uncovered
        return colours, corners, _shares_with_neighbours(colours[corners])


def _quantise(tints: Floats, step: float, steps: int) -> tuple[Whole, Whole]:
    whole = np.clip(np.floor(tints / step).astype(np.int64) + steps // 2, 0, steps - 1)
    return whole[..., 0], whole[..., 1]


def _shares_with_neighbours(colours: Whole) -> Floats:
    """How much of each colour there is, and of those next to it."""
    return floats(cv2.blur(_colour_shares(colours).reshape(ROUGHS, ROUGHS), (3, 3))).ravel() * 9


def _colour_shares(colours: Whole) -> Floats:
    return np.bincount(colours.ravel(), minlength=ROUGHS * ROUGHS) / max(colours.size, 1)


def share_of_cell(pixels: Bools, cell: int) -> float:
    """The share of these pixels in the part of a cell on which cards lie."""
    return float(pixels[inner_part(cell)].mean())


def share_beneath(pixels: Bools, card: CardPlace, size_mm: tuple[float, float], rim_mm: float) -> float:
    """The share of these pixels in what a card covers, without its rim."""
    return float(pixels[area_covered([card], size_mm, -rim_mm)].mean())


def roughness(coarse: Floats, cell: int, quantile: float) -> float:
    """The quantile, over the cell's area, of how much the print's brightness differs from its surroundings (as a
    share of it)."""
    light = floats(np.log(np.maximum(mean_of_channels(coarse), 0.02)))
    apart = np.abs(light - floats(cv2.GaussianBlur(light, (0, 0), ROUGH_MM / COARSE_MM)))[inner_part(cell)]
    side = round(2 * INNER_MM / ROUGH_BLOCK_MM)
    return float(np.quantile(cv2.resize(apart, (side, side), interpolation=cv2.INTER_AREA), quantile))


def _count_spreads(steps: Whole, places: Whole) -> tuple[Bytes, Bytes]:
    """For each colour over how many parts of the picture it is spread in whatever shade, and as a lamp mirrored in
    it; none if it is not seen in enough places."""
    shades, gleams = np.zeros(_SHAPE, np.uint8), np.zeros(_SHAPE, np.uint8)
    if len(places):
        enough = max(SEVERAL, OFTEN * np.count_nonzero(np.bincount(places)))
        low, high = steps.min(1) - _REACH, steps.max(1) + _REACH + 1
        box = tuple(slice(*ends) for ends in zip(low.tolist(), high.tolist(), strict=True))
        shape = tuple((high - low).tolist())
        # For each of the nine parts the places in it where a colour is seen, as bits.
        seen = np.zeros((9, *shape), np.uint16)
        colours = np.ravel_multi_index((places // 16, *(steps - low[:, None])), seen.shape)
        np.bitwise_or.at(seen.reshape(-1), colours, np.uint16(1) << (places % 16).astype(np.uint16))
        for spread, kin in ((shades, _SHADES), (gleams, _GLEAMS)):
            related = _add_shifted_colours(seen, kin)
            often = np.bitwise_count(related).sum(0, dtype=np.uint8) >= enough
            spread[box] = np.where(often, (related > 0).sum(0, dtype=np.uint8), 0)
    return shades.reshape(-1), gleams.reshape(-1)


def _add_shifted_colours(seen: Bits, kin: ColourShifts) -> Bits:
    """Each colour's places, with those of all colours that it may become in other light. Nothing is seen so near
    the table's rim that a shift would wrap around, so one shift serves all colours at once."""
    _, _, greens, brights = seen.shape
    wide = seen.copy().reshape(-1)
    for green in range(1, kin.green + 1):
        _or_shifted(wide, seen.reshape(-1), green * brights)
        _or_shifted(wide, seen.reshape(-1), -green * brights)
    related = np.zeros_like(wide)
    blues, done = np.zeros_like(wide), set[int]()
    for bright, reach in kin.levels:
        # From level to level the range of blue only grows.
        for blue in set(reach) - done:
            _or_shifted(blues, wide, blue * greens * brights)
        done.update(reach)
        _or_shifted(related, blues, bright)
    return related.reshape(seen.shape)


def _or_shifted(to: Bits, what: Bits, steps: int) -> None:
    there, here = to[max(steps, 0) :][: len(to) - abs(steps)], what[max(-steps, 0) :][: len(to) - abs(steps)]
    np.bitwise_or(there, here, out=there)


def _pixel_positions() -> tuple[Floats, Floats]:
    """Where the coarse picture's pixels lie on the mat."""
    along = (np.arange(SIDE_PX // 2) + 0.5) * COARSE_MM
    across, down = np.meshgrid(along + LEFT_MM, along + TOP_MM)
    return across, down


@cache
def area_known(*, on_mat: bool) -> Bools:
    """Where it is known what the table looks like: all over, or on the mat around the grid."""
    if not on_mat:
        return np.ones((SIDE_PX // 2, SIDE_PX // 2), np.bool_)
    across, down = _pixel_positions()
    beside = np.maximum(
        np.abs(across - GRID.centre[0]) - GRID.width / 2, np.abs(down - GRID.centre[1]) - GRID.height / 2
    )
    return beside < PAPER_MM


@cache
def _gap_pixels() -> Bools:
    """The pixels between and beside the cells."""
    return np.minimum(*_distance_from_lines()) < GAP_MM


@cache
def places_between(*, on_mat: bool) -> Bools:
    """Those where four cells meet, and beside the grid; beside the mat is another table, and on it are markers."""
    across, down = _pixel_positions()
    middle = np.maximum(np.abs(across - GRID.centre[0]), np.abs(down - GRID.centre[1]))
    free = (np.maximum(*_distance_from_lines()) < CORNER_MM) | (middle > GRID.width / 2 + OUTSIDE_MM)
    return free & area_known(on_mat=on_mat)


@cache
def _corners() -> list[tuple[slice, slice]]:
    """Around where the grid's lines cross each other."""
    return [
        _square_around(GRID.left + column * CELL_SIDE, GRID.top + row * CELL_SIDE, CORNER_MM)
        for row in range(4)
        for column in range(4)
    ]


def _distance_from_lines() -> tuple[Floats, Floats]:
    """How far a pixel is from the nearest of the grid's lines, down and across."""
    across, down = _pixel_positions()
    columns, rows = (across - GRID.left) / CELL_SIDE, (down - GRID.top) / CELL_SIDE
    return np.abs(columns - np.round(columns)) * CELL_SIDE, np.abs(rows - np.round(rows)) * CELL_SIDE


@cache
def _place_numbers() -> Whole:
    """Which place each pixel is in, a third of a cell each way: of each of the nine parts of the picture there are
    up to sixteen."""
    across, down = _pixel_positions()
    columns, rows = (across - GRID.left) / CELL_SIDE, (down - GRID.top) / CELL_SIDE
    thirds = np.floor(np.stack([rows, columns]) * 3).astype(np.int64)
    # What is beside the grid belongs to the nearest part, whose places then begin one earlier.
    parts = np.clip(thirds // 3, 0, 2)
    row, column = thirds - 3 * parts + (parts == 0)
    return (parts[0] * 3 + parts[1]) * 16 + row * 4 + column


def area_covered(cards: Sequence[CardPlace], size_mm: tuple[float, float], beside: float = BESIDE_MM) -> Bools:
    covered = np.zeros((SIDE_PX // 2, SIDE_PX // 2), np.uint8)
    wide, high = (side + 2 * beside for side in size_mm)
    for card in cards:
        middle = (card.x_mm - LEFT_MM) / COARSE_MM - 0.5, (card.y_mm - TOP_MM) / COARSE_MM - 0.5
        outline = floats(cv2.boxPoints((middle, (wide / COARSE_MM, high / COARSE_MM), card.turn)))
        cv2.fillConvexPoly(covered, np.round(outline * 8).astype(np.int32), 1, shift=3)
    return covered.astype(np.bool_)


def inner_part(cell: int) -> tuple[slice, slice]:
    """The part of a cell on which cards lie."""
    return _square_around_cell(cell, INNER_MM)


def whole_part(cell: int) -> tuple[slice, slice]:
    """With the corners of its neighbours."""
    return _square_around_cell(cell, CELL_SIDE / 2 + CORNER_MM)


def _square_around_cell(cell: int, reach_mm: float) -> tuple[slice, slice]:
    return _square_around(*CELLS[cell].centre, reach_mm)


def _square_around(x: float, y: float, reach_mm: float) -> tuple[slice, slice]:
    down, across = (
        slice(int((middle - reach_mm) / COARSE_MM), int((middle + reach_mm) / COARSE_MM))
        for middle in (y - TOP_MM, x - LEFT_MM)
    )
    return down, across
