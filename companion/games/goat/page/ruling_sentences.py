"""Rulings and states of Row Your Goat in sentences, for whoever reads the page before or without its scripts.

`static/goat/told.js` says the same while the game goes on.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.names import shown_name
from companion.web.sentences import counted, filled, joined, milliseconds

Words = Mapping[str, str]
Json = Mapping[str, Any]


def ruling_told(ruling: Json, names: Sequence[str], words: Words) -> str:
    return fill_sentence(_key(ruling), ruling, names, words)


def fill_sentence(key: str, gaps: Json, names: Sequence[str], words: Words) -> str:
    return filled(words, key, **{gap: value for name in gaps for gap, value in _gap(name, gaps, names, words)})


def _key(ruling: Json) -> str:
    match ruling:
        case {"ruling": name, "reason": reason}:
            kind = f"{name}.{reason}"
        case {"ruling": "safe", "reaction_us": 0}:
            # The first press without a camera, or one under the hand that laid: nobody knows how long it took.
            kind = "safe.first"
        case {"ruling": "slowest", "choices": _}:
            kind = "slowest"
        case {"ruling": "wrong_lift", "cells": _, "seat": seat}:
            kind = "wrong_lift.nobody" if seat is None else "wrong_lift"
        case {"ruling": "slowest" | "wrong_lift" as name}:
            kind = f"{name}.blind"
        case {"ruling": "adrift", "cells": []}:
            kind = "adrift.agree"
        case {"ruling": "win", "seats": [_, _, *_]}:
            kind = "win.together"
        case _:
            kind = ruling["ruling"]
    return kind


def _gap(  # noqa: C901 - one case for each gap
    name: str, gaps: Json, names: Sequence[str], words: Words
) -> list[tuple[str, str]]:
    """What stands in the data, as what stands in the sentence."""

    def named(seat: int) -> str:
        return shown_name(names[seat])

    said: tuple[str, str] | None = None
    value: Any = gaps[name]
    match name, value:
        case _, None:
            pass
        case "seat" | "by" | "target", seat:
            said = name, named(seat)
        case "seats", seats:
            said = name, joined(words, "and", [named(seat) for seat in seats])
        case "cell", cell:
            said = name, words[f"cell.{cell}"]
        case "cells", cells:
            said = name, cells_told(cells, words)
        case "choices", choices:
            said = name, choices_told(choices, gaps.get("cards"), words)
        case "cards", int(cards):
            said = name, counted(words, "cards", cards)
        case "place", place:
            said = name, str(place)
        case "reaction_us", reaction:
            said = "time", milliseconds(words, reaction)
        case "colour", colour:
            said = "card", filled(words, "card", boat=words[gaps["boat"]], colour=words[colour])
        case _:
            pass
    return [said] if said else []


def cells_told(cells: Sequence[int], words: Words) -> str:
    return joined(words, "and", [words[f"cell.{cell}"] for cell in cells])


def choices_told(choices: Sequence[Sequence[int]], cards: Sequence[int] | None, words: Words) -> str:
    lines = [cells_told(line, words) for line in choices]
    if cards is not None:
        counts = (counted(words, "cards", count) for count in cards)
        lines = [
            filled(words, "choice", cells=line, cards=count) for line, count in zip(lines, counts, strict=True)
        ]
    return joined(words, "or", lines)


def now(state: Json, names: Sequence[str], words: Words, *, lit: bool = False, put_away: bool = False) -> str:
    """How it stands, in one sentence for the top of the page. `lit`: the lamps of a dead heat are; `put_away`: the
    host has ended the game."""
    match state["phase"]:
        case "over" if put_away:
            return words["now.put_away"]
        case "over":
            key = ("now.draw", "now.win", "now.wins")[min(2, len(state["winners"]))]
            return fill_sentence(key, {"seats": state["winners"]}, names, words)
        case "race" | "sprint" as phase:
            without = [seat for seat in range(len(names)) if seat not in state["safe"]]
            return fill_sentence("now.lit" if lit else f"now.{phase}", {"seats": without}, names, words)
        case "pickup":
            return _owing(state["owed"][0], names, words)
        case _ if state["turn"] is None:
            return words["now.nobody"]
        case _:
            return fill_sentence("now.play", {"seat": state["turn"]}, names, words)


def _owing(debt: Json, names: Sequence[str], words: Words) -> str:
    if debt["choices"] is None:
        return fill_sentence("now.cards", {"seat": debt["seat"]}, names, words)
    return fill_sentence(
        "now.set" if debt["why"] == "slowest" else "now.pile", {"seat": debt["seat"]}, names, words
    )
