"""What can be taken back: all that was heard, the newest first. Only the newest of it is kept whole."""

from dataclasses import dataclass, field

from companion.games.goat.rules.packing import packed_numbers, unpacked_numbers
from companion.units import Ns

# As many as this are packed together; more than an evening's game has.
BUNDLE = 512


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    before: "Heard | Bundle | None" = field(repr=False)
    serial: int
    reach: Ns | None
    """From this instant on, what was judged may have to be judged anew without it; None where it was ignored."""
    known: Ns
    """Up to when cards and lifted piles had made the grid known before it."""
    number: int

    def older(self) -> "Heard | None":
        return self.before.opened() if isinstance(self.before, Bundle) else self.before


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    before: "Heard | Bundle | None" = field(repr=False)
    number: int
    """Of the last of them."""
    rows: bytes = field(repr=False)

    def opened(self) -> Heard:
        heard = self.before
        rows = unpacked_numbers(self.rows)
        for number, (serial, reach, known) in enumerate(rows, self.number - len(rows) + 1):
            assert serial is not None
            assert known is not None
            heard = Heard(heard, serial, reach, known, number)
        assert isinstance(heard, Heard)
        return heard


def heard_after(before: Heard | None, serial: int, reach: Ns | None, known: Ns) -> Heard:
    heard = Heard(before, serial, reach, known, before.number + 1 if before is not None else 1)
    return heard if heard.number % BUNDLE else _bundled(heard)


def _bundled(newest: Heard) -> Heard:
    """The same with no more of them whole than two bundles hold."""
    whole: list[Heard] = []
    link: Heard | Bundle | None = newest
    while isinstance(link, Heard):
        whole.append(link)
        link = link.before
    if len(whole) < 2 * BUNDLE:
        return newest
    old = whole[: BUNDLE - 1 : -1]
    bundle = Bundle(link, old[-1].number, packed_numbers((each.serial, each.reach, each.known) for each in old))
    kept: Heard | Bundle = bundle
    for each in whole[BUNDLE - 1 :: -1]:
        kept = Heard(kept, each.serial, each.reach, each.known, each.number)
    assert isinstance(kept, Heard)
    return kept
