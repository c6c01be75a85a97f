"""The referee's rulings in a few English words, for a terminal. A set is never told: finding it is the game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

Ruling = Mapping[str, Any]

_MISPLAYS: Final = {
    "empty_cell_left": "laid on a pile while a cell was empty: the card goes back",
    "out_of_turn": "laid out of turn: the card goes back",
    "peeked": "looked first: the card goes back",
    "outside": "laid beside the grid: the card goes back",
    "pick_up_first": "laid before all was picked up: the card goes back",
}
_FALSE: Final = {"no_set": "slapped at nothing and owes a pile", "already_safe": "slapped twice and owes a pile"}
_VOID: Final = {
    "misplay": "slapped at a card that goes back: no harm",
    "no_pile": "owes a pile, but none lies there",
}

_OF_ONE: Final[Mapping[str, Callable[[Ruling], str]]] = {
    "placed": lambda r: "lays a card" + (f" on cell {r['cell'] + 1}, pile {r['pile']}" if "cell" in r else ""),
    "misplay": lambda r: _MISPLAYS[r["reason"]],
    "safe": lambda r: f"is safe, place {r['place']}, after {r['reaction_us'] / 1000:.1f} ms",
    "slowest": lambda r: "is the slowest" + (f" and takes {_either(r['cards'])}" if "cards" in r else ""),
    "took": lambda r: f"picks up {_count_cards(r['cards'])}",
    "wrong_lift": lambda _: "takes the wrong piles",
    "false_grab": lambda r: _FALSE[r["reason"]],
    "late": lambda r: f"slaps when all is over, after {r['reaction_us'] / 1000:.1f} ms",
    "void": lambda r: _VOID[r["reason"]],
    "last_card": lambda _: "has one card left",
    "called": lambda _: "calls: Goat on board!",
    "no_effect": lambda _: "says what changes nothing",
}


_OF_MANY: Final[Mapping[str, Callable[[Ruling, Sequence[str]], str]]] = {
    "overboard": lambda r, names: f"{names[r['by']]}: Goat overboard! {names[r['seat']]} owes a pile",
    "dead_heat": lambda r, names: f"Dead heat of {_all(r['seats'], names)}: watch the lamps",
    "win": lambda r, names: f"{_all(r['seats'], names)}: won!",
    "stalemate": lambda _, __: "No cards and no set: nobody has won",
}


def in_words(ruling: Ruling, names: Sequence[str]) -> str | None:
    """None for what is no news to anybody, and for what nobody may learn from us."""
    kind, seat = ruling["ruling"], ruling.get("seat")
    if kind in _OF_ONE:
        return f"{'Somebody' if seat is None else names[seat]} {_OF_ONE[kind](ruling)}"
    if kind in _OF_MANY:
        return _OF_MANY[kind](ruling, names)
    if kind == "adrift" and ruling["cells"]:
        cells = [str(cell + 1) for cell in ruling["cells"]]
        what = "another card on cell" if len(cells) == 1 else "other cards on cells"
        return f"The camera sees {what} {_join(cells)}"
    return None


def _all(seats: Sequence[int], names: Sequence[str]) -> str:
    return _join([names[seat] for seat in seats])


def _join(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _either(cards: Sequence[int]) -> str:
    *fewer, most = sorted(set(cards))
    return " or ".join([*map(str, fewer), _count_cards(most)])


def _count_cards(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"
