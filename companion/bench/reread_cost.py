"""What a picture costs when the one before is known: nothing has changed on the table, or one cell has."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import process_time_ns

from companion.bench import drawn_samples
from companion.bench.answer_score import Verdict, verdict
from companion.bench.measured_game import measured_deck
from companion.core.cards import Card
from companion.core.reading import Hidden, Sight, Why
from companion.drawn.drawn_lot import LIGHTS, pile_by_lot
from companion.drawn.painter import Painter, Scene
from companion.eyes.grid.grid_from_mat import grid_at_corners
from companion.eyes.look import Eyes
from companion.eyes.table_tracker import TableTracker

UNCHANGED = 4
# The picture in which a cell changes, and the one in which it has come to rest and is read.
CHANGED = 2
MIDDLE = 4
# The distance to the next taught card with neither boat nor colour in common.
ANOTHER = 5


@dataclass(frozen=True, slots=True)
class RereadCost:
    unchanged_ns: tuple[int, ...]
    changed_ns: tuple[int, ...]
    """For each of the two pictures."""
    read: bool
    """Whether the new card was reported with the second picture."""


def tables(of_each: int) -> Iterator[Scene]:
    for kind in LIGHTS:
        for number in range(of_each):
            yield drawn_samples.scene_of(kind, number)


def measure_reread(eyes: Eyes, scene: Scene) -> RereadCost:
    painter = Painter()
    picture, truth = painter.paint(scene)
    tracker, _ = TableTracker(eyes, None if scene.mat else grid_at_corners(truth.corners)).look(picture, 0)
    changed, card = _with_another(scene)
    spent: list[int] = []
    sight: Sight = Hidden(Why.MOVING)
    for shot, one in enumerate([*[scene] * UNCHANGED, *[changed] * CHANGED], 1):
        picture, _ = painter.paint(one, shot)
        begin = process_time_ns()
        tracker, reading = tracker.look(picture, shot)
        spent.append(process_time_ns() - begin)
        sight = reading.cells[MIDDLE]
    read = verdict(card, sight) is Verdict.RIGHT
    return RereadCost(tuple(spent[:UNCHANGED]), tuple(spent[UNCHANGED:]), read)


def _with_another(scene: Scene) -> tuple[Scene, Card]:
    """The scene with a new card on the middle cell, different from the one there, and that card."""
    pile, faces = scene.piles[MIDDLE], measured_deck().faces()
    before = faces.index(pile[-1].face) if pile else 0
    face = faces[(before + ANOTHER) % len(faces)]
    assert face.name is not None
    laid = (*pile, *pile_by_lot(MIDDLE, [face], len(pile)))
    piles = tuple(laid if cell == MIDDLE else one for cell, one in enumerate(scene.piles))
    return replace(scene, piles=piles), Card(*face.name)
