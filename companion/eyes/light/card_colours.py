"""Which of its boat's colours each card has: the one whose lamp is the likeliest, of all the cards at once.

A yellow card by white light and a white card by yellow light may look the same; but there is one lamp for the
whole table, or a slowly changing one. On the mat the bare paper beside each card shows it. On a bare table it is
that under which all the cards together fit best, either the same everywhere or changing as the bare table beside
the cards does.
"""

from typing import Final

import numpy as np

from companion.eyes.image.arrays import Bools, Floats, median, quantile
from companion.eyes.light.illumination import LampFits

# All figures here were chosen by hand; no command measures them.
# Misfit that is always there, from pose, print and JPEG.
FLOOR: Final = 0.0003
# So uneven is the brightness of any print; of how uneven it would be so much counts.
EVEN: Final = 0.0005
UNEVEN_COUNTS: Final = 0.5
# The lamp at a card and on the paper beside it differ by so much (variance of the tint), and by the fit's own
# spread.
APART: Final = 0.1
# The most that a wrong lamp may cost, so that the card's own picture can still decide.
MOST: Final = 3.0
# Lamps and windows go from red to blue, hardly from magenta to green. But what glows as dull as a candle has so
# little blue that beside it green is much: by 0.1 to 0.15 of the square of how red it is, less as cameras make up
# for some of it.
GREEN: Final = 8.0
MOST_GREEN: Final = 2.0
CANDLES: Final = 0.05
# Of the places around a card so many must show the lamp that it would need: others are cards, hands, shadows.
AGREEING: Final = 0.25

# How often each lamp is moved to the mean of what it explains; ends sooner where that changes nothing.
ROUNDS: Final = 4


def colour_costs(fits: LampFits, around: Floats, doubts: Floats, real: Bools, *, white: bool) -> Floats:
    """For each card the cost of each colour, lower is likelier.

    `fits` are those of card after card with one colour after the other, `real` says which of these there are, and
    `around` is the tint of the bare places beside each card (cards x places x 2), and `doubts` its covariance, as
    the noise makes it (cards x 2 x 2). `white`: these are the mat's paper, beside which the deck was taught."""
    tints = fits.tint.reshape(*real.shape, 2)
    unreal = fits.unreal.reshape(real.shape).astype(np.float64)
    own = np.log(fits.misfit.reshape(real.shape) + unreal + FLOOR)
    own += UNEVEN_COUNTS * np.log(fits.uneven.reshape(real.shape) + unreal + EVEN)
    spread = fits.spread.reshape(*real.shape, 2, 2)
    green = _distance_from_glow(tints, spread)
    own = np.where(real, own + np.minimum(green, MOST_GREEN), np.inf)
    tilt = np.linalg.inv(spread + APART * np.eye(2))
    beside = median(around.swapaxes(1, 2))
    changing = beside - median(beside.T)
    all_cards = _costs_together(own, np.stack([tints, tints - changing[:, None]]), tilt)
    if not white:
        return all_cards
    tilt = np.linalg.inv(spread + doubts[:, None] + APART * np.eye(2))
    apart = _squared_distance(tints[:, :, None] - around[:, None], tilt[:, :, None])
    beside_paper = own + np.minimum(quantile(apart, AGREEING), MOST)
    return _reconcile(beside_paper, all_cards)


def _distance_from_glow(tints: Floats, spread: Floats) -> Floats:
    """How far from what glows each lamp is, in its deviations, squared."""
    red = np.maximum(-tints[..., 0], 0)
    slope = -2 * CANDLES * red
    across = spread[..., 1, 1] - 2 * slope * spread[..., 0, 1] + slope**2 * spread[..., 0, 0]
    return np.asarray((tints[..., 1] - CANDLES * red**2) ** 2 / (1 / GREEN + across))


def _reconcile(costs: Floats, others: Floats) -> Floats:
    """What lies beside a card may be the pile under it and no paper: where all cards together say otherwise,
    neither is believed."""
    cards = np.arange(len(costs))
    costs[cards, others.argmin(1)] = np.minimum(costs[cards, others.argmin(1)], costs.min(1))
    return costs


def _costs_together(own: Floats, tints: Floats, tilt: Floats) -> Floats:
    """The cost of each card's each colour, if all the others have the colours that then fit best under one lamp.

    `tints` are what each may need of it, in whichever way lamps change over a table fits best. Each card with each
    colour says which lamp it might be; each of these lamps is then moved to the middle of what the cards say that
    fit it best."""
    ways, cards, _, _ = tints.shape
    lamps = tints.reshape(ways, -1, 2)
    best = np.full(own.shape, np.inf)
    for _ in range(ROUNDS):
        total = own + np.minimum(_squared_distance(tints[:, None] - lamps[:, :, None, None], tilt), MOST)
        least = total.min(3)
        best = np.minimum(best, (least.sum(2)[..., None, None] - least[..., None] + total).min((0, 1)))
        moved = tints[np.arange(ways)[:, None, None], np.arange(cards), total.argmin(3)].mean(2)
        if np.array_equal(moved, lamps):
            break
        lamps = moved
    return best


def _squared_distance(difference: Floats, tilt: Floats) -> Floats:
    """Hand-expanded: einsum is five times slower for 2 x 2."""
    x, y = difference[..., 0], difference[..., 1]
    return (x * tilt[..., 0, 0] + 2 * y * tilt[..., 0, 1]) * x + y * y * tilt[..., 1, 1]
