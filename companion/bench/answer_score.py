"""Answers held against the truth, and counted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from companion.bench.labelled_picture import Lies, Other
from companion.core.cards import Card, sets_on
from companion.core.reading import Bare, Hidden, Shown, Sight, Why

# A warm lamp has hardly any blue, and these colours differ in blue.
ALIKE_IF_WARM = ("pink", "orange", "yellow")


class Verdict(Enum):
    RIGHT = "right"
    BOAT = "another boat"
    COLOUR = "another colour"
    LIES = "a card where none lies, or none where one does"
    HIDDEN = "hidden"

    @property
    def wrong(self) -> bool:
        return self in (Verdict.BOAT, Verdict.COLOUR, Verdict.LIES)


def verdict(lies: Lies, sight: Sight) -> Verdict:
    """Compares an answer with the truth. A card lying face down can only be answered by hiding it; that counts as
    right."""
    match sight:
        case Hidden():
            return Verdict.RIGHT if isinstance(lies, Other) else Verdict.HIDDEN
        case Bare():
            return Verdict.RIGHT if lies is None else Verdict.LIES
        case Shown():
            if not isinstance(lies, Card):
                return Verdict.LIES
            if sight.card.boat != lies.boat:
                return Verdict.BOAT
            return Verdict.RIGHT if sight.card.colour == lies.colour else Verdict.COLOUR


@dataclass(frozen=True, slots=True)
class Marked:
    """One picture's answers. `apart`: cells for which no answer can be expected."""

    verdicts: tuple[Verdict, ...]
    apart: frozenset[int]
    invented: int
    """How many sets were answered that do not lie there."""
    alike: frozenset[int] = frozenset()
    """Cells with a card whose colour is hard to tell from another in warm light."""

    @property
    def only_alike(self) -> "Marked":
        """The same with only these cells counted."""
        return replace(self, apart=frozenset(range(len(self.verdicts))) - self.alike | self.apart)

    @property
    def counted(self) -> list[Verdict]:
        return [one for cell, one in enumerate(self.verdicts) if cell not in self.apart]

    @property
    def whole(self) -> bool:
        return all(one is Verdict.RIGHT for one in self.counted)


def mark_answers(cells: Sequence[Lies], sights: Sequence[Sight], apart: frozenset[int] = frozenset()) -> Marked:
    verdicts = tuple(verdict(lies, sight) for lies, sight in zip(cells, sights, strict=True))
    there = sets_on([lies if isinstance(lies, Card) else None for lies in cells])
    answered = sets_on([sight.card if isinstance(sight, Shown) else None for sight in sights])
    alike = frozenset(
        cell for cell, lies in enumerate(cells) if isinstance(lies, Card) and lies.colour in ALIKE_IF_WARM
    )
    return Marked(verdicts, apart, len(set(answered) - set(there)), alike)


@dataclass(frozen=True, slots=True)
class Score:
    pictures: int
    whole: int
    invented: int
    counted: Counter[Verdict]
    apart: Counter[Verdict]

    @property
    def cells(self) -> int:
        return self.counted.total()

    @property
    def right(self) -> int:
        return self.counted[Verdict.RIGHT]

    @property
    def wrong(self) -> int:
        return sum(self.counted[one] for one in Verdict if one.wrong)


def add_up(marks: Iterable[Marked]) -> Score:
    pictures = list(marks)
    counted = Counter(one for picture in pictures for one in picture.counted)
    every = Counter(one for picture in pictures for one in picture.verdicts)
    return Score(
        len(pictures),
        sum(picture.whole for picture in pictures),
        sum(picture.invented for picture in pictures),
        counted,
        every - counted,
    )


def reasons(cells: Sequence[Lies], sights: Sequence[Sight], apart: frozenset[int]) -> Counter[tuple[Why, bool]]:
    """Why readable cells were hidden, and whether a card lay there."""
    return Counter(
        (sight.why, isinstance(lies, Card))
        for cell, (lies, sight) in enumerate(zip(cells, sights, strict=True))
        if cell not in apart and isinstance(sight, Hidden) and verdict(lies, sight) is Verdict.HIDDEN
    )


def mistakes(cells: Sequence[Lies], sights: Sequence[Sight]) -> list[tuple[int, str]]:
    """The wrongly answered cells, and how each was wrong."""
    return [
        (cell, f"{_word(lies)} answered as {_word(sight.card if isinstance(sight, Shown) else None)}")
        for cell, (lies, sight) in enumerate(zip(cells, sights, strict=True))
        if verdict(lies, sight).wrong
    ]


def _word(lies: Lies) -> str:
    match lies:
        case Card():
            return f"{lies.colour} {lies.boat}"
        case Other():
            return f"a card {lies.value}"
        case None:
            return "nothing"
