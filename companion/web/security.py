"""Checks for every request: which hosts and origins are accepted, the security headers, and how errors are
answered.

Any web page that somebody in the house opens can send requests to the rig. It can't read the answers, but it could
act (CSRF). So requests that change something must come from our own page: Origin equals Host, and the cookie is
SameSite=Strict. A foreign page could also make its own name resolve to the rig's address (DNS rebinding). So only
names that nobody can register are accepted: this machine's addresses, its own name, localhost, `.local`.
"""

import ipaddress
import json
import logging
import socket
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request
from flask_babel import gettext
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, UnsupportedMediaType
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import (
    CannotBackUp,
    CompanionError,
    GridNotFound,
    InvalidEvent,
    JournalError,
    NoSuchGame,
    NotAllowed,
    RateLimited,
    TableBusy,
    TableClosed,
    TooManyConnections,
)
from companion.live.connection_limits import is_ours, plain
from companion.web import error_page
from companion.web.paired_phones import EVENING_S, Phone
from companion.web.services import Services

_log: Final = logging.getLogger(__name__)

PHONE_COOKIE: Final = "phone"
LARGEST_BODY: Final = 16 * 1024
# Content-Security-Policy: a page loads its parts from here only; anything but a page loads nothing.
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    # With `no-referrer` a browser sends `Origin: null` with forms, and we could not tell ours from foreign ones.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_LOOKING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
STATUS_OF_ERROR: Final[tuple[tuple[type[CompanionError], int], ...]] = (
    (InvalidEvent, 422),
    (GridNotFound, 422),
    (NotAllowed, 403),
    (NoSuchGame, 404),
    (RateLimited, 429),
    (TooManyConnections, 503),
    (TableBusy, 503),
    (TableClosed, 503),
    (JournalError, 503),
    (CannotBackUp, 503),
)


def guard(app: Flask) -> None:
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST_BODY
    app.before_request(_check_host)
    app.before_request(_check_origin)
    app.after_request(_add_headers)
    app.register_error_handler(HTTPException, _answer_http_error)
    for kind, status in STATUS_OF_ERROR:
        app.register_error_handler(kind, partial(_answer_error, status))


def services() -> Services:
    return services_of(current_app)


def services_of(app: Flask) -> Services:
    return app.extensions["companion"]


def phone() -> Phone | None:
    """The phone that sent this request; None if it is not paired."""
    return services().pairing.phone(request.cookies.get(PHONE_COOKIE))


def require_host() -> None:
    """Raises `NotAllowed` unless the request comes from the host's phone."""
    who = phone()
    if who is None or not who.host:
        raise NotAllowed("That's for the host's phone: look there, or have the host pass that on.")


def remember(response: Response, token: str) -> None:
    """Sets the cookie with the phone's token: HttpOnly and SameSite=Strict, so no script can read it and no other
    site's request carries it."""
    response.set_cookie(PHONE_COOKIE, token, max_age=EVENING_S, httponly=True, samesite="Strict", path="/")


def address() -> str:
    """The client's address. An IPv4 address is written as one, even if the socket reports it as mapped to IPv6."""
    said = request.remote_addr or ""
    try:
        return str(plain(said))
    except ValueError:
        return said


def is_trusted(host: str) -> bool:
    """Whether we answer under that host name. `host`: a name or an address, without a port."""
    host = host.rstrip(".").lower()
    if host == "localhost" or (host.endswith(".local") and host != ".local"):
        return True
    if host == socket.gethostname().lower() or host in _known_hosts():
        return True
    try:
        found = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    # Without its interface's name a link-local address can't be checked; but it is never reached from outside the
    # house.
    return is_ours(found) or (found.version == 6 and found.is_link_local)


def _known_hosts() -> set[str | None]:
    return {urlsplit(known).hostname for known in services().addresses}


def _check_host() -> None:
    name = _hostname(request.environ.get("HTTP_HOST", ""))
    if name is None or not is_trusted(name):
        # No HTML page here: under that name its style sheet would be refused as well.
        raise BadRequest(
            gettext("This page doesn't answer under that name; use the address that the program shows.")
        )


def _hostname(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        # Reading the property validates the port.
        parts.port  # noqa: B018
    except ValueError:
        return None
    whole = parts.netloc == host and not parts.path and not parts.query and not parts.fragment and "@" not in host
    return parts.hostname if whole else None


def _check_origin() -> None:
    if request.method in _LOOKING:
        return
    origin = request.headers.get("Origin")
    ours = f"://{request.environ['HTTP_HOST']}"
    if origin is not None and origin.lower() not in {f"http{ours}".lower(), f"https{ours}".lower()}:
        raise Forbidden("That was said by another page, not by this one.")
    # No Origin: not a browser, or a very old one. A foreign page can't make such a browser send JSON. An unknown
    # address is left to be a 404.
    if origin is None and request.url_rule is not None and request.mimetype != "application/json":
        raise UnsupportedMediaType("What is said here is said as JSON.")


def _add_headers(response: Response) -> Response:
    for key, value in _HEADERS.items():
        response.headers[key] = value
    # Flask adds a file name to each file that it sends; it only matters for downloads.
    if response.headers.get("Content-Disposition", "").startswith("inline"):
        del response.headers["Content-Disposition"]
    is_page = response.mimetype == "text/html"
    response.headers["Content-Security-Policy"] = PAGE_POLICY if is_page else POLICY
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response


def _answer_http_error(error: HTTPException) -> AnyResponse:
    """Also for unexpected exceptions: Flask has written the traceback to standard error, the phone gets a
    sentence."""
    answer = error.get_response()
    if answer.status_code >= 400:
        _write_sentence(answer, _sentence_for(error))
    return answer


def _sentence_for(error: HTTPException) -> str:
    if error.code == 500:
        return "Something went wrong here; the game goes on, and what happened stands in the program's own output."
    return " ".join((error.description or error.name).split())


def _answer_error(status: int, error: CompanionError) -> Response:
    failed = status >= 500 and not isinstance(error, TooManyConnections)
    _log.log(
        # `NotAllowed` is worth a line, as people ask about it; the other refusals are mostly strangers' attempts.
        logging.INFO if failed or isinstance(error, NotAllowed) else logging.DEBUG,
        "%s %s is refused with %d: %s",
        request.method,
        request.path,
        status,
        error,
        exc_info=error if failed else None,
    )
    answer = Response(status=status)
    _write_sentence(answer, str(error))
    if status == 503:
        answer.headers["Retry-After"] = "1"
    if isinstance(error, RateLimited):
        answer.headers["Retry-After"] = str(error.again_in_s)
    return answer


def _write_sentence(answer: AnyResponse, sentence: str) -> None:
    if request.path.startswith("/api/"):
        answer.data = json.dumps({"error": sentence})
        answer.content_type = "application/json"
    elif error_page.is_met() and (page := error_page.page(answer.status_code)) is not None:
        answer.data = page
        answer.content_type = "text/html; charset=utf-8"
    else:
        answer.data = sentence + "\n"
        answer.content_type = "text/plain; charset=utf-8"
