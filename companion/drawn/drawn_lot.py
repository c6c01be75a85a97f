"""Random drawn tables: a kind of light and a seed give a table as a family might have it."""

from collections.abc import Callable, Sequence

import numpy as np

from companion.core.mat import CELLS
from companion.drawn.drawn_camera import Lens, Sensor
from companion.drawn.drawn_card import CardFace, DrawnCard, card_back
from companion.drawn.drawn_light import Glare, Light, Outline, RoomLamp
from companion.drawn.drawn_surface import KINDS, Surface
from companion.drawn.painter import Pile, Scene

Chance = np.random.Generator
LARGEST_PILE = 8


def _even(chance: Chance, low: float, high: float) -> float:
    return float(chance.uniform(low, high))


def _far(chance: Chance, away: float) -> tuple[float, float]:
    """A random point at that distance from the middle of the table."""
    angle = _even(chance, 0, 2 * np.pi)
    return 210 + away * float(np.cos(angle)), 150 + away * float(np.sin(angle))


def _neutral(chance: Chance) -> Light:
    x, y = _far(chance, 300)
    return Light((RoomLamp(_even(chance, 4300, 6000), 0.8, x, y, 1600, 400),), 0.4)


def _ceiling(chance: Chance) -> Light:
    x, y = _far(chance, 250)
    return Light((RoomLamp(_even(chance, 2900, 3600), 0.35, x, y, 1500, 250),), 0.1, 3600)


def _window(chance: Chance) -> Light:
    x, y = _far(chance, _even(chance, 750, 1100))
    return Light((RoomLamp(_even(chance, 5800, 8000), 0.8, x, y, _even(chance, 450, 700), 350),), 0.15, 5500)


def _evening(chance: Chance) -> Light:
    x, y = _far(chance, _even(chance, 200, 500))
    return Light((RoomLamp(_even(chance, 2500, 2800), 0.12, x, y, _even(chance, 600, 1000), 90),), 0.02, 2700)


def _dim(chance: Chance) -> Light:
    x, y = _far(chance, _even(chance, 300, 600))
    return Light((RoomLamp(_even(chance, 2350, 2600), 0.05, x, y, _even(chance, 600, 1000), 90),), 0.01, 2600)


def _dimmest(chance: Chance) -> Light:
    x, y = _far(chance, _even(chance, 300, 600))
    return Light((RoomLamp(2200, _even(chance, 0.012, 0.02), x, y, _even(chance, 500, 800), 60),), 0.003, 2200)


def _mixed(chance: Chance) -> Light:
    """A window on one side, a lamp on the other."""
    x, y = _far(chance, _even(chance, 700, 900))
    cold = RoomLamp(_even(chance, 6500, 9000), 0.30, x, y, 500, 300)
    warm = RoomLamp(_even(chance, 2500, 2800), 0.34, 420 - x, 300 - y, 520, 90)
    return Light((cold, warm), 0.05, 5000)


def _sun(chance: Chance) -> Light:
    """Panes of a window on the table, three times as bright as the rest."""
    angle, x, y = _even(chance, 0, 2 * np.pi), _even(chance, 60, 300), _even(chance, 20, 220)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    panes: list[Outline] = []
    for row in (0, 1):
        for column in (0, 1):
            corner = np.array([x, y]) + along * (column * 185 - 180) + across * (row * 205 - 200)
            square = (corner, corner + along * 165, corner + along * 165 + across * 185, corner + across * 185)
            panes.append(tuple((float(point[0]), float(point[1])) for point in square))
    sun = RoomLamp(5300, 1.6, 210 + 900 * along[0], 150 + 900 * along[1], 1400, 30, within=tuple(panes), soft=8)
    return Light((sun,), 0.55, 7000)


def _arm(chance: Chance) -> Light:
    """Somebody leans between lamp and table: one hard band of shadow."""
    angle, wide = _even(chance, 0, np.pi), _even(chance, 25, 55)
    along = np.array([np.cos(angle), np.sin(angle)]) * 900
    across = np.array([-along[1], along[0]]) / 900 * wide
    middle = np.array([_even(chance, 90, 330), _even(chance, 50, 250)])
    corners = (middle - along - across, middle + along - across, middle + along + across, middle - along + across)
    band = tuple((float(point[0]), float(point[1])) for point in corners)
    x, y = _far(chance, 500)
    lamp = RoomLamp(_even(chance, 2900, 4500), 0.6, x, y, 900, 60, shade=(band,), soft=_even(chance, 5, 22))
    return Light((lamp,), 0.2, 6000)


def _edge(chance: Chance) -> Light:
    """The edge of a lampshade's shadow lies across the table."""
    angle = _even(chance, 0, 2 * np.pi)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    middle = np.array([_even(chance, 130, 290), _even(chance, 90, 210)])
    corners = (-900 * along, 900 * along, 900 * along + 900 * across, -900 * along + 900 * across)
    half = tuple((float(point[0]), float(point[1])) for point in (middle + corner for corner in corners))
    lamp = RoomLamp(_even(chance, 2600, 3200), 0.35, 210, 100, 700, 60, shade=(half,), soft=_even(chance, 8, 30))
    return Light((lamp,), 0.1, 3000)


def _glare(chance: Chance) -> Light:
    x, y = _even(chance, 90, 330), _even(chance, 30, 270)
    spots = (Glare(x, y, _even(chance, 14, 26), _even(chance, 3, 9), 3500),)
    return Light((RoomLamp(3500, 0.4, x, y, 900, 120),), 0.15, 4500, spots)


LIGHTS: dict[str, Callable[[Chance], Light]] = {
    "neutral": _neutral,
    "ceiling": _ceiling,
    "window": _window,
    "evening": _evening,
    "dim": _dim,
    "dimmest": _dimmest,
    "mixed": _mixed,
    "sun": _sun,
    "arm": _arm,
    "edge": _edge,
    "glare": _glare,
}


def light_by_lot(kind: str, seed: int) -> Light:
    return LIGHTS[kind](np.random.default_rng((seed, 1)))


def lens_by_lot(seed: int, width: int = 1280, height: int = 960) -> Lens:
    chance = np.random.default_rng((seed, 2))
    return Lens(
        width,
        height,
        above=_even(chance, 640, 800),
        tilt=_even(chance, 0, 8),
        tilt_towards=_even(chance, 0, 360),
        turn=float(chance.normal(0, 3)),
        focal=1.33,
        aim=(210 + float(chance.normal(0, 15)), 148 + float(chance.normal(0, 10))),
        bend=_even(chance, -0.04, 0.04),
        vignette=_even(chance, 0, 0.15),
    )


def sensor_by_lot(light: Light, seed: int) -> Sensor:
    """A camera with imperfect white balance and exposure, which is limited where there is too little light."""
    chance = np.random.default_rng((seed, 3))
    cast = tuple(float(np.exp(chance.normal(0, 0.06))) for _ in range(3))
    blue, green, red = cast
    bright = _even(chance, 0.45, 0.8) * min(1.0, (sum(light.in_the_middle()) / 0.4) ** 0.25)
    neutral = _even(chance, 0.6, 0.95)
    metered = Sensor.metered(light.in_the_middle(), bright=bright, neutral=neutral, cast=(blue, green, red))
    return Sensor(metered.exposure, metered.white, blur=_even(chance, 0.5, 1.0), jpeg=int(chance.integers(82, 95)))


def surface_by_lot(seed: int) -> Surface:
    chance = np.random.default_rng((seed, 4))
    return Surface(KINDS[int(chance.integers(len(KINDS)))], int(chance.integers(1000)))


def pile_by_lot(cell: int, faces: Sequence[CardFace], seed: int, mess: float = 4.0) -> Pile:
    """These faces on a cell, the last on top, each slightly displaced: one in ten crosswise, half upside down."""
    chance = np.random.default_rng((seed, 5, cell))
    middle = CELLS[cell].centre
    across = 90 if chance.random() < 0.1 else 0
    cards: list[DrawnCard] = []
    for face in faces:
        x, y = (middle[axis] + float(np.clip(chance.normal(0, mess), -12, 12)) for axis in (0, 1))
        turn = across + 180 * int(chance.integers(2)) + float(chance.normal(0, 1.5 * mess))
        cards.append(DrawnCard(face, x, y, turn))
    return tuple(cards)


def scene_by_lot(  # noqa: PLR0913 (what is drawn by lot may be fixed one by one)
    seed: int,
    faces: Sequence[CardFace],
    *,
    light: str | None = None,
    mat: bool = True,
    filled: float = 0.75,
    mess: float = 4.0,
    width: int = 1280,
    height: int = 960,
) -> Scene:
    """A table with random cards of these faces on about that share of the cells, and a few objects beside them."""
    chance = np.random.default_rng((seed, 6))
    kind = light or tuple(LIGHTS)[int(chance.integers(len(LIGHTS)))]
    lamps = light_by_lot(kind, seed)
    piles: list[Pile] = []
    for cell in range(9):
        many = min(int(chance.geometric(0.45)), LARGEST_PILE) if chance.random() < filled else 0
        drawn = [faces[int(chance.integers(len(faces)))] for _ in range(many)]
        piles.append(pile_by_lot(cell, drawn, seed, mess))
    back = card_back(seed)
    spots = [(_even(chance, -60, 10), _even(chance, -30, 330)), (_even(chance, 410, 480), _even(chance, -30, 330))]
    beside = tuple(
        DrawnCard(back, x, y, _even(chance, 0, 360)) for x, y in spots if chance.random() < 0.4 and not mat
    )
    sensor = sensor_by_lot(lamps, seed)
    lens = lens_by_lot(seed, width, height)
    return Scene(lamps, surface_by_lot(seed), mat, lens, sensor, tuple(piles), beside)
