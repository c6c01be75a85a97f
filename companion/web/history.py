"""Earlier evenings: who played, who won, every race's photo finish, and all of it to take home."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import BoundedSemaphore
from typing import Final

from flask import Blueprint, Response, abort, render_template, request

from companion.core.names import shown_names
from companion.errors import TooOften
from companion.history import bgstats
from companion.history.archive import Archive
from companion.history.brief import Brief, brief_of
from companion.history.evenings import evenings
from companion.history.kept import KeptGame
from companion.history.reactions import people
from companion.history.spreadsheet import games_csv, races_csv
from companion.journal import backup
from companion.web import goat_past, written
from companion.web.games import GAME_PAGES
from companion.web.security import services
from companion.web.services import Camera

EVENINGS_A_PAGE: Final = 8
LAST_NUMBER: Final = 2**63 - 1
# A backup is checked to its last event: one at a time is enough for a family.
AGAIN_IN_S: Final = 5
CHUNK: Final = 1 << 16

GAME_PARTS: Final[Mapping[str, Callable[[KeptGame, Camera | None], object]]] = {"goat": goat_past.game_part}
PAST_PARTS: Final[Mapping[str, Callable[[Sequence[Brief]], object]]] = {"goat": goat_past.past_part}
"""What a game brings: a page's part with the name of its `template`."""


def history_blueprint(journal: Path) -> Blueprint:
    past = Past(Archive(journal), journal)
    page = Blueprint("history", __name__)
    page.app_context_processor(lambda: {"written": written, "goat_past": goat_past})
    page.get("/history")(past.history)
    page.get(f"/game/<int(max={LAST_NUMBER}):number>")(past.game)
    page.get(f"/game/<int(max={LAST_NUMBER}):number>/finish/<int(max={LAST_NUMBER}):t>/<which>.jpg")(picture)
    page.get("/history/games.csv")(past.games_as_csv)
    page.get("/history/races.csv")(past.races_as_csv)
    page.get("/history/backup.db")(past.backup)
    return page


class Past:
    """What the history's pages share: the archive, which judges each game once."""

    def __init__(self, archive: Archive, journal: Path) -> None:
        self._archive = archive
        self._journal = journal
        self._backing_up = BoundedSemaphore()

    def history(self) -> str:
        shelf = self._archive.shelf()
        briefs = [replace(brief, seats=shown_names(brief.seats)) for brief in shelf.briefs]
        found = evenings(briefs)
        pages = max(1, -(-len(found) // EVENINGS_A_PAGE))
        page = min(max(1, request.args.get("page", 1, type=int)), pages)
        kinds = dict.fromkeys(brief.game for brief in briefs)
        return render_template(
            "history.html",
            shelf=shelf,
            evenings=found[(page - 1) * EVENINGS_A_PAGE : page * EVENINGS_A_PAGE],
            page=page,
            pages=pages,
            people=people(briefs),
            parts=[
                PAST_PARTS[kind]([brief for brief in briefs if brief.game == kind])
                for kind in kinds
                if kind in PAST_PARTS
            ],
            titles={kind: str(GAME_PAGES[kind].title) for kind in kinds if kind in GAME_PAGES},
        )

    def game(self, number: int) -> str:
        raw = self._archive.game(number)
        kept = replace(raw, seats=shown_names(raw.seats))
        brief = brief_of(kept)
        before, after = self._archive.neighbours(number)
        told = GAME_PARTS.get(kept.game)
        return render_template(
            "game.html",
            brief=brief,
            part=told(kept, services().camera) if told else None,
            title=str(GAME_PAGES[kept.game].title) if kept.game in GAME_PAGES else kept.game,
            before=before,
            after=after,
            bgstats=bgstats.link(brief_of(raw)),
        )

    def games_as_csv(self) -> Response:
        # Whoever asks for all waits for all; in between others have their turn.
        while (shelf := self._archive.shelf()).waiting:
            pass
        return _csv("games", games_csv(reversed(shelf.briefs)))

    def races_as_csv(self) -> Response:
        return _csv("races", races_csv(self._archive.games()))

    def backup(self) -> Response:
        if not self._journal.exists():
            abort(404, "Nothing has been played yet.")
        if not self._backing_up.acquire(blocking=False):
            raise TooOften("A backup is being made already; try again in a moment.", AGAIN_IN_S)
        with ExitStack() as undo:
            undo.callback(self._backing_up.release)
            folder = undo.enter_context(TemporaryDirectory(prefix="companion-backup-"))
            copy = Path(folder) / "journal.db"
            backup(self._journal, copy)
            answer = Response(_chunks(copy), mimetype="application/vnd.sqlite3")
            answer.content_length = copy.stat().st_size
            answer.call_on_close(undo.pop_all().close)
        return _to_keep(answer, f"table-companion-{datetime.now().astimezone():%Y-%m-%d}.db")


def picture(number: int, t: int, which: str) -> Response:
    camera = services().camera
    found = camera.finish(number, t, which) if camera is not None and which in ("before", "after") else None
    if found is None:
        abort(404, "No such picture was kept.")
    answer = Response(found, mimetype="image/jpeg")
    # What has happened stays as it was.
    answer.headers["Cache-Control"] = "private, max-age=86400"
    return answer


def _csv(name: str, rows: Iterable[str]) -> Response:
    def encoded() -> Iterator[bytes]:
        # Without the mark at the front table programs take it for the alphabet of another century.
        yield b"\xef\xbb\xbf"
        for row in rows:
            yield row.encode()

    return _to_keep(Response(encoded(), mimetype="text/csv"), f"{name}.csv")


def _to_keep(answer: Response, name: str) -> Response:
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as whole:
        while chunk := whole.read(CHUNK):
            yield chunk
