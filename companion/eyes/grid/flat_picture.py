"""The table as seen from straight above: the camera's picture laid flat, in millimetres of the printed mat.

Everything behind works on these two pictures and never asks where the camera stood: a fine one of 1.5 mm a pixel,
in which cards are compared, and a coarse one of 3 mm, in which they are searched.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import CELL_SIDE, CELLS, GRID
from companion.eyes.image.arrays import Bools, Floats, floats, inverse, median, over_channels, quantile
from companion.eyes.image.shrinking import map_to_whole, shrink

FINE_MM: Final = 1.5
COARSE_MM: Final = 2 * FINE_MM
# Beside the grid: a card may lie over its edge, and what is bare there says how the table looks.
MARGIN_MM: Final = 30.0
SIDE_PX: Final = round((3 * CELL_SIDE + 2 * MARGIN_MM) / FINE_MM)
LEFT_MM: Final = GRID.left - MARGIN_MM
TOP_MM: Final = GRID.top - MARGIN_MM

# The figures here were chosen by hand, with the figures that their comments name as observed then; no command
# measures them.
# A channel of this code or more is burnt; JPEG rings by a few codes around 255.
BURNT_CODE: Final = 249
# Noise burns a pixel here and there of what is bright, which does no harm; a third of them the light does.
A_THIRD: Final = 255 / 3


def _roots_of_codes() -> Floats:
    code = np.arange(256) / 255
    linear = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    return np.sqrt(linear).astype(np.float32)


# So far apart two pixels share no noise any more. A quarter of the bends are less than so many deviations.
LAG: Final = 2
EVEN: Final = 0.25
OF_EVEN: Final = 0.3186 * 6**0.5
# One row of so many is enough to measure the noise.
ROWS: Final = 4
# So many times as bright as what is left of the noise is black in a picture 1280 wide, or rather 2.4, to be on the
# safe side; 1.65 in one of 640, 3.1 in one of 1920.
BLACK: Final = 2.5
# What is lit so many times brighter than that shows what is printed in black, and nothing is blacker than the
# darkest of it.
WELL_LIT: Final = 8.0
DARKEST: Final = 0.005
# Where that is hardly more than noise, by chance it may seem so many times too dark.
TOO_DARK: Final = 3.0
# Of what lies on a table at least so much is bright, and in a lamp's light it outshines black more than so many
# times.
BRIGHTEST: Final = 0.98
OUTSHINES: Final = 2.9

# The square root of the light: the noise of a sensor is about the same everywhere on that scale, and a lamp's
# colour is still one factor for each channel.
ROOT_OF_CODE: Final = _roots_of_codes()
LIGHT_OF_CODE: Final = ROOT_OF_CODE**2


HALF: Final = (SIDE_PX // 2, SIDE_PX // 2)
# Rows and columns of a picture laid flat.
Part = tuple[slice, slice]
ALL: Final[Part] = (slice(0, HALF[1]), slice(0, HALF[0]))
# How far beyond its cell the largest card may reach: its centre is searched up to 18 mm from the cell's, its
# corner is 59 mm from its centre, and the rest is for settling.
OUTSIDE_MM: Final = 48.0


def part_around(cells: Sequence[int]) -> Part:
    """All of the coarse picture that a card in one of these cells may cover."""
    areas = [CELLS[cell] for cell in cells or range(len(CELLS))]
    rows = _clip_range(min(area.top for area in areas) - TOP_MM, max(area.bottom for area in areas) - TOP_MM)
    return rows, _clip_range(
        min(area.left for area in areas) - LEFT_MM, max(area.right for area in areas) - LEFT_MM
    )


def _clip_range(first_mm: float, last_mm: float) -> slice:
    first, last = (first_mm - OUTSIDE_MM) / COARSE_MM, (last_mm + OUTSIDE_MM) / COARSE_MM
    return slice(max(round(first), 0), min(round(last), SIDE_PX // 2))


@dataclass(frozen=True, eq=False)
class FlatCode:
    """What the camera gave, laid flat; what it says of itself is coarse, and found out when it is asked for."""

    plain: MatLike
    picture: MatLike
    to_mm: Floats

    def clear(self, part: Part) -> Floats:
        """For each channel 1 where no pixel is burnt in it, 0 where any is; outside of this part of the coarse
        picture always 1."""
        clear = np.ones((*HALF, 3), np.float32)
        clear[part] = _halve_burnt(self._mark_burnt(part)) == 0
        return clear

    @cached_property
    def dazzling(self) -> Bools:
        """What is burnt white, and 6 mm around it."""
        white = np.asarray(_halve_burnt(over_channels(cv2.min, self._mark_burnt(ALL))) == 255)
        return np.asarray(cv2.dilate(white.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)

    @cached_property
    def grain(self) -> Floats:
        """Of blue, green, red: how much light is seen where there is none, if all that is uneven is noise. It is
        measured where a channel is darkest. Of the noise little is left in a picture averaged down, but all of
        what it added to black."""
        return np.array([BLACK * _measure_noise(light) for light in self._lights], np.float32)

    @cached_property
    def noise(self) -> Floats:
        """The same, but a cloth is uneven too, and nothing is blacker than black: it can't be more than what the
        darkest places show."""
        lights, grain = self._lights, self.grain.tolist()
        return np.array([_limit_black(*one) for one in zip(lights, grain, strict=True)], np.float32)

    @cached_property
    def _lights(self) -> list[Floats]:
        channels = cv2.split(np.ascontiguousarray(self.plain[::ROWS]))
        return [floats(cv2.LUT(one, LIGHT_OF_CODE)) for one in channels]

    def _mark_burnt(self, part: Part) -> MatLike:
        """Fine, with the most where much was burnt. A thin line that is burnt is not so bright any more once the
        dark beside it is mixed in, yet its colour is lost: what has much that is burnt in it counts as burnt."""
        down, across = (slice(2 * along.start, 2 * along.stop) for along in part)
        burnt = self._burnt_picture if part == ALL else self._flatten_burnt((down, across))
        plain = self.plain[down, across]
        return plain if burnt is None else cv2.max(plain, cv2.threshold(burnt, A_THIRD, 255, cv2.THRESH_BINARY)[1])

    @cached_property
    def _burnt_picture(self) -> MatLike | None:
        return self._flatten_burnt((slice(0, SIDE_PX), slice(0, SIDE_PX)))

    def _flatten_burnt(self, fine: Part) -> MatLike | None:
        # Most pictures have nothing burnt, and this is a quarter of the time.
        if cv2.norm(self.picture, cv2.NORM_INF) < BURNT_CODE:
            return None
        burnt = cv2.threshold(self.picture, BURNT_CODE - 1, 255, cv2.THRESH_BINARY)[1]
        return warp_flat(burnt, self.to_mm, FINE_MM, fine)


@dataclass(frozen=True, eq=False)
class FlatPicture:
    """The grid and its margin from straight above."""

    code: FlatCode
    """One picture, fine, in the camera's codes."""
    coarse: Floats
    """The square root of the light of that picture, or of the mean of several."""
    part: Part = ALL
    """Where cards are looked for."""

    @cached_property
    def clear(self) -> Floats:
        return self.code.clear(self.part)

    @property
    def dazzling(self) -> Bools:
        return self.code.dazzling

    @property
    def noise(self) -> Floats:
        return self.code.noise

    @cached_property
    def is_dim(self) -> bool:
        """Whether a channel has hardly any light even where it is brightest."""
        channels = floats(cv2.split(self.coarse[::2, ::2]))
        bright = quantile(channels.reshape(3, -1), BRIGHTEST) ** 2
        return bool((bright < OUTSHINES * self.code.grain).any())


def _halve_burnt(code: MatLike) -> MatLike:
    """At half the size: 0 where nothing is burnt, 255 where all is."""
    burnt = cv2.threshold(code, BURNT_CODE - 1, 255, cv2.THRESH_BINARY)[1]
    return cv2.resize(burnt, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_LINEAR)


def _limit_black(light: Floats, grain: float) -> float:
    darkest = float(quantile(floats(cv2.blur(light, (5, 2))).ravel(), DARKEST))
    is_well_lit = float(quantile(light.ravel(), BRIGHTEST)) >= WELL_LIT * grain
    return min(grain, darkest if is_well_lit else TOO_DARK * darkest)


def _measure_noise(light: Floats) -> float:
    """The deviation of its light from pixel to pixel in the darker half of what is not burnt in a channel; what is
    printed there has edges, between which it is even."""
    soft = floats(cv2.blur(light, (5, 1)))[:, LAG:-LAG]
    clear = soft < LIGHT_OF_CODE[BURNT_CODE]
    if not clear.any():
        return 0.0
    bend = np.abs(light[:, : -2 * LAG] - 2 * light[:, LAG:-LAG] + light[:, 2 * LAG :])
    return float(quantile(bend[soft <= median(soft[clear])], EVEN)) / OF_EVEN


def flatten(picture: MatLike, to_mm: Floats) -> FlatPicture:
    """`to_mm` maps the picture's pixels to millimetres on the mat."""
    picture, to_mm = _crop(picture, to_mm)
    code = warp_flat(picture, to_mm, FINE_MM)
    # At half the size this is the mean of four, as INTER_AREA is in five times the time.
    coarse = floats(cv2.resize(root_of(code), HALF, interpolation=cv2.INTER_LINEAR))
    return FlatPicture(FlatCode(code, picture, to_mm), coarse)


def _crop(picture: MatLike, to_mm: Floats) -> tuple[MatLike, Floats]:
    """Of a picture that is to be averaged down, without what is not to be laid flat: of most a third."""
    grain = _shrink_factor(picture, to_mm, FINE_MM)
    if grain == 1:
        return picture, to_mm
    far = LEFT_MM + FINE_MM * SIDE_PX, TOP_MM + FINE_MM * SIDE_PX
    corners = np.array([[x, y, 1] for x in (LEFT_MM, far[0]) for y in (TOP_MM, far[1])])
    across, down, depth = inverse(to_mm) @ corners.T
    # Where the horizon lies across it, there is no end to it.
    if depth.min() * depth.max() <= 0:
        return picture, to_mm
    left, right = _span(across / depth, picture.shape[1], grain)
    top, bottom = _span(down / depth, picture.shape[0], grain)
    moved = np.array([[1, 0, left], [0, 1, top], [0, 0, 1]])
    return picture[top:bottom, left:right], to_mm @ moved


def _span(ends: Floats, length: int, grain: int) -> tuple[int, int]:
    """From where to where, and a little around; in whole pixels of a picture averaged down by `grain`."""
    first, last = (int(np.clip(end / grain, 0, length // grain - 1)) for end in (ends.min(), ends.max()))
    return max(first - 2, 0) * grain, min((last + 4) * grain, length)


def root_of(code: MatLike) -> Floats:
    return floats(cv2.LUT(code, ROOT_OF_CODE))


def warp_flat(picture: MatLike, to_mm: Floats, mm: float, part: Part | None = None) -> MatLike:
    """The grid and its margin from straight above, so many millimetres a pixel; or a part of these pixels."""
    side = round((3 * CELL_SIDE + 2 * MARGIN_MM) / mm)
    down, across = part or (slice(0, side), slice(0, side))
    left, top = LEFT_MM / mm + 0.5 + across.start, TOP_MM / mm + 0.5 + down.start
    to_px = np.array([[1 / mm, 0, -left], [0, 1 / mm, -top], [0, 0, 1]])
    factor = _shrink_factor(picture, to_mm, mm)
    return cv2.warpPerspective(
        shrink(picture, factor),
        to_px @ to_mm @ map_to_whole(factor),
        (across.stop - across.start, down.stop - down.start),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )


def _shrink_factor(picture: MatLike, to_mm: Floats, mm: float) -> int:
    """By how much the picture is averaged down first, so that no more than two of its pixels fall between two."""
    middle = np.array([[GRID.centre, (GRID.centre[0] + 10, GRID.centre[1])]], np.float64)
    ends = cv2.perspectiveTransform(middle, inverse(to_mm))[0]
    per_mm = float(np.linalg.norm(ends[1] - ends[0])) / 10
    most = min(picture.shape[:2])
    return int(np.clip(per_mm * mm / 1.5, 1, most))
