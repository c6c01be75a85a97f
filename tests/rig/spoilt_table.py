"""A film of a table that everything happens to which spoils a camera's picture, one after the other."""

import json
from pathlib import Path

from ..spoils import SPOILS, drawn_mat
from .drawn_game import SECOND, Film

# So long each lasts, and after it all is well again.
SPOILT_S, WELL_S = 10, 8


def film_spoilt(folder: Path) -> None:
    """Writes `pictures`, `film.json` and, in `spoilt.json`, when each begins and ends."""
    folder.mkdir(parents=True)
    well, t, spoilt = drawn_mat(), 0, list[tuple[str, int, int]]()
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
