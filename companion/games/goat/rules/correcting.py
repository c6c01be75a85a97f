"""What the host corrects, and what the camera saw that the events do not explain."""

from collections.abc import Mapping
from dataclasses import replace

from companion.core.cards import CELLS, Card, Cell
from companion.errors import InvalidEvent
from companion.games.goat.rules.board import UNKNOWN, Board, CardOnPile, Pile
from companion.games.goat.rules.events import ALL_CARDS, HIDDEN, Fix, GridTold
from companion.games.goat.rules.judgement import Judgement
from companion.games.goat.rules.rulings import Adrift


def judge_grid(judgement: Judgement, event: GridTold) -> None:
    overlooked = judgement.eye.stray | judgement.debts.half_lifted()
    piles, tops = judgement.grid.piles, judgement.grid.tops
    cells = tuple(
        cell
        for cell, seen in enumerate(event.cells)
        # A pile whose top nobody knows is a pile all the same.
        if seen is not HIDDEN and cell not in overlooked and (seen != tops[cell] or (seen is None and piles[cell]))
    )
    if cells != judgement.eye.adrift:
        judgement.eye = replace(judgement.eye, adrift=cells)
        judgement.say(Adrift(event.t, cells))


def judge_fix(judgement: Judgement, event: Fix) -> None:
    decks = event.decks if event.decks is not None else judgement.hands.decks
    if judgement.board is not None:
        judgement.board = _fix_board(judgement, judgement.board, event, sum(decks))
    elif sum(decks) > ALL_CARDS:
        raise InvalidEvent(f"fix: {sum(decks)} cards in the decks are more than the {ALL_CARDS} there are")
    _fix_decks(judgement, decks)
    if event.turn is not None and event.turn != judgement.hands.turn:
        # Passing on from its right-hand neighbour gives it the turn, or the next one if it has no cards.
        judgement.pass_turn_from((event.turn - 1) % judgement.seats)
    judgement.conclude()


def _fix_board(judgement: Judgement, board: Board, event: Fix, in_decks: int) -> Board:
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
    judgement.eye = replace(judgement.eye, stray=judgement.eye.stray.difference(fixed))
    judgement.take_away([cell for cell in fixed if not heights[cell]])
    for cell in fixed:
        old = board.piles[cell]
        new = CardOnPile(tops[cell], None) if cell in tops else None
        board = board.with_pile(cell, _fix_pile(old, heights[cell], new))
    return board


def _check_top(cell: Cell, height: int, has_top: bool) -> None:  # noqa: FBT001 - what it is about
    if height and not has_top:
        raise InvalidEvent(f"fix: cell {cell} has {height} cards, so say in `tops` which one lies on top")
    if not height and has_top:
        raise InvalidEvent(f"fix: cell {cell} has a card on top, so its pile cannot be 0 cards high")


def _fix_pile(pile: Pile, height: int, new_top: CardOnPile | None) -> Pile:
    """The cards that were there stay where they were; what nobody has seen is unknown."""
    if not height:
        return ()
    top = pile[-1] if new_top is None else new_top
    below = (pile[:-1] if new_top is None else pile)[: height - 1]
    return (*below, *(UNKNOWN,) * (height - 1 - len(below)), top)


def _fix_decks(judgement: Judgement, decks: tuple[int, ...]) -> None:
    for seat, (old, new) in enumerate(zip(judgement.hands.decks, decks, strict=True)):
        if old != new:
            judgement.calls = judgement.calls.without_exposed(seat)
    judgement.hands = replace(judgement.hands, decks=decks)
