"""Compresses answers with gzip: a family's first page load goes over a Wi-Fi that six phones share."""

import gzip
from typing import Final

from flask import Flask, Response, request

# Smaller bodies: gzip's header outweighs the saving.
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
    # A stream without a length is live: compressing it would buffer it.
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
        # Weak ETag: other bytes, same meaning.
        response.set_etag(etag, weak=True)
    return response
