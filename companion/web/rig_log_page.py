"""The log and the report of what is wrong: for the host's phone on the builder's page, and the log also for
`companion report` on this machine.
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

# It reads the whole journal: one at a time is enough for a family.
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
    """For the page's script: the newest line first, or nothing where it has seen that already."""
    require_host()
    log = services().log
    # Before the lines: one that comes meanwhile is there when it is asked for again.
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
    """Made here and now, for it is small."""
    around, wish = services(), Wish(names="names" in request.args, pictures="pictures" in request.args)
    # Not asked from within another thread, where there is no request.
    health = json.dumps(what_is_wrong(around))
    made = make_report(Sources(around.journal.parent, around.config, lambda: health, around.log.text), wish)
    answer = Response(made.content, mimetype="application/zip")
    name = f"table-companion-report-{datetime.now().astimezone():%Y-%m-%d}.zip"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
