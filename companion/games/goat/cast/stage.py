"""What truly lies on the drawn table, in everybody's deck and in the hands over it.

Nobody asks it whether a move is right: people may do anything with their cards, and the referee must find out from
the pictures. A pile has its cards lowest first, a deck the one that is laid next first.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from companion.core.cards import CARDS, CELLS, Card, Cell
from companion.core.mat import CELLS as PLACES
from companion.core.mat import MAT
from companion.drawn import drawn_card
from companion.drawn.drawn_camera import Point
from companion.drawn.drawn_card import CardFace
from companion.drawn.drawn_film import COMES, Gesture, Lay, Lift, make_lay_gesture, make_lift_gesture
from companion.drawn.drawn_hand import Style
from companion.drawn.painter import Pile, Scene
from companion.games.goat.rules.events import ALL_CARDS
from companion.units import SECOND, Ns, Seat

# From the first sight of the hand to the card at rest.
REACHES: Final[Ns] = round((COMES + 0.15) * SECOND)
LINGERS: Final = 0.2
LIFTS_EVERY: Final = 0.6
# How far from its cell's middle a card lies, and how askew.
MESS_MM: Final = 2.5
MESS_MOST_MM: Final = 6.0
MESS_TURN: Final = 4.0
# A card on another of its kind is told by its pose alone; whoever has one lays it so that everybody sees two.
APART_MM: Final = 11.0
APART_TURN: Final = 14.0
ASKEW: Final = (15.0, 28.0)
COVERED: Final = 2
FAR_BELOW: Final = 0.4
# In a pile of many alike there may be no such place any more.
TRIES: Final = 60
# What is deeper in a pile shows no more, and would only be drawn.
MOST_DRAWN: Final = 16


@dataclass(frozen=True, slots=True)
class DrawnChair:
    """Where somebody sits: where the shoulder is, and which way up the cards lie."""

    shoulder: Point
    upside_down: bool
    style: Style


# Clockwise from the near left, as many of them as play.
SITTING: Final = (
    DrawnChair((80.0, MAT.height + 430.0), upside_down=False, style=Style("light", "navy")),
    DrawnChair((-460.0, 150.0), upside_down=False, style=Style("olive", "red")),
    DrawnChair((120.0, -430.0), upside_down=True, style=Style("brown", "white")),
    DrawnChair((310.0, -430.0), upside_down=True, style=Style("pale", "black", left=True)),
    DrawnChair((MAT.width + 460.0, 130.0), upside_down=True, style=Style("dark", "striped")),
    DrawnChair((330.0, MAT.height + 430.0), upside_down=False, style=Style("light", "bare")),
)
# Two sit opposite each other, three and more around the table.
CHAIRS: Final = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}


def kind_of(face: CardFace) -> Card:
    assert face.name is not None
    return CARDS[face.name]


def whole_deck() -> list[Card]:
    """Sixty cards of sixteen kinds, of four kinds one less than of the others."""
    kinds = [*CARDS.values()]
    return [kinds[number % len(kinds)] for number in range(ALL_CARDS)]


class GoatStage:
    """The drawn table of a goat game: piles, decks and the hands over them. Times are the drawn world's."""

    def __init__(self, chance: Random, scene: Scene, faces: Sequence[CardFace]) -> None:
        self._chance = chance
        self._scene = scene
        self._faces = {kind_of(face): face for face in faces}
        self._gestures: tuple[Gesture, ...] = ()
        self.piles: list[Pile] = [()] * len(CELLS)
        self.decks: list[list[Card]] = []
        self.moved: Ns = 0
        """When something last came to lie otherwise."""

    @property
    def tops(self) -> tuple[Card | None, ...]:
        return tuple(kind_of(pile[-1].face) if pile else None for pile in self.piles)

    @property
    def heights(self) -> tuple[int, ...]:
        return tuple(len(pile) for pile in self.piles)

    def deal(self, seats: int) -> None:
        """Everything is gathered, shuffled and dealt."""
        cards = whole_deck()
        self._chance.shuffle(cards)
        size = ALL_CARDS // seats
        self.decks = [cards[seat * size : (seat + 1) * size] for seat in range(seats)]
        self.piles = [()] * len(CELLS)
        self._gestures = ()

    def rearrange(self, piles: Sequence[Sequence[Card | None]], decks: Sequence[int], now: Ns) -> None:
        """People put the cards as somebody said they lie; which card nobody has seen, chance decides."""
        named = Counter(kind for pile in piles for kind in pile if kind is not None)
        rest = [*(Counter(whole_deck()) - named).elements()]
        self._chance.shuffle(rest)
        self._gestures = ()
        for cell, pile in enumerate(piles):
            lain: Pile = ()
            for height, kind in enumerate(pile):
                kind = rest.pop() if kind is None else kind  # noqa: PLW2901
                lain = (*lain, self._find_same(cell, height, kind) or self._lay_card(0, cell, kind, lain))
            self.piles[cell] = lain
        self.decks = [[rest.pop() for _ in range(size)] for size in decks]
        self.moved = now

    def _find_same(self, cell: Cell, height: int, kind: Card) -> drawn_card.DrawnCard | None:
        pile = self.piles[cell]
        return pile[height] if height < len(pile) and kind_of(pile[height].face) == kind else None

    def bring_card(self, seat: Seat, cell: Cell, lands: Ns) -> drawn_card.DrawnCard:
        """Plan the hand that brings the next card of that deck; at `lands` the caller must `put_down` the card."""
        pile = self._visible_pile(cell)
        card = self._lay_card(seat, cell, self.decks[seat][0], self.piles[cell])
        middle = PLACES[cell].centre
        place = self._chair(seat)
        off = card.x - middle[0], card.y - middle[1]
        action = Lay(lands / SECOND, cell, card.face, off=off, turn=card.turn, lingers=LINGERS, style=place.style)
        gesture, card = make_lay_gesture(action, len(pile), place.shoulder)
        self._gestures = (*self._gestures, gesture)
        return card

    def put_down(self, seat: Seat, cell: Cell, card: drawn_card.DrawnCard, now: Ns) -> None:
        self.decks[seat].pop(0)
        self.piles[cell] = (*self.piles[cell], card)
        self.moved = now

    def reach_for(self, seat: Seat, cells: Sequence[Cell], takes: Ns, *, only_top: bool = False) -> tuple[Ns, ...]:
        """Plan the hand that takes these piles (or their top cards); return when it has each of them.

        At each of these times the caller must `pick_up_pile` or `take_back_top`.
        """
        piles = [self._visible_pile(cell)[-1 if only_top else 0 :] for cell in CELLS]
        place = self._chair(seat)
        action = Lift(takes / SECOND, tuple(cells), every=LIFTS_EVERY, style=place.style)
        self._gestures = (*self._gestures, make_lift_gesture(action, piles, place.shoulder))
        return tuple(takes + round(number * LIFTS_EVERY * SECOND) for number in range(len(cells)))

    def pick_up_pile(self, seat: Seat, cell: Cell, now: Ns) -> None:
        """Put the pile under that deck, in the order in which it lay."""
        self.decks[seat] += [kind_of(card.face) for card in self.piles[cell]]
        self.piles[cell] = ()
        self.moved = now

    def take_back_top(self, seat: Seat, cell: Cell, now: Ns) -> None:
        *below, top = self.piles[cell]
        self.decks[seat].append(kind_of(top.face))
        self.piles[cell] = tuple(below)
        self.moved = now

    def straighten(self, cell: Cell, now: Ns) -> None:
        if self.piles[cell]:
            *below, top = self.piles[cell]
            self.piles[cell] = (*below, self._lay_card(0, cell, kind_of(top.face), tuple(below)))
            self.moved = now

    def moves(self, now: Ns) -> bool:
        """Whether a hand is over the table or comes before the next picture of a quiet one."""
        self._gestures = tuple(one for one in self._gestures if one.keys[-1].at > now / SECOND)
        return any(one.keys[0].at <= now / SECOND for one in self._gestures)

    def comes(self) -> Ns | None:
        """When the next hand does."""
        return min((round(one.keys[0].at * SECOND) for one in self._gestures), default=None)

    def scene(self, now: Ns) -> Scene:
        at, shutter = now / SECOND, self._scene.sensor.shutter
        hands = (gesture.hand(at, shutter) for gesture in self._gestures)
        piles = tuple(self._visible_pile(cell) for cell in CELLS)
        return replace(self._scene, piles=piles, hands=tuple(hand for hand in hands if hand is not None))

    def _visible_pile(self, cell: Cell) -> Pile:
        return self.piles[cell][-MOST_DRAWN:]

    def _chair(self, seat: Seat) -> DrawnChair:
        return SITTING[CHAIRS[len(self.decks)][seat]]

    def _lay_card(self, seat: Seat, cell: Cell, kind: Card, pile: Pile) -> drawn_card.DrawnCard:
        """As it will lie: like every card a little off, but not like one of its kind in the pile."""
        half = 180.0 if self.decks and self._chair(seat).upside_down else 0.0
        card = self._place_roughly(cell, kind, half, (0.0, MESS_TURN))
        for _ in range(TRIES):
            if _stands_out(card, pile):
                break
            card = self._place_roughly(cell, kind, half, ASKEW)
        return card

    def _place_roughly(
        self, cell: Cell, kind: Card, half: float, askew: tuple[float, float]
    ) -> drawn_card.DrawnCard:
        x, y = (place + self._random_offset() for place in PLACES[cell].centre)
        turn = half + self._chance.uniform(*askew) * self._chance.choice((-1, 1))
        return drawn_card.DrawnCard(self._faces[kind], x, y, turn)

    def _random_offset(self) -> float:
        return min(max(self._chance.gauss(0, MESS_MM), -MESS_MOST_MM), MESS_MOST_MM)


def _stands_out(card: drawn_card.DrawnCard, pile: Pile) -> bool:
    """From those of its kind that it covers, and a little from those far below."""
    return all(
        _lies_apart(card, other, 1.0 if below < COVERED else FAR_BELOW)
        for below, other in enumerate(reversed(pile))
        if other.face is card.face
    )


def _lies_apart(one: drawn_card.DrawnCard, other: drawn_card.DrawnCard, share: float) -> bool:
    turned = abs((one.turn - other.turn + 90) % 180 - 90)
    away = (one.x - other.x) ** 2 + (one.y - other.y) ** 2
    return turned > APART_TURN * share or away > (APART_MM * share) ** 2
