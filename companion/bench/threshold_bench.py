"""On which side of the eyes' thresholds cards fall, and on which what is none: the numbers behind each constant.

A comment that names `companion bench thresholds` beside a constant means a line of this report.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.bench import drawn_samples
from companion.bench.deck_lessons import School, grid_of
from companion.bench.labelled_folder import Stored
from companion.bench.labelled_picture import LabelledPicture
from companion.core.cards import Card
from companion.eyes import look
from companion.eyes.card import card_candidate
from companion.eyes.card.print_pattern import print_pattern
from companion.eyes.card.search import Search
from companion.eyes.grid.flat_picture import COARSE_MM
from companion.eyes.light import colourless_picture
from companion.eyes.look import Eyes, LookResult
from companion.eyes.scene import background, empty_cells
from companion.eyes.scene.tabletop import Tabletop, roughness, share_beneath, share_of_cell

# The share of the colours that is removed to get a pale picture.
PALER: Final = 0.8


@dataclass(frozen=True, slots=True)
class Threshold:
    """One constant. `ours` are those that should reach it, or stay below it if it is the `most`."""

    name: str
    value: float
    ours: str
    others: str
    most: bool = False

    def is_ours(self, number: float) -> bool:
        return number < self.value if self.most else number >= self.value


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """What was measured on both sides of each threshold."""

    ours: dict[Threshold, list[float]] = field(default_factory=dict[Threshold, list[float]])
    others: dict[Threshold, list[float]] = field(default_factory=dict[Threshold, list[float]])

    def add(self, threshold: Threshold, number: float, *, ours: bool) -> None:
        (self.ours if ours else self.others).setdefault(threshold, []).append(number)


CARDS, BARE, BACKS, ALL = "cards", "bare cells", "backs", "bare cells and backs"
SEARCH: Final = Threshold("look.WORTH_A_LOOK", look.WORTH_A_LOOK, CARDS, ALL)
LIKENESS: Final = Threshold("card_candidate.CARD_LIKENESS", card_candidate.CARD_LIKENESS, CARDS, ALL)
CERTAIN: Final = Threshold("card_candidate.CERTAIN_LIKENESS", card_candidate.CERTAIN_LIKENESS, CARDS, ALL)
BRIGHTNESS: Final = Threshold("card_candidate.BRIGHTNESS_LIKENESS", card_candidate.BRIGHTNESS_LIKENESS, CARDS, ALL)
LEAD: Final = Threshold("card_candidate.CLEAR_LEAD", card_candidate.CLEAR_LEAD, CARDS, ALL)
SLIGHT: Final = Threshold("card_candidate.SLIGHT_LEAD", card_candidate.SLIGHT_LEAD, "certain cards", ALL)
STANDS_OUT: Final = Threshold("card_candidate.FOREIGN_SHARE", card_candidate.FOREIGN_SHARE, CARDS, BARE)
VIVID: Final = Threshold("colourless_picture.PALE", colourless_picture.PALE, "pictures", "pale pictures")
SMOOTH: Final = Threshold("colourless_picture.SMOOTH", colourless_picture.SMOOTH, BARE, CARDS, most=True)
FOREIGN: Final = Threshold("empty_cells.FOREIGN", empty_cells.FOREIGN, BARE, CARDS, most=True)
EXCESS: Final = Threshold("empty_cells.EXCESS", empty_cells.EXCESS, BARE, CARDS, most=True)
ROUGH: Final = Threshold("empty_cells.ROUGH", empty_cells.ROUGH, BARE, CARDS, most=True)
BACK: Final = Threshold("background.EXCESS", background.EXCESS, BARE, BACKS, most=True)
THRESHOLDS: Final = (
    *(SEARCH, LIKENESS, CERTAIN, BRIGHTNESS, LEAD, SLIGHT, STANDS_OUT),
    *(VIVID, SMOOTH, FOREIGN, EXCESS, ROUGH, BACK),
)


def bench_thresholds(folder: Path | None, of_each: int) -> Iterator[str]:
    """Both sides of each threshold, in drawn pictures and in those of `folder`."""
    yield f"DRAWN PICTURES, {of_each} of each kind"
    yield from report(measure(School(drawn_samples.lesson), drawn_samples.pictures(of_each)))
    if folder is not None and (stored := Stored(folder)).is_there:
        yield ""
        yield f"LABELLED PICTURES in {folder}"
        yield from report(measure(School(stored.lesson), stored.pictures()))


def report(sides: Sides) -> Iterator[str]:
    for one in THRESHOLDS:
        yield f"{one.name} = {one.value:g}"
        for name, numbers, ours in ((one.ours, sides.ours, True), (one.others, sides.others, False)):
            wanted = "below" if one.most is ours else "at least"
            wrong = sum(one.is_ours(number) is not ours for number in numbers.get(one, ()))
            yield f"    {name:20} {wanted:9} {spread(numbers.get(one, ()), wrong)}"


def spread(numbers: Sequence[float], wrong: int) -> str:
    if not numbers:
        return "none in these pictures"
    least, low, middle, high, most = np.quantile(numbers, (0, 0.01, 0.5, 0.99, 1)).tolist()
    return (
        f"{len(numbers):6} of them, {wrong} on the wrong side; "
        f"least {least:.3f}, 1 % {low:.3f}, median {middle:.3f}, 99 % {high:.3f}, most {most:.3f}"
    )


def measure(school: School, pictures: Iterable[LabelledPicture]) -> Sides:
    """Looks at each picture with the deck that lies in it."""
    sides = Sides()
    for labelled in pictures:
        eyes = school.pupil(labelled.deck, labelled.mat).eyes
        grid = grid_of(labelled)
        if grid is None:
            continue
        result = eyes.look(labelled.picture, grid)
        table = _table(result, labelled)
        _measure_cells(sides, result, table, labelled)
        _measure_search(sides, eyes, result, labelled)
        _measure_colours(sides, eyes, result, labelled)
    return sides


def _table(result: LookResult, labelled: LabelledPicture) -> Tabletop:
    """The table top, as visible between the labelled cards."""
    cards = [
        one.place
        for one, lies in zip(result.candidates, labelled.cells, strict=True)
        if one is not None and isinstance(lies, Card)
    ]
    return Tabletop(result.flat.coarse, cards, result.size_mm, labelled.mat)


def _measure_cells(sides: Sides, result: LookResult, table: Tabletop, labelled: LabelledPicture) -> None:
    foreign = table.foreign()
    empty_table = Tabletop(result.flat.coarse, (), (0.0, 0.0), labelled.mat)
    unlike = empty_table.foreign()
    for cell, (one, lies) in enumerate(zip(result.candidates, labelled.cells, strict=True)):
        if cell in labelled.apart:
            continue
        is_card, is_bare = isinstance(lies, Card), lies is None
        if one is not None:
            sides.add(LIKENESS, one.print_and_colour, ours=is_card)
            sides.add(CERTAIN, one.like, ours=is_card)
            sides.add(BRIGHTNESS, one.place.likeness, ours=is_card)
            sides.add(LEAD, one.lead, ours=is_card)
            if not is_card or one.is_certain_card:
                sides.add(SLIGHT, one.lead, ours=is_card)
            if is_card or is_bare:
                foreign_share = share_beneath(foreign, one.place, result.size_mm, card_candidate.RIM_MM)
                sides.add(STANDS_OUT, foreign_share, ours=is_card)
        if not is_card:
            sides.add(BACK, table.excess(cell), ours=is_bare)
        if is_card or is_bare:
            coarse = result.flat.coarse
            sides.add(SMOOTH, roughness(coarse, cell, colourless_picture.A_QUARTER_LESS), ours=is_bare)
            sides.add(ROUGH, roughness(coarse, cell, empty_cells.A_TENTH_LESS), ours=is_bare)
            sides.add(FOREIGN, share_of_cell(unlike, cell), ours=is_bare)
            sides.add(EXCESS, empty_table.excess(cell), ours=is_bare)


def _measure_search(sides: Sides, eyes: Eyes, result: LookResult, labelled: LabelledPicture) -> None:
    printed = print_pattern(result.flat.coarse, COARSE_MM)
    best = Search(eyes.deck).look(printed, range(9)).max((1, 2, 3))
    for cell, (likeness, lies) in enumerate(zip(best.tolist(), labelled.cells, strict=True)):
        if cell not in labelled.apart:
            sides.add(SEARCH, likeness, ours=isinstance(lies, Card))


def _measure_colours(sides: Sides, eyes: Eyes, result: LookResult, labelled: LabelledPicture) -> None:
    """Measures the whole picture, as it is and with paler colours."""
    pale = eyes.look(without_colours(labelled.picture, PALER), result.grid)
    for seen, ours in ((result, True), (pale, False)):
        vivid = [one.vivid for one in seen.candidates if one is not None and one.is_card_by_brightness]
        if vivid:
            sides.add(VIVID, float(np.median(vivid)), ours=ours)


def without_colours(picture: MatLike, share: float) -> MatLike:
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return cv2.addWeighted(picture, 1 - share, grey, share, 0)
