"""How the language of whoever asks writes a table."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _
from flask_babel.speaklater import LazyString

from companion.history.local_table import Country
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
VERDICTS: Final[Mapping[str, LazyString]] = {
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


def country() -> Country:
    return Country(language(), spoken(HEADS), spoken(VERDICTS))
