"""Where an evening stands when somebody looks."""

from companion.units import SECOND

from .harbour import Harbour, evening


def stage_none(_: Harbour) -> None:
    """No game has begun."""


def stage_race(harbour: Harbour) -> None:
    harbour.until(iter(evening()), "race")


def stage_pickup(harbour: Harbour) -> None:
    harbour.until(iter(evening()), "pickup")


def stage_alarm(harbour: Harbour) -> None:
    for event in evening():
        state = harbour.tell(event).state
        if state is not None and state["exposed"]:
            return


def stage_over(harbour: Harbour) -> None:
    harbour.until(iter(evening()), "over")


def stage_blind(harbour: Harbour) -> None:
    """Without a camera nobody knows the grid."""
    harbour.tell({"t": 0, "type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0, "grid": "none"})


def stage_six(harbour: Harbour) -> None:
    """As many as can play, with the longest of names, and all of them in trouble: each has slapped at nothing."""
    names = ["Ada", "Benedikt", "Cy", "Dora", "Emil", "Franziska-Marie"]
    harbour.tell({"type": "game", "game": "goat", "seats": names, "starter": 0})
    cards = [("raft", "pink"), ("ring", "blue"), ("jetski", "pink"), ("rowboat", "yellow"), ("raft", "orange")]
    for cell, (boat, colour) in enumerate([*cards, ("raft", "yellow")]):
        harbour.now += SECOND
        harbour.tell({"type": "card", "cell": cell, "boat": boat, "colour": colour})
    for seat in range(6):
        harbour.now += SECOND
        harbour.tell({"type": "press", "seat": seat})
    harbour.now += SECOND
    harbour.tell({"type": "seen"})
