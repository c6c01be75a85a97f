"""Paints the drawn table: camera pictures of cards on a table, made with simple geometry and light.

A `Scene` says what is there; `Painter` makes the picture and its ground truth. Reflectance is drawn first, then
lit in linear light, then hands are blended over it, then lens and sensor are applied. What has not changed since
the last picture is cached, so a film of a still table with a hand over it is fast."""

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import CELLS, GRID, Rectangle
from companion.drawn.drawn_camera import NOWHERE, Box, Lens, Owners, Places, Point, Sensor, linear_of_code, sample
from companion.drawn.drawn_card import THICK, DrawnCard, Ground, Lying
from companion.drawn.drawn_hand import Hand
from companion.drawn.drawn_layer import Layer, LitTable, darken, find_reach, make_layer
from companion.drawn.drawn_light import Glare, Light, LightField, illuminant, light_field
from companion.drawn.drawn_surface import FINE, SHEET, Surface, surface_picture

Pile = tuple[DrawnCard, ...]
TABLE_TOP, STRAIGHT, EXACT = Surface(), Lens(), Sensor()
NO_PILES: tuple[Pile, ...] = ((),) * 9
# The margin that the lens's blur needs around what has changed.
BLUR_ROOM = 8
BURNT = 252


@dataclass(frozen=True, slots=True)
class Scene:
    """One instant at the table. `piles` are those of the nine cells, lowest card first; `beside` are cards
    anywhere else."""

    light: Light
    surface: Surface = TABLE_TOP
    mat: bool = True
    lens: Lens = STRAIGHT
    sensor: Sensor = EXACT
    piles: tuple[Pile, ...] = NO_PILES
    beside: Pile = ()
    hands: tuple[Hand, ...] = ()

    @property
    def tops(self) -> tuple[DrawnCard | None, ...]:
        return tuple(pile[-1] if pile else None for pile in self.piles)

    def lying(self) -> tuple[Lying, ...]:
        """Every card with its height, those beside the grid first."""
        beside = [Lying(card, THICK, 200 + number) for number, card in enumerate(self.beside)]
        piled = [
            Lying(card, (number + 1) * THICK, 1 + cell * 20 + number)
            for cell, pile in enumerate(self.piles)
            for number, card in enumerate(pile)
        ]
        return (*beside, *piled)


@dataclass(frozen=True, slots=True)
class Truth:
    """The ground truth of a picture. `hidden` is the share of each cell, `card_hidden` that of its top card, that
    a hand or its cards cover; `burnt` the share of the top card that is clipped white. Corners in pixels."""

    cells: tuple[DrawnCard | None, ...]
    hidden: tuple[float, ...]
    card_hidden: tuple[float, ...]
    burnt: tuple[float, ...]
    corners: tuple[Point, ...]
    outlines: tuple[tuple[Point, ...] | None, ...]

    @property
    def names(self) -> tuple[tuple[str, str] | None, ...]:
        return tuple(card.face.name if card else None for card in self.cells)


@dataclass(slots=True)
class _PaintedScene:
    """The cache: what was computed for the last scene."""

    scene: Scene
    ground: Ground
    reflectance: MatLike
    light: LightField
    radiance: MatLike
    code: MatLike
    hands: Box = NOWHERE


class Painter:
    """Draws scene after scene; the same scene and shot give the same picture whatever was drawn before."""

    def __init__(self) -> None:
        self._kept: _PaintedScene | None = None

    def paint(self, scene: Scene, shot: int = 0) -> tuple[MatLike, Truth]:
        """The picture and its truth. `shot` selects the noise: two shots of one scene differ only in that."""
        picture = self.picture(scene, shot)
        assert self._kept is not None
        layers = [make_layer(hand, scene.lens, self._kept.ground.table) for hand in scene.hands]
        return picture, _find_truth(scene, layers, picture)

    def picture(self, scene: Scene, shot: int = 0) -> MatLike:
        """The picture without the truth, which takes a third of the time."""
        kept, stale = self._update(scene)
        hands = find_reach(scene.hands, scene.light.lamps, scene.lens)
        stale = stale.joined(kept.hands).joined(hands)
        if not stale.empty:
            layers = [make_layer(hand, scene.lens, kept.ground.table) for hand in scene.hands]
            # The lens's blur spreads a change to the pixels around it.
            _expose(kept, scene, layers, stale.grown(BLUR_ROOM).within(scene.lens.frame))
        kept.scene, kept.hands = scene, hands
        picture = scene.sensor.grain(kept.code, shot)
        if scene.sensor.jpeg is not None:
            packed = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, scene.sensor.jpeg))[1]
            picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return picture

    def _update(self, scene: Scene) -> tuple[_PaintedScene, Box]:
        """Bring the cached table, cards and light up to date; also return where they have changed."""
        kept = self._kept
        if kept is None or _ground_key(kept.scene) != _ground_key(scene):
            self._kept = kept = _start(scene)
            return kept, scene.lens.frame
        stale = _redraw_cards(kept, scene)
        if kept.scene.light != scene.light:
            kept.light = light_field(scene.light, scene.lens, kept.ground.table)
            stale = scene.lens.frame
        if not stale.empty:
            _light_up(kept, scene, stale)
        if kept.scene.sensor != scene.sensor:
            stale = scene.lens.frame
        return kept, stale


def paint(scene: Scene, shot: int = 0) -> tuple[MatLike, Truth]:
    """Paints a single picture."""
    return Painter().paint(scene, shot)


def _ground_key(scene: Scene) -> tuple[Lens, Surface, bool, Point]:
    return scene.lens, scene.surface, scene.mat, scene.light.lean()


def _start(scene: Scene) -> _PaintedScene:
    lens = scene.lens
    table = lens.widen(lens.coarse()[0])
    picture = _draw_ground(scene, table)
    ground = Ground(lens, scene.light.lean(), table, picture, np.zeros((lens.height, lens.width), np.uint8))
    for one in scene.lying():
        ground.lay(one, lens.frame)
    reflectance = cv2.LUT(picture, linear_of_code())
    light = light_field(scene.light, lens, table)
    kept = _PaintedScene(scene, ground, reflectance, light, np.empty_like(reflectance), np.empty_like(picture))
    _light_up(kept, scene, lens.frame)
    return kept


def _draw_ground(scene: Scene, table: MatLike) -> MatLike:
    places = (table - np.array([SHEET.left, SHEET.top], np.float32)) * FINE - 0.5
    return sample(surface_picture(scene.surface, mat=scene.mat), places, cv2.BORDER_REFLECT_101)


def _redraw_cards(kept: _PaintedScene, scene: Scene) -> Box:
    """Redraw the cards where any has come or gone; return where that was."""
    before, after = set(kept.scene.lying()), set(scene.lying())
    stale = NOWHERE
    for one in before ^ after:
        stale = stale.joined(one.box(scene.lens))
    if stale.empty:
        return stale
    ground = kept.ground
    ground.picture[stale.area] = _draw_ground(scene, ground.table[stale.area])
    ground.owners[stale.area] = 0
    for one in scene.lying():
        ground.lay(one, stale)
    kept.reflectance[stale.area] = cv2.LUT(ground.picture[stale.area], linear_of_code())
    return stale


def _light_up(kept: _PaintedScene, scene: Scene, stale: Box) -> None:
    kept.radiance[stale.area] = cv2.multiply(kept.reflectance[stale.area], kept.light.total[stale.area])
    for glare in scene.light.glares:
        reach_mm = glare.size * 6
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * reach_mm + (glare.x, glare.y)
        box = scene.lens.box(corners).within(stale)
        if not box.empty:
            kept.radiance[box.area] += _reflect(
                glare, scene, kept.ground.table[box.area], kept.ground.owners[box.area]
            )


def _reflect(glare: Glare, scene: Scene, table: MatLike, owners: Owners) -> MatLike:
    """A bright core and a wide halo. Every card is bent a little differently, so each reflects the lamp
    elsewhere."""
    gloss = np.full(256, scene.surface.gloss, np.float32)
    middles = np.tile(np.array([glare.x, glare.y], np.float32), (256, 1))
    if scene.mat:
        gloss[0] = 0.02
    for one in scene.lying():
        chance = np.random.default_rng((one.owner, round(abs(one.card.x) * 50), round(abs(one.card.turn) * 10)))
        gloss[one.owner] = one.card.face.gloss
        middles[one.owner] += chance.normal(0, 22, 2)
    away = ((table - middles[owners]) ** 2).sum(-1)
    size = glare.size**2
    mirrored = np.exp(-away / size) + 0.06 * np.exp(-away / (9 * size))
    mirrored *= gloss[owners] * glare.strength
    return mirrored[..., None] * np.array(illuminant(glare.kelvin), np.float32)


def _expose(kept: _PaintedScene, scene: Scene, layers: list[Layer], stale: Box) -> None:
    """From light to colour codes, with the hands and their shadows; the lens's blur needs a margin around the
    area."""
    room = stale.grown(BLUR_ROOM).within(scene.lens.frame)
    light = kept.radiance[room.area].copy()
    lit = LitTable(scene.lens, scene.light.lamps, kept.light, kept.ground.table, kept.reflectance)
    for hand in scene.hands:
        darken(light, room, hand, lit)
    for layer in layers:
        box = layer.box.within(room)
        if box.empty:
            continue
        inner = box.moved(-layer.box.left, -layer.box.top).area
        under = light[box.moved(-room.left, -room.top).area]
        under -= cv2.multiply(under, cv2.merge([layer.cover[inner]] * 3))
        under += cv2.multiply(layer.colour[inner], kept.light.total[box.area])
    reach_px = min(int(np.ceil(scene.sensor.blur * 3)), BLUR_ROOM)
    if reach_px:
        light = cv2.GaussianBlur(light, (2 * reach_px + 1, 2 * reach_px + 1), scene.sensor.blur)
    inner = stale.moved(-room.left, -room.top).area
    kept.code[stale.area] = scene.sensor.develop(np.ascontiguousarray(light[inner]))


def _find_truth(scene: Scene, layers: list[Layer], picture: MatLike) -> Truth:
    lens, tops = scene.lens, scene.tops
    burnt = [0.0] * 9
    card_hidden = [0.0] * 9
    outlines: list[tuple[Point, ...] | None] = [None] * 9
    for cell, card in enumerate(tops):
        if card is None:
            continue
        up = len(scene.piles[cell]) * THICK
        pixels = _pixels_within(lens, lens.project(card.samples(), up))
        card_hidden[cell] = _hidden_share(pixels, layers)
        burnt[cell] = float((picture[pixels[:, 1], pixels[:, 0]] >= BURNT).all(-1).mean()) if len(pixels) else 0.0
        outlines[cell] = _to_points(lens.project(card.corners(), up))
    hidden = [_hidden_share(_pixels_within(lens, lens.project(_sample_cell(cell))), layers) for cell in CELLS]
    corners = _to_points(lens.project(np.array(GRID.corners)))
    return Truth(tops, tuple(hidden), tuple(card_hidden), tuple(burnt), corners, tuple(outlines))


def _to_points(pixels: MatLike) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in pixels)


def _sample_cell(cell: Rectangle) -> MatLike:
    share = (np.arange(16) + 0.5) / 16
    grid = np.meshgrid(cell.left + share * cell.width, cell.top + share * cell.height)
    return np.stack(grid, -1).reshape(-1, 2)


def _pixels_within(lens: Lens, pixels: MatLike) -> Places:
    whole = pixels.round().astype(np.intp)
    return whole[((whole >= 0) & (whole < (lens.width, lens.height))).all(1)]


def _hidden_share(pixels: Places, layers: list[Layer]) -> float:
    if not len(pixels):
        return 0.0
    clear = np.ones(len(pixels))
    for layer in layers:
        box = layer.box
        inside = ((pixels >= (box.left, box.top)) & (pixels < (box.right, box.bottom))).all(1)
        x, y = pixels[inside, 0] - box.left, pixels[inside, 1] - box.top
        clear[inside] *= 1 - layer.cover[y, x]
    return float(1 - clear.mean())
