"""A film of a table that everything happens to which spoils a camera's picture, one after the other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.demo.drawn import paint
from companion.demo.drawn_lot import scene_by_lot
from hardware.pictures import Pixels

from .drawn_game import SECOND, Film

# So long each lasts, and after it all is well again.
SPOILT_S, WELL_S = 10, 8


def _dark(table: Pixels) -> Pixels:
    return table // 60


def _covered(table: Pixels) -> Pixels:
    return np.full_like(table, 128)


def _blur(table: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(table, (0, 0), 14), np.uint8)


def _lost(_: Pixels) -> Pixels:
    return _table(mat=False)


# By the names under which the page knows them.
SPOILS: Final[dict[str, Callable[[Pixels], Pixels]]] = {
    "dark": _dark,
    "covered": _covered,
    "blur": _blur,
    "lost": _lost,
}


def _table(*, mat: bool = True) -> Pixels:
    return np.asarray(paint(scene_by_lot(4, (), light="neutral", mat=mat, filled=0))[0], np.uint8)


def film_spoilt(folder: Path) -> None:
    """Writes `pictures`, `film.json` and, in `spoilt.json`, when each begins and ends."""
    folder.mkdir(parents=True)
    well, t, spoilt = _table(), 0, list[tuple[str, int, int]]()
    with (folder / "pictures").open("wb") as pictures:
        film = Film(pictures)
        film.add(t, well)
        for name, spoil in SPOILS.items():
            end = t + SPOILT_S * SECOND
            film.add(t, spoil(well))
            film.add(end, well)
            spoilt.append((name, t, end))
            t = end + WELL_S * SECOND
    (folder / "film.json").write_text(json.dumps(film.frames))
    (folder / "spoilt.json").write_text(json.dumps(spoilt))
