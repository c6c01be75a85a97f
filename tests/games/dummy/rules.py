"""Nine take cards off one pile by turns, by a press or on a phone; whoever takes the last one has won."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import ClassVar, Self

from companion.core.event_fields import EventFields, EventReader, Scope, instant, one_of, optional, seat, under
from companion.core.game_record import GameRecord
from companion.core.lamp import Lamp
from companion.core.seating import read_seat_names
from companion.core.strict_json import raw_event
from companion.errors import InvalidEvent

PILE = 4


@dataclass(frozen=True, slots=True)
class Begin:
    t: int
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeCard:
    secret: ClassVar = False
    t: int
    seat: int
    end: str = "top"

    def as_json(self) -> dict[str, object]:
        return {"ruling": "card", **asdict(self)}


@dataclass(frozen=True, slots=True)
class TakeBack:
    t: int


BEGIN = EventFields(Begin, {"t": instant, "seats": read_seat_names(2, 9)}, ignored=("game",))
END = under("from", optional(one_of(("top", "bottom")), "top"))
EVENTS = EventReader[TakeCard | TakeBack](
    {
        "press": EventFields(TakeCard, {"t": instant, "seat": seat}),
        "draw": EventFields(TakeCard, {"t": instant, "seat": seat, "end": END}),
        "undo": EventFields(TakeBack, {"t": instant}),
    }
)


@dataclass(frozen=True, slots=True)
class DummyRecord(GameRecord):
    names: tuple[str, ...]
    taken: tuple[TakeCard, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        return self.names

    @property
    def over(self) -> bool:
        return len(self.taken) == PILE

    @property
    def turn(self) -> int:
        return len(self.taken) % len(self.seats)

    def hear(self, raw: object) -> Self:
        event = EVENTS.read(raw, len(self.seats))
        if isinstance(event, TakeBack):
            return replace(self, taken=self.taken[:-1])
        if event.seat != self.turn or self.over:
            raise InvalidEvent("it is somebody else's turn")
        return replace(self, taken=(*self.taken, event))

    def rulings(self) -> Iterator[tuple[int, TakeCard]]:
        return enumerate(self.taken)

    def state(self) -> dict[str, object]:
        return {"game": "dummy", "turn": self.turn, "pile": PILE - len(self.taken)}

    def lamps(self) -> tuple[Lamp, ...]:
        return tuple(Lamp.SOLID if seat == self.turn else Lamp.DARK for seat in range(len(self.seats)))


def begin(raw: object) -> DummyRecord:
    return DummyRecord(BEGIN.read_event(raw_event(raw), "game", Scope(0, {})).seats)
