"""The page for errors such as 404: in the browser's language, with a link back to the table. Programs, and
requests for anything but a page, get one sentence as text.
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
    # The address exists, but only for requests that the pages' scripts make.
    405: NOWHERE,
    429: (_("One moment"), _("That was asked too often: try again in a moment.")),
    500: (
        _("A wave too high"),
        _("Something went wrong here. The game goes on, and what happened stands in the program's own output."),
    ),
    503: (_("One moment"), _("The rig can't answer that just now: try again in a moment.")),
}


def is_met() -> bool:
    """Whether the client is a browser that wants a page: HTML comes first in its Accept header."""
    asked = request.accept_mimetypes
    return request.method in ("GET", "HEAD") and asked.quality("text/html") > asked.quality("text/plain")


def page(status: int) -> str | None:
    """The error page for that status; None for one that has no page."""
    words = WORDS.get(status)
    return render_template("astray.html", heading=words[0], sentence=words[1]) if words else None
