"""Drawn cards: printed pictures lying on the table at any angle, one on the other, with thickness and shadow."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.drawn.drawn_camera import Box, Lens, Owners, Point, sample

# A margin around the picture, so that its soft edge fits into the sprite.
MARGIN = 2.0
# The width in mm over which a card's shadow on what it lies on fades.
CONTACT = 1.1
# A playing card is 0.3 mm thick; in a sleeve and not pressed flat it takes twice that.
THICK = 0.5
SIDE = np.array([186, 190, 192], np.float32)


@dataclass(frozen=True, eq=False)
class CardFace:
    """What is printed on one side: a picture (blue, green, red) and its size in millimetres. `name` is (boat,
    colour), or None if it is no card of the game, or a back. `gloss`: 0 uncoated, 0.3 coated, 1 in a sleeve."""

    picture: MatLike
    name: tuple[str, str] | None = None
    wide: float = 63.0
    high: float = 88.0
    corner: float = 3.5
    gloss: float = 0.1


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A face lying with its middle at (x, y) on the mat, turned clockwise by degrees."""

    face: CardFace
    x: float
    y: float
    turn: float = 0.0

    def corners(self, margin: float = 0.0) -> MatLike:
        half = np.array([self.face.wide / 2 + margin, self.face.high / 2 + margin])
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        return square @ _rotation(self.turn).T + (self.x, self.y)

    def samples(self) -> MatLike:
        """Points all over the card, to find out which share of it is visible."""
        across = (np.arange(12) + 0.5) / 12 - 0.5
        down = (np.arange(16) + 0.5) / 16 - 0.5
        grid = np.stack(np.meshgrid(across * self.face.wide, down * self.face.high), -1).reshape(-1, 2)
        return grid @ _rotation(self.turn).T + (self.x, self.y)


@lru_cache(maxsize=16)
def card_back(seed: int = 0, fine: int = 6) -> CardFace:
    """A lattice in one colour with a white rim."""
    chance = np.random.default_rng(seed)
    hue = int(chance.integers(180))
    ink = cv2.cvtColor(np.array([[[hue, 170, 130]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    rows = np.arange(88 * fine, dtype=np.float32)[:, None] / fine
    columns = np.arange(63 * fine, dtype=np.float32)[None] / fine
    lattice = np.cos((rows + columns) * 1.3) * np.cos((rows - columns) * 1.3) > 0.25
    rim = np.minimum(np.minimum(rows, 88 - rows), np.minimum(columns, 63 - columns)) < 4
    picture = np.zeros((*rim.shape, 3), np.uint8)
    picture[:] = ink
    picture[lattice] = picture[lattice] // 2 + 110
    picture[rim] = 240
    return CardFace(picture)


@dataclass(frozen=True, slots=True)
class Lying:
    """A card at its height on a pile; `owner` is the number that marks its pixels."""

    card: DrawnCard
    up: float
    owner: int

    def box(self, lens: Lens) -> Box:
        return lens.box(self.card.corners(shadow_margin(CONTACT) + 6), self.up)


def _rotation(degrees: float) -> MatLike:
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return np.array([[cosine, -sine], [sine, cosine]])


def map_to_card(lens: Lens, card: DrawnCard, up: float, margin: float, scale: float) -> MatLike:
    """The affine map from a pixel's point of the table to the sprite of a card that lies `up` mm above the
    table."""
    foot = np.array(lens.foot())
    nearer = (lens.above - up) / lens.above
    back = _rotation(-card.turn)
    middle = np.array([card.face.wide / 2 + margin, card.face.high / 2 + margin])
    linear = back * (nearer * scale)
    shift = (back @ (foot * (1 - nearer) - (card.x, card.y)) + middle) * scale - 0.5
    return np.column_stack([linear, shift])


@lru_cache(maxsize=256)
def face_sprite(face: CardFace, scale: float) -> MatLike:
    """The picture at this many pixels per millimetre, with rounded corners, as blue, green, red, alpha."""
    size = round(face.wide * scale), round(face.high * scale)
    picture = cv2.resize(face.picture, size, interpolation=cv2.INTER_AREA)
    margin = round(MARGIN * scale)
    picture = cv2.copyMakeBorder(picture, margin, margin, margin, margin, cv2.BORDER_REPLICATE)
    cover = _silhouette(face.wide, face.high, face.corner, margin / scale, scale)
    cover = cv2.resize(cover, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_AREA)
    return np.dstack([picture, cover]).astype(np.uint8)


def _silhouette(wide: float, high: float, corner: float, margin: float, scale: float) -> MatLike:
    """Drawn at four times the resolution; the caller shrinks it."""
    fine = scale * 4
    mask = np.zeros((round((high + 2 * margin) * fine), round((wide + 2 * margin) * fine)), np.uint8)
    inner = round((margin + corner) * fine), mask.shape[1] - round((margin + corner) * fine)
    upper = round((margin + corner) * fine), mask.shape[0] - round((margin + corner) * fine)
    edge = round(margin * fine)
    mask[upper[0] : upper[1], edge : mask.shape[1] - edge] = 255
    mask[edge : mask.shape[0] - edge, inner[0] : inner[1]] = 255
    for x in inner:
        for y in upper:
            cv2.circle(mask, (x, y), round(corner * fine), (255,), -1)
    return mask


@lru_cache(maxsize=64)
def card_shadow(wide: float, high: float, blur: float) -> MatLike:
    """At two pixels per millimetre, blurred by so many millimetres; it reaches twice `blur` beyond the card."""
    mask = _silhouette(wide, high, 3.5, shadow_margin(blur), 0.5)
    return cv2.GaussianBlur(mask, (0, 0), 2 * blur)


def shadow_margin(blur: float) -> float:
    return 2 + 2 * blur


@dataclass(frozen=True, slots=True)
class Ground:
    """The table as the camera sees it: for each pixel the point that it sees, its colour, and its owner. `lean`:
    how far a shadow falls per millimetre of height."""

    lens: Lens
    lean: Point
    table: MatLike
    picture: MatLike
    owners: Owners

    def lay(self, lying: Lying, area: Box) -> None:
        """Draws one card with its shadow and its side, within that area."""
        card, up, lens = lying.card, lying.up, self.lens
        box = lying.box(lens).within(area)
        if box.empty:
            return
        points, under = self.table[box.area], self.picture[box.area]
        lower = max(up - THICK, 0)
        x, y = (at + lean * (up + 0.4) for at, lean in zip((card.x, card.y), self.lean, strict=True))
        margin = shadow_margin(CONTACT)
        places = cv2.transform(
            points, map_to_card(lens, DrawnCard(card.face, x, y, card.turn), lower, margin, 2.0)
        )
        shadow = sample(card_shadow(card.face.wide, card.face.high, CONTACT), places)
        scale = round(lens.scale * 1.15, 1)
        sprite = face_sprite(card.face, scale)
        margin = round(MARGIN * scale) / scale
        side = cv2.transform(points, map_to_card(lens, card, lower, margin, scale))
        edge = sample(cv2.extractChannel(sprite, 3), side).astype(np.float32) * (1 / 255)
        seen = sample(sprite, cv2.transform(points, map_to_card(lens, card, up, margin, scale)))
        mixed = under * (1 - shadow.astype(np.float32) * (0.5 / 255))[..., None]
        mixed += (SIDE - mixed) * edge[..., None]
        mixed += (seen[..., :3] - mixed) * (seen[..., 3:].astype(np.float32) * (1 / 255))
        under[:] = (mixed + 0.5).astype(np.uint8)
        self.owners[box.area][seen[..., 3] > 127] = lying.owner
