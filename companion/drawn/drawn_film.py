"""A film of the drawn table: a script of hands, lamps and bumps becomes labelled pictures.

A card counts as lying from the time that `Lay` names, a pile as gone from the time when its hand picks it up. The
hands' ways to and from the table are added automatically."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from cv2.typing import MatLike

from companion.core.mat import CELLS, MAT
from companion.drawn.drawn_camera import Colour, Lens, Point, Sensor
from companion.drawn.drawn_card import THICK, CardFace, DrawnCard
from companion.drawn.drawn_hand import Hand, Style
from companion.drawn.drawn_light import Light
from companion.drawn.painter import Painter, Pile, Scene, Truth
from companion.units import SECOND

ANY_HAND = Style()
# The players' shoulders, from which their arms come.
SEATS: dict[str, Point] = {
    "left": (-460.0, 190.0),
    "right": (MAT.width + 460.0, 110.0),
    "near": (240.0, MAT.height + 430.0),
    "far": (180.0, -430.0),
}
COMES, GOES = 0.55, 0.45
HIGH = 55.0
# A hand holds a card this far from its middle, towards the arm.
HELD_AT = 30.0
# How fast a camera's auto exposure follows, in seconds, and its slower white balance.
EXPOSES, BALANCES = 0.15, 0.6


@dataclass(frozen=True, slots=True)
class Lay:
    """A hand lays a card that comes to rest `at` seconds, `off` millimetres from the cell's middle."""

    at: float
    cell: int
    face: CardFace
    seat: str = "near"
    off: Point = (0.0, 0.0)
    turn: float = 0.0
    lingers: float = 0.25
    style: Style = ANY_HAND


@dataclass(frozen=True, slots=True)
class Lift:
    """A hand picks up these cells' piles one after the other, the first `at` seconds."""

    at: float
    cells: tuple[int, ...]
    seat: str = "near"
    every: float = 0.6
    style: Style = ANY_HAND


@dataclass(frozen=True, slots=True)
class Hover:
    """A hand is over the first cell `at` seconds, stays a while over each cell and takes nothing. Over cells on
    the far side its sleeve covers those on the way."""

    at: float
    cells: tuple[int, ...]
    seat: str = "near"
    stays: float = 0.5
    pose: str = "point"
    up: float = 30.0
    style: Style = ANY_HAND


@dataclass(frozen=True, slots=True)
class Switch:
    """The light changes `at` seconds; the camera needs a moment to follow."""

    at: float
    light: Light
    fades: float = 0.04


@dataclass(frozen=True, slots=True)
class Bump:
    """Table or camera is bumped: it shakes, and stays displaced by so many millimetres and degrees."""

    at: float
    shift: Point = (3.0, 2.0)
    turn: float = 0.3
    shakes: float = 0.5


Action = Lay | Lift | Hover | Switch | Bump


@dataclass(frozen=True, slots=True)
class Happening:
    """A card came to rest on a cell, or (card None) the pile was taken from it."""

    t_ns: int
    cell: int
    card: DrawnCard | None


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of a film with its ground truth, and what happened since the picture before."""

    t_ns: int
    picture: MatLike
    truth: Truth
    happened: tuple[Happening, ...]
    scene: Scene


@dataclass(frozen=True, slots=True)
class Key:
    """A keyframe: where the fingertips are at that second, and which cards the hand holds from then on."""

    at: float
    place: Point
    up: float
    holds: Pile = ()


@dataclass(frozen=True, slots=True)
class Gesture:
    """One hand's movement through its keyframes."""

    keys: tuple[Key, ...]
    shoulder: Point
    style: Style
    pose: str

    def hand(self, at: float, shutter: float) -> Hand | None:
        if not self.keys[0].at <= at < self.keys[-1].at:
            return None
        place, up = self._where(at)
        before, after = self._where(at - shutter / 2)[0], self._where(at + shutter / 2)[0]
        arm = _arm(place, self.shoulder)
        key = next(key for key in reversed(self.keys) if key.at <= at)
        held = tuple(_carry(card, key.place, place, arm - _arm(key.place, self.shoulder)) for card in key.holds)
        moved = after[0] - before[0], after[1] - before[1]
        return Hand(self.style, place, up, arm, self.pose, moved, held)

    def _where(self, at: float) -> tuple[Point, float]:
        at = min(max(at, self.keys[0].at), self.keys[-1].at)
        late = next((number for number, key in enumerate(self.keys) if key.at > at), len(self.keys) - 1)
        start, end = self.keys[max(late - 1, 0)], self.keys[late]
        share = (at - start.at) / (end.at - start.at) if end.at > start.at else 1.0
        # Minimum-jerk motion, as human arms move.
        share = share**3 * (10 - 15 * share + 6 * share**2)
        x, y = (one + (two - one) * share for one, two in zip(start.place, end.place, strict=True))
        return (x, y), start.up + (end.up - start.up) * share


def _arm(place: Point, shoulder: Point) -> float:
    return math.degrees(math.atan2(shoulder[1] - place[1], shoulder[0] - place[0]))


def _carry(card: DrawnCard, start: Point, now: Point, turn: float) -> DrawnCard:
    """Where a held card is once the hand has moved from `start` to `now` and the arm has turned."""
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    x, y = card.x - start[0], card.y - start[1]
    return DrawnCard(card.face, now[0] + cosine * x - sine * y, now[1] + sine * x + cosine * y, card.turn + turn)


def _move_towards(place: Point, goal: Point, way: float) -> Point:
    far = math.dist(place, goal)
    return place[0] + (goal[0] - place[0]) * way / far, place[1] + (goal[1] - place[1]) * way / far


def make_lay_gesture(action: Lay, before: int, shoulder: Point) -> tuple[Gesture, DrawnCard]:
    """The gesture that lays a card on a pile of `before` cards, and the card as it comes to rest."""
    middle = CELLS[action.cell].centre
    card = DrawnCard(action.face, middle[0] + action.off[0], middle[1] + action.off[1], action.turn)
    rest = _move_towards((card.x, card.y), shoulder, HELD_AT)
    near, out = _move_towards(rest, shoulder, 25), _move_towards(shoulder, rest, 60)
    top = (before + 1) * THICK
    # Before it rests, the card is carried back along the hand's way.
    holding = [(action.at - COMES - 0.15, out, HIGH), (action.at - 0.15, near, 25.0)]
    keys = [
        Key(at, place, up, (_carry(card, rest, place, _arm(place, shoulder) - _arm(rest, shoulder)),))
        for at, place, up in holding
    ]
    gone = action.at + action.lingers
    keys += [Key(action.at, rest, top), Key(gone, rest, top), Key(gone + GOES, out, HIGH)]
    return Gesture(tuple(keys), shoulder, action.style, "pinch"), card


def make_lift_gesture(action: Lift, piles: Sequence[Pile], shoulder: Point) -> Gesture:
    first = _grip(action.cells[0], piles, shoulder)
    out = _move_towards(shoulder, first, 60)
    keys = [Key(action.at - COMES, out, HIGH), Key(action.at - 0.08, first, 3.0)]
    holds: Pile = ()
    for number, cell in enumerate(action.cells):
        at, place = action.at + number * action.every, _grip(cell, piles, shoulder)
        before = keys[-1]
        turned = _arm(place, shoulder) - _arm(before.place, shoulder)
        holds = (*piles[cell], *(_carry(card, before.place, place, turned) for card in holds))
        keys.append(Key(at, place, 3.0, holds))
        up = Key(at + action.every * 0.4, place, HIGH * 0.8, holds)
        keys.append(up)
    last = keys[-1]
    turned = _arm(out, shoulder) - _arm(last.place, shoulder)
    left = tuple(_carry(card, last.place, out, turned) for card in holds)
    keys.append(Key(last.at + GOES, out, HIGH, left))
    return Gesture(tuple(keys), shoulder, action.style, "pinch")


def _grip(cell: int, piles: Sequence[Pile], shoulder: Point) -> Point:
    middle = (piles[cell][-1].x, piles[cell][-1].y) if piles[cell] else CELLS[cell].centre
    return _move_towards(middle, shoulder, HELD_AT)


def _hover(action: Hover) -> Gesture:
    shoulder = SEATS[action.seat]
    out = _move_towards(shoulder, CELLS[action.cells[0]].centre, 60)
    keys = [Key(action.at - COMES, out, HIGH)]
    at = action.at
    for cell in action.cells:
        keys += [Key(at, CELLS[cell].centre, action.up), Key(at + action.stays, CELLS[cell].centre, action.up)]
        at += action.stays + 0.25
    keys.append(Key(keys[-1].at + GOES, out, HIGH))
    return Gesture(tuple(keys), shoulder, action.style, action.pose)


@dataclass(frozen=True)
class Film:
    """`lost` is the share of pictures that are dropped; `breathes` how much the exposure fluctuates by itself."""

    scene: Scene
    actions: tuple[Action, ...]
    lasts: float
    rate: float = 15.0
    lost: float = 0.0
    seed: int = 0
    begin_ns: int = 0
    breathes: float = 0.0
    happenings: tuple[Happening, ...] = field(init=False)
    _gestures: tuple[Gesture, ...] = field(init=False)

    def __post_init__(self) -> None:
        gestures: list[Gesture] = []
        happened: list[Happening] = []
        piles = list(self.scene.piles)
        for action in sorted(self.actions, key=lambda action: action.at):
            match action:
                case Lay():
                    gesture, card = make_lay_gesture(action, len(piles[action.cell]), SEATS[action.seat])
                    piles[action.cell] = (*piles[action.cell], card)
                    happened.append(Happening(self._ns(action.at), action.cell, card))
                case Lift():
                    gesture = make_lift_gesture(action, piles, SEATS[action.seat])
                    for number, cell in enumerate(action.cells):
                        piles[cell] = ()
                        happened.append(Happening(self._ns(action.at + number * action.every), cell, None))
                case Hover():
                    gesture = _hover(action)
                case Switch() | Bump():
                    continue
            gestures.append(gesture)
        object.__setattr__(self, "_gestures", tuple(gestures))
        object.__setattr__(self, "happenings", tuple(sorted(happened, key=lambda one: one.t_ns)))

    def __iter__(self) -> Iterator[Shot]:
        painter = Painter()
        chance = np.random.default_rng(self.seed)
        for number in range(math.floor(self.lasts * self.rate)):
            arrives = chance.random() >= self.lost
            if arrives:
                at = number / self.rate
                scene = self.at(at)
                picture, truth = painter.paint(scene, self.seed * 100_003 + number)
                happened = tuple(one for one in self.happenings if one.t_ns <= self._ns(at))
                yield Shot(self._ns(at), picture, truth, happened, scene)

    def at(self, at: float) -> Scene:
        """The scene that many seconds after the beginning."""
        piles = list(self.scene.piles)
        for one in self.happenings:
            if one.t_ns <= self._ns(at):
                piles[one.cell] = (*piles[one.cell], one.card) if one.card else ()
        light, sensor = self._seen(at)
        hands = (gesture.hand(at, sensor.shutter) for gesture in self._gestures)
        return replace(
            self.scene,
            piles=tuple(piles),
            light=light,
            sensor=sensor,
            lens=self._knocked(at),
            hands=tuple(hand for hand in hands if hand),
        )

    def _ns(self, at: float) -> int:
        return self.begin_ns + round(at * SECOND)

    def _seen(self, at: float) -> tuple[Light, Sensor]:
        """The light at that time, and the camera's settings, which lag behind."""
        light, sensor = self.scene.light, self.scene.sensor
        for action in self.actions:
            if not isinstance(action, Switch) or at < action.at:
                continue
            since = at - action.at
            settled = _follow_light(sensor, light, action.light)
            exposed, balanced = 1 - math.exp(-since / EXPOSES), 1 - math.exp(-since / BALANCES)
            # Settled to less than one code: then pictures of a still table are drawn only once.
            if since > 8 * BALANCES:
                exposed = balanced = 1.0
            exposure = sensor.exposure * (settled.exposure / sensor.exposure) ** exposed
            blue, green, red = (
                one * (two / one) ** balanced for one, two in zip(sensor.white, settled.white, strict=True)
            )
            sensor = replace(sensor, exposure=exposure, white=(blue, green, red))
            light = light.faded(action.light, since / action.fades)
        if self.breathes:
            sensor = replace(
                sensor, exposure=sensor.exposure * (1 + self.breathes * math.sin(at * 2.3 + self.seed))
            )
        return light, sensor

    def _knocked(self, at: float) -> Lens:
        lens = self.scene.lens
        for action in self.actions:
            if not isinstance(action, Bump) or at < action.at:
                continue
            since = at - action.at
            swing = math.exp(-5 * since / action.shakes) * math.cos(45 * since) if since < action.shakes else 0.0
            share = 1 - swing
            aim = lens.aim[0] + action.shift[0] * share, lens.aim[1] + action.shift[1] * share
            lens = replace(lens, aim=aim, turn=lens.turn + action.turn * share)
        return lens


def _follow_light(sensor: Sensor, old: Light, new: Light) -> Sensor:
    """This sensor's settings for the new light, as far from neutral as under the old one."""
    before, after = np.array(old.in_the_middle()), np.array(new.in_the_middle())
    undone = np.array(sensor.white)
    # The change of colour is corrected to the same share as the old light's colour was.
    wish = undone * ((before / before.mean()) / (after / after.mean())) ** 0.85
    wish /= wish.min()
    exposure = sensor.exposure * (before * undone).max() / (after * wish).max()
    white: Colour = float(wish[0]), float(wish[1]), float(wish[2])
    return replace(sensor, exposure=float(exposure), white=white)
