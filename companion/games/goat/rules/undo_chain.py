"""The events that can be taken back, each linked to the one before it. Only the newest are kept whole."""

from dataclasses import dataclass, field

from companion.games.goat.rules.packing import pack_numbers, unpack_numbers
from companion.units import Ns

# More events than a game of an evening has: only in a game that does not end are any packed.
EVENTS_PACKED_TOGETHER = 512


@dataclass(frozen=True, slots=True, eq=False)
class HeardEvent:
    before: "HeardEvent | PackedEvents | None" = field(repr=False)
    serial: int
    reach: Ns | None
    """From this instant on, what was judged may have to be judged anew without it; None where it was ignored."""
    known: Ns
    """Up to when cards and lifted piles had made the grid known before it."""
    number: int

    def previous(self) -> "HeardEvent | None":
        return self.before.unpack() if isinstance(self.before, PackedEvents) else self.before


@dataclass(frozen=True, slots=True, eq=False)
class PackedEvents:
    before: "HeardEvent | PackedEvents | None" = field(repr=False)
    number: int
    """Of the last of them."""
    rows: bytes = field(repr=False)

    def unpack(self) -> HeardEvent:
        heard = self.before
        rows = unpack_numbers(self.rows)
        for number, (serial, reach, known) in enumerate(rows, self.number - len(rows) + 1):
            assert serial is not None
            assert known is not None
            heard = HeardEvent(heard, serial, reach, known, number)
        assert isinstance(heard, HeardEvent)
        return heard


def append_heard(before: HeardEvent | None, serial: int, reach: Ns | None, known: Ns) -> HeardEvent:
    heard = HeardEvent(before, serial, reach, known, before.number + 1 if before is not None else 1)
    return heard if heard.number % EVENTS_PACKED_TOGETHER else _pack_old_events(heard)


def _pack_old_events(newest: HeardEvent) -> HeardEvent:
    """The same chain; whole events are packed before there are twice `EVENTS_PACKED_TOGETHER` of them."""
    whole: list[HeardEvent] = []
    link: HeardEvent | PackedEvents | None = newest
    while isinstance(link, HeardEvent):
        whole.append(link)
        link = link.before
    if len(whole) < 2 * EVENTS_PACKED_TOGETHER:
        return newest
    old = whole[: EVENTS_PACKED_TOGETHER - 1 : -1]
    packed = PackedEvents(
        link, old[-1].number, pack_numbers((each.serial, each.reach, each.known) for each in old)
    )
    kept: HeardEvent | PackedEvents = packed
    for each in whole[EVENTS_PACKED_TOGETHER - 1 :: -1]:
        kept = HeardEvent(kept, each.serial, each.reach, each.known, each.number)
    assert isinstance(kept, HeardEvent)
    return kept
