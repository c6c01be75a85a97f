"""The history pages: who played and who won, each game in detail, and downloads of it all."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from flask import Blueprint, Response, abort, render_template, request

from companion.backups import back_up
from companion.core.names import shown_names
from companion.errors import JournalError
from companion.files import why_not
from companion.games.registry import GAMES
from companion.history import bgstats
from companion.history.archive import Archive
from companion.history.evenings import PlayedEvening, group_by_evening
from companion.history.game_history import GameHistory, OwnTable, PagePart
from companion.history.localized_csv import localize_csv
from companion.history.spreadsheet import games_csv, own_table_csv
from companion.history.summarize import summarize
from companion.history.totals import Totals
from companion.journal import backup
from companion.web import formatting
from companion.web.csv_format import csv_format
from companion.web.downloads import Downloads, add_date, to_keep
from companion.web.game_page import game_page
from companion.web.security import services

EVENINGS_A_PAGE: Final = 8
LAST_NUMBER: Final = 2**63 - 1
CHUNK: Final = 1 << 16


def history_blueprint(archive: Archive, journal: Path) -> Blueprint:
    pages = HistoryPages(archive, journal)
    page = Blueprint("history", __name__)
    page.app_context_processor(lambda: {"written": formatting})
    page.get("/history")(pages.history)
    page.get(f"/game/<int(max={LAST_NUMBER}):number>")(pages.game)
    page.get(f"/game/<int(max={LAST_NUMBER}):number>/finish/<int(max={LAST_NUMBER}):t>/<which>.jpg")(race_picture)
    page.get("/history/games.csv")(pages.games_as_csv)
    page.get("/history/<name>.csv")(pages.own_table_as_csv)
    page.get("/history/backup.db")(pages.backup)
    page.get("/history/backup.zip")(pages.backup_of_everything)
    return page


class HistoryPages:
    """What the history pages share: the archive, which judges each game once and caches the result."""

    def __init__(self, archive: Archive, journal: Path) -> None:
        self._archive = archive
        self._journal = journal
        self._downloads = Downloads()

    def history(self) -> str:
        known = self._archive.list_games()
        evenings = group_by_evening(known.summaries)
        pages = max(1, -(-len(evenings) // EVENINGS_A_PAGE))
        page = min(max(1, request.args.get("page", 1, type=int)), pages)
        histories = {kind: GAMES[kind].history() for kind in dict.fromkeys(game.game for game in known.summaries)}
        return render_template(
            "history.html",
            known=known,
            evenings=[
                _with_page_names(evening)
                for evening in evenings[(page - 1) * EVENINGS_A_PAGE : page * EVENINGS_A_PAGE]
            ],
            page=page,
            pages=pages,
            people=known.totals.people,
            parts=_parts(known.totals),
            titles={kind: str(game_page(kind).title) for kind in histories},
            tables=[table for history in histories.values() for table in history.tables],
        )

    def game(self, number: int) -> str:
        played = self._archive.load_game(number)
        shown = replace(played, seats=shown_names(played.seats))
        summary = summarize(played).summary
        before, after = self._archive.neighbours(number)
        history = GAMES[shown.game].history()
        return render_template(
            "game.html",
            summary=replace(summary, seats=shown.seats),
            history=history,
            part=history.game_part(shown, services().camera),
            title=str(game_page(shown.game).title),
            before=before,
            after=after,
            bgstats=bgstats.play_link(summary),
        )

    def games_as_csv(self) -> Response:
        histories = [game.history() for game in GAMES.values()]
        return self._downloads.csv(
            "games", lambda: _localize_if_asked(games_csv(self._archive.all_summaries()), histories)
        )

    def own_table_as_csv(self, name: str) -> Response:
        history, table = _find_table(name)
        return self._downloads.csv(
            name, lambda: _localize_if_asked(own_table_csv(table.columns, self._archive.own_rows(name)), [history])
        )

    def backup(self) -> Response:
        return self._make_backup("db", "application/vnd.sqlite3", lambda copy: backup(self._journal, copy))

    def backup_of_everything(self) -> Response:
        config = services().config
        return self._make_backup(
            "zip", "application/zip", lambda out: back_up(self._journal.parent, out, config=config)
        )

    def _make_backup(self, ending: str, mimetype: str, make: Callable[[Path], object]) -> Response:
        if not self._journal.exists():
            abort(404, "Nothing has been played yet.")
        with self._downloads.place() as leave, ExitStack() as undo:
            undo.callback(leave)
            folder = undo.enter_context(_make_temporary_folder())
            copy = Path(folder) / f"backup.{ending}"
            make(copy)
            answer = Response(_chunks(copy), mimetype=mimetype)
            answer.content_length = copy.stat().st_size
            answer.call_on_close(undo.pop_all().close)
        return to_keep(answer, add_date("table-companion", ending))


def _parts(totals: Totals) -> list[PagePart]:
    """The part that each kind of game adds to the page about all games."""
    parts = (GAMES[kind].history().history_part(of_game) for kind, of_game in totals.by_game.items())
    return [part for part in parts if part is not None]


def _find_table(name: str) -> tuple[GameHistory, OwnTable]:
    histories = (game.history() for game in GAMES.values())
    found = next(
        ((history, table) for history in histories for table in history.tables if table.name == name), None
    )
    return found or abort(404)


def _localize_if_asked(rows: Iterable[str], games: Iterable[GameHistory]) -> Iterable[str]:
    """Plain CSV for programs. With `?local`, as the reader's own spreadsheet program opens it."""
    return localize_csv(rows, csv_format(games)) if "local" in request.args else rows


def _with_page_names(evening: PlayedEvening) -> PlayedEvening:
    """With the names cleaned for display on a page."""
    return PlayedEvening(tuple(replace(game, seats=shown_names(game.seats)) for game in evening.games))


def race_picture(number: int, t: int, which: str) -> Response:
    camera = services().camera
    found = camera.finish(number, t, which) if camera is not None and which in ("before", "after") else None
    if found is None:
        abort(404, "No such picture was kept.")
    answer = Response(found, mimetype="image/jpeg")
    # A finished game's picture never changes, so it may be cached.
    answer.headers["Cache-Control"] = "private, max-age=86400"
    return answer


def _make_temporary_folder() -> "TemporaryDirectory[str]":
    try:
        return TemporaryDirectory(prefix="companion-backup-")
    except OSError as error:
        why = why_not(error, Path(error.filename or "."))
        raise JournalError(f"No backup can be made at the moment: {why}.") from error


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as whole:
        while chunk := whole.read(CHUNK):
            yield chunk
