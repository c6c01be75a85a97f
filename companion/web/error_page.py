"""What somebody meets whose address leads nowhere: a page like all the others, in their language, with the way
back to the table. Programs, and whoever asks for a picture, get a sentence.
"""

from collections.abc import Mapping
from typing import Final

from flask import render_template, request
from flask_babel import lazy_gettext as _
from flask_babel.speaklater import LazyString

Words = tuple[LazyString, LazyString]

NOWHERE: Final[Words] = _("Nothing but water"), _("There is no page at this address.")
WORDS: Final[Mapping[int, Words]] = {
    403: (_("Not for this phone"), _("That is for those who sit at the table: pair this phone first.")),
    404: NOWHERE,
    # It is there, but only for what the pages themselves say to it.
    405: NOWHERE,
    429: (_("One moment"), _("That was asked too often: try again in a moment.")),
    500: (
        _("A wave too high"),
        _("Something went wrong here. The game goes on, and what happened stands in the program's own output."),
    ),
    503: (_("One moment"), _("The rig can't answer that just now: try again in a moment.")),
}


def is_met() -> bool:
    """Whether a person asks, with a browser, for something to read: it names pages before all else."""
    asked = request.accept_mimetypes
    return request.method in ("GET", "HEAD") and asked.quality("text/html") > asked.quality("text/plain")


def page(status: int) -> str | None:
    """None for what no address leads to."""
    words = WORDS.get(status)
    return render_template("astray.html", heading=words[0], sentence=words[1]) if words else None
