"""The picture laid flat by the cards themselves: they are all of one size and all have right angles.

Where nine cards lie says little of how the camera is tilted, since each lies off its place by a centimetre; their
shapes say it to a few parts in a thousand. Gauss-Newton on what is printed on them: three numbers of each card's
own (where it lies, how it is turned) and five of the camera's, the same for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import GRID
from companion.eyes.card.overlay import Overlay, pixels_and_turns, robust_weights
from companion.eyes.card.print_pattern import print_pattern
from companion.eyes.card.search import CardPlace
from companion.eyes.deck.taught_deck import TaughtDeck
from companion.eyes.grid.flat_picture import COARSE_MM, flatten
from companion.eyes.image.arrays import Floats

Equations = tuple[Floats, Floats]

# A card's own unknowns, and the camera's.
OWN: Final = 3
CAMERA: Final = 5
# The camera's unknowns are in hundreds of millimetres from the grid's middle, so that all are of similar size.
UNIT_MM: Final = 100.0
# The figures below were chosen by hand, not measured: each only keeps a bad beginning from running away.
# The least contrast, as a share of the taught one, with which a card in the dark counts.
LEAST_STRENGTH: Final = 0.2
# No round changes the scale by more, and what begins badly is not thrown across the table.
MOST_SCALE: Final = 0.04
MOST_MM: Final = 5.0
MOST_TURN: Final = 0.15
# Damping of unknowns that the cards hardly show, as a share of the normal matrix's diagonal.
STIFF: Final = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class CardPlane:
    """`to_mm` maps pixels to millimetres; `places` are the cards in these."""

    to_mm: Floats
    places: tuple[CardPlace, ...]


@dataclass(frozen=True, eq=False)
class Leveller:
    deck: TaughtDeck

    @cached_property
    def _overlay(self) -> Overlay:
        return Overlay(self.deck)

    @cached_property
    def _patterns_and_slopes(self) -> tuple[Floats, Floats]:
        """Each card's pattern, and how it changes to the right and downwards: cards x pixels x channels (x 2)."""
        whole = [self._pattern_of(root) for root in self._overlay.roots]
        ways = [[cv2.Sobel(card, cv2.CV_32F, *way) / 8 for way in ((1, 0), (0, 1))] for card in whole]
        slopes = [np.stack([_without_rim(right), _without_rim(below)], -1) for right, below in ways]
        return np.stack([_without_rim(card) for card in whole]), np.stack(slopes)

    def level(self, picture: MatLike, level: CardPlane, rounds: int) -> CardPlane:
        for _ in range(rounds):
            level = self._improve(picture, level)
        return level

    def _improve(self, picture: MatLike, level: CardPlane) -> CardPlane:
        seen = self._overlay.cut_cards(flatten(picture, level.to_mm).coarse, pixels_and_turns(level.places))
        equations = [self._build_equations(place, root) for place, root in zip(level.places, seen, strict=True)]
        own, camera = _solve(equations)
        straight = _straightening_map(camera)
        places = [_move(place, change, straight) for place, change in zip(level.places, own, strict=True)]
        return CardPlane(straight @ level.to_mm, tuple(places))

    def _pattern_of(self, root: Floats) -> Floats:
        """The pattern of the card alone: what it lies on would draw its rim outwards or inwards."""
        wide, high = self._overlay.size
        return print_pattern(root.reshape(high, wide, 3), COARSE_MM)

    def _build_equations(self, place: CardPlace, root: Floats) -> Equations:
        taught, slope = (of_cards[place.number] for of_cards in self._patterns_and_slopes)
        seen = _without_rim(self._pattern_of(root))
        strength = max(float((seen * taught).sum() / (taught**2).sum()), LEAST_STRENGTH)
        off = seen - strength * taught
        weight = np.repeat(robust_weights(off), 3)
        # What is seen lies where the taught card would have to be moved to.
        sloped = -strength * np.einsum("pcw,pkw->pck", slope, self._jacobian(place)).reshape(len(weight), -1)
        weighted = sloped * weight[:, None]
        return weighted.T @ sloped, weighted.T @ off.ravel()

    def _jacobian(self, place: CardPlace) -> Floats:
        """How each of the eight numbers moves each pixel of the card, in pixels of the card's own directions."""
        wide, high = self._overlay.size
        down, across = np.mgrid[1 : high - 1, 1 : wide - 1].reshape(2, -1)
        own = np.stack([across - (wide - 1) / 2, down - (high - 1) / 2])
        turned = rotation_matrix(place.turn)
        middle = np.array([[place.x_mm - GRID.centre[0]], [place.y_mm - GRID.centre[1]]])
        x, y = (turned @ own * COARSE_MM + middle) / UNIT_MM
        camera = np.array([[x, y], [x, -y], [y, x], [x * x, x * y], [x * y, y * y]]) * (UNIT_MM / COARSE_MM)
        one, none = np.ones_like(x), np.zeros_like(x)
        rigid = np.array([[one, none], [none, one], [-own[1], own[0]]])
        return np.concatenate([rigid, np.einsum("vw,kvp->kwp", turned, camera)]).transpose(2, 0, 1)


def _without_rim(whole: Floats) -> Floats:
    """Without the outermost pixels, where no slope can be measured."""
    return whole[1:-1, 1:-1].reshape(-1, 3)


def _solve(equations: Sequence[Equations]) -> tuple[list[Floats], Floats]:
    """Solves for the camera with each card's own unknowns eliminated (Schur complement), then for those."""
    together, push = np.zeros((CAMERA, CAMERA)), np.zeros(CAMERA)
    for normal, pushed in equations:
        normal[range(OWN), range(OWN)] *= 1 + STIFF
        from_own = np.linalg.solve(normal[:OWN, :OWN], np.column_stack([normal[:OWN, OWN:], pushed[:OWN]]))
        together += normal[OWN:, OWN:] - normal[OWN:, :OWN] @ from_own[:, :-1]
        push += pushed[OWN:] - normal[OWN:, :OWN] @ from_own[:, -1]
    together[range(CAMERA), range(CAMERA)] += STIFF * np.trace(together) / CAMERA
    camera: Floats = np.linalg.solve(together, push).clip(-MOST_SCALE, MOST_SCALE)
    own: list[Floats] = [
        np.linalg.solve(normal[:OWN, :OWN], pushed[:OWN] - normal[:OWN, OWN:] @ camera)
        for normal, pushed in equations
    ]
    return own, camera


def _straightening_map(camera: Floats) -> Floats:
    """The map from millimetres as they were assumed to corrected ones."""
    scale, longer, slanted, right, down = camera
    change = np.array([[1 - scale - longer, -slanted, 0], [-slanted, 1 - scale + longer, 0], [right, down, 1]])
    x, y = GRID.centre
    units = np.array([[1 / UNIT_MM, 0, -x / UNIT_MM], [0, 1 / UNIT_MM, -y / UNIT_MM], [0, 0, 1]])
    return np.linalg.inv(units) @ change @ units


def _move(place: CardPlace, change: Floats, straight: Floats) -> CardPlace:
    away = rotation_matrix(place.turn) @ np.clip(change[:2] * COARSE_MM, -MOST_MM, MOST_MM)
    turn = place.turn + float(np.degrees(np.clip(change[2], -MOST_TURN, MOST_TURN)))
    x, y, w = straight @ (place.x_mm + away[0], place.y_mm + away[1], 1)
    return replace(place, x_mm=float(x / w), y_mm=float(y / w), turn=turn % 360)


def rotation_matrix(degrees: float) -> Floats:
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
