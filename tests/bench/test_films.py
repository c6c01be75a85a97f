"""Films are judged by what is known of them."""

from typing import Any

from companion.bench.film_bench import judge_film
from companion.core.observe import Event

TIMES = [100 * number for number in range(40)]
LABELS: dict[str, Any] = {
    "changed_cells": [4],
    "cells_after": [*[None] * 4, {"boat": "raft", "colour": "pink"}, *[None] * 4],
    "rest_t_ns": 2000,
    "hand_left_frame": 30,
}
CARD: Event = {"t": 3100, "type": "card", "cell": 4, "boat": "raft", "colour": "pink", "from": 1500}


def test_a_card_that_is_told_in_time_is_found() -> None:
    """Its interval holds the instant at which it came to rest."""
    told: list[Event] = [{"t": 0, "type": "grid", "cells": []}, CARD, {"t": 3500, "type": "seen"}]
    expected = "1 of 1 found, at the latest 1 pictures after the hand has left (at most 3), nothing else told"
    assert expected == judge_film(LABELS, TIMES, told)


def test_what_is_untrue_is_said() -> None:
    """Another card, another cell, an interval beside the truth, or told too late."""
    untrue: tuple[Event, ...] = (
        {**CARD, "colour": "blue"},
        {**CARD, "cell": 5},
        {**CARD, "from": 2100},
        {**CARD, "t": 3400},
        {"t": 3100, "type": "lift", "cells": [5]},
    )
    for wrong in untrue:
        assert "0 of 1 found" in judge_film(LABELS, TIMES, [wrong])
        assert "wrong: " in judge_film(LABELS, TIMES, [wrong])


def test_what_is_missed_is_said() -> None:
    """Nothing told is nothing found."""
    assert "0 of 1 found, nothing else told" == judge_film(LABELS, TIMES, [])
