"""The JSON API: the state, the event stream, and what paired phones send."""

import io
import json
import logging
import secrets
import shutil
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final

import segno
from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as AnyResponse

from companion.core.seating import MOST_PLACES
from companion.core.strict_json import parse, quote, raw_event, read_whole
from companion.errors import InvalidEvent, JournalError, NotAllowed, StaleCommand, TableBusy
from companion.journal import Reader, export_lines
from companion.live.connection_limits import ConnectionLimit
from companion.live.health import LOW_DISK, left_out
from companion.rig.camera_words import failing
from companion.table.live_table import Snapshot
from companion.threads.troubles import REMARKS
from companion.web.downloads import Downloads, to_keep
from companion.web.paired_phones import Phone
from companion.web.permissions import check_allowed
from companion.web.security import PHONE_COOKIE, address, phone, remember, services
from companion.web.services import Services
from companion.web.table_places import a_game_is_on
from companion.web.waitress_parts import HAND_OVER

_log: Final = logging.getLogger(__name__)

ANSWER_WITHIN_S: Final = 10.0
LAST_NUMBER: Final = 2**63 - 1
# More events than any game of an evening has: a longer recording is exported through a file.
LONG: Final = 20_000


def api_blueprint(places: ConnectionLimit) -> Blueprint:
    api = Blueprint("api", __name__)
    api.get("/api/state")(get_state)
    api.post("/api/events")(post_event)
    api.get("/api/games")(list_games)
    api.get("/api/pair")(get_pairing)
    api.post("/api/pair")(pair_phone)
    api.get("/healthz")(get_health)
    api.get("/join/<int(max=9):which>.svg")(get_join_code)
    api.get(f"/cut/<int(max=8):cell>/<int(max={LAST_NUMBER}):version>.webp")(get_cutout)

    downloads = Downloads()

    @api.get(f"/api/games/<int(max={LAST_NUMBER}):number>.jsonl")
    def recording(number: int) -> Response:  # pyright: ignore[reportUnusedFunction]
        return export_game(number, downloads)

    @api.get("/api/events")
    def events() -> Response:  # pyright: ignore[reportUnusedFunction]
        return stream_events(places)

    return api


def get_state() -> AnyResponse:
    """The state now; 304 for a browser that already has it."""
    newest = services().feed.newest
    answer = Response(newest.json, mimetype="application/json")
    answer.set_etag(newest.etag)
    # No caching without asking: each request is answered, with 304 while nothing has changed.
    answer.headers["Cache-Control"] = "no-cache"
    return answer.make_conditional(request)


def stream_events(places: ConnectionLimit) -> Response:
    """A live page (server-sent events): the newest state, then every update, for as long as it is open."""
    # A browser sends Last-Event-ID when it reconnects by itself. A page that opens a new stream sends `last`
    # instead.
    last = request.headers.get("Last-Event-ID", request.args.get("last", ""))
    number = int(last) if last.isascii() and last.isdigit() and len(last) < 20 else None
    if request.method == "HEAD":
        # A HEAD request only checks that the stream exists.
        return _stream_answer(())
    hand_over = request.environ.get(HAND_OVER)
    if hand_over is not None:
        page = _EventStream(services(), places, number)
        hand_over(page)
        # An iterator, not a list: a list would get a Content-Length.
        return _stream_answer(iter((page.first,)))
    # Under a server that spends a thread on each live page.
    whose = address()
    places.take(whose)
    answer = _stream_answer(services().feed.stream(number))
    answer.call_on_close(lambda: places.leave(whose))
    return answer


def _stream_answer(lines: Iterable[bytes]) -> Response:
    answer = Response(lines, mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


class _EventStream:
    """One live page. It holds a place among the open connections until it is closed."""

    def __init__(self, around: Services, places: ConnectionLimit, last: int | None) -> None:
        self._whose, self._token = address(), request.cookies.get(PHONE_COOKIE)
        self._pairing, self._places = around.pairing, places
        places.take(self._whose)
        self._line = around.feed.open_cursor(last)
        _log.debug("A page looks on from %s.", self._whose)
        self.first = self._line.first

    def news(self) -> bytes:
        news = self._line.news()
        if news and self._token is not None:
            # An open page keeps its phone alive as host.
            self._pairing.hear(self._token)
        return news

    def close(self) -> None:
        self._places.leave(self._whose)
        _log.debug("A page from %s looks on no more.", self._whose)


def post_event() -> Response:
    """An event from a paired phone: `{"no": 17, "event": {"type": "undo"}}`. `no` is the number of the newest
    state that the phone has seen."""
    who = phone()
    if who is None:
        raise NotAllowed("This phone is not paired yet: only who sits at the table may say that.")
    said = raw_event(body_of_request())
    number = read_whole(said, "what a phone says", "no", 0, LAST_NUMBER)
    try:
        event = check_allowed(said.get("event"), who, services())
    except NotAllowed:
        kind = raw_event(said.get("event")).get("type")
        _log.info(
            "The phone at place %s may not tell %s.", "none" if who.place is None else who.place, quote(kind)
        )
        raise
    try:
        snapshot = _await_table(services().table.tell(event, saw=number))
    except StaleCommand as error:
        return json_answer({"error": str(error), **services().feed.public_data(error.truth)}, 409)
    return json_answer({"no": snapshot.number})


def list_games() -> Response:
    with Reader.open(services().journal) as reader:
        played = reader.games()
    return json_answer(
        {
            "games": [
                {
                    "id": game.number,
                    "game": game.game,
                    "seats": game.seats,
                    "begun": game.wall // 1_000_000_000,
                    "events": game.entries,
                }
                for game in played
            ]
        }
    )


def export_game(number: int, downloads: Downloads) -> Response:
    with Reader.open(services().journal) as reader:
        if _is_long(reader, number):
            answer = downloads.file("application/x-ndjson", lambda out: export_lines(reader, out, game=number))
        else:
            out = io.BytesIO()
            export_lines(reader, out, game=number)
            answer = Response(out.getvalue(), mimetype="application/x-ndjson")
    return to_keep(answer, f"game-{number}.jsonl")


def _is_long(reader: Reader, number: int) -> bool:
    begins = reader.begins(number)
    end = begins[1][0] if len(begins) > 1 else reader.last
    return end - number > LONG


def get_pairing() -> Response:
    """Whether this phone is paired, and for which place of the table."""
    return _pairing_answer(phone())


def pair_phone() -> Response:
    """With `{"code": "123456"}` or with the button of `{"seat": 3}`; `{"host": 3}` makes the phone at that place
    host."""
    said = raw_event(body_of_request())
    pairing = services().pairing
    carried = request.cookies.get(PHONE_COOKIE, "")
    # A known or waiting phone keeps its token. Everybody else gets a new one, so that nobody can choose a token.
    token = carried if pairing.knows(carried) else secrets.token_urlsafe(32)
    if "host" in said:
        pairing.pass_host(token, _read_seat(said, "host"))
        return _pairing_answer(phone())
    seat = _read_seat(said, "seat") if said.get("seat") is not None else None
    if "code" in said:
        code = said["code"]
        if not isinstance(code, str):
            raise InvalidEvent('pairing: the `code` must be a text of six figures, as in {"code":"123456"}')
        who = pairing.by_code(address(), token, code, seat)
    elif seat is not None:
        who = pairing.by_button(address(), token, seat)
    else:
        raise InvalidEvent("pairing: say the `code` that the program shows, or the `seat` whose button you press")
    answer = _pairing_answer(who) if who is not None or seat is None else _waiting_answer(token, seat)
    remember(answer, token)
    return answer


def _waiting_answer(token: str, seat: int) -> Response:
    """While no game is on, the awaited lamp blinks, because nobody knows a new table's place numbers. A press on
    another seat's button is reported."""
    rig = services().rig
    if a_game_is_on():
        return _pairing_answer(None, 202)
    if rig.lamps is not None and seat < services().wired:
        rig.lamps.try_lamp(seat)
    return _pairing_answer(None, 202, pressed=services().pairing.pressed_instead(token, seat))


def get_health() -> Response:
    """The health of each part: null if it is well, else what is wrong. Notices that do not stop the game count
    too."""
    wrong = what_is_wrong(services())
    well = all(value is None or key in REMARKS for key, value in wrong.items())
    return json_answer({"ok": well, **wrong}, 200 if well else 503)


def what_is_wrong(around: Services) -> dict[str, str | None]:
    """Where a part reports a trouble and its supervisor does as well, the stable key comes first."""
    wrong = {
        "table": None if around.table.is_open else "The table has stopped.",
        "live": None if around.feed.is_working else "Phones get no news any more.",
        "journal": _check_journal(around.journal),
        "camera": failing(around.camera),
        "buttons": left_out(around.rig.seats),
    }
    for trouble in around.crew.wrong():
        wrong[trouble.key] = wrong.get(trouble.key) or trouble.sentence
    return wrong


def get_join_code(which: int) -> Response:
    addresses = services().addresses
    if which >= len(addresses):
        abort(404)
    out = io.BytesIO()
    segno.make(addresses[which], micro=False).save(
        out, kind="svg", xmldecl=False, omitsize=True, dark="#000", light="#fff", svgclass=None, lineclass=None
    )
    return Response(out.getvalue(), mimetype="image/svg+xml")


def get_cutout(cell: int, version: int) -> Response:
    camera = services().camera
    if camera is None:
        abort(404)
    # An outdated version is never served: the card there may be hidden by now. The answer is no error, so that
    # browsers do not log one.
    if camera.cutouts()[cell] != version or (picture := camera.cutout(cell)) is None:
        return Response(status=204)
    return Response(picture, mimetype="image/webp")


def _pairing_answer(who: Phone | None, status: int = 200, **more: object) -> Response:
    pairing = services().pairing
    return json_answer(
        {
            "paired": who is not None,
            "seat": who.place if who else None,
            "host": who.host if who else False,
            "by": "code" if pairing.code is not None else "button",
            **more,
        },
        status,
    )


def _read_seat(said: Any, key: str) -> int:
    return read_whole(said, "pairing", key, 0, MOST_PLACES - 1)


def body_of_request() -> object:
    return parse(request.get_data(cache=False))


def _await_table(told: "Future[Snapshot]") -> Snapshot:
    try:
        return told.result(ANSWER_WITHIN_S)
    except TimeoutError:
        raise TableBusy("The table doesn't answer; look whether it was noted before you say it again.") from None


def json_answer(value: object, status: int = 200) -> Response:
    return Response(
        json.dumps(value, separators=(",", ":"), ensure_ascii=False), status, mimetype="application/json"
    )


def _check_journal(journal: Path) -> str | None:
    try:
        with Reader.open(journal) as reader:
            reader.last  # noqa: B018 - reading is the proof
        free = shutil.disk_usage(journal.parent).free
    except (JournalError, OSError) as error:
        return str(error)
    return None if free > LOW_DISK else f"The disk has room for {free // 1_000_000} MB only; make some."
