"""What a terminal says of the rulings."""

from dataclasses import MISSING, fields
from typing import Any

import pytest

from companion.games.goat.cast.terminal_words import in_words
from companion.games.goat.rules.rulings import GoatRuling

NAMES = ("Ada", "Ben", "Cy")


@pytest.mark.parametrize(
    ("ruling", "words"),
    [
        ({"ruling": "placed", "seat": 1, "cell": 4, "pile": 2}, "Ben lays a card on cell 5, pile 2"),
        ({"ruling": "placed", "seat": 1}, "Ben lays a card"),
        ({"ruling": "safe", "seat": 2, "place": 1, "reaction_us": 412345}, "Cy is safe, place 1, after 412.3 ms"),
        ({"ruling": "slowest", "seat": 0, "cards": (5, 3)}, "Ada is the slowest and takes 3 or 5 cards"),
        ({"ruling": "wrong_lift", "seat": None, "cells": [3]}, "Somebody takes the wrong piles"),
        ({"ruling": "dead_heat", "seats": (0, 2)}, "Dead heat of Ada and Cy: watch the lamps"),
        ({"ruling": "dead_heat", "seats": (0, 1, 2)}, "Dead heat of Ada, Ben and Cy: watch the lamps"),
        ({"ruling": "overboard", "seat": 1, "by": 0}, "Ada: Goat overboard! Ben owes a pile"),
        ({"ruling": "win", "seats": (1,)}, "Ben: won!"),
        ({"ruling": "win", "seats": (1, 2)}, "Ben and Cy: won!"),
        ({"ruling": "adrift", "cells": (3,)}, "The camera sees another card on cell 4"),
        ({"ruling": "adrift", "cells": (3, 8)}, "The camera sees other cards on cells 4 and 9"),
        ({"ruling": "adrift", "cells": ()}, None),
    ],
)
def test_a_ruling_is_told_in_words(ruling: dict[str, Any], words: str | None) -> None:
    """Each ruling is one line, with cells counted from 1 as people do."""
    assert words == in_words(ruling, NAMES)


def test_a_set_is_never_told() -> None:
    """That a set lies there is no line at all: finding it is the game."""
    assert in_words({"ruling": "set", "lines": [[0, 1, 2]]}, NAMES) is None


def test_every_kind_of_ruling_but_set_and_turn_has_words() -> None:
    """A ruling that the referee learns to say can't be forgotten here."""
    silent = {kind.name for kind in GoatRuling.__subclasses__() if in_words(_any(kind), NAMES) is None}
    assert {"set", "turn"} == silent


def _any(kind: type[GoatRuling]) -> dict[str, Any]:
    values: dict[str, Any] = {
        "seat": 0, "by": 1, "seats": (0, 1), "cell": 0, "cells": (0,), "pile": 1, "place": 1, "cards": 1,
        "reaction_us": 1,
    }  # fmt: skip
    values["reason"] = {"false_grab": "no_set", "void": "no_pile"}.get(kind.name, "outside")
    if kind.name == "slowest":
        values["cards"] = (1,)
    known = {one.name for one in fields(kind) if one.default is MISSING or one.name in values}
    return {"ruling": kind.name, **{name: values[name] for name in known if name in values}}
