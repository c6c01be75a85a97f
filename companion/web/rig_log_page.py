"""The log and the problem report: for the host's phone on the builder's page; the log is also for `companion
report` on this machine.
"""

import json
import secrets
from datetime import datetime
from threading import BoundedSemaphore
from typing import Final

from flask import Blueprint, Response, render_template, request

from companion.errors import RateLimited
from companion.report.bundle import Wish, make_report
from companion.report.report_parts import Sources
from companion.web.api import what_is_wrong
from companion.web.security import require_host, services

# Only one report is made at a time, as it reads the whole journal: when to try again.
AGAIN_IN_S: Final = 5


def log_blueprint() -> Blueprint:
    page, making = Blueprint("log", __name__), BoundedSemaphore()
    page.get("/rig/log")(newest)
    page.get("/rig/log.txt")(as_text)

    @page.get("/rig/report.zip")
    def report() -> Response:  # pyright: ignore[reportUnusedFunction]
        require_host()
        if not making.acquire(blocking=False):
            raise RateLimited("A report is being made already; try again in a moment.", AGAIN_IN_S)
        try:
            return _report()
        finally:
            making.release()

    return page


def newest() -> Response:
    """The log for the page's script, newest line first; empty if the script has seen the newest line already."""
    require_host()
    log = services().log
    # Counted before the lines are read: a line that arrives meanwhile is sent with the next request.
    count = log.count
    if request.args.get("after") == str(count):
        return Response(status=204)
    return Response(render_template("rig_log.html", lines=log.lines()[::-1], count=count), mimetype="text/html")


def as_text() -> Response:
    if not _is_ours():
        require_host()
    return Response(services().log.text(), mimetype="text/plain")


def _is_ours() -> bool:
    token = services().token
    shown = request.headers.get("Authorization", "")
    return bool(token) and secrets.compare_digest(shown.encode(), f"Bearer {token}".encode())


def _report() -> Response:
    """Made within the request: a report is small."""
    around, wish = services(), Wish(names="names" in request.args, pictures="pictures" in request.args)
    # Asked for here: there is no request context in the other thread.
    health = json.dumps(what_is_wrong(around))
    made = make_report(Sources(around.journal.parent, around.config, lambda: health, around.log.text), wish)
    answer = Response(made.content, mimetype="application/zip")
    name = f"table-companion-report-{datetime.now().astimezone():%Y-%m-%d}.zip"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
