"""A hand over the drawn table as a layer of its own: what it covers, and the shadow it casts."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.drawn.drawn_camera import NOWHERE, Box, Lens, Point, linear_of_code, sample
from companion.drawn.drawn_card import (
    MARGIN,
    THICK,
    DrawnCard,
    card_shadow,
    face_sprite,
    map_to_card,
    shadow_margin,
)
from companion.drawn.drawn_hand import FINE, SLEEVES, Hand, hand_shadow, hand_sprite
from companion.drawn.drawn_light import LightField, RoomLamp

# The back of the hand is this much higher than the fingertips, and casts the shadow.
BACK = 14.0
# The share of the ambient light that a hand blocks.
AROUND = 0.55
BLURS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40)
SHADOW_FINE = 0.5
SHADOW_ROOM = 40.0
SHADES_APART = 3.0


@dataclass(frozen=True, slots=True)
class Layer:
    """A hand to be blended over the table: reflectance times `cover`, and `cover`, for the pixels of `box`."""

    box: Box
    colour: MatLike
    cover: MatLike


def make_layer(hand: Hand, lens: Lens, table: MatLike) -> Layer:
    way = _motion_blur(hand, lens)
    box = hand.box(lens)
    for card in hand.holds:
        box = box.joined(lens.box(card.corners(MARGIN), hand.up + THICK * len(hand.holds)))
    if box.empty:
        return Layer(NOWHERE, np.zeros((0, 0, 3), np.float32), np.zeros((0, 0), np.float32))
    box = box.grown(_blur_margin(way)).within(lens.frame)
    drawn = np.zeros((box.bottom - box.top, box.right - box.left, 4), np.float32)
    for number, card in enumerate(hand.holds):
        up = hand.up + THICK * number
        scale = round(lens.scale * 1.15, 1)
        small = lens.box(card.corners(MARGIN), up).within(box)
        places = map_to_card(lens, card, up, round(MARGIN * scale) / scale, scale)
        part = drawn[small.moved(-box.left, -box.top).area]
        _blend(part, table[small.area], places, face_sprite(card.face, scale))
    small = hand.box(lens).within(box)
    part = drawn[small.moved(-box.left, -box.top).area]
    _blend(part, table[small.area], hand.onto(lens, FINE), hand_sprite(hand.pose, hand.style))
    drawn = _smear(drawn, way)
    return Layer(box, cv2.cvtColor(drawn, cv2.COLOR_BGRA2BGR), cv2.extractChannel(drawn, 3))


def _blend(drawn: MatLike, points: MatLike, onto_sprite: MatLike, sprite: MatLike) -> None:
    """Blends a sprite of colour codes and alpha over what is drawn already, in linear light."""
    if not points.size:
        return
    # A card's sprite has a transparent border; an arm's ends in the sleeve, which the repeated border continues.
    light = cv2.LUT(sample(sprite, cv2.transform(points, onto_sprite), cv2.BORDER_REPLICATE), _codes_and_cover())
    cover = cv2.extractChannel(light, 3)
    drawn -= cv2.multiply(drawn, cv2.merge([cover] * 4))
    drawn += cv2.multiply(light, cv2.merge([cover, cover, cover, np.ones_like(cover)]))


@lru_cache(maxsize=1)
def _codes_and_cover() -> MatLike:
    linear = linear_of_code()
    share = np.arange(256, dtype=np.float32) / 255
    return cv2.merge([linear, linear, linear, share]).reshape(1, 256, 4)


def _motion_blur(hand: Hand, lens: Lens) -> Point:
    """How many pixels the hand moves while the shutter is open."""
    there = np.array([hand.grip, (hand.grip[0] + hand.moved[0], hand.grip[1] + hand.moved[1])])
    pixels = lens.project(there, hand.up)
    return float(pixels[1, 0] - pixels[0, 0]), float(pixels[1, 1] - pixels[0, 1])


def _blur_margin(way: Point) -> int:
    return math.ceil(max(abs(way[0]), abs(way[1])) / 2) + 1


def _smear(drawn: MatLike, way: Point) -> MatLike:
    """The mean of copies along the way; the lens's blur fills the gaps of three pixels between them."""
    copies = min(math.ceil(math.hypot(*way) / SHADES_APART), 12)
    if copies < 2:
        return drawn
    room = _blur_margin(way)
    framed = cv2.copyMakeBorder(drawn, room, room, room, room, cv2.BORDER_REPLICATE)
    height, width = drawn.shape[:2]
    total = np.zeros_like(drawn)
    for copy in range(copies):
        share = (copy + 0.5) / copies - 0.5
        left, top = room - round(way[0] * share), room - round(way[1] * share)
        total += framed[top : top + height, left : left + width]
    total *= 1 / copies
    return total


def find_reach(hands: tuple[Hand, ...], lamps: tuple[RoomLamp, ...], lens: Lens) -> Box:
    """The box of pixels that hands, the cards in them and their shadows may change."""
    whole = NOWHERE
    for hand in hands:
        room = _blur_margin(_motion_blur(hand, lens))
        whole = whole.joined(hand.box(lens).grown(room))
        for shift, _ in _find_shadows(hand, lamps):
            whole = whole.joined(hand.box(lens, shift, SHADOW_ROOM, 0.0))
        for card in hand.holds:
            whole = whole.joined(lens.box(card.corners(MARGIN), hand.up + THICK * len(hand.holds)).grown(room))
            for shift, blur in _find_shadows(hand, lamps):
                whole = whole.joined(lens.box(card.corners(shadow_margin(blur)) + shift))
    return whole.within(lens.frame)


def _find_shadows(hand: Hand, lamps: tuple[RoomLamp, ...]) -> list[tuple[Point, int]]:
    """For each lamp, and last for the ambient light: the shadow's offset and its softness in mm."""
    high = hand.up + BACK
    falls = [(lamp.shift(hand.grip, high), lamp.size * high / lamp.up / 2) for lamp in lamps]
    falls.append(((0.0, 0.0), 6 + high * 0.4))
    return [(shift, min(BLURS, key=lambda blur, soft=soft: abs(blur - soft))) for shift, soft in falls]


@dataclass(frozen=True, slots=True)
class LitTable:
    """The table without hands: its light and its reflectance, pixel by pixel."""

    lens: Lens
    lamps: tuple[RoomLamp, ...]
    field: LightField
    table: MatLike
    reflectance: MatLike


def darken(light: MatLike, room: Box, hand: Hand, lit: LitTable) -> None:
    """Subtract the hand's shadow from the light in `room`, lamp by lamp."""
    box = find_reach((hand,), lit.lamps, lit.lens).within(room)
    if box.empty:
        return
    falls = _find_shadows(hand, lit.lamps)
    shares = [1.0] * len(lit.lamps) + [AROUND]
    lost = [np.zeros((box.bottom - box.top, box.right - box.left), np.float32) for _ in range(3)]
    for fall, share, lamp, colour in zip(falls, shares, lit.field.lamps, lit.field.colours, strict=True):
        shade = _shade(hand, lit, box, fall).astype(np.float32)
        shade *= lamp[box.area] * (share / 255)
        for channel in range(3):
            lost[channel] += shade * colour[channel]
    taken = cv2.multiply(cv2.merge(lost), lit.reflectance[box.area])
    light[box.moved(-room.left, -room.top).area] -= taken


def _shade(hand: Hand, lit: LitTable, box: Box, fall: tuple[Point, int]) -> MatLike:
    (shift, blur), lens, points = fall, lit.lens, lit.table[box.area]
    sprite = hand_shadow(hand.pose, SLEEVES[hand.style.sleeve] is not None, blur)
    way = hand.onto(lens, SHADOW_FINE, shift, 0.0)
    way[:, 2] += SHADOW_ROOM * SHADOW_FINE
    shade = sample(sprite, cv2.transform(points, way), cv2.BORDER_REPLICATE)
    margin = shadow_margin(blur)
    for card in hand.holds:
        fallen = DrawnCard(card.face, card.x + shift[0], card.y + shift[1], card.turn)
        small = lens.box(fallen.corners(margin)).within(box)
        if small.empty:
            continue
        part = small.moved(-box.left, -box.top).area
        places = cv2.transform(points[part], map_to_card(lens, fallen, 0.0, margin, 2.0))
        below = sample(card_shadow(card.face.wide, card.face.high, blur), places)
        np.maximum(shade[part], below, out=shade[part])
    return shade
