"""Evenings drawn by lot: whatever people, a late camera and an impatient host may do, sensible or not."""

from collections.abc import Callable
from random import Random
from typing import Any

from .play import MS, US, Event, game

S = 1000 * MS
STEPS = (0, 10 * US, 30 * US, 50 * US, 60 * US, 90 * MS, 100 * MS, 300 * MS, 500 * MS, 700 * MS, 2 * S)
BEFORE = (0, 0, 0, 0, 0, 0, 40 * US, 200 * MS, 600 * MS, 2500 * MS)
HIDDEN = (0, 0, 40 * US, 200 * MS, 600 * MS, 2500 * MS, 5 * S)
BOATS, COLOURS = ("raft", "ring"), ("pink", "blue", "orange")
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
# A full grid without a set.
FULL = (
    "rowboat yellow,raft pink,ring blue,jetski orange,rowboat pink,raft yellow,raft orange,ring yellow,jetski pink"
)


class Player:
    def __init__(self, seed: int) -> None:
        self.lot = Random(seed)
        self.seats = self.lot.randint(2, 4)
        self.blind = self.lot.random() < 0.08
        self.now = self.lot.choice((0, 0, 7 * S))
        self.begin = game(self.seats, double_grab=self.lot.choice(("penalty", "ignore")))
        self.begin |= {"t": self.now, "resolution_us": self.lot.choice((0, 50, 50, 50, 50, 100_000, 600_000))}
        if self.blind:
            self.begin["grid"] = "none"
        watched: list[tuple[Callable[[Event], list[Event]], int]] = [
            *((self._lay, 30), (self._lay_hidden, 14), (self._lift, 4), (self._look, 3), (self._foul, 4)),
            *((self._waits_for_an_earlier_card, 3), (self._paid_before_a_late_card, 4)),
        ]
        unseen: list[tuple[Callable[[Event], list[Event]], int]] = [(self._lay_unseen, 30), (self._take, 20)]
        self.ways = [
            *((self._slap, 14), (self._all_slap, 8), (self._see, 6), (self._speak, 8), (self._undo, 4)),
            *((self._fix, 3), (self._pay, 16), (self._sprint, 10), (self._last_card_between_presses, 2)),
            *(unseen if self.blind else watched),
        ]

    def opening(self) -> list[Event]:
        how = self.lot.random()
        if self.blind or how < 0.3:
            return [self.begin]
        cells = range(9) if how < 0.6 else [cell for cell in range(9) if self.lot.random() < 0.6] or [4]
        if how < 0.6:
            kinds = [dict(zip(("boat", "colour"), kind.split(), strict=True)) for kind in FULL.split(",")]
        else:
            kinds = [self._card() for _ in range(9)]
        decks = [self.lot.choice((0, 1, 1, 2, 3, 8)) for _ in range(self.seats)]
        piles = [int(cell in cells) for cell in range(9)]
        piles[cells[0]] += 60 - sum(decks) - sum(piles)
        tops = {str(cell): kinds[cell] for cell in cells}
        return [self.begin, {"t": self.now, "type": "fix", "decks": decks, "piles": piles, "tops": tops}]

    def next(self, state: Event) -> list[Event]:
        """What is told next: one event, or several that belong together, in the order of telling."""
        ways, weights = zip(*self.ways, strict=True)
        (way,) = self.lot.choices(ways, weights)
        told: list[Event] = way(state)
        if len(told) > 1 and self.lot.random() < 0.15:
            self.lot.shuffle(told)
        return told

    def _tell(self, kind: str, step: int | None = None, before: int | None = None, **more: Any) -> Event:
        self.now += self.lot.choice(STEPS) if step is None else step
        late = self.lot.choice(BEFORE) if before is None else before
        return {"t": max(0, self.now - late), "type": kind, **more}

    def _seat(self) -> int:
        return self.lot.randrange(self.seats)

    def _card(self) -> Event:
        return {"boat": self.lot.choice(BOATS), "colour": self.lot.choice(COLOURS)}

    def _wise_cell(self, state: Event) -> int:
        free = [cell for cell in range(9) if not state["piles"][cell]]
        return self.lot.choice(free if free and self.lot.random() < 0.8 else range(9))

    def _completing(self, state: Event, card: Event) -> int | None:
        """Where that card makes a set."""
        tops = state["tops"]
        for line in self.lot.sample(LINES, len(LINES)):
            for cell in line:
                others = [tops[other] for other in line if other != cell and tops[other]]
                alike = [key for key in card if all(other[key] == card[key] for other in others)]
                if len(others) == 2 and alike and (all(state["piles"]) or not state["piles"][cell]):
                    return cell
        return None

    def _lay(self, state: Event) -> list[Event]:
        card = self._card()
        wise = self._completing(state, card) if self.lot.random() < 0.4 else None
        cell = self._wise_cell(state) if wise is None else wise
        known = {"seat": self._seat()} if self.lot.random() < 0.1 else {}
        return [self._tell("card", cell=cell, **card, **known)]

    def _lay_hidden(self, state: Event) -> list[Event]:
        (card,) = self._lay(state)
        return [card | {"from": max(0, card["t"] - self.lot.choice(HIDDEN))}]

    def _lay_unseen(self, _: Event) -> list[Event]:
        return [self._tell("laid")]

    def _take(self, state: Event) -> list[Event]:
        owing = [debt["seat"] for debt in state["owed"]] or [0]
        seat = self.lot.choice(owing) if self.lot.random() < 0.8 else self._seat()
        return [self._tell("take", seat=seat, cards=self.lot.choice((0, 1, 3, 3, 9)))]

    def _slap(self, _: Event) -> list[Event]:
        return [self._tell("press", seat=self._seat())]

    def _all_slap(self, _: Event) -> list[Event]:
        """At a set that lies there, more or less together."""
        gap = self.lot.choice((0, 20 * US, 50 * US, 51 * US, 200 * MS))
        seats = self.lot.sample(range(self.seats), self.seats)
        return [self._tell("press", gap if number else None, 0, seat=seat) for number, seat in enumerate(seats)]

    def _see(self, _: Event) -> list[Event]:
        return [self._tell("seen")]

    def _look(self, state: Event) -> list[Event]:
        cells = list(state["tops"])
        for cell in range(9):
            if self.lot.random() < 0.15:
                cells[cell] = self.lot.choice((None, {"hidden": True}, self._card()))
        return [self._tell("grid", cells=cells)]

    def _speak(self, state: Event) -> list[Event]:
        exposed = [*state["exposed"], *[seat for seat, cards in enumerate(state["decks"]) if cards == 2]]
        seat = self.lot.choice(exposed) if exposed else self._seat()
        if self.lot.random() < 0.5:
            return [self._tell("call", seat=seat)]
        return [self._tell("accuse", seat=self._seat(), target=seat)]

    def _undo(self, _: Event) -> list[Event]:
        return [self._tell("undo")] * self.lot.choice((1, 1, 1, 2))

    def _lift(self, _: Event) -> list[Event]:
        return [self._tell("lift", cells=self.lot.sample(range(9), self.lot.randint(1, 3)))]

    def _pay(self, state: Event) -> list[Event]:
        if not state["owed"] or not state["owed"][0]["choices"]:
            return [self._tell("seen")]
        choice = self.lot.choice(state["owed"][0]["choices"])
        if self.lot.random() < 0.3:
            return [self._tell("lift", before=0, cells=[cell]) for cell in choice]
        return [self._tell("lift", cells=[*choice])]

    def _foul(self, state: Event) -> list[Event]:
        lying = [cell for cell in range(9) if state["piles"][cell]]
        where = {"cell": self.lot.choice(lying)} if lying and self.lot.random() < 0.7 else {}
        return [self._tell("foul", seat=self._seat(), reason=self.lot.choice(("peeked", "outside")), **where)]

    def _fix(self, state: Event) -> list[Event]:
        decks = [*state["decks"]]
        what: Event = {}
        if self.lot.random() < 0.5:
            what["turn"] = self._seat()
        if self.lot.random() < 0.5 or not what:
            cards = self.lot.choice((-1, 1, 2))
            decks[self._seat()] += cards
            if not self.blind:
                piles = [*state["piles"]]
                cell = self.lot.randrange(9)
                piles[cell] -= cards
                what |= {"piles": piles}
                if self.lot.random() < 0.6:
                    what["tops"] = {str(cell): self._card() if piles[cell] else None}
            what["decks"] = decks
        if any(number < 0 for number in (*what.get("decks", ()), *what.get("piles", ()))):
            return []
        return [self._tell("fix", **what)]

    def _sprint(self, state: Event) -> list[Event]:
        if state["phase"] != "sprint" or self.lot.random() < 0.2:
            return [self._tell("sprint")]
        seats = self.lot.sample(range(self.seats), self.seats)
        if self.lot.random() < 0.4:
            gaps = [self.lot.choice((5 * US, 30 * US, 50 * US, 60 * US)) for _ in range(2)]
            first = self._tell("press", 500 * MS + self.lot.choice((5 * US, 60 * US)), 0, seat=seats[0])
            return [first, self._tell("sprint", gaps[0], 0), self._tell("press", gaps[1], 0, seat=seats[1])]
        told = [self._tell("sprint", self.lot.choice((700 * MS, 2 * S)), 0)]
        for seat in seats:
            step = self.lot.choice((0, 40 * US, 60 * US, 99 * MS, 100 * MS, 250 * MS))
            told.append(self._tell("press", step, 0, seat=seat))
        return told

    # What chance alone would bring too seldom

    def _waits_for_an_earlier_card(self, state: Event) -> list[Event]:
        """Two slap at nothing; a card that makes a set may have lain there before the second, another one before
        both; what the first one makes may be gone by then."""
        first, second = (self._tell("press", 300 * MS, 0, seat=self._seat()) for _ in range(2))
        card, other = self._card(), self._card()
        cell = self._completing(state, card)
        cell = self._wise_cell(state) if cell is None else cell
        since = second["t"] - self.lot.choice((50 * MS, 250 * MS))
        makes = self._tell("card", 200 * MS, 0, cell=cell, **card, **{"from": since})
        line = [line for line in LINES if cell in line]
        gone = [self._tell("lift", 500 * MS, 0, cells=[*self.lot.choice(line)])] if self.lot.random() < 0.6 else []
        later = {"from": first["t"] - 100 * MS} if first["t"] > 100 * MS else {"from": 0}
        return [first, second, makes, *gone, self._tell("card", 400 * MS, 0, cell=0, **other, **later)]

    def _paid_before_a_late_card(self, state: Event) -> list[Event]:
        """Some slap falsely and pay, once or more than once, before it is known that a card lay there earlier."""
        since = self.now
        told: list[Event] = []
        cells = self.lot.sample(range(9), 3)
        for cell in cells[: self.lot.choice((1, 2, 2, 3))]:
            told += [
                self._tell("press", 600 * MS, 0, seat=self._seat()),
                self._tell("lift", 300 * MS, 0, cells=[cell]),
            ]
        for _ in range(self.lot.choice((1, 1, 2))):
            where = self._wise_cell(state)
            early = since + self.lot.choice((0, 700 * MS))
            told.append(self._tell("card", 500 * MS, 0, cell=where, **self._card(), **{"from": early}))
        return told

    def _last_card_between_presses(self, state: Event) -> list[Event]:
        """Everybody slaps in one instant, and between two of these slaps a card is laid."""
        seats = self.lot.sample(range(self.seats), self.seats)
        if state["turn"] is not None:
            seats = [*(seat for seat in seats if seat != state["turn"]), state["turn"]]
        steps = (300 * MS, *(10 * US,) * self.seats)
        told = [self._tell("press", step, 0, seat=seat) for step, seat in zip(steps, seats, strict=False)]
        if self.blind:
            laid: Event = {"type": "laid"}
        else:
            laid = {"type": "card", "cell": self._wise_cell(state), **self._card()}
        return [*told[:-1], {"t": told[-1]["t"] - 5 * US, **laid}, told[-1]]
