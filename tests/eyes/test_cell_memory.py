"""What is known of a cell beside its newest reading."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.core.cards import Card
from companion.core.reading import Bare, Hidden, Pose, Shown, Sight, Why
from companion.drawn.drawn_lot import scene_by_lot
from companion.eyes.grid.flat_picture import flatten
from companion.eyes.image.arrays import Floats
from companion.eyes.scene.arms_over_time import cell_slices
from companion.eyes.scene.cell_memory import (
    AT_FIRST,
    NOW_AND_THEN,
    SELDOM,
    SOON,
    SURE_ENOUGH,
    UNKNOWN_AT_FIRST,
    CellMemory,
)
from companion.eyes.scene.picture_quality import Focus, compare_focus

from ..remembered import paint
from .lessons import faces
from .looking import mat_in

MS = 1_000_000
PICTURE = 66 * MS
DARK = Hidden(Why.DARK)
HERE = Pose(46, 46, 0)
ELSEWHERE = Pose(52, 46, 8)


def ski(colour: str, sure: float = 0.99, pose: Pose = HERE) -> Shown:
    return Shown(Card("jetski", colour), sure, pose)


ORANGE, YELLOW = ski("orange"), ski("yellow", 0.98)


def read(*sights: Sight, known: CellMemory | None = None) -> tuple[CellMemory, list[Sight]]:
    """Single pictures one after the other."""
    known, told = known or CellMemory(0), list[Sight]()
    for number, sight in enumerate(sights):
        known, now = known.add_try(sight, number * PICTURE).decide(sight)
        told.append(now)
    return known, told


class TestAnotherColour:
    def test_the_first_reading_is_believed(self) -> None:
        """Nothing speaks against it."""
        assert [ORANGE] == read(ORANGE)[1]
        assert [ski("orange", 0.6)] == read(ski("orange", 0.6))[1]

    def test_is_not_believed_where_nobody_was(self) -> None:
        """However often it is read: what was read before was surer."""
        assert [ORANGE, *[DARK] * 9] == read(ORANGE, *[YELLOW] * 9)[1]

    def test_is_where_it_is_surer_in_one_picture_after_the_other(self) -> None:
        """Then the other one was wrong."""
        sure = ski("yellow", 0.999)
        known = replace(read(ORANGE)[0], tries=())

        assert [*[DARK] * 4, sure] == read(*[sure] * 5, known=known)[1]

    def test_that_turns_back_is_at_once_what_it_was(self) -> None:
        """A shadow has gone."""
        assert [ORANGE, DARK, DARK, ORANGE] == read(ORANGE, YELLOW, YELLOW, ORANGE)[1]

    @pytest.mark.parametrize("new", [ski("yellow", 0.6, ELSEWHERE), Shown(Card("ring", "yellow"), 0.6, HERE)])
    def test_that_somebody_has_laid_is_believed(self, new: Shown) -> None:
        """Elsewhere on the cell, or with another boat."""
        known = after_an_arm(read(ORANGE)[0])

        assert [new] == read(new, known=known)[1]

    def test_that_somebody_has_laid_in_the_same_place_needs_more_pictures(self) -> None:
        """That is rare; the lamp that was switched while an arm was there isn't."""
        known = after_an_arm(read(ORANGE)[0])

        assert [DARK, DARK, YELLOW] == read(YELLOW, YELLOW, YELLOW, known=known)[1]
        assert [DARK] * 9 == read(*[ski("yellow", 0.6)] * 9, known=known)[1]

    def test_on_a_cell_that_was_bare_is_believed(self) -> None:
        """The card that was there has gone."""
        known = replace(read(ORANGE, Bare())[0], tries=())

        assert [YELLOW] == read(YELLOW, known=known)[1]

    @pytest.mark.parametrize("gap", ["blink", "stirs"])
    def test_after_a_gap_somebody_may_have_been_there(self, gap: str) -> None:
        """No picture for long, or something that stirred for long."""
        known = read(ORANGE)[0].with_motion(0, 0, rests=True, arm=False)
        stirring = [300 * MS] if gap == "blink" else [PICTURE * number for number in range(1, 10)]
        for before, t in zip([0, *stirring], stirring, strict=False):
            known = known.with_motion(t, before, rests=gap == "blink", arm=False)

        assert known.handled


def after_an_arm(known: CellMemory) -> CellMemory:
    known = known.with_motion(PICTURE, 0, rests=False, arm=True)
    return known.with_motion(2 * PICTURE, PICTURE, rests=True, arm=False)


class TestTries:
    def test_three_pictures_of_some_that_agree_tell_a_card(self) -> None:
        """What is hidden in the others was a little too dark in them."""
        told = read(DARK, ski("orange", 0.6), DARK, ski("orange", 0.7), DARK, ski("orange", 0.5), DARK)[1]

        assert ski("orange", 0.6) == told[-1]

    def test_two_colours_tell_none(self) -> None:
        """One of them is wrong."""
        half = ski("orange", 0.6), ski("yellow", 0.6)

        assert [DARK, DARK] == read(DARK, *half, *half, *half, DARK)[1][-2:]

    def test_a_card_that_is_known_needs_one(self) -> None:
        """Nobody has touched it, it was only too dark."""
        known = replace(read(ORANGE)[0], tries=())
        told = read(DARK, DARK, ski("orange", 0.6), DARK, known=known)[1]

        assert [True, True, False, False] == [isinstance(sight, Hidden) for sight in told]

    def test_three_bare_pictures_are_bare(self) -> None:
        """A lamp mirrored in the table."""
        glare = Hidden(Why.GLARE)

        assert [glare, Bare(), Bare(), Bare(), Bare()] == read(glare, Bare(), Bare(), Bare(), glare)[1]

    @pytest.mark.parametrize(
        ("why", "first", "then"),
        [(Why.DARK, AT_FIRST, NOW_AND_THEN), (Why.UNKNOWN_CARD, UNKNOWN_AT_FIRST, SELDOM)],
    )
    def test_what_is_hidden_is_tried_often_at_first_then_now_and_then(
        self, why: Why, first: int, then: int
    ) -> None:
        """A card that is unknown for ever must not cost much."""
        known, hidden = CellMemory(0), Hidden(why)
        times: list[int] = []
        for t in range(0, 5_000 * MS, 17 * MS):
            if known.is_due(hidden, t):
                known = known.add_try(hidden, t)
                times.append(t)
        apart = np.diff(times)

        assert not known.is_due(ORANGE, 10**12)
        assert first == len([gap for gap in apart if gap < then]) + 1
        assert SOON <= apart.min()
        assert apart.max() <= then + 17 * MS

    def test_what_is_read_but_not_surely_is_tried_at_first(self) -> None:
        """Several pictures of it tell more than one that is told several times."""
        unsure = ski("orange", SURE_ENOUGH - 0.1)

        assert CellMemory(0).is_due(unsure, PICTURE)
        assert not replace(CellMemory(0), tried=AT_FIRST).is_due(unsure, 10**12)


@pytest.fixture(scope="module")
def cells() -> Sequence[Floats]:
    """Of a drawn table: two shots, and the second out of focus by so much."""
    deck = [*faces("harbour").values()]
    scene = scene_by_lot(5, deck, light="ceiling", filled=1, width=640, height=480)
    first, second = (paint(scene, shot)[0] for shot in (0, 1))
    grid = mat_in(first)
    pictures = [first, second, *(cv2.GaussianBlur(second, (0, 0), blur) for blur in (2, 3, 4))]
    return [flatten(picture, grid.to_mm).coarse for picture in pictures]


class TestFocus:
    @pytest.mark.parametrize("cell", range(9))
    def test_what_is_blurred_is_known(self, cells: Sequence[Floats], cell: int) -> None:
        """From what it was before; noise is no print, and another lamp is no blur."""
        first, second, *blurred = (picture[cell_slices(cell, 1)] for picture in cells)

        assert Focus.ALIKE is compare_focus(second, first)
        assert Focus.ALIKE is compare_focus(second * np.array([0.6, 0.8, 1.1], np.float32), first)
        assert [Focus.BLURRED] * 3 == [compare_focus(picture, first) for picture in blurred]
        assert [Focus.SHARPER] * 3 == [compare_focus(first, picture) for picture in blurred]

    def test_another_card_is_another(self, cells: Sequence[Floats]) -> None:
        """So is a cell without print."""
        first, second = (cells[0][cell_slices(cell, 1)][:30, :30] for cell in (0, 4))

        assert Focus.OTHER is compare_focus(first, second)
        assert Focus.OTHER is compare_focus(np.full_like(first, 0.5), first)

    def test_a_blurred_cell_is_what_it_was(self, cells: Sequence[Floats]) -> None:
        """If nobody was there; otherwise it can't be told."""
        sharp, blurred = cells[0][cell_slices(0, 1)], cells[3][cell_slices(0, 1)]
        known, how = read(ORANGE)[0].with_focus(sharp)
        assert Focus.OTHER is how
        known, how = known.with_focus(blurred)

        assert Focus.BLURRED is how
        assert ORANGE == known.before_the_blur()
        assert Hidden(Why.BLUR) == after_an_arm(known).before_the_blur()
        assert not known.is_due(DARK, 10**12)

    def test_what_was_read_of_a_blurred_card_is_void(self, cells: Sequence[Floats]) -> None:
        """The first sharp picture is believed against it."""
        sharp, blurred = cells[0][cell_slices(0, 1)], cells[3][cell_slices(0, 1)]
        known, _ = read(YELLOW)[0].with_focus(blurred)
        known, how = known.with_focus(sharp)

        assert Focus.SHARPER is how
        assert [ski("orange", 0.6)] == read(ski("orange", 0.6), known=known)[1]
