"""A drawn hand in its sleeve: capsules for the bones, a height map, and shading by slope.

In the sprite the fingertips are at the left and the arm runs off to the right without end: the border pixels of
the sleeve are repeated up to the edge of the picture."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.drawn.drawn_camera import Box, Lens, Point
from companion.drawn.drawn_card import DrawnCard

Rgb = tuple[int, int, int]
Bone = tuple[Point, Point, float, float]

# Two pixels per millimetre; then the place in the sprite of the fingertips' middle, where a card is held.
FINE = 2
GRIP = (24.0, 95.0)
SIZE = (460, 190)
SLEEVE_FROM, SLEEVE_TO = 192.0, 340.0

SKINS: dict[str, Rgb] = {
    "pale": (236, 196, 174),
    "light": (218, 168, 138),
    "olive": (184, 132, 98),
    "brown": (122, 80, 56),
    "dark": (72, 48, 38),
}
SLEEVES: dict[str, Rgb | None] = {
    "bare": None,
    "black": (32, 32, 36),
    "white": (228, 226, 222),
    "navy": (38, 50, 92),
    "red": (178, 36, 42),
    "orange": (226, 122, 40),
    "yellow": (226, 184, 44),
    "pink": (224, 118, 160),
    "blue": (58, 132, 206),
    "striped": (70, 110, 84),
}

# Positions along and across the arm, measured from the grip, with the radius at both ends.
FINGERS: dict[str, tuple[Bone, ...]] = {
    "pinch": (
        ((88, -26), (44, -22), 10.5, 9), ((44, -22), (4, -8), 9, 7),
        ((86, -6), (40, -4), 10.5, 9.5), ((40, -4), (-2, 5), 9.5, 7.5),
        ((88, 14), (46, 18), 10, 9), ((46, 18), (12, 20), 9, 7.5),
        ((96, 30), (64, 38), 9, 8), ((64, 38), (36, 38), 8, 6.5),
        ((138, -36), (94, -56), 15, 12), ((94, -56), (52, -46), 12, 10), ((52, -46), (20, -24), 10, 8),
    ),
    "open": (
        ((90, -28), (44, -42), 10.5, 9), ((44, -42), (6, -54), 9, 7),
        ((86, -6), (34, -8), 10.5, 9.5), ((34, -8), (-14, -10), 9.5, 7.5),
        ((88, 15), (42, 24), 10, 9), ((42, 24), (0, 32), 9, 7.5),
        ((98, 32), (64, 50), 9, 8), ((64, 50), (36, 66), 8, 6.5),
        ((138, -36), (106, -66), 15, 12), ((106, -66), (72, -82), 12, 9),
    ),
    "point": (
        ((88, -26), (42, -20), 10.5, 9), ((42, -20), (0, -4), 9, 7),
        ((86, -6), (62, -2), 11, 11), ((62, -2), (70, 2), 11, 10),
        ((88, 14), (66, 16), 11, 11), ((66, 16), (74, 18), 11, 10),
        ((96, 30), (76, 32), 10, 10), ((76, 32), (84, 32), 10, 9),
        ((138, -36), (100, -52), 15, 12), ((100, -52), (72, -36), 12, 10),
    ),
}  # fmt: skip
# The greatest distance of a bone from the arm's axis, by pose; the sleeve's is 50.
ACROSS = {"pinch": 70.0, "open": 93.0, "point": 66.0}
PALM: tuple[Bone, ...] = (
    ((90, -22), (150, -18), 17, 24), ((88, 0), (150, 0), 16, 26), ((92, 22), (150, 16), 16, 24),
    ((145, 0), (195, 0), 30, 25), ((195, 0), (460, 0), 25, 40),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    skin: str = "light"
    sleeve: str = "navy"
    left: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """`grip`: where the fingertips are over the table, `up` at what height; the arm comes from `arm` (degrees, 0:
    from the right, 90: from the near side). `moved`: the movement in millimetres while the shutter was open.
    `holds`: the cards in the hand, the lowest first, where they are at this moment."""

    style: Style
    grip: Point
    up: float
    arm: float
    pose: str = "pinch"
    moved: Point = (0.0, 0.0)
    holds: tuple[DrawnCard, ...] = ()

    def onto(self, lens: Lens, fine: float, shift: Point = (0.0, 0.0), up: float | None = None) -> MatLike:
        """The affine map from a pixel's point of the table to the sprite, shifted by `shift` millimetres."""
        up = self.up if up is None else up
        nearer = (lens.above - up) / lens.above
        sine, cosine = math.sin(math.radians(self.arm)), math.cos(math.radians(self.arm))
        back = np.array([[cosine, sine], [-sine, cosine]])
        if self.style.left:
            back = np.diag([1.0, -1.0]) @ back
        place = np.array(lens.foot()) * (1 - nearer) - self.grip - np.array(shift)
        return np.column_stack([back * (nearer * fine), (back @ place + GRIP) * fine - 0.5])

    def box(self, lens: Lens, shift: Point = (0.0, 0.0), margin: float = 0.0, up: float | None = None) -> Box:
        """The box of pixels that the hand and its arm can reach."""
        along, across = -GRIP[0] - margin, ACROSS[self.pose] + margin
        corners = np.array([[along, -across], [along + 900, -across], [along + 900, across], [along, across]])
        sine, cosine = math.sin(math.radians(self.arm)), math.cos(math.radians(self.arm))
        turned = corners @ np.array([[cosine, sine], [-sine, cosine]]) + self.grip + np.array(shift)
        return lens.box(turned, self.up if up is None else up)


@lru_cache(maxsize=12)
def hand_sprite(pose: str, style: Style) -> MatLike:
    """Blue, green, red, alpha: the hand in even light, with its own soft shading."""
    height, cover = _shape(pose, sleeved=SLEEVES[style.sleeve] is not None)
    slope_x = np.asarray(cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=1 / 8), np.float32)
    slope_y = np.asarray(cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=1 / 8), np.float32)
    upright = 1 / np.sqrt(1 + (slope_x**2 + slope_y**2) * FINE**2)
    shade = 0.30 + 0.62 * upright - 0.10 * np.tanh(slope_y * 1.5)
    picture = _paint(style, cover.shape) * shade[..., None]
    return np.dstack([np.clip(picture, 0, 255), cover * 255]).round().astype(np.uint8)


@lru_cache(maxsize=32)
def hand_shadow(pose: str, sleeved: bool, blur: int) -> MatLike:  # noqa: FBT001 (a key of the cache)
    """The alpha alone at half a pixel per millimetre, blurred by so many millimetres, with a margin of 40 mm."""
    cover = _shape(pose, sleeved=sleeved)[1]
    small = cv2.resize(cover, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    room = cv2.copyMakeBorder(small, 20, 20, 20, 0, cv2.BORDER_CONSTANT, value=(0,))
    room = cv2.copyMakeBorder(room, 0, 0, 0, 20, cv2.BORDER_REPLICATE)
    return (cv2.GaussianBlur(room, (0, 0), max(blur / 2, 0.6)) * 255).round().astype(np.uint8)


@lru_cache(maxsize=8)
def _shape(pose: str, *, sleeved: bool) -> tuple[MatLike, MatLike]:
    """The height over the table in millimetres, and the alpha with a soft edge."""
    columns, rows = np.meshgrid(np.arange(SIZE[0] * FINE), np.arange(SIZE[1] * FINE))
    place = np.stack([columns, rows], -1).astype(np.float32) / FINE - np.array(GRIP, np.float32)
    height = np.full(rows.shape, -1.0, np.float32)
    inside = np.full(rows.shape, -9.0, np.float32)
    for bone in (*PALM, *FINGERS[pose]):
        _add(bone, place, height, inside)
    if sleeved:
        _add(((SLEEVE_FROM, 0), (SLEEVE_TO, 0), 37, 50), place, height, inside, flat=True)
        folds = np.sin(place[..., 0] * 0.28 + 2.2 * np.sin(place[..., 1] * 0.07)) * 1.6
        height += np.where(place[..., 0] > SLEEVE_FROM + 4, folds, 0).astype(np.float32)
    height = cv2.GaussianBlur(np.maximum(height, 0), (0, 0), 2.6)
    return height, np.clip(inside * FINE + 0.5, 0, 1)


def _add(bone: Bone, place: MatLike, height: MatLike, inside: MatLike, *, flat: bool = False) -> None:
    """Adds a tapering capsule; a sleeve (`flat`) begins straight instead of round."""
    start, end = np.array(bone[0], np.float32), np.array(bone[1], np.float32)
    along = end - start
    share = ((place - start) @ along) / float(along @ along)
    held = np.clip(share, 0, 1 if not flat else 9)
    away = np.linalg.norm(place - start - held[..., None] * along, axis=-1)
    radius = bone[2] + (bone[3] - bone[2]) * np.clip(held, 0, 1)
    depth = radius - away
    if flat:
        depth = np.where(share < 0, -9, depth)
    rise = np.sqrt(np.maximum(radius**2 - away**2, 0)) + (6 if flat else 0)
    np.maximum(height, np.where(depth > 0, rise, -1), out=height)
    np.maximum(inside, depth, out=inside)


def _paint(style: Style, shape: tuple[int, ...]) -> MatLike:
    chance = np.random.default_rng(len(style.skin) * 31 + len(style.sleeve))
    blotches = cv2.resize(chance.standard_normal((40, 90), np.float32), (shape[1], shape[0]))
    picture = np.array(SKINS[style.skin][::-1], np.float32) * (1 + 0.03 * blotches[..., None])
    along = np.arange(shape[1], dtype=np.float32) / FINE - GRIP[0]
    # Fingertips and knuckles are redder than the back of the hand.
    warm = np.exp(-(((along - 86) / 12) ** 2)) * 0.5 + np.exp(-((along / 14) ** 2))
    picture *= 1 + warm[None, :, None] * np.array([-0.06, -0.05, 0.04], np.float32)
    cloth = SLEEVES[style.sleeve]
    if cloth is None:
        return picture
    ink = np.tile(np.array(cloth[::-1], np.float32), (*shape[:2], 1))
    if style.sleeve == "striped":
        ink[(np.arange(shape[0]) // 14 % 2).astype(bool)] = (206, 214, 218)
    ink *= 1 + 0.05 * chance.standard_normal((*shape[:2], 1), np.float32)
    cuff = (along > SLEEVE_FROM)[None, :, None]
    seam = (np.abs(along - SLEEVE_FROM - 14) < 1)[None, :, None]
    return np.where(cuff, np.where(seam, ink * 0.7, ink), picture)
