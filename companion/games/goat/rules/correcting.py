"""What the host corrects, and what the camera saw that the events do not explain."""

from collections.abc import Mapping
from dataclasses import replace

from companion.core.cards import CELLS, Card, Cell
from companion.errors import InvalidEvent
from companion.games.goat.rules.board import UNKNOWN, Board, LyingSet, Pile
from companion.games.goat.rules.events import ALL_CARDS, HIDDEN, Fix, GridTold
from companion.games.goat.rules.hearing import Hearing
from companion.games.goat.rules.rulings import Adrift


def hear_grid(hearing: Hearing, event: GridTold) -> None:
    overlooked = hearing.eye.stray | hearing.debts.half_lifted()
    piles, tops = hearing.grid.piles, hearing.grid.tops
    cells = tuple(
        cell
        for cell, seen in enumerate(event.cells)
        # A pile whose top nobody knows is a pile all the same.
        if seen is not HIDDEN and cell not in overlooked and (seen != tops[cell] or (seen is None and piles[cell]))
    )
    if cells != hearing.eye.adrift:
        hearing.eye = replace(hearing.eye, adrift=cells)
        hearing.say(Adrift(event.t, cells))


def hear_fix(hearing: Hearing, event: Fix) -> None:
    decks = event.decks if event.decks is not None else hearing.hands.decks
    if hearing.board is not None:
        hearing.board = _fix_board(hearing, hearing.board, event, sum(decks))
    elif sum(decks) > ALL_CARDS:
        raise InvalidEvent(f"fix: {sum(decks)} cards in the decks are more than the {ALL_CARDS} there are")
    _fix_decks(hearing, decks)
    if event.turn is not None and event.turn != hearing.hands.turn:
        # Passing on from its right-hand neighbour gives it the turn, or the next one if it has no cards.
        hearing.pass_turn_from((event.turn - 1) % hearing.seats)
    hearing.conclude()


def _fix_board(hearing: Hearing, board: Board, event: Fix, in_decks: int) -> Board:
    heights = event.piles if event.piles is not None else board.heights
    tops: Mapping[Cell, Card | None] = event.tops if event.tops is not None else {}
    for cell in CELLS:
        # A top that nobody knows is a top all the same, until it is named.
        has_top = tops[cell] is not None if cell in tops else bool(board.piles[cell])
        _check_top(cell, heights[cell], has_top)
    if in_decks + sum(heights) != ALL_CARDS:
        raise InvalidEvent(
            f"fix: {in_decks} cards in the decks and {sum(heights)} in the piles make "
            f"{in_decks + sum(heights)}, not {ALL_CARDS}"
        )
    fixed = [cell for cell in CELLS if cell in tops or heights[cell] != len(board.piles[cell])]
    hearing.eye = replace(hearing.eye, stray=hearing.eye.stray.difference(fixed))
    hearing.take_away([cell for cell in fixed if not heights[cell]])
    for cell in fixed:
        old = board.piles[cell]
        new = LyingSet(tops[cell], None) if cell in tops else None
        board = board.with_pile(cell, _fixed_pile(old, heights[cell], new))
    return board


def _check_top(cell: Cell, height: int, has_top: bool) -> None:  # noqa: FBT001 - what it is about
    if height and not has_top:
        raise InvalidEvent(f"fix: cell {cell} has {height} cards, so say in `tops` which one lies on top")
    if not height and has_top:
        raise InvalidEvent(f"fix: cell {cell} has a card on top, so its pile cannot be 0 cards high")


def _fixed_pile(pile: Pile, height: int, new_top: LyingSet | None) -> Pile:
    """The cards that were there stay where they were; what nobody has seen is unknown."""
    if not height:
        return ()
    top = pile[-1] if new_top is None else new_top
    below = (pile[:-1] if new_top is None else pile)[: height - 1]
    return (*below, *(UNKNOWN,) * (height - 1 - len(below)), top)


def _fix_decks(hearing: Hearing, decks: tuple[int, ...]) -> None:
    for seat, (old, new) in enumerate(zip(hearing.hands.decks, decks, strict=True)):
        if old != new:
            hearing.goats = hearing.goats.without_exposed(seat)
    hearing.hands = replace(hearing.hands, decks=decks)
