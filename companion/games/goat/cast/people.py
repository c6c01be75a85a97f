"""The people who play Row Your Goat at the drawn table.

They see the cards as they truly lie and act on that, with a human delay and now and then wrongly: they slap where
no set is, lay on a pile while a cell is empty, forget to call their last card. What the referee rules they follow:
they take misplayed cards back, pick up what they owe, and put the cards as the host says.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final, cast

from companion.core.cards import CELLS, Cell, sets_on
from companion.demo.camera_eyes import bare_table
from companion.demo.cast import Company, DrawnWorld, Mismatch
from companion.games.goat.cast.goat_cast import begin_event, first_game
from companion.games.goat.cast.stage import REACHES, GoatStage
from companion.games.goat.cast.supplied_deck import goat_faces
from companion.games.goat.rules import Record
from companion.games.goat.rules.events import ALL_CARDS, GameBegun
from companion.games.goat.rules.rulings import Misplay
from companion.table.live_table import Snapshot
from companion.units import SECOND, Ns, Seat

# How often somebody slaps at nothing, lays on a pile while a cell is empty, forgets to call the last card, notices
# that another has, lays on while the others slap, and is as quick as a neighbour to the microsecond.
SLAPS_AT_NOTHING: Final = 0.02
OVERLOOKS_A_CELL: Final = 0.015
FORGETS_TO_CALL: Final = 0.3
NOTICES: Final = 0.7
LAYS_ON: Final = 0.05
# How often somebody prefers a place where no set comes of it. If nobody did, a game of two would take an hour.
HESITATES: Final = 0.5
AS_QUICK: Final = 0.02
# Seconds. People wait for the lamp that says whose turn it is, and then need so long to lift the card.
THINKS: Final = (0.15, 1.1)
# From the card at rest, the hand still on it; now and then one doesn't see a set at all for a while.
SEES: Final = (0.5, 1.6)
SEES_LATE: Final = (1.7, 2.7)
IS_SLOW: Final = 0.12
FALSELY: Final = (0.3, 0.8)
# Whoever has learnt how it goes waits till the hand is off the card: before, the camera knows of no last one.
CALLS: Final = (0.6, 1.5)
ACCUSES: Final = (1.5, 3.5)
# Whoever leaves a seat to somebody gives that person time to call.
ACCUSES_YOU: Final = (5.0, 8.0)
PICKS_UP: Final = (0.8, 1.8)
LAMPS_LIGHT: Final = (0.9, 2.2)
SPRINTS: Final = (0.16, 0.42)
REJOICES: Final = (4.0, 6.0)
# After a slap the hand is back and the eyes look again.
LOOKS_AGAIN: Final = 0.8
SHUFFLES: Final = 2.0

State = Mapping[str, Any]


class GoatPlayers:
    def __init__(
        self, world: DrawnWorld, stage: GoatStage, chance: Random, seats: int, yours: Seat | None = None
    ) -> None:
        self._world = world
        self._stage = stage
        self._chance = chance
        self._game = first_game(seats)
        self._yours = yours
        self._busy: Ns = 0
        """Until then hands are at the cards; `_slaps`: at the buttons."""
        self._slaps: Ns = 0
        self._laid: Cell | None = None
        self._wrong: tuple[tuple[Seat, Cell], ...] = ()
        """On which cells cards lie that the referee wants back under whose deck."""
        self._exposed: Sequence[Seat] = ()
        self._lays_on = False
        self._lifting = False
        self._clearing = False
        self._blind = False
        """The host lets them play without the camera: they tell themselves what they lay and take."""

    # What they hear

    def hear(self, news: Iterable[object]) -> None:
        """Only of misplays do the piles and decks not tell."""
        for said in news:
            if isinstance(said, Misplay):
                # Where nobody has told the cell, people know it themselves.
                no_cell = self._laid if said.reason == "pick_up_first" else None
                cell = no_cell if said.cell is None else said.cell
                self._wrong += () if cell is None else ((said.seat, cell),)

    def think(self, snapshot: Snapshot, *, known: bool) -> Mismatch | None:
        """At every instant. `known`: the referee has heard of everything that lies on the table."""
        record = snapshot.evening.game
        if record is None:
            self._begin(self._game)
            return None
        assert isinstance(record, Record)
        state = cast("State", record.state())
        self._exposed = state["exposed"]
        self._blind = not record.game.camera
        if self._world.now < self._busy:
            return None
        if not known or record.waits_for is not None:
            self._slap_at_sets(state)
            return None
        apart = self._apart(state) if not self._wrong and state["phase"] != "over" else None
        if apart is not None:
            self.follow(record)
            return apart
        self._game = record.game
        self._act(state)
        return None

    def _apart(self, state: State) -> Mismatch | None:
        if self._lifting and state["phase"] == "pickup":
            # Half of what is owed has been taken; till then it counts as lying.
            return None
        stage, now = self._stage, self._world.now
        truths: dict[str, object] = {"decks": [len(deck) for deck in stage.decks]}
        if not self._blind:
            truths |= {"piles": [*stage.heights], "tops": self._tops_known(state)}
        for what, truth in truths.items():
            if [*state[what]] != truth:
                return Mismatch(now, what, state[what], truth)
        return None

    def _tops_known(self, state: State) -> list[object]:
        tops = [None if top is None else top.as_json() for top in self._stage.tops]
        # Of a pile from which a host has taken something the referee may not know what lies on top now.
        unknown = [height and top is None for height, top in zip(state["piles"], state["tops"], strict=True)]
        return [None if no else top for no, top in zip(unknown, tops, strict=True)]

    def follow(self, record: Record) -> None:
        """What the host says about the cards goes; they are put that way."""
        state = record.newest.state
        self._world.forget_plans()
        self._world.forget_view()
        decks = state.hands.decks
        if state.board is not None:
            piles = [[lying.card for lying in pile] for pile in state.board.piles]
        else:
            # Nobody knows more than how many are left to lie somewhere.
            piles = [[None] * (ALL_CARDS - sum(decks)), *([] for _ in CELLS[1:])]
        self._stage.rearrange(piles, decks, self._world.now)
        self._busy = self._slaps = 0
        self._wrong, self._lifting, self._clearing = (), False, False

    def resume(self, snapshot: Snapshot) -> None:
        """The table is laid as it was left."""
        record = snapshot.evening.game
        assert isinstance(record, Record)
        self.follow(record)

    @property
    def stage(self) -> GoatStage:
        return self._stage

    # What they do

    def _act(self, state: State) -> None:
        if self._wrong:
            self._take_back()
        elif state["phase"] == "over":
            self._clear_and_begin()
        elif state["phase"] == "pickup":
            self._pick_up(state)
        elif state["phase"] == "sprint":
            self._sprint(state)
        else:
            self._lifting = self._clearing = False
            self._play(state)

    def _play(self, state: State) -> None:
        sets = sets_on(self._stage.tops)
        if sets or state["phase"] == "race":
            self._slap_at_sets(state)
            if not self._lays_on:
                return
            self._lays_on = False
        elif self._world.now < self._slaps:
            return
        if state["turn"] is not None:
            self._lay(state["turn"])

    def _lay(self, seat: Seat) -> None:
        stage, world = self._stage, self._world
        free = [cell for cell in CELLS if not stage.piles[cell]]
        overlooks = free and len(free) < len(CELLS) and self._chance.random() < OVERLOOKS_A_CELL
        cells = [cell for cell in CELLS if stage.piles[cell]] if overlooks or not free else free
        harmless = [cell for cell in cells if not self._makes_a_set(seat, cell)]
        cell = self._chance.choice(harmless if harmless and self._chance.random() < HESITATES else cells)
        lands = world.now + self._between(THINKS) + REACHES
        card = stage.bring_card(seat, cell, lands)

        def land() -> None:
            stage.put_down(seat, cell, card, world.now)
            self._laid = cell
            if self._blind:
                world.tell({"type": "laid"})
            self._after_card(seat)

        world.plan(lands, land)
        self._busy = lands

    def _makes_a_set(self, seat: Seat, cell: Cell) -> bool:
        tops = self._stage.tops
        return bool(sets_on([*tops[:cell], self._stage.decks[seat][0], *tops[cell + 1 :]]))

    def _after_card(self, seat: Seat) -> None:
        if len(self._stage.decks[seat]) == 1:
            self._call(seat)
        if sets_on(self._stage.tops):
            self._lays_on = self._chance.random() < LAYS_ON
            self._slap(self._everybody())
        elif self._chance.random() < SLAPS_AT_NOTHING:
            self._slap_once(self._chance.choice(self._everybody()), self._between(FALSELY))

    def _call(self, seat: Seat) -> None:
        """One's last card; who forgets is noticed or not."""
        if seat != self._yours and self._chance.random() >= FORGETS_TO_CALL:
            self._later(CALLS, lambda: self._world.tell({"type": "call", "seat": seat}))
            return
        others = [other for other in self._everybody() if other != seat]
        if others and self._chance.random() < NOTICES:
            by = self._chance.choice(others)
            wait = ACCUSES if seat != self._yours else ACCUSES_YOU
            self._later(wait, lambda: self._accuse(by, seat))

    def _accuse(self, by: Seat, seat: Seat) -> None:
        if seat in self._exposed:
            self._world.tell({"type": "accuse", "seat": by, "target": seat})

    def _everybody(self) -> list[Seat]:
        """Whose hands are drawn."""
        return [seat for seat in range(len(self._stage.decks)) if seat != self._yours]

    # Slapping

    def _slap_at_sets(self, state: State) -> None:
        """Everybody who is not safe yet, as soon as the hands are back from the slap before."""
        if self._world.now < self._slaps or state["phase"] not in ("play", "race"):
            return
        if state["phase"] == "race" or sets_on(self._stage.tops):
            self._slap([seat for seat in self._everybody() if seat not in state["safe"]])

    def _slap(self, seats: Sequence[Seat]) -> None:
        if self._world.now < self._slaps:
            return
        before: Ns | None = None
        for seat in seats:
            after = self._between(SEES_LATE if self._chance.random() < IS_SLOW else SEES)
            if before is not None and self._chance.random() < AS_QUICK:
                after = before + self._chance.randrange(-30_000, 30_000)
            self._slap_once(seat, after)
            before = after

    def _slap_once(self, seat: Seat, after: Ns) -> None:
        t = self._world.now + after
        self._world.plan(t, lambda: self._world.press(seat))
        self._slaps = max(self._slaps, t + round(LOOKS_AGAIN * SECOND))

    def _sprint(self, state: State) -> None:
        """The lamps of a dead heat light, and whoever is not safe slaps again."""
        if self._world.now < self._slaps:
            return
        lights = self._world.now + self._between(LAMPS_LIGHT)
        self._world.plan(lights, lambda: self._world.tell({"type": "sprint"}))
        for seat in self._everybody():
            if seat not in state["safe"]:
                self._slap_once(seat, lights - self._world.now + self._between(SPRINTS))

    # Picking up

    def _take_back(self) -> None:
        """The misplayed card goes back under its deck."""
        (seat, cell), self._wrong = self._wrong[0], self._wrong[1:]
        stage, world = self._stage, self._world
        if not stage.piles[cell]:
            return
        takes = world.now + self._between(PICKS_UP) + REACHES
        stage.reach_for(seat, [cell], takes, only_top=True)

        def take() -> None:
            stage.take_back_top(seat, cell, world.now)
            self._after_taking(seat)

        world.plan(takes, take)
        self._busy = takes

    def _pick_up(self, state: State) -> None:
        debt = state["owed"][0]
        seat = cast("Seat", debt["seat"])
        choices = self._choices(debt["why"]) if self._blind else debt["choices"]
        lying = [[cell for cell in cells if self._stage.piles[cell]] for cells in choices]
        if self._world.now < self._slaps:
            return
        if not any(lying):
            # A host has taken back that it was picked up; no pile is half taken then, and all are put there again.
            self._lifting = False
            if self._blind:
                self._world.tell({"type": "take", "seat": seat, "cards": 0})
            return
        cells = min(filter(None, lying), key=self._cards_on)
        self._lifting = True
        takes = self._world.now + self._between(PICKS_UP) + REACHES
        self._take_up(seat, cells, takes)

    def _choices(self, why: str) -> Sequence[Sequence[Cell]]:
        """What is owed where no camera says it: people see that for themselves."""
        sets = sets_on(self._stage.tops)
        return sets if sets and why == "slowest" else [[cell] for cell in CELLS]

    def _take_up(self, seat: Seat, cells: Sequence[Cell], takes: Ns) -> None:
        stage, world = self._stage, self._world
        cards = self._cards_on(cells)

        def take(cell: Cell) -> Callable[[], None]:
            return lambda: stage.pick_up_pile(seat, cell, world.now)

        def tell() -> None:
            if self._blind and not self._clearing:
                world.tell({"type": "take", "seat": seat, "cards": cards})
            self._after_taking(seat)

        for cell, t in zip(cells, stage.reach_for(seat, cells, takes), strict=True):
            world.plan(t, take(cell))
            self._busy = t
        world.plan(self._busy, tell)

    def _after_taking(self, seat: Seat) -> None:
        if not self._clearing and len(self._stage.decks[seat]) == 1:
            self._call(seat)

    def _cards_on(self, cells: Sequence[Cell]) -> int:
        return sum(len(self._stage.piles[cell]) for cell in cells)

    # From game to game

    def _clear_and_begin(self) -> None:
        """When it has been won the piles go off the table; then the same people play again."""
        if self._world.now < self._slaps:
            return
        lying = [cell for cell in CELLS if self._stage.piles[cell]]
        if not self._clearing:
            self._clearing = True
            self._busy = self._world.now + self._between(REJOICES)
        elif lying:
            seat = self._chance.choice(range(len(self._stage.decks)))
            self._take_up(seat, lying, self._world.now + REACHES)
        else:
            self._clearing = False
            again = replace(self._game, starter=(self._game.starter + 1) % len(self._game.seats))
            self._world.plan(self._world.now + round(SHUFFLES * SECOND), lambda: self._begin(again))
            self._busy = self._world.now + round(SHUFFLES * SECOND)

    def _begin(self, game: GameBegun) -> None:
        """With the options that a host has chosen for the game before."""
        self._stage.deal(len(game.seats))
        self._world.tell(begin_event(game))

    # Chance

    def _between(self, seconds: tuple[float, float]) -> Ns:
        return round(self._chance.uniform(*seconds) * SECOND)

    def _later(self, seconds: tuple[float, float], deed: Callable[[], None]) -> None:
        self._world.plan(self._world.now + max(0, self._between(seconds)), deed)


def seat_people(world: DrawnWorld, chance: Random, company: Company) -> GoatPlayers:
    """At a bare table, before the first card is dealt."""
    stage = GoatStage(chance, bare_table(chance), goat_faces())
    return GoatPlayers(world, stage, chance, company.seats, company.yours)
