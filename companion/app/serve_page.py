"""Starts the page's server and its services, for the rig and the demo alike, after `companion.app.open_table`."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from socket import socket
from typing import TYPE_CHECKING, Final

from companion.app.running_file import announce
from companion.history.archive import Archive
from companion.history.summary_worker import SummaryWorker
from companion.live.feed import Feed
from companion.live.health import Health
from companion.logs.log_lines import Ring
from companion.report.report_parts import MISREAD
from companion.rig.button_stats import ButtonStats
from companion.rig.protocols import Rig
from companion.table.live_table import Table
from companion.threads.worker import Crew
from companion.web import create_app
from companion.web.game_page import page_of
from companion.web.pairing import Pairing
from companion.web.server import Server, addresses_of
from companion.web.services import Services

if TYPE_CHECKING:
    from companion.rig.vision import Vision

JOURNAL: Final = "journal.db"
PHONES: Final = "phones.json"


@dataclass(frozen=True, slots=True)
class PageParts:
    """What the page needs to know and to show."""

    table: Table
    data: Path
    stats: ButtonStats
    vision: "Vision | None"
    rig: Rig
    wired: int
    """How many places of the table have a button, or would have one."""
    language: str
    """The page's fallback language, for a browser that asks for none of the page's languages."""
    log: Ring
    demo: bool = False
    config: Path | None = None
    """The rig.toml, where it is not the one in the data folder."""


@dataclass(frozen=True, slots=True)
class ServedPage:
    url: str
    pairing: Pairing


def serve(page: PageParts, listening: socket, crew: Crew, parts: ExitStack) -> ServedPage:
    """Serves the page until `parts` are closed, with live updates, pairing, the history and, where there is a
    camera, the pictures that were misread."""
    table, data, vision, token = page.table, page.data, page.vision, token_urlsafe()
    pairing = Pairing(page.stats, data / PHONES, wired=page.wired, troubles=crew.troubles)
    health = Health(data, page.stats, pairing.host, crew.wrong)
    feed = parts.enter_context(Feed(table, vision, page_of, health, crew))
    archive = Archive(data / JOURNAL)
    parts.enter_context(SummaryWorker(archive, crew))
    services = Services(
        table,
        data / JOURNAL,
        feed,
        pairing,
        vision,
        page.stats,
        addresses_of(listening),
        archive=archive,
        demo=page.demo,
        rig=page.rig,
        language=page.language,
        wired=page.wired,
        log=page.log,
        config=page.config,
        token=token,
        crew=crew,
    )
    server = parts.enter_context(Server(create_app(services), listening))
    parts.enter_context(announce(data, services.addresses, token))
    if vision is not None:
        from companion.rig.misread_photos import MisreadPhotos  # noqa: PLC0415 - without a camera nobody needs OpenCV

        parts.enter_context(MisreadPhotos(table, lambda: vision.newest, data / MISREAD, crew=crew))
    return ServedPage(server.url, pairing)


def code_in_words(code: str) -> str:
    """The console's line with the pairing code; other programs search the output for it."""
    return f"pairing code: {code}"


def with_code(words: str, code: str | None) -> str:
    """The words and the code as one text, so that no other line comes between them."""
    return words if code is None else f"{words}\n{code_in_words(code)}"
