"""A second referee of Row Your Goat, written from the contract: it shares no code with the first.

It is plain and slow. Whenever something is heard, all that is known is judged anew from the deal on, in the order
in which it happened; where a ruling depends on what comes later, a copy of the table is judged on.
"""

from copy import deepcopy
from typing import Any

from .second_table import FALSE_GRABS, Cards, Event, Refused, kind_of, sets_of

Slap = tuple[int, int]
HALF = 500_000_000
TENTH = 100_000_000
NEVER_TAKEN_BACK = ("seen", "grid", "undo")


class Evening:
    """One game as it is told."""

    def __init__(self, game: Event) -> None:
        self.game = game
        self.facts: list[tuple[int, Event]] = []
        self.told = 0
        self.watched = game["t"]

    def hear(self, event: Event) -> None:
        """Raises `Refused`; then nothing has been heard."""
        kind, early = event["type"], event["t"] < self.game["t"]
        if early and kind in NEVER_TAKEN_BACK:
            return
        self.told += 1
        if kind == "undo":
            taken_back = [fact for fact in self.facts if fact[1]["type"] != "grid"]
            if not taken_back:
                raise Refused
            self.facts.remove(max(taken_back, key=lambda fact: fact[0]))
            return
        if kind in ("seen", "grid"):
            self.watched = max(self.watched, event["t"])
        if kind != "seen":
            fact = (self.told, event)
            self.facts.append(fact)
            try:
                self.judged(self.told)
            except Refused:
                self.facts.remove(fact)
                raise

    def judged(self, newcomer: int | None = None, *, closed: bool = False) -> "Table":
        facts = [(number, event) for number, event in self.facts if event["t"] >= self.game["t"]]
        known = max([self.watched, *(event["t"] for _, event in facts if event["type"] in ("card", "lift"))])
        if self.game.get("grid") != "none" and not closed:
            facts = [fact for fact in facts if fact[1]["type"] != "press" or fact[1]["t"] <= known]
        facts.sort(key=_place)
        table = Table(self.game)
        for place, (number, event) in enumerate(facts, 1):
            try:
                table.hear(number, event, facts[place:])
            except Refused:
                if number == newcomer:
                    raise
        return table

    def rulings(self) -> list[Event]:
        table = self.judged(closed=True)
        answered = table.answered
        return [said for call, said in table.said if call is None or call not in answered]


def _place(fact: tuple[int, Event]) -> tuple[int, ...]:
    number, event = fact
    return (event["t"], 0, event["seat"], number) if event["type"] == "press" else (event["t"], 1, number)


class Table(Cards):
    """What is ruled of cards and presses; the rest stands in `second_table`."""

    def hear(self, number: int, event: Event, ahead: list[tuple[int, Event]]) -> None:
        if self.over and event["type"] != "fix":
            return
        self.t, self.number, self.ahead, self.kind = event["t"], number, ahead, event["type"]
        self.was_over, self.had_none = self.over, not any(self.decks)
        getattr(self, event["type"])(event)

    # Cards

    def card(self, event: Event) -> None:
        if self.turn is None:
            raise Refused
        cell: int = event["cell"]
        kind, since = kind_of(event), event.get("from", self.t)
        seat, full, before = self.turn, self.emptied_since(since), None
        for period in self.paid:
            if period["first"] >= since and period["turn"] is not None and self.decks[period["turn"]]:
                seat, before = period["turn"], period
                emptied = self.payments[period["payments"] :]
                full = frozenset[int]().union(*emptied)
                self.met["C"] += len([cells for cells in emptied if cells]) > 1
                break
        reason = self.why_not(event, since, seat, full)
        assert kind is not None
        if reason is None:
            self.piles[cell].append((kind, seat))
            self.deal(seat, -1)
            self.stray.discard(cell)
            self.newest = cell, kind, len(self.piles[cell])
            self.say(self.t, "placed", seat=seat, cell=cell, pile=len(self.piles[cell]))
        else:
            self.stray.add(cell)
            self.newest = cell, kind, None
            self.say(self.t, "misplay", seat=event.get("seat", seat), cell=cell, reason=reason)
        if reason in (None, "empty_cell_left"):
            if before is None:
                self.pass_from = seat
            else:
                before["turn"] = self.after(seat)
        self.finish(since)
        self.judge_waiting(since)

    def emptied_since(self, since: int) -> frozenset[int]:
        if not self.period or any(debt["t"] < since or debt["why"] not in FALSE_GRABS for debt in self.period):
            return frozenset()
        return frozenset[int]().union(*self.payments[self.period_payments :])

    def why_not(self, event: Event, since: int, seat: int, full: frozenset[int]) -> str | None:
        owed = [debt for debt in self.debts if debt["t"] < since or debt["why"] not in FALSE_GRABS]
        if owed and not self.races():
            return "pick_up_first"
        if event.get("seat", seat) != seat:
            return "out_of_turn"
        free = [cell for cell in range(9) if not self.piles[cell] and cell not in full]
        return "empty_cell_left" if free and self.piles[event["cell"]] else None

    def judge_waiting(self, since: int) -> None:
        due = [
            press
            for press in self.waiting
            if press[2] == self.number or (press[2] is None and press[0] >= since and self.justifies())
        ]
        self.waiting = [press for press in self.waiting if press not in due]
        self.met["A"] += any(press[2] is None for press in due)
        slaps = [(t, seat) for t, seat, _ in due]
        for place, slap in enumerate(slaps, 1):
            self.judge(slap, slaps[place:], invited=False)
        if due:
            self.finish()

    def laid(self, _: Event) -> None:
        if self.turn is None:
            raise Refused
        if self.debts and not self.races():
            self.say(self.t, "misplay", seat=self.turn, reason="pick_up_first")
            return
        self.say(self.t, "placed", seat=self.turn)
        self.deal(self.turn, -1)
        self.pass_from = self.turn
        self.finish()

    def foul(self, event: Event) -> None:
        seat: int = event["seat"]
        cell: int | None = event.get("cell")
        where = {} if cell is None else {"cell": cell}
        if cell is not None:
            pile = self.piles[cell]
            if not pile or pile[-1][1] not in (None, seat):
                raise Refused
            if self.newest is not None and self.newest[0] == cell and self.newest[2] == len(pile):
                self.newest = cell, self.newest[1], None
            pile.pop()
            self.deal(seat, 1)
            self.stray.add(cell)
            if not pile:
                self.take_away({cell})
        self.say(self.t, "misplay", seat=seat, **where, reason=event["reason"])
        if seat == self.turn:
            self.pass_from = seat
        self.finish()

    # Presses

    def races(self) -> bool:
        return self.race is not None and self.race["slowest"] is None

    def justifies(self) -> bool:
        return not self.camera or self.race is not None or bool(self.sets)

    def invites(self) -> bool:
        if self.newest is None or self.newest[2] is not None:
            return False
        tops = self.tops()
        tops[self.newest[0]] = self.newest[1]
        return bool(sets_of(tops))

    def press(self, event: Event) -> None:
        slap = event["t"], event["seat"]
        verdict = None if self.justifies() else self.foresee(slap[0])
        if isinstance(verdict, int):
            self.waiting.append((*slap, verdict))
            return
        self.judge(slap, [], invited=verdict is not None)
        self.finish()

    def foresee(self, t: int) -> int | str | None:
        """The card through which a press is good; `void`; or nothing helps it."""
        mine = {n for n, event in self.ahead if event["type"] == "card" and event.get("from", event["t"]) <= t}
        table, verdict = deepcopy(self) if mine else self, None
        for place, (number, event) in enumerate(self.ahead, 1):
            if not mine or table.over:
                break
            if event["type"] == "press" and not table.justifies():
                table.waiting.append((event["t"], event["seat"], None))
                continue
            covers = number in mine
            mine.discard(number)
            try:
                table.hear(number, event, self.ahead[place:])
            except Refused:
                continue
            if covers and table.justifies():
                return number
            if covers and table.invites():
                verdict = "void"
        self.met["A"] += bool(table is not self and table.met["A"] > self.met["A"])
        return verdict

    def judge(self, slap: Slap, later: list[Slap], *, invited: bool) -> None:
        t, seat = slap
        race = self.race
        if self.over or self.again(slap):
            return
        if race is None and not (self.sets or not self.camera):
            self.grab_nothing(slap, invited=invited)
        elif race is None or (self.races() and not race["heat"] and seat not in race["grabs"]):
            self.grab(slap, later)
        elif race["slowest"] is not None:
            if seat == race["slowest"] and not race["late"] and race["jump"] != slap:
                race["late"] = True
                self.say(t, "late", seat=seat, reaction_us=self.reaction(t))
        elif race["grabs"].get(seat) == t:
            self.met["D"] += race["empty"].get(seat, False) != (not self.decks[seat])
            race["empty"][seat] = not self.decks[seat]
        elif race["heat"]:
            self.answer(slap, later)
        elif seat in race["safe"] and t - race["grabs"][seat] > HALF and self.camera and not self.forgiving:
            self.twice[seat] = t
            self.owe(t, seat, "already_safe", "false_grab", reason="already_safe")

    def again(self, slap: Slap) -> bool:
        t, seat = slap
        return seat in self.twice and t - self.twice[seat] <= HALF

    def grab_nothing(self, slap: Slap, *, invited: bool) -> None:
        t, seat = slap
        if seat in self.false and t - self.false[seat] <= HALF:
            return
        if invited or self.invites():
            self.say(t, "void", seat=seat, reason="misplay")
            return
        self.false[seat] = t
        self.owe(t, seat, "no_set", "false_grab", reason="no_set")

    def grab(self, slap: Slap, later: list[Slap]) -> None:
        t, seat = slap
        if self.race is None:
            self.race = {"since": min(self.sets.values()) if self.camera else t, "lines": set(self.sets)}
            self.race |= {"grabs": {}, "empty": {}, "safe": [], "gone": set[int](), "heat": None}
            self.race |= {"slowest": None, "late": False, "jump": None}
        race = self.race
        race["grabs"][seat] = t
        race["empty"][seat] = not self.decks[seat]
        order: dict[int, int] = {**race["grabs"]}
        for when, who in self.coming(t, later):
            order.setdefault(who, when)
        seats = list(order)
        if len(seats) == self.seats and abs(order[seats[-2]] - order[seats[-1]]) <= self.resolution:
            rivals = {who: when for who, when in order.items() if who not in race["safe"]}
            tied = {who: when for who, when in rivals.items() if abs(when - order[seats[-2]]) <= self.resolution}
            if seat in tied:
                if seat == seats[-2]:
                    for who, when in tied.items():
                        if who not in race["grabs"]:
                            race["grabs"][who], race["empty"][who] = when, not self.decks[who]
                    self.begin_heat(t, tied)
                return
        self.safe(t, seat)
        if len(race["safe"]) == self.seats - 1:
            self.end_race(t)

    def coming(self, t: int, later: list[Slap]) -> list[Slap]:
        until = t + 2 * self.resolution
        presses = [(e["t"], e["seat"]) for _, e in self.ahead if e["type"] == "press" and e["t"] <= until]
        return [slap for slap in (*later, *presses) if not self.again(slap)]

    # Races

    def reaction(self, t: int) -> int:
        assert self.race is not None
        return max(0, t - self.race["since"]) // 1000

    def safe(self, t: int, seat: int) -> None:
        assert self.race is not None
        self.race["safe"].append(seat)
        reaction = self.reaction(self.race["grabs"][seat])
        self.say(t, "safe", seat=seat, place=len(self.race["safe"]), reaction_us=reaction)

    def begin_heat(self, t: int, tied: dict[int, int]) -> None:
        assert self.race is not None
        self.race["heat"] = {"led": tied, "lit": None, "answers": {}}
        self.say(t, "dead_heat", seats=sorted(tied))

    def sprint(self, _: Event) -> None:
        if self.races() and self.race is not None and self.race["heat"] and self.race["heat"]["lit"] is None:
            self.race["heat"]["lit"] = self.t

    def answers(self, heat: dict[str, Any], slap: Slap) -> bool:
        t, seat = slap
        if seat not in heat["led"] or seat in heat["answers"] or heat["led"][seat] == t:
            return False
        return (heat["lit"] is not None and t > heat["lit"]) or t > heat["led"][seat] + HALF

    def answer(self, slap: Slap, later: list[Slap]) -> None:
        t, seat = slap
        assert self.race is not None
        heat = self.race["heat"]
        if not self.answers(heat, slap):
            return
        if heat["lit"] is None or t < heat["lit"] + TENTH:
            self.jump(slap, heat, later)
            return
        heat["answers"][seat] = t
        if len(heat["answers"]) < len(heat["led"]) - 1:
            return
        tied = {who: when for who, when in heat["answers"].items() if abs(t - when) <= self.resolution}
        for other in self.coming(t, later):
            if other[0] - t <= self.resolution and self.answers(heat, other):
                tied.setdefault(other[1], other[0])
        again = len(tied) > len([who for who in tied if who in heat["answers"]])
        for who in heat["answers"]:
            if not again or who not in tied:
                self.safe(t, who)
        if again:
            self.begin_heat(t, tied)
        else:
            self.end_race(t)

    def jump(self, slap: Slap, heat: dict[str, Any], later: list[Slap]) -> None:
        t, seat = slap
        assert self.race is not None
        jumpers, lit = {seat: t}, heat["lit"]
        events = [(when, "press", who) for when, who in later]
        ahead = [event for _, event in self.ahead if event["type"] in ("press", "sprint")]
        events += [(event["t"], event["type"], event.get("seat", 0)) for event in ahead]
        for when, kind, who in events:
            if when > t + self.resolution or (kind == "press" and self.again((when, who))):
                continue
            if kind == "sprint":
                lit = when if lit is None else lit
                continue
            jumped = lit is None or when < lit + TENTH
            if jumped and who not in jumpers and self.answers(heat | {"lit": lit}, (when, who)):
                jumpers[who] = when
                self.met["B"] += heat["lit"] is None and lit is not None
        for who in sorted(heat["led"], key=lambda who: (self.race["grabs"][who], who)):  # type: ignore[index]
            if who not in jumpers:
                self.safe(t, who)
        if len(jumpers) > 1:
            self.begin_heat(t, jumpers)
        else:
            self.race["jump"] = slap
            self.end_race(t)

    def end_race(self, t: int) -> None:
        race = self.race
        assert race is not None
        seat = next(seat for seat in range(self.seats) if seat not in race["safe"])
        race["slowest"] = seat
        winners = sorted(who for who in race["safe"] if self.wins(who))
        asked: dict[tuple[int, ...], tuple[int, ...]] = {}
        for line in sorted({*race["lines"], *self.sets}):
            left = line if line in self.sets else tuple(cell for cell in line if cell not in race["gone"])
            if left:
                asked[line] = left
        if self.camera:
            cards = [sum(len(self.piles[cell]) for cell in left) for left in asked.values()]
            self.say(t, "slowest", seat=seat, choices=[list(line) for line in asked], cards=cards)
        else:
            self.say(t, "slowest", seat=seat)
        self.owing(t, seat, "slowest", set(asked.values()))
        if winners:
            self.say(t, "win", seats=winners)
            self.over, self.winners = True, winners

    def wins(self, seat: int) -> bool:
        race = self.race
        assert race is not None
        empty = race["empty"][seat] if race["grabs"][seat] <= self.t else not self.decks[seat]
        return empty and all(debt["seat"] != seat for debt in self.debts)
