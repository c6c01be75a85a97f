"""What can be wrong with a button, as the debouncing finds it, in words for the people at the table."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Fault:
    """Something about a button that the table should know. Its `name` never changes."""

    name: ClassVar[str]
    words: ClassVar[str]
    button: int
    t: int

    def sentence(self, place: int) -> str:
        """`place`: at which the button is, counted from 0."""
        return self.words.format(fault=self, seat=place + 1)


@dataclass(frozen=True, slots=True)
class Lost(Fault):
    name = "edges_lost"
    words = (
        "Signals of the button at seat {seat} got lost on the way ({fault.edges}): "
        "if a press there was not counted, correct it by hand."
    )
    edges: int


@dataclass(frozen=True, slots=True)
class Repeated(Fault):
    name = "edges_repeated"
    words = "Signals of the button at seat {seat} arrived twice ({fault.edges}); they were counted once."
    edges: int


@dataclass(frozen=True, slots=True)
class LateEdge(Fault):
    name = "edges_late"
    words = (
        "Signals of the button at seat {seat} arrived too late to be put in order ({fault.edges}): "
        "look whether the last result is right, and correct it by hand if it is not."
    )
    edges: int


@dataclass(frozen=True, slots=True)
class Chattering(Fault):
    name = "button_chatters"
    words = (
        "The button at seat {seat} flickers faster than any hand could press, so it is ignored until it is quiet: "
        "look at its plug, its wires and its switch."
    )


@dataclass(frozen=True, slots=True)
class Stuck(Fault):
    name = "button_stuck"
    words = (
        "The button at seat {seat} stays pressed, so it is ignored until it comes up: "
        "see whether something lies on it or its wires touch."
    )


@dataclass(frozen=True, slots=True)
class Recovered(Fault):
    """The end of being left out, told in the same way."""

    name = "button_back"
    words = "The button at seat {seat} has come to rest and counts again."
