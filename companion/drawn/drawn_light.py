"""The light over the drawn table: lamps and windows with their colours and shadows, sunlight and glare.

Light is linear and coloured. A shadow removes only its own lamp's light, so under two lamps of different colours
each shadow has the other's colour."""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import GRID
from companion.drawn.drawn_camera import Box, Colour, Lens, Point, sample

Outline = tuple[Point, ...]

MIDDLE = GRID.centre
# Shadows are drawn on a sheet with one pixel per millimetre around the table, then mapped through the lens.
SHEET = Box(-300, -300, 720, 600)


@dataclass(frozen=True, slots=True)
class RoomLamp:
    """`level` is its brightness in the middle of the grid (1: a bright day indoors, 0.02: candles), from (x, y,
    up) in millimetres. `within`: only these patches are lit, as by the sun through a window; `shade`: these are
    not lit; `soft` is the width of their edges. `size` softens a hand's shadow."""

    kelvin: float
    level: float
    x: float = 210.0
    y: float = 100.0
    up: float = 1800.0
    size: float = 200.0
    within: tuple[Outline, ...] = ()
    shade: tuple[Outline, ...] = ()
    soft: float = 6.0

    def colour(self) -> Colour:
        return illuminant(self.kelvin)

    def dimmed(self, share: float) -> "RoomLamp":
        return replace(self, level=self.level * share)

    def shift(self, point: Point, up: float) -> Point:
        """The offset of the shadow of a thing at height `up` over that point."""
        share = up / max(self.up - up, 50.0)
        return (point[0] - self.x) * share, (point[1] - self.y) * share


@dataclass(frozen=True, slots=True)
class Glare:
    """A lamp reflected by glossy surfaces; `strength` is relative to white."""

    x: float
    y: float
    size: float = 25.0
    strength: float = 6.0
    kelvin: float = 4000.0


@dataclass(frozen=True, slots=True)
class Light:
    lamps: tuple[RoomLamp, ...]
    ambient: float = 0.3
    ambient_kelvin: float = 5000.0
    glares: tuple[Glare, ...] = ()

    def in_the_middle(self) -> Colour:
        """Blue, green and red on the grid as a camera meters them: without shadows, everything in the sun."""
        total = np.asarray(illuminant(self.ambient_kelvin)) * self.ambient
        for lamp in self.lamps:
            total = total + np.asarray(lamp.colour()) * lamp.level
        return float(total[0]), float(total[1]), float(total[2])

    def lean(self) -> Point:
        """How far a card's shadow falls per millimetre of height; quantised, so that a fading lamp moves no
        shadow."""
        if not self.lamps:
            return 0.0, 0.0
        main = max(self.lamps, key=lambda lamp: lamp.level)
        x, y = (
            round((middle - at) / main.up * 2) / 2 for middle, at in zip(MIDDLE, (main.x, main.y), strict=True)
        )
        return min(max(x, -2.0), 2.0), min(max(y, -2.0), 2.0)

    def faded(self, other: "Light", share: float) -> "Light":
        """A mix of this light and the other."""
        if share <= 0:
            return self
        if share >= 1:
            return other
        staying = tuple(lamp for lamp in self.lamps if lamp in other.lamps)
        going = tuple(lamp.dimmed(1 - share) for lamp in self.lamps if lamp not in staying)
        coming = tuple(lamp.dimmed(share) for lamp in other.lamps if lamp not in staying)
        ambient = self.ambient + (other.ambient - self.ambient) * share
        kelvin = self.ambient_kelvin + (other.ambient_kelvin - self.ambient_kelvin) * share
        glares = other.glares if share > 0.5 else self.glares
        return Light(staying + going + coming, ambient, kelvin, glares)


@lru_cache(maxsize=64)
def illuminant(kelvin: float) -> Colour:
    """The blue, green and red of a black body at luminance 1, by Kim's cubic fit to the Planckian locus."""
    inverse = 1000 / kelvin
    if kelvin < 4000:
        x = -0.2661239 * inverse**3 - 0.2343589 * inverse**2 + 0.8776956 * inverse + 0.179910
    else:
        x = -3.0258469 * inverse**3 + 2.1070379 * inverse**2 + 0.2226347 * inverse + 0.240390
    if kelvin < 2222:
        y = -1.1063814 * x**3 - 1.34811020 * x**2 + 2.18555832 * x - 0.20219683
    elif kelvin < 4000:
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    red_x, blue_z = x / y, (1 - x - y) / y
    red = 3.2406 * red_x - 1.5372 - 0.4986 * blue_z
    green = -0.9689 * red_x + 1.8758 + 0.0415 * blue_z
    blue = 0.0557 * red_x - 0.2040 + 1.0570 * blue_z
    return max(blue, 0.004), green, red


@dataclass(frozen=True, slots=True)
class LightField:
    """The light at each pixel's point of the table: each lamp's share, the ambient light's as the last, and the
    sum in colour."""

    lamps: tuple[MatLike, ...]
    colours: tuple[Colour, ...]
    total: MatLike


def light_field(light: Light, lens: Lens, table: MatLike) -> LightField:
    coarse, dimmed = lens.coarse()
    total = np.asarray(illuminant(light.ambient_kelvin), np.float32) * light.ambient * dimmed[..., None]
    soft = [(lamp, _reach(lamp, coarse) * dimmed) for lamp in light.lamps]
    plain = [(lamp, field) for lamp, field in soft if not (lamp.within or lamp.shade)]
    for lamp, field in plain:
        total = total + np.asarray(lamp.colour(), np.float32) * field[..., None]
    wide = lens.widen(total.astype(np.float32))
    fields: list[MatLike] = []
    for lamp, field in soft:
        full = lens.widen(field.astype(np.float32))
        if lamp.within or lamp.shade:
            full = full * _mask(lamp, table)
            wide += cv2.merge([full * part for part in lamp.colour()])
        fields.append(full)
    fields.append(lens.widen(dimmed * np.float32(light.ambient)))
    colours = (*(lamp.colour() for lamp in light.lamps), illuminant(light.ambient_kelvin))
    return LightField(tuple(fields), colours, wide)


def _reach(lamp: RoomLamp, table: MatLike) -> MatLike:
    """Inverse square law and cosine, as for a small lamp, relative to the middle of the grid."""
    here = (table[..., 0] - lamp.x) ** 2 + (table[..., 1] - lamp.y) ** 2 + lamp.up**2
    middle = (MIDDLE[0] - lamp.x) ** 2 + (MIDDLE[1] - lamp.y) ** 2 + lamp.up**2
    return lamp.level * (middle / here) ** 1.5


def _mask(lamp: RoomLamp, table: MatLike) -> MatLike:
    sheet = np.full((SHEET.bottom - SHEET.top, SHEET.right - SHEET.left), 0 if lamp.within else 255, np.uint8)
    for outlines, value in ((lamp.within, 255), (lamp.shade, 0)):
        for outline in outlines:
            corners = (np.array(outline) - (SHEET.left, SHEET.top)) * 16
            cv2.fillPoly(sheet, [corners.astype(np.int32)], (value,), cv2.LINE_AA, 4)
    sheet = cv2.GaussianBlur(sheet, (0, 0), max(lamp.soft / 2, 0.5))
    places = table - np.array([SHEET.left + 0.5, SHEET.top + 0.5], np.float32)
    seen = sample(sheet, places, cv2.BORDER_REPLICATE)
    return seen.astype(np.float32) / 255
