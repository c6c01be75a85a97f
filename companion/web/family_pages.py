"""The pages that a family sees: the table, the television, a seat's phone, the host's phone, and pairing.

Each page is rendered complete, in the browser's language; `static/live.js` then keeps it up to date.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as AnyResponse

from companion.core.languages import LANGUAGES
from companion.core.names import shown_name, shown_names
from companion.core.seating import MOST_PLACES
from companion.games.registry import GAMES
from companion.web.game_page import FaceName, GamePage, find_game_page, game_page, newest_page
from companion.web.i18n import LANGUAGE_COOKIE, PAGE_WORDS, as_data, spoken
from companion.web.paired_phones import EVENING_S
from companion.web.security import phone, services
from companion.web.table_places import a_game_is_on, chair_of, chairs_for

# A year: how long the cookie keeps the chosen language.
REMEMBERED_S: Final = 2 * 365 * EVENING_S


def pages_blueprint() -> Blueprint:
    page = Blueprint("pages", __name__)
    page.app_context_processor(_for_templates)
    page.get("/")(live)
    page.get("/tv")(tv)
    page.get(f"/seat/<int(max={MOST_PLACES}):seat>")(seat)
    page.get(f"/seat/<int(max={MOST_PLACES}):seat>/data")(seat_data)
    page.get("/host")(host)
    page.get("/host/undoes")(undoes)
    page.get("/join")(join)
    page.post("/language")(speak_to_me)
    return page


def _for_templates() -> dict[str, object]:
    return {
        "as_data": as_data,
        "game_page": game_page,
        "a_game_is_on": a_game_is_on,
        "chairs": lambda: chairs_for(_page().name),
        "has_button_at": services().has_button_at,
    }


def live() -> str:
    return _table("live.html", "live")


def tv() -> str:
    return _table("tv.html", "tv")


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
        options=_page().options(game) if game and _choose_offered().name == _page().name else {},
        has_camera=services().rig.view is not None,
    )


def join() -> str:
    addresses = services().addresses
    # Loopback addresses are of no use to a phone, so they are left out if there are others.
    found = [address for address in addresses if not _is_loopback(address)] or addresses
    codes = [(address, url_for("api.get_join_code", which=addresses.index(address))) for address in found]
    game = services().table.snapshot.evening.game
    names = shown_names(game.seats) if game else ()
    return render_template("join.html", codes=codes, names=names, game=_page() if game else None)


def _is_loopback(address: str) -> bool:
    return urlsplit(address).hostname in {"127.0.0.1", "::1", "localhost"}


def seat_data(seat: int) -> Response:
    game = services().table.snapshot.evening.game
    return jsonify(_page().seat_data(game, seat) if game is not None and seat < len(game.seats) else None)


def undoes() -> Response:
    return jsonify(_undone())


def speak_to_me() -> AnyResponse:
    language = request.form.get("lang", "")
    if language not in LANGUAGES:
        abort(422, f"This page speaks {', '.join(LANGUAGES.values())}.")
    answer = redirect(_path_in(request.form.get("back", "/")), 303)
    answer.set_cookie(LANGUAGE_COOKIE, language, max_age=REMEMBERED_S, httponly=True, samesite="Strict")
    return answer


def _path_in(address: str) -> str:
    """The path and query of an address, never its host: the page to go back to."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    # A path that begins with two slashes would be another host: an open redirect.
    path = "/" + parts.path.lstrip("/\\")
    return f"{path}?{parts.query}" if parts.query else path


def _page() -> GamePage:
    return newest_page(services().table.snapshot)


def _choose_offered() -> GamePage:
    """The game that the host's page offers to begin: the one chosen there, else the one played last."""
    chosen = find_game_page(request.args.get("game", ""))
    return chosen if chosen is not None and not a_game_is_on() else _page()


def _choices() -> list[GamePage]:
    """The games that the host can choose from; none while a game is on, or if there is only one."""
    pages = [] if a_game_is_on() else [page for name in GAMES if (page := find_game_page(name)) is not None]
    return pages if len(pages) > 1 else []


def _undone() -> str | None:
    game, page = services().table.snapshot.evening.game, _page()
    return page.undo_sentence(game, spoken({**PAGE_WORDS, **page.words})) if game else None


def _words_of(page: GamePage, face: FaceName, words: Mapping[str, str]) -> dict[str, str]:
    """Leaves out the groups of words that only other pages use, to keep the first load small."""
    others = frozenset[str]().union(*(other.words for other in page.faces.values())) - page.faces[face].words
    return {key: word for key, word in words.items() if "." not in key or key.partition(".")[0] not in others}


def _table(template: str, face: FaceName, heading: str | None = None, **more: object) -> str:
    shown: dict[str, Any] = services().feed.public_data(services().table.snapshot)
    page = _choose_offered() if face == "host" else _page()
    begun = shown["state"] is not None and shown["state"]["game"] == page.name
    words = spoken({**PAGE_WORDS, **page.words})
    who = phone()
    return render_template(
        template,
        face_name=face,
        face=page.faces[face],
        script=url_for(f"{page.name}.static", filename=page.faces[face].script),
        game=page if begun else None,
        offered=page,
        choices=_choices() if face == "host" else (),
        page_title=" · ".join(str(word) for word in (heading, page.title) if word),
        shown=shown,
        names=shown["names"] if begun else (),
        now=page.now(shown, words) if begun else gettext("No game has begun yet"),
        log=page.log(shown, words) if begun else (),
        said_words=words,
        words=as_data(_words_of(page, face, words)),
        seen=as_data(shown),
        who=who,
        sits=chair_of(who.place) if who is not None else None,
        pairs_by_button=services().pairing.code is None,
        chairs=partial(chairs_for, page.name),
        has_buttons=services().has_buttons,
        has_host=services().pairing.has_host,
        address=next(iter(services().addresses), None),
        **more,
    )
