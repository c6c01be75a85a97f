"""A lesson: pictures of cards and what somebody says they are become a taught deck.

People mix up cells, forget a card and lay one upside down. Whatever can't be right is said with the picture
and the cell before anybody plays with the deck; what can be right, but seldom is, is remarked upon.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cv2.typing import MatLike

from companion.core.cards import CARDS, Card, Cell
from companion.core.reading import Bare, Hidden, Shown, Sight
from companion.errors import GridNotFound, InvalidLabels, LessonFailed
from companion.eyes.deck import label_checks
from companion.eyes.deck.card_samples import Sample, cards_from_samples, cut_samples
from companion.eyes.deck.labels import Label, card_name, cell_name, find_label, read_labels
from companion.eyes.deck.taught_deck import TaughtCard, TaughtDeck
from companion.eyes.grid.grid_from_corners import grid_from_corners
from companion.eyes.grid.grid_from_mat import Found, Grid, find_mat
from companion.eyes.image.picture import read_picture
from companion.eyes.light.gloss_removal import without_gloss
from companion.eyes.look import Eyes
from companion.eyes.scene.empty_cells import find_empty_cells


@dataclass(frozen=True, slots=True)
class Lesson:
    deck: TaughtDeck
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LessonPicture:
    """A picture of the lesson."""

    path: Path
    picture: MatLike
    grid: Grid
    label: Label

    def place(self, cell: Cell) -> str:
        return cell_name(self.path, cell)


def teach_deck(name: str, labels: Path, pictures: Sequence[Path]) -> Lesson:
    """The deck that these pictures show and their labels name, with remarks for whoever teaches; raises
    `InvalidLabels` or `LessonFailed` where picture and label contradict each other.

    >>> teach_deck("ours", Path("labels.json"), [Path("first.jpg"), Path("second.jpg")]).deck.name
    'ours'
    """
    told = read_labels(labels)
    pages = [_load_picture(path, find_label(told, path)) for path in pictures]
    places = _list_places(pages)
    for page in pages:
        _check_not_empty(page)
    samples = [one for page in pages for one in cut_samples(page.picture, page.grid, page.label.cards)]
    found = Found.MAT if all(page.grid.found is Found.MAT for page in pages) else Found.CORNERS
    cards = _turn_upright(samples, found)
    _check_cards(cards, places)
    # Not before the labels are right: it goes by them.
    deck = TaughtDeck(name, without_gloss(cards), white_known=found is Found.MAT)
    return Lesson(deck, (*_remark_missing(deck), *_read_again(deck, pages)))


def _load_picture(path: Path, label: Label) -> LessonPicture:
    picture = read_picture(path)
    grid = find_mat(picture)
    if grid is None and label.corners is None:
        raise GridNotFound(
            f"{path}: the mat is not in sight, two of its four markers at least; take the picture again, or write "
            "the grid's `corners` beside its `cells`."
        )
    if grid is None and label.corners is not None:
        try:
            grid = grid_from_corners(label.corners, picture)
        except GridNotFound as error:
            raise GridNotFound(f"{path}: {error}.") from None
    assert grid is not None
    return LessonPicture(path, picture, grid, label)


def _list_places(pages: Sequence[LessonPicture]) -> list[str]:
    """Where each labelled card lies, in the order in which they are taught."""
    places: dict[Card, str] = {}
    for page in pages:
        for cell, card in enumerate(page.label.cards):
            if card is not None:
                if card in places:
                    raise InvalidLabels(
                        f"{page.place(cell)}: this is labelled {card_name(card)}, and so is {places[card]}; "
                        "lay each card once."
                    )
                places[card] = page.place(cell)
    if len(places) < 2:
        raise InvalidLabels("A deck needs two cards at least; label what lies in the pictures.")
    return list(places.values())


def _check_not_empty(page: LessonPicture) -> None:
    """Before cards are compared with each other: of few, the one that is not there would spoil the others."""
    for cell, (card, is_empty) in enumerate(
        zip(page.label.cards, find_empty_cells(page.picture, page.grid), strict=True)
    ):
        if card is not None and is_empty:
            raise LessonFailed(
                f"{page.place(cell)}: it is labelled {card_name(card)}, but what is there is like the table, "
                "and like none of the cards; is the cell empty?"
            )


def _turn_upright(samples: Sequence[Sample], found: Found) -> tuple[TaughtCard, ...]:
    """Cards that lie upside down beside their like are turned round."""
    cards = cards_from_samples(samples, found)
    prints = label_checks.PrintComparison(cards)
    turned = [prints.is_turned(number) for number in range(len(cards))]
    if not any(turned):
        return cards
    samples = [replace(one, turn=180.0) if half else one for one, half in zip(samples, turned, strict=True)]
    return cards_from_samples(samples, found)


def _check_cards(cards: Sequence[TaughtCard], places: Sequence[str]) -> None:
    names = [card_name(one.card) for one in cards]
    _check_boats(label_checks.PrintComparison(cards), names, places)
    same = label_checks.find_same_cards(cards)
    if same is not None:
        one, other = same
        raise LessonFailed(
            f"{places[one]}, and {places[other]}: {names[one]} and {names[other]} can't be told apart; is it the "
            "same card twice?"
        )
    swapped = label_checks.find_swapped_colours(cards)
    if swapped is not None:
        one, other = swapped
        raise LessonFailed(
            f"{places[one]}, and {places[other]}: {names[one]} and {names[other]} look as if their labels were "
            "swapped; on the other boats these colours differ the other way round."
        )


def _check_boats(prints: label_checks.PrintComparison, names: Sequence[str], places: Sequence[str]) -> None:
    for number, name in enumerate(names):
        if prints.is_like_no_card(number):
            raise LessonFailed(
                f"{places[number]}: it is labelled {name}, but what is there is like none of the cards; is the "
                "cell empty, the card covered or on its side, or is it another one?"
            )
    looks = [(number, prints.other_boat(number)) for number in range(len(names))]
    wrong = [
        f"{places[number]}: it is labelled {names[number]}, but looks like a {boat}"
        for number, boat in looks
        if boat is not None
    ]
    if wrong:
        raise LessonFailed(f"{'; '.join(wrong)}. Put the labels right, and teach again.")


def _remark_missing(deck: TaughtDeck) -> list[str]:
    shown = {one.card for one in deck.cards}
    missing = [card_name(card) for card in CARDS.values() if card not in shown]
    return [f"Nobody has shown {', '.join(missing)}; the deck won't know them."] if missing else []


def _read_again(deck: TaughtDeck, pages: Sequence[LessonPicture]) -> list[str]:
    """What the deck says of the pictures from which it was taught."""
    eyes = Eyes(deck)
    remarks: list[str] = []
    for page in pages:
        sights = eyes.look(page.picture, page.grid).sights
        for cell, (card, sight) in enumerate(zip(page.label.cards, sights, strict=True)):
            words = _remark_unlabelled(sight) if card is None else _check_labelled(page.place(cell), card, sight)
            remarks += [f"{page.place(cell)}: {words}"] if words is not None else []
    return remarks


def _check_labelled(place: str, card: Card, sight: Sight) -> str | None:
    match sight:
        case Shown() if sight.card != card:
            raise LessonFailed(
                f"{place}: {card_name(card)} can't be told from {card_name(sight.card)}; is one of them "
                "labelled wrong, or the light too dim?"
            )
        case Shown():
            return None
        case Bare():
            raise LessonFailed(f"{place}: it is labelled {card_name(card)}, but nothing lies there.")
        case Hidden():
            return f"{card_name(card)} is hard to read ({sight.why.value})."


def _remark_unlabelled(sight: Sight) -> str | None:
    match sight:
        case Shown():
            return "a card lies there that has no label; it is not learnt."
        case Bare():
            return None
        case Hidden():
            return "it has no label, and it can't be made out whether something lies there."
