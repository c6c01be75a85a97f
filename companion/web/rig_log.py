"""The newest lines of the log on the builder's page, for the host's phone."""

from flask import Blueprint, Response, render_template, request

from companion.web.security import require_host, services


def log_blueprint() -> Blueprint:
    page = Blueprint("log", __name__)
    page.get("/rig/log")(newest)
    page.get("/rig/log.txt")(as_text)
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
    require_host()
    return Response(services().log.text(), mimetype="text/plain")
