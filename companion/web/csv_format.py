"""How CSV tables are written in the browser's language."""

from collections.abc import Iterable, Mapping
from typing import Final

from flask_babel import lazy_gettext as _
from flask_babel.speaklater import LazyString

from companion.history.game_history import GameHistory
from companion.history.localized_csv import CsvFormat
from companion.web.i18n import language, spoken

HEADS: Final[Mapping[str, LazyString]] = {
    "game": _("Game no."),
    "kind": _("Kind"),
    "begun": _("Begun"),
    "minutes": _("Minutes"),
    "over": _("Over"),
    "seat": _("Seat"),
    "name": _("Name"),
    "starter": _("Began"),
    "won": _("Won"),
}


def csv_format(games: Iterable[GameHistory]) -> CsvFormat:
    """`games`: those whose own columns are in the table, besides the columns that every game has."""
    titles: dict[str, LazyString] = {}
    words: dict[str, Mapping[str, str]] = {}
    for game in games:
        titles.update(game.column_titles)
        words.update({column: spoken(known) for column, known in game.cell_words.items() if column not in HEADS})
    return CsvFormat(language(), spoken({**titles, **HEADS}), words)
