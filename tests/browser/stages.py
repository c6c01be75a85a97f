"""Where an evening stands when somebody looks."""

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
