"""Answers made small on the way: a family's first look is over a Wi-Fi that six phones share."""

import gzip
from typing import Final

from flask import Flask, Response, request

# Below it the head of the packing is as long as what it saves.
WORTH_IT: Final = 600
LEVEL: Final = 9
_TEXT: Final = frozenset(
    {
        "text/html",
        "text/css",
        "text/javascript",
        "text/plain",
        "text/csv",
        "application/javascript",
        "application/json",
        "application/x-ndjson",
        "application/manifest+json",
        "image/svg+xml",
    }
)


def compress_answers(app: Flask) -> None:
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    # What has no length yet is live, and must not wait for more to come.
    live = response.is_streamed and not response.direct_passthrough
    if response.mimetype not in _TEXT or response.status_code != 200 or live:
        return response
    response.vary.add("Accept-Encoding")
    if "Content-Encoding" in response.headers or request.accept_encodings.quality("gzip") <= 0:
        return response
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) < WORTH_IT:
        return response
    response.set_data(gzip.compress(body, LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    etag, weak = response.get_etag()
    if etag is not None and not weak:
        # Another row of bytes with the same meaning.
        response.set_etag(etag, weak=True)
    return response
