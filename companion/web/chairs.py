"""The table's places as people see them: by the name of whoever sits there, else by a number from 1 on."""

from dataclasses import dataclass

from companion.web.security import services


@dataclass(frozen=True, slots=True)
class Chair:
    place: int
    """In the order of rig.toml, from 0."""
    name: str | None
    """Of whoever sits there in the game that was begun last."""


def chairs() -> list[Chair]:
    """All that the rig has, with nobody on them before the first game."""
    game = services().table.snapshot.evening.game
    names = game.seats if game is not None else ()
    return [
        Chair(place, names[place] if place < len(names) else None)
        for place in range(max(services().places, len(names)))
    ]
