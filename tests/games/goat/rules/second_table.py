"""The second referee's table: decks and piles, what is owed and paid, the last card, what the host corrects."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

Event = dict[str, Any]
Kind = tuple[str, str]
LINES = ((0, 1, 2), (0, 3, 6), (0, 4, 8), (1, 4, 7), (2, 4, 6), (2, 5, 8), (3, 4, 5), (6, 7, 8))
FALSE_GRABS = ("no_set", "already_safe")
TWO_SECONDS = 2_000_000_000


class Refused(Exception):
    """The table makes this event impossible."""


def kind_of(card: Event | None) -> Kind | None:
    return None if card is None else (card["boat"], card["colour"])


def sets_of(tops: Sequence[Kind | None]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for line in LINES:
        cards = [card for card in (tops[cell] for cell in line) if card is not None]
        if len(cards) == 3 and any(len({*same}) == 1 for same in zip(*cards, strict=True)):
            found.append(line)
    return found


class Cards:
    def __init__(self, game: Event) -> None:
        self.seats = len(game["seats"])
        self.camera = game.get("grid") != "none"
        self.resolution = game.get("resolution_us", 50) * 1000
        self.forgiving = game.get("double_grab") == "ignore"
        self.decks = [60 // self.seats] * self.seats
        self.turn: int | None = game["starter"]
        self.last = game["starter"]
        self.pass_from: int | None = None
        self.piles: list[list[tuple[Kind | None, int | None]]] = [[] for _ in range(9)]
        self.sets: dict[tuple[int, ...], int] = {}
        self.race: dict[str, Any] | None = None
        self.debts: list[dict[str, Any]] = []
        self.period: list[dict[str, Any]] = []
        """All debts since nothing was owed."""
        self.paid: list[dict[str, Any]] = []
        """The periods of nothing but false grabs that are paid."""
        self.payments: list[frozenset[int]] = []
        self.period_payments = 0
        """So many of them came before this period."""
        self.exposed: set[int] = set()
        self.bared: set[int] = set()
        self.calls: list[tuple[int, int, int]] = []
        self.answered: set[int] = set()
        self.false: dict[int, int] = {}
        self.twice: dict[int, int] = {}
        self.stray: set[int] = set()
        self.adrift: list[int] = []
        self.newest: tuple[int, Kind, int | None] | None = None
        """The newest card: where, which, and how high its pile was with it if it counts."""
        self.waiting: list[tuple[int, int, int | None]] = []
        self.over = False
        self.winners: list[int] = []
        self.said: list[tuple[int | None, Event]] = [
            (None, {"t": game["t"], "ruling": "turn", "seat": game["starter"]})
        ]
        self.met: Counter[str] = Counter()

        self.t = game["t"]
        self.number = 0
        self.kind = ""
        self.ahead: list[tuple[int, Event]] = []
        self.was_over = self.had_none = False

    def say(self, t: int, ruling: str, call: int | None = None, **more: Any) -> None:
        self.said.append((call, {"t": t, "ruling": ruling, **more}))

    def tops(self) -> list[Kind | None]:
        return [pile[-1][0] if pile else None for pile in self.piles]

    def lying(self) -> list[int]:
        return [cell for cell in range(9) if self.piles[cell]]

    def on_the_table(self) -> int:
        return 60 - sum(self.decks)

    def deal(self, seat: int, cards: int) -> None:
        if cards:
            self.decks[seat] += cards
            self.exposed.discard(seat)
            self.bared.discard(seat)
            if self.decks[seat] == 1:
                self.bared.add(seat)

    def after(self, seat: int) -> int | None:
        for step in range(1, self.seats + 1):
            if self.decks[(seat + step) % self.seats]:
                return (seat + step) % self.seats
        return None

    # What is owed

    def owe(self, t: int, seat: int, why: str, ruling: str, **more: Any) -> None:
        piles = len(self.lying()) if self.camera else self.on_the_table()
        if piles <= len([debt for debt in self.debts if debt["why"] != "slowest"]):
            self.say(t, "void", seat=seat, reason="no_pile")
            return
        self.owing(t, seat, why, set())
        self.say(t, ruling, seat=seat, **more)

    def owing(self, t: int, seat: int, why: str, lists: set[tuple[int, ...]]) -> None:
        debt = {"t": t, "seat": seat, "why": why, "lists": lists, "lifted": set[int]()}
        if not self.period:
            self.period_payments = len(self.payments)
        self.debts.append(debt)
        self.period.append(debt)

    def choices(self, debt: dict[str, Any]) -> list[tuple[int, ...]]:
        return sorted(debt["lists"]) if debt["why"] == "slowest" else [(cell,) for cell in self.lying()]

    def take_away(self, cells: Collection[int]) -> None:
        if self.race is not None:
            self.race["gone"].update(cells)
        for debt in self.debts:
            left = {tuple(cell for cell in cells_ if cell not in cells) for cells_ in debt["lists"]}
            debt["lists"] = left - {()}
            debt["lifted"] -= set(cells)

    def lift(self, event: Event) -> None:
        cells = sorted(event["cells"])
        taken_back = [cell for cell in cells if cell in self.stray and not self.piles[cell]]
        self.stray -= set(taken_back)
        cells = [cell for cell in cells if cell not in taken_back]
        if not cells:
            return
        debt = self.debts[0] if self.debts else None
        if debt is None or not any({*debt["lifted"], *cells} <= {*choice} for choice in self.choices(debt)):
            self.say(self.t, "wrong_lift", seat=debt["seat"] if debt else None, cells=cells)
            return
        debt["lifted"] |= set(cells)
        self.finish()

    def take(self, event: Event) -> None:
        seat, cards = event["seat"], event["cards"]
        if cards > self.on_the_table():
            raise Refused
        debt = next((debt for debt in self.debts if debt["seat"] == seat), None)
        if debt is None:
            self.say(self.t, "wrong_lift", seat=seat if self.debts else None)
            return
        self.debts.remove(debt)
        self.deal(seat, cards)
        self.say(self.t, "took", seat=seat, cards=cards)
        self.finish()

    def settle(self) -> None:
        void: list[int] = []
        while (debt := self.due()) is not None:
            self.debts.remove(debt)
            lifted: list[int] = sorted(debt["lifted"])
            if lifted:
                cards = sum(len(self.piles[cell]) for cell in lifted)
                for cell in lifted:
                    self.piles[cell] = []
                self.stray -= set(lifted)
                self.take_away(lifted)
                self.payments.append(frozenset(lifted))
                self.deal(debt["seat"], cards)
                self.say(self.t, "took", seat=debt["seat"], cells=lifted, cards=cards)
            elif debt["why"] == "slowest":
                self.say(self.t, "took", seat=debt["seat"], cells=[], cards=0)
            else:
                void.append(debt["seat"])
        for seat in void:
            self.say(self.t, "void", seat=seat, reason="no_pile")
        if self.debts or not self.period:
            return
        if self.race is not None and self.race["slowest"] is not None:
            self.race = None
        if all(debt["why"] in FALSE_GRABS for debt in self.period):
            first = min(debt["t"] for debt in self.period)
            self.paid.append({"first": first, "turn": self.turn, "payments": self.period_payments})
        movers = [debt["seat"] for debt in self.period if debt["why"] != "overboard"]
        if movers:
            self.pass_from = movers[-1]
        self.period = []

    def due(self) -> dict[str, Any] | None:
        if not self.camera:
            nothing = not self.on_the_table()
            return next((debt for debt in self.debts if nothing and debt["why"] != "slowest"), None)
        if not self.debts:
            return None
        debt = self.debts[0]
        choices = self.choices(debt)
        return debt if not choices or tuple(sorted(debt["lifted"])) in choices else None

    # The last card

    def call(self, event: Event) -> None:
        seat = event["seat"]
        if seat in self.exposed:
            self.exposed.remove(seat)
            self.say(self.t, "called", seat=seat)
        else:
            self.calls.append((self.t, seat, self.number))
            self.say(self.t, "no_effect", self.number, seat=seat)

    def accuse(self, event: Event) -> None:
        seat, target = event["seat"], event["target"]
        until = self.t + self.resolution
        soon = [event for _, event in self.ahead if event["type"] == "call" and event["t"] <= until]
        called = any(event["seat"] == target for event in soon)
        if target == seat or target not in self.exposed or called:
            self.say(self.t, "no_effect", seat=seat)
            return
        self.exposed.remove(target)
        self.owe(self.t, target, "overboard", "overboard", by=seat)
        self.finish()

    # Corrections

    def grid(self, event: Event) -> None:
        overlooked = self.stray.union(*(debt["lifted"] for debt in self.debts))
        adrift: list[int] = []
        for cell, sight in enumerate(event["cells"]):
            if cell in overlooked or (sight and "hidden" in sight):
                continue
            pile = self.piles[cell]
            if (kind_of(sight) != pile[-1][0] or pile[-1][0] is None) if pile else sight is not None:
                adrift.append(cell)
        if adrift != self.adrift:
            self.adrift = adrift
            self.say(self.t, "adrift", cells=adrift)

    def fix(self, event: Event) -> None:
        decks = event.get("decks", self.decks)
        tops = {int(cell): kind_of(card) for cell, card in event.get("tops", {}).items()}
        heights = event.get("piles", [len(pile) for pile in self.piles])
        if self.camera:
            for cell in range(9):
                has_top = tops[cell] is not None if cell in tops else bool(self.piles[cell])
                if has_top != bool(heights[cell]):
                    raise Refused
        if sum(decks) + sum(heights) != 60 and (self.camera or sum(decks) > 60):
            raise Refused
        mended = [cell for cell in range(9) if cell in tops or heights[cell] != len(self.piles[cell])]
        self.take_away({cell for cell in mended if not heights[cell]})
        for cell in mended:
            self.stray.discard(cell)
            self.piles[cell] = self.mended(cell, heights[cell], tops)
        for seat in range(self.seats):
            if decks[seat] != self.decks[seat]:
                self.exposed.discard(seat)
        self.decks = [*decks]
        turn = event.get("turn")
        if turn is not None and turn != self.turn:
            self.pass_from = (turn - 1) % self.seats
        self.finish()

    def mended(self, cell: int, height: int, tops: dict[int, Kind | None]) -> list[tuple[Kind | None, int | None]]:
        pile = self.piles[cell]
        if not height:
            return []
        top = (tops[cell], None) if cell in tops else pile[-1]
        below = (pile if cell in tops else pile[:-1])[: height - 1]
        return [*below, *[(None, None)] * (height - 1 - len(below)), top]

    # The end of every fact

    def finish(self, since: int | None = None) -> None:
        if not self.over or self.was_over:
            self.settle()
        if self.camera:
            lines = sets_of(self.tops())
            changed = lines != sorted(self.sets)
            now: int = self.t
            self.sets = {line: self.sets.get(line, now) for line in lines}
            if changed:
                self.say(self.t, "set", lines=[list(line) for line in lines])
        bared, self.bared = sorted(self.bared), set()
        for seat in bared:
            self.exposed.add(seat)
            self.say(self.t, "last_card", seat=seat)
        self.move_turn()
        for seat in bared:
            early = min(self.t - TWO_SECONDS, self.t if since is None else since)
            for t, caller, number in self.calls:
                if caller == seat and t >= early and number not in self.answered:
                    self.answered.add(number)
                    self.exposed.discard(seat)
                    self.say(self.t, "called", seat=seat)
                    break
        done = not self.sets if self.camera else self.had_none and self.kind == "fix"
        if done and not self.over and not any(self.decks) and self.race is None and not self.debts:
            self.say(self.t, "stalemate")
            self.over = True

    def move_turn(self) -> None:
        start, self.pass_from = self.pass_from, None
        if start is None:
            if self.turn is not None and self.decks[self.turn]:
                return
            start = self.last if self.turn is None else self.turn
        self.turn, self.last = self.after(start), start
        if self.turn is not None:
            self.say(self.t, "turn", seat=self.turn)

    def state(self) -> Event:
        tops = [None if kind is None else {"boat": kind[0], "colour": kind[1]} for kind in self.tops()]
        races = self.race is not None and self.race["slowest"] is None
        phase = "over" if self.over else "pickup" if self.debts and not races else "play"
        if races and not self.over:
            phase = "sprint" if self.race and self.race["heat"] else "race"
        owed = [
            {"seat": debt["seat"], "why": debt["why"], "choices": [list(choice) for choice in self.choices(debt)]}
            for debt in self.debts
        ]
        return {
            "game": "goat",
            "phase": phase,
            "turn": self.turn,
            "decks": self.decks,
            "piles": [len(pile) for pile in self.piles] if self.camera else None,
            "tops": tops if self.camera else None,
            "sets": [list(line) for line in sorted(self.sets)] if self.camera else None,
            "safe": self.race["safe"] if self.race else [],
            "owed": owed if self.camera else [debt | {"choices": None} for debt in owed],
            "exposed": sorted(self.exposed),
            "adrift": self.adrift,
            "winners": self.winners,
        }
