"""What Row Your Goat tells the history: its races, its decks, and what all of its games come to."""

from collections.abc import Mapping
from typing import ClassVar

from flask_babel import lazy_gettext as _
from markupsafe import Markup

from companion.games.goat.history.goat_totals import GoatTotals, add_up
from companion.games.goat.history.race_table import COLUMNS, race_rows
from companion.games.goat.history.story import make_story
from companion.games.goat.history.tally import make_tally, tally_from_json, tally_in
from companion.games.goat.page import history_part
from companion.games.goat.page.history_part import GamePart, HistoryPart
from companion.games.goat.page.page_art import cards, goats
from companion.games.goat.rules import Record
from companion.history.game_history import GameHistory, GameResult, OwnTable
from companion.history.game_summary import GameSummary
from companion.history.judged_game import JudgedGame
from companion.history.spreadsheet import Cell
from companion.history.totals import Totals
from companion.web.services import TablePictures


class GoatHistory(GameHistory):
    tables: ClassVar = (OwnTable(name="races", title=_("All slaps of all races as a table"), columns=COLUMNS),)
    seat_columns: ClassVar = ("races", "slowest", "peak_deck")
    column_titles: ClassVar = {
        "races": _("Races"),
        "slowest": _("Slowest"),
        "peak_deck": _("Largest deck"),
        "finish": _("Photo finish"),
        "t_ns": _("Time (ns)"),
        "verdict": _("Ruling"),
        "place": _("Lifebuoy"),
        "reaction_us": _("Reaction (µs)"),
        "took": _("Cards picked up"),
    }
    cell_words: ClassVar = {
        "verdict": {
            "safe": _("safe"),
            "tied": _("dead heat"),
            "late": _("slowest"),
            "no_set": _("no set"),
            "already_safe": _("safe already"),
            "misplay": _("void: misplay"),
            "no_pile": _("void: no pile"),
            "same_slap": _("same slap"),
            "unheard": _("meant nothing"),
        }
    }

    def result(self, game: JudgedGame) -> GameResult:
        assert isinstance(game.record, Record)
        story = make_story(game.record)
        return GameResult(
            winners=story.winners,
            starter=game.record.game.starter,
            put_away=story.put_away,
            lasted=story.end - story.t,
            tally=make_tally(story),
            rows={"races": race_rows(game.seats, story.finishes)},
        )

    def read_tally(self, stored: object) -> object:
        return tally_from_json(stored)

    def seat_cells(self, summary: GameSummary, seat: int) -> Mapping[str, Cell]:
        tally = tally_in(summary)
        assert tally is not None
        return {"races": tally.races, "slowest": tally.slowest[seat], "peak_deck": tally.peaks[seat]}

    def add_up(self, totals: Totals) -> GoatTotals:
        return add_up(totals)

    def game_part(self, game: JudgedGame, camera: TablePictures | None) -> GamePart:
        return history_part.game_part(game, camera)

    def history_part(self, totals: Totals) -> HistoryPart:
        return history_part.history_part(totals)

    def drawings(self) -> Markup:
        return goats() + cards()

    def seat_mark(self, seat: int) -> Markup:
        return Markup(
            '<svg class="goat seat-{1}" viewBox="-27 -27 54 54" aria-hidden="true">'
            '<circle r="26" class="seat seat-{1}"/>'
            '<use href="#goat-{0}" transform="translate(0 -1) scale(.86)"/></svg>'
        ).format(seat, seat + 1)
