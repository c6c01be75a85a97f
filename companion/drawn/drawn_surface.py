"""The surface under the drawn cards: wood, cloth, felt or a plain table top, with or without the mat."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import CELLS, MARKERS, MAT, PATCHES, Rectangle
from companion.drawn.drawn_camera import Box

# Pixels per millimetre, for the whole area that any of our cameras sees.
FINE = 3
SHEET = Box(-240, -230, 660, 530)

Rgb = tuple[int, int, int]
WOODS: tuple[tuple[Rgb, Rgb], ...] = (
    ((196, 150, 98), (222, 181, 130)),
    ((120, 74, 44), (158, 104, 66)),
    ((70, 44, 32), (104, 70, 52)),
    ((160, 88, 52), (192, 116, 74)),
    ((120, 112, 104), (156, 148, 138)),
)
CLOTHS: tuple[Rgb, ...] = (
    (186, 40, 44),
    (52, 92, 156),
    (232, 226, 210),
    (214, 154, 40),
    (60, 120, 96),
    (210, 120, 150),
)
FELTS: tuple[Rgb, ...] = ((24, 84, 54), (40, 42, 48), (112, 26, 38), (34, 52, 96))
PLAINS: tuple[Rgb, ...] = ((226, 224, 220), (150, 150, 152), (58, 58, 62), (206, 190, 168))
# The mat as printed: black is not quite black, white not quite white.
PRINTED = {0.0: 30, 0.5: 132, 1.0: 250}
KINDS = ("wood", "gingham", "stripes", "dots", "cloth", "felt", "plain")


@dataclass(frozen=True, slots=True)
class Surface:
    kind: str = "plain"
    seed: int = 0

    @property
    def gloss(self) -> float:
        return {"wood": 0.12, "plain": 0.10}.get(self.kind, 0.0)


@lru_cache(maxsize=4)
def surface_picture(surface: Surface, *, mat: bool) -> MatLike:
    chance = np.random.default_rng((surface.seed, KINDS.index(surface.kind)))
    height, width = (SHEET.bottom - SHEET.top) * FINE, (SHEET.right - SHEET.left) * FINE
    picture = _DRAWN[surface.kind](chance, height, width)
    if mat:
        top, left = -SHEET.top * FINE, -SHEET.left * FINE
        drawn = mat_picture()
        under = picture[top + 3 : top + 9 + drawn.shape[0], left + 3 : left + 9 + drawn.shape[1]]
        under[:] = (under * 0.62).astype(np.uint8)
        picture[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return picture


@lru_cache(maxsize=1)
def mat_picture() -> MatLike:
    """The mat on office paper, drawn at twice the resolution so that half millimetres fall on whole pixels."""
    fine = FINE * 2
    white, black = PRINTED[1.0], PRINTED[0.0]
    sheet = np.full((round(MAT.height) * fine, round(MAT.width) * fine), white, np.uint8)

    def pixels(area: Rectangle) -> tuple[slice, slice]:
        edges = (round(edge * fine) for edge in (area.top, area.bottom, area.left, area.right))
        top, bottom, left, right = edges
        return slice(top, bottom), slice(left, right)

    for cell in CELLS:
        corners = tuple(round(at * fine) for at in (cell.left, cell.top, cell.right, cell.bottom))
        cv2.rectangle(sheet, corners[:2], corners[2:], (176,), 3)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in MARKERS:
        drawn = cv2.aruco.generateImageMarker(dictionary, marker.number, round(marker.square.width) * fine)
        sheet[pixels(marker.square)] = np.where(drawn > 127, white, black)
    for patch in PATCHES:
        sheet[pixels(patch.area)] = PRINTED[patch.white]
    sheet = cv2.resize(sheet, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    fibres = _clouds(np.random.default_rng(11), sheet.shape, ((300, 400), (60, 80))) * 1.2
    grey = np.clip(sheet + fibres, 0, 255)
    return cv2.merge([grey * 0.985, grey * 0.995, grey]).round().astype(np.uint8)


def _clouds(chance: np.random.Generator, shape: tuple[int, ...], sizes: tuple[tuple[int, int], ...]) -> MatLike:
    """Noise of several sizes, all about equally strong; standard deviation about 1."""
    total = np.zeros(shape[:2], np.float32)
    for rows, columns in sizes:
        small = chance.standard_normal((rows, columns), np.float32)
        total += cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    return total / np.sqrt(len(sizes))


def _bgr(colour: Rgb) -> MatLike:
    return np.array(colour[::-1], np.float32)


def _between(share: MatLike, low: Rgb, high: Rgb) -> MatLike:
    share = np.clip(share, -0.5, 1.5)
    return _by_channel(share.shape, lambda channel: _bgr(low)[channel] + (_bgr(high) - _bgr(low))[channel] * share)


def _pick(chance: np.random.Generator, among: tuple[Rgb, ...]) -> Rgb:
    return among[int(chance.integers(len(among)))]


def _wood(chance: np.random.Generator, height: int, width: int) -> MatLike:
    low, high = WOODS[int(chance.integers(len(WOODS)))]
    grain = _clouds(chance, (height, width), ((height // 3, 10), (height // 8, 6), (90, 4)))
    wave = _clouds(chance, (height, width), ((5, 4),))
    rows = np.arange(height, dtype=np.float32)[:, None]
    rings = np.sin((rows / FINE + 14 * wave) / float(chance.uniform(3, 7)))
    share = 0.5 + 0.22 * grain + 0.14 * rings
    plank = float(chance.uniform(90, 150)) * FINE
    number = (rows / plank).astype(int)
    share = share + chance.normal(0, 0.16, int(number.max()) + 1)[number]
    picture = _between(share, low, high)
    seam = (rows % plank) < FINE * 0.7
    picture[seam[:, 0]] = (picture[seam[:, 0]] * 0.55).astype(np.uint8)
    return picture


def _weave(chance: np.random.Generator, colour: MatLike) -> MatLike:
    """Threads over a flat colour, and the slow waves of a cloth that does not lie quite flat."""
    height, width = colour.shape[:2]
    rows = np.arange(height, dtype=np.float32)[:, None]
    columns = np.arange(width, dtype=np.float32)[None]
    threads = 0.03 * np.sin(rows * 2.3) * np.sin(columns * 2.3)
    folds = 0.03 * _clouds(chance, colour.shape, ((4, 5), (9, 12)))
    fuzz = 0.02 * _clouds(chance, colour.shape, ((height // 2, width // 2),))
    light = 1 + threads + folds + fuzz
    return _by_channel(light.shape, lambda channel: colour[..., channel] * light)


def _gingham(chance: np.random.Generator, height: int, width: int) -> MatLike:
    size = float(chance.uniform(14, 24)) * FINE
    rows = ((np.arange(height) / size).astype(int) % 2)[:, None].astype(np.float32)
    columns = ((np.arange(width) / size).astype(int) % 2)[None].astype(np.float32)
    share = (rows + columns) / 2
    colour = _pick(chance, CLOTHS[:2] + CLOTHS[3:])
    return _weave(chance, _between(share, (238, 234, 226), colour).astype(np.float32))


def _stripes(chance: np.random.Generator, height: int, width: int) -> MatLike:
    rows = np.arange(height, dtype=np.float32) / FINE
    picture = np.tile(_bgr((228, 220, 200)), (height, width, 1))
    for _ in range(3):
        every, thick = float(chance.uniform(40, 90)), float(chance.uniform(2, 16))
        picture[(rows + float(chance.uniform(0, every))) % every < thick] = _bgr(_pick(chance, CLOTHS))
    return _weave(chance, picture)


def _dots(chance: np.random.Generator, height: int, width: int) -> MatLike:
    picture = np.tile(_bgr(_pick(chance, CLOTHS)), (height, width, 1))
    dot = _pick(chance, ((238, 234, 226), *CLOTHS))
    step = round(float(chance.uniform(16, 30)) * FINE)
    for row, y in enumerate(range(0, height, step)):
        for x in range(step // 2 * (row % 2), width, step):
            cv2.circle(picture, (x, y), step // 5, [float(part) for part in dot[::-1]], -1, cv2.LINE_AA)
    return _weave(chance, picture)


def _cloth(chance: np.random.Generator, height: int, width: int) -> MatLike:
    return _weave(chance, np.tile(_bgr(_pick(chance, CLOTHS)), (height, width, 1)))


def _felt(chance: np.random.Generator, height: int, width: int) -> MatLike:
    colour, half = _pick(chance, FELTS), (height // 2, width // 2)
    return _shade(colour, 0.07 * _clouds(chance, (height, width), (half, (height // 5, width // 5), (6, 7))))


def _plain(chance: np.random.Generator, height: int, width: int) -> MatLike:
    colour, half = _pick(chance, PLAINS), (height // 2, width // 2)
    return _shade(colour, 0.012 * _clouds(chance, (height, width), (half, (40, 50), (5, 6))))


def _shade(colour: Rgb, shade: MatLike) -> MatLike:
    light: MatLike = 1 + shade
    return _by_channel(shade.shape, lambda channel: _bgr(colour)[channel] * light)


def _by_channel(shape: tuple[int, ...], light: Callable[[int], MatLike]) -> MatLike:
    """One channel at a time: all at once take 200 MB, which may take a machine half a second to allocate."""
    picture = np.empty((*shape, 3), np.uint8)
    for channel in range(3):
        drawn = light(channel)
        picture[..., channel] = np.clip(drawn, 0, 255, out=drawn)
    return picture


_DRAWN: dict[str, Callable[[np.random.Generator, int, int], MatLike]] = {
    "wood": _wood,
    "gingham": _gingham,
    "stripes": _stripes,
    "dots": _dots,
    "cloth": _cloth,
    "felt": _felt,
    "plain": _plain,
}
