"""The pages that a family sees: the table, the television, a seat's phone, the host's, and how one comes aboard.

What a page shows is in it when it comes, in the language of whoever asks; `static/live.js` keeps it true.
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as AnyResponse

from companion.core.names import shown_name, shown_names
from companion.games.goat.page import page_art
from companion.games.registry import GAMES
from companion.web.game_page import GamePage, game_page
from companion.web.i18n import COOKIE, LANGUAGES, PAGE, as_data, spoken
from companion.web.paired_phones import EVENING_S
from companion.web.security import phone, services
from companion.web.table_places import a_game_is_on, chair_of, chairs

MOST_SEATS: Final = 9
# Families of words that the scripts of one face alone say: the first look at another is the smaller for it.
ONLY_ON: Final[Mapping[str, str]] = {
    "fix": "host",
    "foul": "host",
    "begin": "host",
    "undo": "host",
    "me": "seat",
    "seat": "seat",
}
# A year: who has chosen a language has chosen it.
REMEMBERED_S: Final = 2 * 365 * EVENING_S


def pages_blueprint() -> Blueprint:
    page = Blueprint("pages", __name__)
    page.app_context_processor(
        lambda: {
            "drawn_goats": page_art.goats,
            "drawn_cards": page_art.cards,
            "options_data": as_data,
            "chairs": chairs,
            "a_game_is_on": a_game_is_on,
        }
    )
    page.get("/")(live)
    page.get("/tv")(tv)
    page.get(f"/seat/<int(max={MOST_SEATS}):seat>")(seat)
    page.get(f"/seat/<int(max={MOST_SEATS}):seat>/times")(times)
    page.get("/host")(host)
    page.get("/host/undoes")(undoes)
    page.get("/join")(join)
    page.post("/language")(speak_to_me)
    return page


def live() -> str:
    return _table("live.html", "live")


def tv() -> str:
    return _table("tv.html", "live")


def seat(seat: int) -> str:
    game = services().table.snapshot.evening.game
    is_there = game is not None and seat < len(game.seats)
    return _table(
        "seat.html",
        "seat",
        shown_name(game.seats[seat]) if game is not None and is_there else None,
        seat=seat,
        place=game.seating.place_of(seat) if game is not None and is_there else seat,
    )


def host() -> str:
    game = services().table.snapshot.evening.game
    return _table(
        "host.html",
        "host",
        gettext("Host"),
        undoes=_undone(),
        options=_page().options(game) if game else {},
        has_camera=services().rig.view is not None,
    )


def join() -> str:
    addresses = services().addresses
    # Where this machine calls itself, no phone finds it.
    found = [address for address in addresses if not _is_loopback(address)] or addresses
    codes = [(address, url_for("api.join_code", which=addresses.index(address))) for address in found]
    game = services().table.snapshot.evening.game
    return render_template("join.html", codes=codes, names=shown_names(game.seats) if game else ())


def _is_loopback(address: str) -> bool:
    return urlsplit(address).hostname in {"127.0.0.1", "::1", "localhost"}


def times(seat: int) -> Response:
    game = services().table.snapshot.evening.game
    return jsonify(list(_page().reactions(game, seat)) if game else [])


def undoes() -> Response:
    return jsonify(_undone())


def speak_to_me() -> AnyResponse:
    language = request.form.get("lang", "")
    if language not in LANGUAGES:
        abort(422, "This page speaks German, English and Spanish.")
    answer = redirect(_path_in(request.form.get("back", "/")), 303)
    answer.set_cookie(COOKIE, language, max_age=REMEMBERED_S, httponly=True, samesite="Strict")
    return answer


def _path_in(address: str) -> str:
    """On this page, whatever else is named there; of a page that has several, the one that was shown."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    # Two slashes would name another machine.
    path = "/" + parts.path.lstrip("/\\")
    return f"{path}?{parts.query}" if parts.query else path


def _page() -> GamePage:
    state = services().table.snapshot.state
    return game_page(str(state["game"]) if state else next(iter(GAMES)))


def _undone() -> str | None:
    game, page = services().table.snapshot.evening.game, _page()
    return page.newest(game, spoken({**PAGE, **page.words})) if game else None


def _is_said_on(part: str, key: str) -> bool:
    family, dot, _rest = key.partition(".")
    return not dot or ONLY_ON.get(family, part) == part


def _table(template: str, part: str, heading: str | None = None, **more: object) -> str:
    shown: Mapping[str, Any] = services().feed.shown(services().table.snapshot)
    page = _page()
    words = spoken({**PAGE, **page.words})
    begun = shown["state"] is not None
    who = phone()
    return render_template(
        template,
        part=part,
        game=page if begun else None,
        first=page,
        page_title=" · ".join(str(word) for word in (heading, page.title) if word),
        shown=shown,
        names=shown["names"],
        now=page.now(shown, words) if begun else gettext("No game has begun yet"),
        log=page.log(shown, words) if begun else (),
        said_words=words,
        words=as_data({key: word for key, word in words.items() if _is_said_on(part, key)}),
        seen=as_data(shown),
        who=who,
        sits=chair_of(who.place) if who is not None else None,
        buttons=services().pairing.code is None,
        slaps=not services().has_buttons,
        has_host=services().pairing.has_host,
        address=next(iter(services().addresses), None),
        **more,
    )
