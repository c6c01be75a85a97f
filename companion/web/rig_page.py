"""The builder's page: whether the camera sees the grid, the cells are read, and buttons and lamps work.

Everybody may see how the rig is doing. The camera's picture also shows hidden cards, and trials disturb a game:
both are for the host only.
"""

import shutil
from collections.abc import Mapping, Sequence
from typing import Final, cast

from flask import Blueprint, Response, abort, render_template, url_for
from flask_babel import gettext, ngettext
from flask_babel import lazy_gettext as _
from flask_babel.speaklater import LazyString

from companion.core.cards import Card
from companion.core.mat import Point
from companion.core.reading import Bare, Hidden, Shown, Sight, Why
from companion.core.seating import MOST_PLACES
from companion.core.strict_json import Raw, list_value, quote, raw_event, read_whole
from companion.errors import InvalidEvent
from companion.games.registry import GAMES
from companion.rig.protocols import Button, CameraView, GridView, Lamps, Rig
from companion.web import formatting
from companion.web.api import body_of_request, json_answer, what_is_wrong
from companion.web.game_page import GamePage, game_page, newest_page
from companion.web.i18n import PAGE_WORDS, as_data, language, spoken
from companion.web.security import phone, require_host, services
from companion.web.table_places import list_chairs

MEGABYTE: Final = 1_000_000
# A tap may lie a little outside the picture, where the camera cuts off the grid's corner.
NEAR: Final = 2.0
WHY: Final[Mapping[Why, LazyString]] = {
    Why.HAND: _("a hand is over it"),
    Why.MOVING: _("something moves"),
    Why.BLUR: _("out of focus"),
    Why.LOST: _("the grid is lost"),
    Why.GLARE: _("glare"),
    Why.DARK: _("too dark for its colour"),
    Why.UNKNOWN_CARD: _("no card of this deck"),
}
FOUND: Final[Mapping[str, LazyString]] = {
    "mat": _("The camera sees the mat: its markers say where the grid is."),
    "corners": _("The grid is where somebody has tapped its corners."),
    "none": _("The camera finds no grid: put the mat in its sight, or tap the grid's four corners."),
}
LIGHT: Final[Mapping[str, LazyString]] = {
    "dark": _("dark"),
    "breathing": _("pulsing"),
    "solid": _("lit"),
    "blinking": _("blinking"),
    "fast": _("blinking fast"),
    "tried": _("blinking as a test"),
}
WRONG: Final[Mapping[str, LazyString]] = {
    "button_stuck": _("Stays pressed, so it is ignored: see whether something lies on it."),
    "button_chatters": _(
        "Flickers faster than any hand could press, so it is ignored: look at its plug and wires."
    ),
}
PARTS: Final[Mapping[str, LazyString]] = {
    "table": _("Table"),
    "live": _("Updates to phones"),
    "journal": _("Journal and disk"),
    "camera": _("Camera"),
    "buttons": _("Buttons"),
}
STOPPED: Final[Mapping[str, LazyString]] = {
    "table": _("The table has stopped."),
    "live": _("Phones no longer get updates."),
}


def rig_blueprint() -> Blueprint:
    page = Blueprint("rig", __name__)
    page.get("/rig")(whole_page)
    page.get("/rig/now")(now)
    page.get("/rig/picture.jpg")(picture)
    page.post("/api/rig/corners")(corners)
    page.post("/api/rig/lamp")(lamp)
    return page


def whole_page() -> str:
    who = phone()
    return render_template(
        "rig.html",
        **_now(),
        who=who,
        pairs_by_button=services().pairing.code is None,
        card_sheets=_card_sheets(),
        words=as_data(spoken(PAGE_WORDS)),
    )


def now() -> str:
    """The parts of the page that change; its script replaces each of them."""
    return render_template("rig_now.html", **_now())


def picture() -> Response:
    found = _view().picture()
    if found is None:
        abort(404, "The camera has not shown a picture yet.")
    return Response(found, mimetype="image/jpeg")


def corners() -> Response:
    view, said = _view(), _read_request()
    if "corners" not in said:
        raise InvalidEvent('say the `corners`, as in {"corners":[[0.2,0.1],[0.8,0.1],[0.8,0.9],[0.2,0.9]]}')
    view.tap(None if said["corners"] is None else _four(said["corners"]))
    return json_answer({"ok": True})


def lamp() -> Response:
    lamps, said = _lamps(), _read_request()
    lamps.try_lamp(read_whole(said, "trying a lamp", "seat", 0, MOST_PLACES - 1))
    return json_answer({"ok": True})


def _require_host() -> Rig:
    """The rig, for the host's phone alone. Raises `NotAllowed`."""
    require_host()
    return services().rig


def _view() -> CameraView:
    view = _require_host().view
    if view is None:
        abort(404, "This table has no camera.")
    return view


def _lamps() -> Lamps:
    lamps = _require_host().lamps
    if lamps is None:
        abort(404, "This table has no lamps.")
    return lamps


def _read_request() -> Raw:
    return raw_event(body_of_request())


def _four(value: object) -> Sequence[Point]:
    points = [list_value(one, "a corner") for one in list_value(value, "the corners")]
    if len(points) != 4 or any(len(point) != 2 for point in points):
        raise InvalidEvent("the corners must be four, each two fractions of the picture's width and height")
    return [(_fraction(x), _fraction(y)) for x, y in points]


def _fraction(value: object) -> float:
    if type(value) not in (int, float) or not abs(cast("float", value)) <= NEAR:
        raise InvalidEvent(
            f"a corner is said in fractions of the picture's width and height, from 0 to 1, not {quote(value)}"
        )
    return float(cast("float", value))


def _now() -> dict[str, object]:
    rig, who = services().rig, phone()
    seen = rig.view.seen() if rig.view is not None else None
    return {
        "is_host": who is not None and who.host,
        "health": _health(),
        "troubles": _troubles(),
        "seen": seen,
        "found": _describe_grid(seen, rig.view.dropped if rig.view is not None else 0),
        "cells": [_cell(sight) for sight in seen.cells] if seen is not None else [],
        "seats": _seats(rig),
        "clock": _clock(rig),
        "disk": _disk(),
        "has_camera": rig.view is not None,
    }


def _describe_grid(seen: GridView | None, dropped: int) -> str:
    said = str(FOUND[seen.found]) if seen is not None else gettext("No picture has come yet.")
    if not dropped:
        return said
    unread = ngettext(
        "%(n)s picture could not be read.",
        "%(n)s pictures could not be read.",
        dropped,
        n=formatting.format_number(dropped),
    )
    return f"{said} {unread}"


def _health() -> list[tuple[str, str, bool]]:
    """Each part, how it is, and whether something is wrong with it."""
    return [
        (
            str(PARTS[part]) if part in PARTS else gettext("Besides"),
            _well(part) if wrong is None else _in_words(part, wrong),
            wrong is not None,
        )
        for part, wrong in what_is_wrong(services()).items()
    ]


def _troubles() -> list[tuple[str, str]]:
    """The current troubles, each with its language: one without a translation is shown in English."""
    return [
        (str(PAGE_WORDS[key]), language())
        if (key := f"trouble.{trouble.key}") in PAGE_WORDS
        else (trouble.sentence, "en")
        for trouble in services().troubles.current()
    ]


def _well(part: str) -> str:
    table = services()
    missing = {"camera": table.rig.view is None, "buttons": not (table.has_buttons or table.demo)}
    return gettext("there is none") if missing.get(part) else gettext("all is well")


def _in_words(part: str, wrong: str) -> str:
    if part == "camera":
        return str(PAGE_WORDS.get(f"camera.{wrong}", PAGE_WORDS["camera.other"]))
    if part == "buttons" and wrong == "gone":
        return str(PAGE_WORDS["buttons.gone"])
    if part == "buttons" and wrong[0].isdigit():
        return gettext("One or more are ignored: it says there which and why.")
    if part in STOPPED:
        return str(STOPPED[part])
    # The check of the journal can report more than the current troubles do.
    if f"trouble.{part}" in PAGE_WORDS and (part != "journal" or services().troubles.find(part)):
        return str(PAGE_WORDS[f"trouble.{part}"])
    # Untranslated, as the part itself words it.
    return gettext("Something is wrong: %(what)s", what=wrong)


def _cell(sight: Sight) -> dict[str, object]:
    match sight:
        case Shown():
            what, colour = _card_label(sight.card)
            return {
                "how": "card",
                "colour": colour,
                "what": what,
                "more": gettext("%(share)s sure", share=formatting.format_percent(sight.sure)),
            }
        case Bare():
            return {"how": "bare", "what": gettext("Empty"), "more": None}
        case Hidden():
            return {"how": "hidden", "what": gettext("Unreadable"), "more": str(WHY[sight.why])}


def _pages() -> list[GamePage]:
    """The pages of all games; that of the game being played comes first."""
    newest = newest_page(services().table.snapshot)
    return [newest, *(page for name in GAMES if (page := game_page(name)).name != newest.name)]


def _card_label(card: Card) -> tuple[str, str]:
    """The card's name and its CSS class for the colour, from the first game that has such cards."""
    labels = (page.card_label(card, spoken(page.words)) for page in _pages())
    return next((label for label in labels if label is not None), (str(card), ""))


def _card_sheets() -> list[str]:
    return [url_for(f"{page.name}.static", filename=sheet) for page in _pages() for sheet in page.sheets]


def _seats(rig: Rig) -> list[dict[str, object]]:
    buttons: Mapping[int, Button] = rig.seats.buttons() if rig.seats is not None else {}
    lights = rig.lamps.lights() if rig.lamps is not None else ()
    if rig.seats is None and rig.lamps is None:
        return []
    return [
        {
            "name": chair.name or gettext("Seat %(n)s", n=chair.place + 1),
            "light": str(LIGHT[lights[chair.place]]) if chair.place < len(lights) else None,
            "shines": chair.place < len(lights) and lights[chair.place] != "dark",
            "button": _button(buttons.get(chair.place, Button())) if rig.seats is not None else None,
            "down": chair.place in buttons and buttons[chair.place].down,
            "wrong": _wrong(buttons.get(chair.place, Button())),
        }
        for chair in list_chairs(services().wired)
    ]


def _button(button: Button) -> str:
    if button.ago_ms is None:
        return gettext("never pressed")
    said = [
        gettext("pressed %(ago)s ago", ago=formatting.format_gap(button.ago_ms * 1_000_000)),
        ngettext("%(n)s press", "%(n)s presses", button.presses, n=formatting.format_number(button.presses)),
        ngettext("%(n)s bounce", "%(n)s bounces", button.bounces, n=formatting.format_number(button.bounces)),
    ]
    if button.lost:
        lost = formatting.format_number(button.lost)
        said.append(ngettext("%(n)s signal lost", "%(n)s signals lost", button.lost, n=lost))
    return ", ".join([gettext("down"), *said] if button.down else said)


def _wrong(button: Button) -> list[str]:
    """A sentence for each of the seat's buttons that is ignored."""
    grab = [str(WRONG[button.wrong])] if button.wrong is not None else []
    if button.call_wrong is None:
        return grab
    return [*grab, gettext("Call button: %(wrong)s", wrong=WRONG[button.call_wrong])]


def _clock(rig: Rig) -> tuple[str, ...]:
    if rig.clocks is None:
        return ()
    report = rig.clocks.report()
    said = [gettext("Presses at least %(gap)s apart can be told apart.", gap=_microseconds(report.resolution_us))]
    if report.offset_us is not None:
        offset = _microseconds(report.offset_us)
        said.append(gettext("Camera clock corrected by %(gap)s to match the buttons.", gap=offset))
    return tuple(said)


def _microseconds(us: float) -> str:
    return gettext("%(n)s µs", n=formatting.format_number(us, 0 if us >= 10 or us == int(us) else 3))


def _disk() -> str | None:
    try:
        usage = shutil.disk_usage(services().journal.parent)
    except OSError:
        return None
    return gettext(
        "%(free)s MB of %(all)s MB are free.",
        free=formatting.format_number(usage.free // MEGABYTE),
        all=formatting.format_number(usage.total // MEGABYTE),
    )
