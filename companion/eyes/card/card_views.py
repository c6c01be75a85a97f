"""Taught cards as round windows show them at every turn, and the few directions in which they differ."""

import cv2
import numpy as np

from companion.eyes.card.print_pattern import print_pattern
from companion.eyes.deck.taught_deck import TAUGHT_MM, TaughtDeck
from companion.eyes.image.arrays import Bools, Floats, product
from companion.eyes.image.cut_window import cut_window


def round_window(radius: int) -> Bools:
    across, down = np.meshgrid(np.arange(-radius, radius + 1), np.arange(-radius, radius + 1))
    return (across**2 + down**2) <= (radius + 0.3) ** 2


def render_views(deck: TaughtDeck, turns: int, window: Bools, context: int, mm: float) -> Floats:
    """Every card (slow) at every turn (fast), so many millimetres a pixel. `context`: what the blurs of a pattern
    need around the window."""
    return np.stack(
        [
            _render_view(card.root, 360 * turn / turns, window, context, mm)
            for card in deck.cards
            for turn in range(turns)
        ]
    )


def _render_view(root: Floats, turn: float, window: Bools, context: int, mm: float) -> Floats:
    side = len(window) + 2 * context
    high, wide = root.shape[:2]
    soft = cv2.GaussianBlur(root, (0, 0), 0.4 * mm / TAUGHT_MM)
    turned = cut_window(soft, (wide - 1) / 2, (high - 1) / 2, -turn, (side, side), mm / TAUGHT_MM)
    printed = print_pattern(turned, mm)[context:-context, context:-context]
    return unit_windows(printed[window][None])[0]


def unit_windows(windows: Floats) -> Floats:
    """Each channel about its mean, the whole of length 1."""
    flat = (windows - windows.mean(1, keepdims=True)).reshape(len(windows), -1)
    length = np.sqrt(product("ij,ij->i", flat, flat))
    return np.asarray(flat / np.maximum(length, 1e-3)[:, None], np.float32)


def principal_directions(views: Floats, most: int) -> Floats:
    """The directions in which the views differ most. There are fewer views than numbers in each, so they are taken
    from the products of the views with each other, which is four times as quick."""
    strengths, mixtures = np.linalg.eigh((views @ views.T).astype(np.float64))
    strongest = np.argsort(strengths)[::-1][: min(most, len(views))]
    return (views.T @ mixtures[:, strongest]) / np.sqrt(np.maximum(strengths[strongest], 1e-9))
