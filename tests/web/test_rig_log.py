"""The log on the builder's page: for the host's phone only, the newest first."""

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from flask.testing import FlaskClient

from companion.core.languages import LANGUAGES
from companion.logs.log_lines import LogLine
from companion.logs.logging_setup import logging_to
from companion.report.bundle import Report
from companion.web.i18n import catalogue

from .workshop import Workshop, workshop


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    with workshop(tmp_path) as shop:
        log = shop.ship.services.log
        log.add(LogLine(0.0, logging.INFO, "companion.table.live_table", "Game 1 begins, with 3 seats."))
        log.add(
            LogLine(1.0, logging.WARNING, "companion.x", "<b>", "KeyError: 1", "Traceback\n  here\nKeyError: 1\n")
        )
        yield shop


def lines(client: FlaskClient) -> list[str]:
    html = client.get("/rig/log").text
    return [
        " ".join(unescape(re.sub(r"<[^>]+>", " ", part)).split())
        for part in re.findall(r"<li.*?</li>", html, re.DOTALL)
    ]


def test_the_host_reads_the_newest_first(shop: Workshop) -> None:
    """With level and module; what led to an error too, and nothing in it is taken for markup."""
    warning, info = lines(shop.ship.paired())
    assert warning.endswith("warning companion.x: <b> Traceback here KeyError: 1")
    assert info.endswith("info companion.table.live_table: Game 1 begins, with 3 seats.")


def test_it_can_be_had_as_text(shop: Workshop) -> None:
    """The oldest first, as a file has it."""
    answer = shop.ship.paired().get("/rig/log.txt")
    assert "text/plain; charset=utf-8" == answer.content_type
    first, second, *trace = answer.text.splitlines()
    assert first.endswith("info     companion.table.live_table: Game 1 begins, with 3 seats.")
    assert second.endswith("warning  companion.x: <b>")
    assert ["Traceback", "  here", "KeyError: 1"] == trace


def test_what_has_been_seen_does_not_come_again(shop: Workshop) -> None:
    """Whoever looks on asks every two seconds."""
    host = shop.ship.paired()
    assert 'data-count="2"' in host.get("/rig/log").text
    assert (204, b"") == ((answer := host.get("/rig/log?after=2")).status_code, answer.data)
    shop.ship.services.log.add(LogLine(2.0, logging.INFO, "x", "New."))
    assert 'data-count="3"' in host.get("/rig/log?after=2").text


@pytest.mark.parametrize("path", ["/rig/log", "/rig/log.txt", "/rig/report.zip"])
def test_nobody_else_reads_it(shop: Workshop, path: str) -> None:
    """Neither strangers nor another seat's phone; their page has no place for it."""
    shop.ship.paired(0)
    for other in (shop.ship.client(), shop.ship.paired(1)):
        answer = other.get(path)
        assert 403 == answer.status_code
        assert "Game 1 begins" not in answer.text
        assert 'id="log"' not in other.get("/rig").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_frame_speaks_the_hosts_language(shop: Workshop, language: str) -> None:
    """What is said in it is English."""
    html = shop.ship.paired().get("/rig", headers={"Accept-Language": language}).text
    said = catalogue(language).gettext
    assert f">{said('Log')}<" in html
    assert said("Report a problem") in html


def test_the_host_saves_a_report(shop: Workshop) -> None:
    """With the log, without names unless they are wished for."""
    game = {"type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0, "grid": "none"}
    shop.ship.tell(game)
    shop.ship.services.log.add(LogLine(2.0, logging.INFO, "x", "Ada is here."))
    host = shop.ship.paired()
    answer = host.get("/rig/report.zip")
    assert (200, "application/zip") == (answer.status_code, answer.mimetype)
    assert re.search(r'filename="table-companion-report-[\d-]+\.zip"', answer.headers["Content-Disposition"])
    with ZipFile(BytesIO(answer.data)) as archive:
        assert b"x: Seat 1 is here." in archive.read("log.txt")
        assert json.loads(archive.read("health.json"))["table"] is None
    with ZipFile(BytesIO(host.get("/rig/report.zip?names=on").data)) as archive:
        assert b"x: Ada is here." in archive.read("log.txt")


def test_one_report_is_made_at_a_time(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks meanwhile is told to ask again."""
    host, answers = shop.ship.paired(), list[int]()

    def ask_again(*_: object) -> Report:
        answers.append(host.get("/rig/report.zip").status_code)
        return Report(b"", (), ())

    monkeypatch.setattr("companion.web.rig_log_page.make_report", ask_again)
    assert 200 == host.get("/rig/report.zip").status_code
    assert [429] == answers


def test_another_program_of_this_machine_reads_the_log_with_the_password(shop: Workshop) -> None:
    """Which is written down for it; without one nobody needs to try."""
    client = shop.ship.client()

    def ask(token: str) -> int:
        return client.get("/rig/log.txt", headers={"Authorization": f"Bearer {token}"}).status_code

    assert [403, 403] == [ask(""), ask("sesame")]
    shop.ship.app.extensions["companion"] = replace(shop.ship.services, token="sesame")  # noqa: S106 - a test's
    assert [403, 403, 200] == [ask(""), ask("simsim"), ask("sesame")]


def test_games_and_refusals_are_logged_without_names(shop: Workshop) -> None:
    """A game that begins is news to whoever looks after the rig; who plays is not."""
    told: list[str] = []
    with logging_to(told.append, verbose=True):
        host = shop.ship.paired()
        game = {"type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0, "grid": "none"}
        assert 200 == shop.ship.say(host, game)[0]
        assert 422 == shop.ship.say(host, {"type": "press", "seat": 7})[0]
    whole = "\n".join(told)
    assert "info     companion.table.live_table: Game 1 begins, with 2 seats." in whole
    assert "debug    companion.web.pairing: A phone is paired for seat none." in whole
    assert "debug    companion.web.security: POST /api/events is refused with 422" in whole
    assert "Ada" not in whole


def test_what_the_journal_refuses_is_logged_with_its_cause(shop: Workshop, tmp_path: Path) -> None:
    """Whoever is to mend it sees where."""
    told: list[str] = []
    (tmp_path / "journal.db").rename(tmp_path / "gone.db")
    with logging_to(told.append) as log:
        assert 503 == shop.ship.client().get("/api/games").status_code
    (line,) = log.ring.lines()
    assert line.text.startswith("GET /api/games is refused with 503: ")
    assert "Traceback" in line.trace
    assert [] == told
