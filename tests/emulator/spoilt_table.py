"""A film of a table that everything happens to which spoils a camera's picture, one after the other."""

import json
from pathlib import Path

from ..spoils import SPOILS, drawn_mat
from .drawn_game import SECOND, Film


def film_spoilt(folder: Path) -> None:
    """Writes `pictures`, `film.json` and, in `spoilt.json`, when it is spoilt and when all is well again."""
    folder.mkdir(parents=True)
    well, spoilt = drawn_mat(), list[tuple[str, int, int]]()
    with (folder / "pictures").open("wb") as pictures:
        film = Film(pictures)
        film.add(0, well)
        for number, (name, spoil) in enumerate(SPOILS.items()):
            begins, ends = (2 * number + 1) * SECOND, (2 * number + 2) * SECOND
            film.add(begins, spoil(well))
            film.add(ends, well)
            spoilt.append((name, begins, ends))
    (folder / "film.json").write_text(json.dumps(film.frames))
    (folder / "spoilt.json").write_text(json.dumps(spoilt))
