"""One picture: which card lies in each cell, that none does, or why it can't be told.

First the place: every taught card is searched in every cell, and the best are laid over the picture exactly. Then
what lies there: the boat by its print, the colours of all the cards together by the lamp they would need. Then
what is left: bare table, or something else, a hand by its reaching in from outside.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from math import exp, inf
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import CELL_SIDE, GRID
from companion.core.reading import Bare, Hidden, Pose, Shown, Sight, Why
from companion.eyes.card.card_candidate import CardCandidate
from companion.eyes.card.choose_place import choose_places
from companion.eyes.card.overlay import Overlay, pixels_and_turns
from companion.eyes.card.print_pattern import print_pattern
from companion.eyes.card.search import TURNS, CardPlace, Search, place_of, turn_upside_down
from companion.eyes.deck.taught_deck import TAUGHT_MM, TaughtDeck
from companion.eyes.grid.flat_picture import COARSE_MM, FlatPicture, flatten
from companion.eyes.grid.grid_from_mat import Found, Grid
from companion.eyes.image.arrays import Bools, Floats, Whole, floats, median, over_channels
from companion.eyes.image.cut_window import cut_windows
from companion.eyes.light import card_colours
from companion.eyes.light.colourless_picture import is_colourless, smooth_cells
from companion.eyes.light.illumination import fit_lamp, join_fits, tint, tint_covariance
from companion.eyes.scene import tabletop
from companion.eyes.scene.background import Background
from companion.eyes.scene.hands_in_picture import find_hands

# An empty cell is no more like any card than 0.5 in the search, most are below 0.35; cards are above 0.28
# (`companion bench thresholds`).
WORTH_A_LOOK: Final = 0.27
# The figures from here to `MORE_STEPS` were chosen by hand; no command measures them.
# Guesses within this of the best likeness are laid over too: half turns, quarter turns of a ring, other boats.
NEARLY: Final = 0.12
MOST_GUESSES: Final = 4
# Guesses so near each other would settle in the same place; only the likelier one is laid over.
SAME_MM: Final = COARSE_MM
# A place settled with another card's print is off by half a millimetre to a few; so many steps mend that.
MORE_STEPS: Final = 3
# The index of the turn before each turn, and after it.
_BEFORE: Final = np.roll(np.arange(TURNS), 1)
_AFTER: Final = np.roll(np.arange(TURNS), -1)
# The figures from here to `FRAME_PARTS` were chosen by hand; no command measures them.
# If a colour can't be told, the reason is glare where the veil or the burnt share is above this, else dim light.
VEILED: Final = 0.25
LEAST_TELLING: Final = 1e-4
# A colour's `sure` is 1 - exp(-SURER * its lead over the next colour); below SURE the colour isn't told.
SURER: Final = 5.0
SURE: Final = 0.63
# The lamp is measured in a frame around the card: so far from it, so wide, in so many parts.
AWAY_MM: Final = 3.0
FRAME_MM: Final = 4.5
FRAME_PARTS: Final = 12
# A card may be held by a hand, and not lie there, if the hand covers so many coarse pixels within so many mm of
# it, and hides such a share of it. A hand that rests beside a card hides 3 % at most; observed once, by no
# command.
HELD_PX: Final = 10
HELD_MM: Final = 6.0
HELD: Final = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class LookResult:
    grid: Grid
    flat: FlatPicture
    candidates: tuple[CardCandidate | None, ...]
    """The likeliest card of each cell; None where nothing is like any card."""
    cards: tuple[bool, ...]
    """Which of the candidates were taken for cards."""
    sights: tuple[Sight, ...]
    """What each cell is read as, row by row."""
    hands: Bools
    """Which pixels of the coarse picture are a hand."""
    size_mm: tuple[float, float]
    """A card's width and height."""


@dataclass(frozen=True, eq=False)
class Eyes:
    """Reads single pictures of the table with one taught deck. Immutable, so threads may share it.

    >>> eyes = Eyes(read_deck(Path("ours.deck")))
    """

    deck: TaughtDeck

    @cached_property
    def _search(self) -> Search:
        return Search(self.deck)

    @cached_property
    def _overlay(self) -> Overlay:
        return Overlay(self.deck)

    @cached_property
    def _same_boat(self) -> Whole:
        """For each taught card the numbers of the cards with its boat, padded with -1 where a boat has few
        colours."""
        cards = self.deck.cards
        same = [
            [number for number, other in enumerate(cards) if other.card.boat == one.card.boat] for one in cards
        ]
        colours = max(len(numbers) for numbers in same)
        return np.array([[*numbers, *[-1] * (colours - len(numbers))] for numbers in same])

    @cached_property
    def _colour_weights(self) -> Floats:
        """How much each pixel of a card differs between its boat's colours: of bright lines on black only the
        lines do. A boat that was taught in one colour differs nowhere, so all its pixels count alike."""
        roots = self._overlay.roots
        hues = roots - roots.mean(2, keepdims=True)
        return np.stack([hues[row[row >= 0]].var(0).sum(1) + LEAST_TELLING for row in self._same_boat])

    @cached_property
    def _cards_by_boat(self) -> Whole:
        """The numbers of the cards with each boat."""
        return np.unique(self._same_boat, axis=0)

    def warm_up(self) -> None:
        """Fills the caches for which the first picture would otherwise wait, as if a card lay on a blank table."""
        blank = np.full((96, 96, 3), 128, np.uint8)
        flat = self.look(blank, Grid(Found.CORNERS, np.diag([3.0, 3.0, 1.0]))).flat
        anywhere = self._overlay.settle(print_pattern(flat.coarse, COARSE_MM), [place_of(4, 0, 0, 0, 1.0)])
        self._make_candidates(flat, self._identify_cards(flat, anywhere, [1])[0])

    def look(self, picture: MatLike, grid: Grid) -> LookResult:
        """What lies in the nine cells; its `sights` say it cell by cell, row by row.

        >>> picture = read_picture(Path("table.jpg"))
        >>> eyes.look(picture, find_mat(picture)).sights[0]
        Shown(card=Card(boat='raft', colour='pink'), sure=0.98, pose=Pose(x_mm=45.1, y_mm=47.0, turn=1.2))
        """
        flat = flatten(picture, grid.to_mm)
        return self.judge(grid, flat, self.find_cards(flat, range(9)))

    def find_cards(self, flat: FlatPicture, cells: Sequence[int]) -> list[CardCandidate | None]:
        """The likeliest card of each of these cells, whether it is one or not; None where nothing is like any."""
        if not cells:
            return []
        printed = print_pattern(flat.coarse, COARSE_MM)
        guesses = self._guess_places(cells, self._search.look(printed, cells))
        every = [guess for of_cell in guesses for guess in of_cell]
        if not every:
            return [None] * len(guesses)
        # Cards with a broad frame are so nearly the same upside down that the search may have found only that way.
        settled = [
            way for place in self._overlay.settle(printed, every) for way in (place, turn_upside_down(place))
        ]
        likened = self._identify_cards(flat, settled, [2 * len(of_cell) for of_cell in guesses])
        return self._make_candidates(
            flat, self._refine_places(printed, choose_places(self._overlay, flat, likened, self._same_boat))
        )

    def _refine_places(self, printed: Floats, best: Sequence[CardPlace | None]) -> list[CardPlace | None]:
        """Settles each place once more with the card that was found: settled as another card, or upside down, a
        place may be a little off."""
        places = iter(self._overlay.settle(printed, [one for one in best if one is not None], MORE_STEPS))
        return [None if one is None else next(places) for one in best]

    def _identify_cards(
        self, flat: FlatPicture, settled: Sequence[CardPlace], of_cells: Sequence[int]
    ) -> list[Sequence[CardPlace]]:
        """Each cell's places, each with the taught card that is likest there instead of the one searched for: the
        coarse search, in which the table shows at a card's rim, often takes another colour or another boat."""
        every = self._overlay.likenesses(flat.coarse, settled)
        places = [
            replace(place, number=int(likest), likeness=float(like[likest]))
            for place, likest, like in zip(settled, every.argmax(1), every, strict=True)
        ]
        ends = [0, *accumulate(of_cells)]
        return [places[begin:end] for begin, end in pairwise(ends)]

    def _guess_places(self, cells: Sequence[int], likenesses: Floats) -> list[list[CardPlace]]:
        """Each cell's most promising places: of each boat, at the turns that are a local maximum of likeness."""
        by_card = likenesses.max(1)
        by_boat = np.where(self._cards_by_boat[..., None] < 0, -1, by_card[:, self._cards_by_boat])
        by_turn = by_boat.max(2)
        best = by_turn.max((1, 2), keepdims=True)
        worth = (best >= WORTH_A_LOOK) & (by_turn > best - NEARLY)
        guesses: list[list[CardPlace]] = [[] for _ in cells]
        for of_cell, boat, turn in np.argwhere(
            worth & (by_turn >= by_turn[..., _BEFORE]) & (by_turn > by_turn[..., _AFTER])
        ).tolist():
            number = int(self._cards_by_boat[boat, by_boat[of_cell, boat, :, turn].argmax()])
            where = int(likenesses[of_cell, :, number, turn].argmax())
            like = float(by_turn[of_cell, boat, turn])
            guesses[of_cell].append(place_of(cells[of_cell], where, number, turn, like))
        return [_drop_duplicates(of_cell) for of_cell in guesses]

    def _make_candidates(self, flat: FlatPicture, best: Sequence[CardPlace | None]) -> list[CardCandidate | None]:
        """Measures at each place what decides whether a card lies there, and which lamp each colour would need."""
        places = [place for place in best if place is not None]
        at = pixels_and_turns(places)
        seen = self._overlay.cut_cards(flat.coarse, at)
        clear = self._overlay.cut_cards(flat.clear, at)
        colours_alone = self._overlay.colours(seen)
        like = self._overlay.likenesses_in_colour(colours_alone, places)
        leads = self._overlay.leads(seen, colours_alone, places)
        same = self._same_boat[[place.number for place in places]]
        colours = same.shape[1]
        fits = fit_lamp(
            np.repeat(seen.transpose(0, 2, 1), colours, 0),
            np.repeat(clear.transpose(0, 2, 1), colours, 0),
            self._overlay.planes[same.ravel()],
            self._overlay.size,
            flat.noise,
        )
        telling = self._colour_weights[[place.number for place in places]]
        all_clear = floats(over_channels(cv2.min, clear))
        left = (all_clear * telling).sum(1) / telling.sum(1)
        vivid = self._overlay.vividness(seen, all_clear, same)
        around = self._light_around(flat.coarse, at)
        candidates = iter(
            CardCandidate(
                place,
                float(like[card]),
                float(leads[card]),
                fits.part(slice(card * colours, (card + 1) * colours)),
                around[card],
                1 - float(left[card]),
                float(vivid[card]),
            )
            for card, place in enumerate(places)
        )
        return [None if one is None else next(candidates) for one in best]

    def read_once_more(
        self, flat: FlatPicture, candidates: Sequence[CardCandidate], which: int, *, white: bool
    ) -> tuple[CardCandidate, bool]:
        """A card whose place is known, in another picture; and whether its colour is told among the others'."""
        one = candidates[which]
        again = next(one for one in self._make_candidates(flat, [one.place]) if one is not None)
        cards = [again if number == which else other for number, other in enumerate(candidates)]
        sight = self._tell_colours(cards, flat.noise, white=white and self.deck.white_known)[which]
        return again, isinstance(sight, Shown)

    def _light_around(self, coarse: Floats, at: Floats) -> Floats:
        """The table's light in a frame around each place: cards x parts x channels."""
        wide, high = size = self._window_size
        windows = cut_windows(coarse, at, size).reshape(len(at), wide * high, -1)
        parts = windows[:, self._frame_pixels].reshape(len(at), FRAME_PARTS, -1, windows.shape[2])
        return median(parts.swapaxes(2, 3))

    @cached_property
    def _window_size(self) -> tuple[int, int]:
        wide, high = (
            round((side * TAUGHT_MM + 2 * (AWAY_MM + FRAME_MM)) / COARSE_MM) for side in self.deck.size_px
        )
        return wide, high

    @cached_property
    def _frame_pixels(self) -> Whole:
        """Which pixels of the window are its rim, in order around it."""
        rim = round(FRAME_MM / COARSE_MM)
        wide, high = self._window_size
        pixels = np.arange(wide * high).reshape(high, wide)
        right, bottom = pixels[rim:, -rim:], pixels[-rim:, :-rim].T
        frame = np.concatenate([side.ravel() for side in (pixels[:rim].T, right, bottom, pixels[rim:-rim, :rim])])
        return frame[: len(frame) // FRAME_PARTS * FRAME_PARTS]

    def judge(self, grid: Grid, flat: FlatPicture, candidates: Sequence[CardCandidate | None]) -> LookResult:
        """Which of the candidates are cards and of which colour, and what the other cells are."""
        on_mat = grid.found is Found.MAT
        size = (self.deck.size_px[0] * TAUGHT_MM, self.deck.size_px[1] * TAUGHT_MM)
        like = [one if one is not None and one.is_probable_card else None for one in candidates]
        known = [one.place for one in like if one is not None]
        table = tabletop.Tabletop(flat.coarse, known, size, on_mat)
        foreign = table.foreign()
        like = [one if one is not None and one.stands_out(foreign, size) else None for one in like]
        hands = find_hands(table, [one.place for one in candidates if one is not None and one.is_possible_card])
        foreign |= hands
        background = Background(table, foreign & ~flat.dazzling, flat.dazzling, hands, flat.is_dim)
        sights = self._make_sights(
            grid, flat, like, lambda cell: _judge_without_card(background, cell, candidates[cell])
        )
        return self._hide_doubtful(
            LookResult(grid, flat, tuple(candidates), _are_cards(like), sights, hands, size)
        )

    def judge_changed(
        self,
        before: LookResult,
        grid: Grid,
        flat: FlatPicture,
        candidates: Sequence[CardCandidate | None],
        cells: Sequence[int],
    ) -> LookResult | None:
        """The same, quicker, where only these cells have changed: if all of them are certainly cards now and no
        hand is near, the other cells keep their sights and only the colours are judged anew; otherwise None."""
        more = [one for cell in cells if (one := candidates[cell]) is not None and one.is_certain_card]
        near = tabletop.area_covered([one.place for one in more], before.size_mm, HELD_MM)
        if len(more) < len(cells) or (before.hands & near).any():
            return None
        like = [one if cell in cells or before.cards[cell] else None for cell, one in enumerate(candidates)]
        sights = self._make_sights(grid, flat, like, before.sights.__getitem__)
        return self._hide_doubtful(
            replace(
                before, grid=grid, flat=flat, candidates=tuple(candidates), cards=_are_cards(like), sights=sights
            )
        )

    def _make_sights(
        self, grid: Grid, flat: FlatPicture, cards: Sequence[CardCandidate | None], beside: Callable[[int], Sight]
    ) -> tuple[Sight, ...]:
        """The cards' colours are judged together, every other cell by `beside`."""
        white = grid.found is Found.MAT and self.deck.white_known
        told = iter(self._tell_colours([one for one in cards if one is not None], flat.noise, white=white))
        return tuple(next(told) if one is not None else beside(cell) for cell, one in enumerate(cards))

    def _hide_doubtful(self, seen: LookResult) -> LookResult:
        """Hides the cards that somebody may hold; of a picture without colours, all that isn't surely bare."""
        sights: list[Sight] = [
            Hidden(Why.HAND)
            if one is not None and one.is_possible_card and self._is_held(one.place, seen)
            else sight
            for one, sight in zip(seen.candidates, seen.sights, strict=True)
        ]
        if is_colourless(
            [one.vivid for one in seen.candidates if one is not None and one.is_card_by_brightness],
            seen.flat.coarse,
        ):
            plain = smooth_cells(seen.flat.coarse, on_mat=seen.grid.found is Found.MAT)
            sights = [
                sight
                if isinstance(sight, Hidden) or (isinstance(sight, Bare) and plain[cell])
                else Hidden(Why.DARK)
                for cell, sight in enumerate(sights)
            ]
        return replace(seen, sights=tuple(sights))

    def _is_held(self, place: CardPlace, seen: LookResult) -> bool:
        if not seen.hands.any():
            return False
        near = int(np.count_nonzero(seen.hands & tabletop.area_covered([place], seen.size_mm, HELD_MM)))
        return near >= HELD_PX and self._overlay.share_hidden(seen.flat.coarse, place) >= HELD

    def _tell_colours(self, cards: Sequence[CardCandidate], noise: Floats, *, white: bool) -> list[Sight]:
        if not cards:
            return []
        same = self._same_boat[[one.place.number for one in cards]]
        fits = join_fits([one.fits for one in cards])
        around = np.stack([one.around for one in cards])
        doubts = tint_covariance(median((around**2).swapaxes(1, 2)), noise)
        costs = card_colours.colour_costs(fits, tint(around), doubts, same >= 0, white=white)
        return [self._make_sight(one, cost) for one, cost in zip(cards, costs, strict=True)]

    def _make_sight(self, one: CardCandidate, cost: Floats) -> Sight:
        best = int(cost.argmin())
        if one.is_burnt:
            return Hidden(Why.GLARE)
        # A boat that was taught in one colour has no second cost.
        least, next_to_it = sorted([*cost.tolist(), inf])[:2]
        sure = 1 - exp(-SURER * (next_to_it - least))
        if sure < SURE:
            return Hidden(Why.GLARE if max(one.burnt, one.fits.veil[best]) > VEILED else Why.DARK)
        card = self.deck.cards[int(self._same_boat[one.place.number, best])].card
        x, y = _position_in_cell(one.place)
        return Shown(card, sure, Pose(x, y, one.place.turn))


def _drop_duplicates(guesses: Sequence[CardPlace]) -> list[CardPlace]:
    """The likest guess at each place and turn; which card it is doesn't matter yet, as every card is compared."""
    best: list[CardPlace] = []
    for guess in sorted(guesses, key=lambda guess: -guess.likeness):
        if not any(
            guess.turn == other.turn and max(abs(guess.x_mm - other.x_mm), abs(guess.y_mm - other.y_mm)) <= SAME_MM
            for other in best
        ):
            best.append(guess)
    return best[:MOST_GUESSES]


def _are_cards(cards: Sequence[CardCandidate | None]) -> tuple[bool, ...]:
    return tuple(one is not None for one in cards)


def _judge_without_card(background: Background, cell: int, found: CardCandidate | None) -> Sight:
    if found is None:
        return background.sight(cell, 0.0)
    # A checked cloth is like a card's frame; but there is no boat in it, nor would a lamp explain its colours.
    like = found.like if found.is_unambiguous else min(found.like, found.print_and_colour)
    return background.sight(cell, like, burnt=found.is_burnt)


def _position_in_cell(place: CardPlace) -> tuple[float, float]:
    """From the top left corner of the cell in which it was searched."""
    x, y = place.x_mm - GRID.left, place.y_mm - GRID.top
    column, row = (min(max(int(along // CELL_SIDE), 0), 2) for along in (x, y))
    return x - column * CELL_SIDE, y - row * CELL_SIDE
