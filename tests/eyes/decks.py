"""Made-up decks that differ from each other as real printings do, to try the eyes on what nobody tuned them for.

Each is a function without arguments that draws its sixteen cards, 378 x 528 pixels (six a millimetre), as
{(boat, colour): picture}. Each draws the four boats its own way."""

from collections.abc import Callable

import cv2
import numpy as np
from cv2.typing import MatLike

Bgr = tuple[int, int, int]
Deck = dict[tuple[str, str], MatLike]

BOATS = ("rowboat", "raft", "ring", "jetski")
COLOURS = ("yellow", "pink", "blue", "orange")
WIDE, HIGH = 378, 528
MIDDLE = (WIDE // 2, HIGH // 2)
WHITE: Bgr = (244, 246, 247)
INK: Bgr = (44, 36, 34)

FULL: dict[str, Bgr] = {
    "yellow": (46, 200, 246),
    "pink": (168, 92, 232),
    "blue": (196, 122, 34),
    "orange": (36, 126, 240),
}
FRAME: dict[str, Bgr] = {
    "yellow": (20, 186, 238),
    "pink": (150, 70, 222),
    "blue": (180, 98, 22),
    "orange": (24, 112, 234),
}
NEON: dict[str, Bgr] = {
    "yellow": (70, 232, 250),
    "pink": (196, 106, 250),
    "blue": (250, 182, 72),
    "orange": (62, 150, 250),
}
PALE: dict[str, Bgr] = {
    "yellow": (150, 218, 236),
    "pink": (196, 178, 232),
    "blue": (222, 196, 160),
    "orange": (150, 188, 234),
}


def _card(colour: Bgr) -> MatLike:
    return np.full((HIGH, WIDE, 3), colour, np.uint8)


def _shape(
    card: MatLike, points: list[tuple[float, float]], fill: Bgr, line: Bgr | None = INK, thick: int = 5
) -> None:
    """A polygon given in hundredths of 280 pixels around the middle of the card."""
    corners = (np.array(points) * 2.8 + MIDDLE).round().astype(np.int32)
    cv2.fillPoly(card, [corners], fill, cv2.LINE_AA)
    if line is not None:
        cv2.polylines(card, [corners], isClosed=True, color=line, thickness=thick, lineType=cv2.LINE_AA)


def _spot(card: MatLike, at: tuple[float, float], radius: float, fill: Bgr, thick: int = -1) -> None:
    middle = round(MIDDLE[0] + at[0] * 2.8), round(MIDDLE[1] + at[1] * 2.8)
    cv2.circle(card, middle, round(radius * 2.8), fill, thick, cv2.LINE_AA)


def _stroke(card: MatLike, start: tuple[float, float], end: tuple[float, float], ink: Bgr, thick: int) -> None:
    ends = [(round(MIDDLE[0] + x * 2.8), round(MIDDLE[1] + y * 2.8)) for x, y in (start, end)]
    cv2.line(card, ends[0], ends[1], ink, thick, cv2.LINE_AA)


def _rim(card: MatLike, ink: Bgr, inset: int, thick: int) -> None:
    cv2.rectangle(card, (inset, inset), (WIDE - 1 - inset, HIGH - 1 - inset), ink, thick, cv2.LINE_AA)


def _word(card: MatLike, word: str, ink: Bgr) -> None:
    size = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, 1.3, 2)[0]
    cv2.putText(card, word, ((WIDE - size[0]) // 2, HIGH - 46), cv2.FONT_HERSHEY_DUPLEX, 1.3, ink, 2, cv2.LINE_AA)


def _waves(card: MatLike, ink: Bgr, rows: range, thick: int = 3) -> None:
    across = np.arange(0, WIDE, 6)
    for row in rows:
        down = row + 7 * np.sin(across / 22 + row)
        line = np.stack([across, down], -1).round().astype(np.int32)
        cv2.polylines(card, [line], isClosed=False, color=ink, thickness=thick, lineType=cv2.LINE_AA)


def _filled_boat(card: MatLike, boat: str, body: Bgr, trim: Bgr) -> None:
    """Solid shapes with a dark outline."""
    if boat == "rowboat":
        _shape(card, [(-48, 0), (48, 0), (34, 24), (-34, 24)], body)
        _shape(card, [(-48, 0), (48, 0), (46, 6), (-46, 6)], trim)
        _stroke(card, (-10, 2), (-40, 36), (60, 110, 160), 12)
        _spot(card, (6, -26), 10, (150, 190, 230))
        _shape(card, [(-6, 0), (18, 0), (12, -18), (0, -18)], trim)
    elif boat == "raft":
        for row in range(4):
            _shape(card, [(-44, 8 + row * 9), (44, 8 + row * 9), (44, 16 + row * 9), (-44, 16 + row * 9)], body)
        _stroke(card, (0, 8), (0, -52), (50, 80, 120), 10)
        _shape(card, [(3, -50), (40, -8), (3, -8)], trim)
    elif boat == "ring":
        _spot(card, (0, 0), 44, INK)
        _spot(card, (0, 0), 42, body)
        for angle in range(45, 405, 90):
            cv2.ellipse(card, MIDDLE, (90, 90), 0, angle - 16, angle + 16, trim, 56, cv2.LINE_AA)
        _spot(card, (0, 0), 22, INK, 5)
    else:
        _shape(card, [(-50, 14), (-30, -4), (10, -8), (52, 8), (40, 26), (-40, 26)], body)
        _shape(card, [(-30, -4), (-4, -6), (-10, -20), (-26, -16)], trim)
        _stroke(card, (10, -8), (2, -30), INK, 8)
        _stroke(card, (-6, -32), (10, -28), INK, 8)
        _stroke(card, (-50, 30), (50, 30), WHITE, 8)


def _lined_boat(card: MatLike, boat: str, ink: Bgr, thick: int = 9) -> None:
    """The outline alone, as a pen draws it."""
    line = card.copy()
    if boat == "rowboat":
        cv2.ellipse(line, MIDDLE, (135, 62), 0, 0, 360, ink, thick, cv2.LINE_AA)
        cv2.ellipse(line, MIDDLE, (105, 40), 0, 0, 360, ink, thick // 2, cv2.LINE_AA)
        _stroke(line, (-12, -40), (-12, 40), ink, thick)
        _stroke(line, (12, -40), (12, 40), ink, thick)
    elif boat == "raft":
        for column in range(-2, 3):
            x = column * 17
            corners = [(x - 7.0, -38.0), (x + 7.0, -38.0), (x + 7.0, 38.0), (x - 7.0, 38.0)]
            points = (np.array(corners) * 2.8 + MIDDLE).round().astype(np.int32)
            cv2.polylines(line, [points], isClosed=True, color=ink, thickness=thick, lineType=cv2.LINE_AA)
        _stroke(line, (-44, -20), (44, -20), ink, thick)
        _stroke(line, (-44, 20), (44, 20), ink, thick)
    elif boat == "ring":
        _spot(line, (0, 0), 42, ink, thick)
        _spot(line, (0, 0), 22, ink, thick)
        for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            _stroke(line, (x * 22, y * 22), (x * 42, y * 42), ink, thick * 2)
    else:
        curve = [(-48, 18), (-36, 2), (-8, -4), (0, -24), (14, -24), (12, -6), (34, 0), (50, 18)]
        points = (np.array(curve) * 2.8 + MIDDLE).round().astype(np.int32)
        cv2.polylines(line, [points], isClosed=True, color=ink, thickness=thick, lineType=cv2.LINE_AA)
        for row in (28, 38):
            _stroke(line, (-40 + row // 4, row), (40 - row // 4, row), ink, thick)
    card[:] = line


def harbour() -> Deck:
    """The card's whole ground is its colour, with a picture in the middle."""
    deck: Deck = {}
    for boat in BOATS:
        for colour, ground in FULL.items():
            card = _card(ground)
            blue, green, red = (round(part * 0.7 + 255 * 0.3) for part in ground)
            lighter = (blue, green, red)
            _waves(card, lighter, range(400, 520, 24))
            _spot(card, (0, 0), 56, lighter)
            _filled_boat(card, boat, (52, 58, 206), WHITE)
            _rim(card, lighter, 16, 4)
            _word(card, boat.upper(), WHITE)
            deck[boat, colour] = card
    return deck


def paper() -> Deck:
    """White cards; only a frame and the corners carry the colour, the picture is grey."""
    deck: Deck = {}
    for boat in BOATS:
        for colour, ink in FRAME.items():
            card = _card(WHITE)
            _rim(card, ink, 26, 14)
            for x, y in ((52, 58), (WIDE - 53, HIGH - 59)):
                cv2.circle(card, (x, y), 30, ink, -1, cv2.LINE_AA)
            _filled_boat(card, boat, (168, 164, 160), (214, 212, 210))
            _word(card, boat, INK)
            deck[boat, colour] = card
    return deck


def night() -> Deck:
    """Dark cards with coloured lines."""
    deck: Deck = {}
    for boat in BOATS:
        for colour, ink in NEON.items():
            card = _card((46, 34, 30))
            stars = np.random.default_rng(BOATS.index(boat)).integers((14, 14), (WIDE - 14, HIGH - 14), (60, 2))
            for x, y in stars.tolist():
                cv2.circle(card, (x, y), 2, (120, 112, 108), -1, cv2.LINE_AA)
            _lined_boat(card, boat, ink)
            _waves(card, ink, range(430, 480, 22), 4)
            _rim(card, ink, 18, 5)
            deck[boat, colour] = card
    return deck


def carnival() -> Deck:
    """Every picture carries the other colours: a red-orange boat on blue, a yellow one on pink."""
    bodies: dict[str, Bgr] = {
        "rowboat": (38, 84, 236),
        "raft": (58, 206, 246),
        "ring": (172, 92, 236),
        "jetski": (206, 140, 40),
    }
    deck: Deck = {}
    for boat in BOATS:
        for colour, ground in FULL.items():
            card = _card(ground)
            chance = np.random.default_rng((BOATS.index(boat), COLOURS.index(colour)))
            others = [ink for name, ink in FULL.items() if name != colour]
            for number in range(26):
                x, y = int(chance.integers(20, WIDE - 20)), int(chance.integers(20, HIGH - 20))
                cv2.circle(card, (x, y), int(chance.integers(5, 15)), others[number % 3], -1, cv2.LINE_AA)
            cv2.rectangle(card, (54, 132), (WIDE - 55, HIGH - 133), (226, 214, 190), -1, cv2.LINE_AA)
            _waves(card[330:396, 54 : WIDE - 54], (190, 130, 60), range(12, 70, 18), 6)
            _filled_boat(card, boat, bodies[boat], others[COLOURS.index(colour) % 3])
            _rim(card, WHITE, 7, 14)
            deck[boat, colour] = card
    return deck


def mirror() -> Deck:
    """Nearly the same upside down, as bridge cards are: only a small sign tells which way up it lies."""
    deck: Deck = {}
    for boat in BOATS:
        for colour, ground in FULL.items():
            half = _card(WHITE)
            _lined_boat(half, boat, ground, 16)
            small = cv2.resize(half, None, fx=0.62, fy=0.62, interpolation=cv2.INTER_AREA)
            card = _card(WHITE)
            left, cut = (WIDE - small.shape[1]) // 2, (small.shape[0] - HIGH // 2 + 24) // 2
            card[24 : HIGH // 2, left : left + small.shape[1]] = small[cut : cut + HIGH // 2 - 24]
            card[HIGH // 2 :] = card[: HIGH // 2][::-1, ::-1]
            cv2.line(card, (40, HIGH // 2), (WIDE - 41, HIGH // 2), ground, 10, cv2.LINE_AA)
            cv2.rectangle(card, (0, 0), (WIDE - 1, HIGH - 1), ground, 36)
            cv2.circle(card, (58, 64), 9, INK, -1, cv2.LINE_AA)
            deck[boat, colour] = card
    return deck


def chalk() -> Deck:
    """A matt, pale printing on greyish paper: the colours are only just apart."""
    deck: Deck = {}
    for boat in BOATS:
        for colour, ground in PALE.items():
            card = _card((206, 214, 218))
            cv2.rectangle(card, (22, 22), (WIDE - 23, HIGH - 23), ground, -1)
            _lined_boat(card, boat, (104, 98, 96), 12)
            grain = np.random.default_rng(3).normal(0, 5, (HIGH, WIDE, 1))
            deck[boat, colour] = np.clip(card + grain, 0, 255).astype(np.uint8)
    return deck


def frame() -> Deck:
    """White cards with a broad frame: nearly all that is printed is the same on every boat."""
    deck: Deck = {}
    for boat in BOATS:
        for colour, ink in FULL.items():
            card = _card(WHITE)
            cv2.rectangle(card, (0, 0), (WIDE - 1, HIGH - 1), ink, 108)
            cv2.rectangle(card, (66, 66), (WIDE - 67, HIGH - 67), ink, 3, cv2.LINE_AA)
            picture = _card(WHITE)
            _lined_boat(picture, boat, ink, 22)
            small = cv2.resize(picture, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)
            high, wide = small.shape[:2]
            card[(HIGH - high) // 2 :, (WIDE - wide) // 2 :][:high, :wide] = small
            deck[boat, colour] = card
    return deck


def _printed(card: MatLike, saturation: float, contrast: float) -> MatLike:
    grey = card.mean(-1, keepdims=True)
    mixed = (grey + (card - grey) * saturation - 128) * contrast + 128
    return np.clip(mixed, 0, 255).astype(np.uint8)


def vivid(deck: Deck) -> Deck:
    """The same cards from a printer that loves colour."""
    return {name: _printed(card, 1.35, 1.1) for name, card in deck.items()}


def faded(deck: Deck) -> Deck:
    """The same cards after years in the sun."""
    return {name: _printed(card, 0.6, 0.8) + np.uint8(14) for name, card in deck.items()}


DECKS: dict[str, Callable[[], Deck]] = {
    "harbour": harbour,
    "paper": paper,
    "night": night,
    "carnival": carnival,
    "mirror": mirror,
    "chalk": chalk,
    "frame": frame,
}
