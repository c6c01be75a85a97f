"""What the rig and the demo have in common: the page, and what lives on it."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from socket import socket
from typing import TYPE_CHECKING, Final

from companion.app.running_file import announced
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
    """What there is for the page to show."""

    table: Table
    data: Path
    tally: ButtonStats
    lookout: "Vision | None"
    rig: Rig
    wired: int
    """At how many places of the table a button is, or would be."""
    language: str
    """Of the page, for a browser that speaks none of its languages."""
    log: Ring
    demo: bool = False
    config: Path | None = None
    """The rig.toml, where it is not the one in the data folder."""


@dataclass(frozen=True, slots=True)
class ServedPage:
    url: str
    pairing: Pairing


def serve(shown: PageParts, listening: socket, crew: Crew, parts: ExitStack) -> ServedPage:
    """It answers from now on, until `parts` are closed."""
    table, data, lookout, token = shown.table, shown.data, shown.lookout, token_urlsafe()
    pairing = Pairing(shown.tally, data / PHONES, wired=shown.wired, troubles=crew.troubles)
    health = Health(data, shown.tally, pairing.host, crew.wrong)
    feed = parts.enter_context(Feed(table, lookout, page_of, health, crew))
    archive = Archive(data / JOURNAL)
    parts.enter_context(SummaryWorker(archive, crew))
    services = Services(
        table,
        data / JOURNAL,
        feed,
        pairing,
        lookout,
        shown.tally,
        addresses_of(listening),
        archive=archive,
        demo=shown.demo,
        rig=shown.rig,
        language=shown.language,
        wired=shown.wired,
        log=shown.log,
        config=shown.config,
        token=token,
        crew=crew,
    )
    server = parts.enter_context(Server(create_app(services), listening))
    parts.enter_context(announced(data, services.addresses, token))
    if lookout is not None:
        from companion.rig.misread_photos import MisreadPhotos  # noqa: PLC0415 - without a camera nobody needs OpenCV

        parts.enter_context(MisreadPhotos(table, lambda: lookout.newest, data / MISREAD, crew=crew))
    return ServedPage(server.url, pairing)


def in_words(code: str) -> str:
    """What other programs look for."""
    return f"pairing code: {code}"


def with_code(words: str, code: str | None) -> str:
    """In one piece."""
    return words if code is None else f"{words}\n{in_words(code)}"
