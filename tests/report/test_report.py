"""`companion report`: one zip that tells all that is needed and nothing that is nobody's business."""

import json
import logging
import os
import re
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any
from zipfile import ZipFile

import pytest

from companion.app.build_rig import RunOptions, rig
from companion.app.config import RigPlan, SeatPlan
from companion.app.running_file import FILE, Running, announce, find_running
from companion.journal import Journal
from companion.logs.logging_setup import logging_to
from companion.report.bundle import Wish, make_report
from companion.report.report_parts import Sources, names_in, sources_from_outside
from companion.report.versions import versions
from companion.table.replay import replay
from companion.threads.worker import Crew

from ..kinds import mostly_slow
from ..said import Run

GOLDEN = Path(__file__).parents[1] / "games" / "goat" / "golden"
EVENINGS = sorted(path for path in GOLDEN.rglob("*.jsonl") if ".rulings" not in path.name)
PEOPLE = ("Ada", "Ben", "Zoë", "Jo Ann")
GAME = {"t": 1, "type": "game", "game": "goat", "seats": [*PEOPLE], "starter": 0, "grid": "none"}


def files_in(content: bytes) -> dict[str, str]:
    with ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def played(data: Path, *events: object) -> None:
    data.mkdir(exist_ok=True)
    with Journal.open(data / "journal.db") as journal:
        journal.append([json.dumps(event) for event in events])


def sources(data: Path, log: str = "", health: str = '{"ok": true}') -> Sources:
    return Sources(data, None, lambda: health, lambda: log)


def test_it_has_all_that_is_needed(run: Run, tmp_path: Path) -> None:
    """Without a running companion, and says so."""
    data = tmp_path / "data"
    played(data, GAME)
    (data / "rig.toml").write_text('camera = "none"\n')
    (data / "companion.log").write_text("what was kept\n")
    said = run("report", tmp_path / "report.zip")
    assert 0 == said.code
    assert "health.json could not be had: no companion runs with" in said.err
    files = files_in((tmp_path / "report.zip").read_bytes())
    assert {"says": {"camera": "none"}, "is_there": True} == {
        key: value for key, value in json.loads(files["config.json"]).items() if key != "file"
    }
    assert "what was kept\n" == files["log-kept.txt"]
    journal = json.loads(files["journal.json"])
    assert (1, 1, 2) == (journal["events"], journal["games"], journal["edition"])
    assert [4] == [game["seats"] for game in journal["newest_games"]]
    assert versions() == json.loads(files["versions.json"])
    assert "  health.json: no companion runs" in files["report.txt"]
    assert "Names: blotted out" in files["report.txt"]


def test_nothing_at_all_is_a_report_too(run: Run, tmp_path: Path) -> None:
    """Whoever has never played wants to say that it does not even begin."""
    assert 0 == run("report", tmp_path / "report.zip").code
    files = files_in((tmp_path / "report.zip").read_bytes())
    assert not json.loads(files["config.json"])["is_there"]
    assert {"report.txt", "versions.json", "config.json"} <= files.keys()


def test_a_folder_that_can_not_be_written_to_is_said(run: Run, tmp_path: Path) -> None:
    """And nothing is left behind."""
    said = run("report", tmp_path / "nowhere" / "report.zip")
    assert (1, "") == (said.code, said.out)
    assert "is the name right, and the folder?" in said.err


def people_of(evening: Path) -> set[str]:
    first = json.loads(evening.read_text().splitlines()[0])
    return set(first["seats"])


@pytest.mark.parametrize("evening", mostly_slow(EVENINGS, 20))
def test_no_name_of_any_evening_is_in_it(evening: Path, tmp_path: Path) -> None:
    """Whatever the log says of them, in the newest game or an older one; what is left can be judged again."""
    lines = [json.loads(line) for line in evening.read_text().splitlines()]
    played(tmp_path, *lines)
    names = people_of(evening)
    log = "\n".join(f"{name} slaps; {json.dumps(name)}; /history?who={name}" for name in names)
    (tmp_path / "companion.log").write_text(log)
    (tmp_path / "rig.toml").write_text(f'deck = "{max(names)}"\n')
    files = files_in(make_report(sources(tmp_path, log), Wish()).content)
    for file, text in files.items():
        for name in names:
            assert not re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", text), (file, name)
    blotted = [json.loads(line) for line in files["newest-game.jsonl"].splitlines()]
    assert [f"Seat {number}" for number in range(1, len(blotted[0]["seats"]) + 1)] == blotted[0]["seats"]
    assert list(replay(files["newest-game.jsonl"].encode().splitlines(keepends=True)))


def test_names_are_in_it_for_whoever_wishes(tmp_path: Path) -> None:
    """Secrets are not, nor which phones are paired."""
    played(tmp_path, GAME)
    (tmp_path / "phones.json").write_text('{"host": "somephonesdigest"}')
    (tmp_path / "rig.toml").write_text('[hall]\npassword = """two\nlines"""\nbroker = "mqtt://me:too@house"\n')
    made = make_report(sources(tmp_path, "Ada\npairing code: 123456"), Wish(names=True))
    files = files_in(made.content)
    assert "Ada\npairing code: …" == files["log.txt"]
    assert [*PEOPLE] == json.loads(files["newest-game.jsonl"].splitlines()[0])["seats"]
    for text in files.values():
        for secret in ("two", "me:too", "somephonesdigest", "123456"):
            assert secret not in text


def test_names_are_found_in_a_journal_that_can_not_be_read(tmp_path: Path) -> None:
    """And in one that was set aside: its people may stand in the log all the same."""
    played(tmp_path, GAME)
    path = tmp_path / "journal.db"
    path.rename(tmp_path / "journal.db.damaged-20260101-000000Z")
    content = bytearray((tmp_path / "journal.db.damaged-20260101-000000Z").read_bytes())
    content[:100] = bytes(100)
    (tmp_path / "journal.db").write_bytes(content)
    made = make_report(sources(tmp_path, "Jo Ann and Zoë"), Wish())
    files = files_in(made.content)
    assert "Person 4 and Person 3" == files["log.txt"]
    assert ["journal.db.damaged-20260101-000000Z"] == json.loads(files["journal.json"])["set_aside"]
    assert "wrong" in json.loads(files["journal.json"])
    assert "newest-game.jsonl" in dict(made.missing)


def test_a_name_at_the_edge_of_what_is_read_at_once_is_found(tmp_path: Path) -> None:
    """Big files are read piece by piece."""
    for begin in range((1 << 20) - 30, (1 << 20) + 5, 5):
        (tmp_path / "journal.db").write_bytes(b"x" * begin + b'"seats":["Ada","Ben"]')
        assert ("Ada", "Ben") == names_in(tmp_path).everybody


@pytest.mark.parametrize("part", ["health", "log"])
def test_what_can_not_be_had_costs_nothing_else(tmp_path: Path, part: str) -> None:
    """Whatever goes wrong with it."""

    def fail() -> str:
        raise ZeroDivisionError(f"of {PEOPLE[0]}\nand more")

    played(tmp_path, GAME)
    (tmp_path / "companion.log").mkdir()
    given: dict[str, Callable[[], str]] = {"health": lambda: "{}", "log": lambda: "", part: fail}
    made = make_report(Sources(tmp_path, None, given["health"], given["log"]), Wish())
    missing = dict(made.missing)
    assert "of Seat 1 and more" == missing["health.json" if part == "health" else "log.txt"]
    assert "directory" in missing["log-kept.txt"]
    assert "versions.json" in made.parts


def test_a_journal_that_is_somebody_elses_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names in it are not known then."""

    may: Any = Path.open

    def may_not(path: Path, *mode: Any, **more: Any) -> Any:
        if path.parent == tmp_path:
            raise PermissionError(13, "Permission denied", str(path))
        return may(path, *mode, **more)

    played(tmp_path, GAME)
    monkeypatch.setattr(Path, "open", may_not)
    (tmp_path / "journal.db").rename(tmp_path / "journal.db.replaced-20260101-000000Z")
    made = make_report(sources(tmp_path), Wish())
    assert "Permission denied" == dict(made.missing)["the names in journal.db.replaced-20260101-000000Z"]


def test_what_is_too_big_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report is for a letter."""
    monkeypatch.setattr("companion.report.report_parts.EVENTS", 1)
    monkeypatch.setattr("companion.report.report_parts.SCANNED", 10)
    played(tmp_path, GAME, {"t": 2, "type": "fix", "decks": [16, 14, 15, 15]})
    (tmp_path / "journal.db.damaged-20260101-000000Z").write_bytes(bytes(11))
    missing = dict(make_report(sources(tmp_path), Wish()).missing)
    assert "it is too big" == missing["the names in journal.db.damaged-20260101-000000Z"]
    assert "it has 2 events: `companion journal export` has them" == missing["newest-game.jsonl"]


def test_pictures_are_in_it_for_whoever_wishes(tmp_path: Path) -> None:
    """As they were taken."""
    (tmp_path / "misread").mkdir()
    (tmp_path / "misread" / "1-corrected.jpg").write_bytes(b"\xff\xd8 a goat \xff\xd9")
    assert not any("misread" in part for part in make_report(sources(tmp_path), Wish()).parts)
    made = make_report(sources(tmp_path), Wish(pictures=True))
    with ZipFile(BytesIO(made.content)) as archive:
        assert b"\xff\xd8 a goat \xff\xd9" == archive.read("misread/1-corrected.jpg")


@pytest.mark.usefixtures("chip")
def test_a_running_companion_is_asked(run: Run, tmp_path: Path) -> None:
    """It is found in the data folder; its log comes too, though no phone is paired."""
    data = tmp_path / "data"
    plan = RigPlan((SeatPlan(1), SeatPlan(2)), buttons="none", camera="none")
    told: list[str] = []
    with logging_to(told.append) as log, rig(RunOptions(plan, data, "127.0.0.1"), Crew(), told.append, log.ring):
        logging.getLogger("companion.somewhere").warning("The lamp is dark.")
        assert 0o600 == (data / FILE).stat().st_mode & 0o777
        running = find_running(data)
        assert running is not None
        said = run("report", tmp_path / "report.zip")
    files = files_in((tmp_path / "report.zip").read_bytes())
    assert 0 == said.code
    assert "table" in json.loads(files["health.json"])
    assert "warning  companion.somewhere: The lamp is dark." in files["log.txt"]
    assert not any(running.token in text for text in files.values())
    assert find_running(data) is None


def test_one_that_does_not_answer_is_said(tmp_path: Path) -> None:
    """It ran when the power went; or the address is somebody else's."""
    (tmp_path / FILE).write_text(json.dumps({"url": "http://127.0.0.1:1/", "token": "x", "pid": 1}))
    made = make_report(sources_from_outside(tmp_path, None, None), Wish())
    assert "no companion answers at http://127.0.0.1:1/" in dict(made.missing)["health.json"]
    (tmp_path / FILE).write_text('{"url": ')
    made = make_report(sources_from_outside(tmp_path, None, None), Wish())
    assert "no companion runs with" in dict(made.missing)["log.txt"]


class Refusing(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(403)
        self.end_headers()
        self.wfile.write(b"That's for\nthe host.")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own signature
        pass


def test_one_that_refuses_is_said(tmp_path: Path) -> None:
    """Somebody who may not read the data folder names the page and gets what everybody gets."""
    server = HTTPServer(("127.0.0.1", 0), Refusing)
    thread = Thread(target=server.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/"
    made = make_report(sources_from_outside(tmp_path, None, url), Wish())
    server.shutdown()
    thread.join()
    server.server_close()
    assert f"{url} answers 403: That's for the host." == dict(made.missing)["log.txt"]


def test_where_it_runs_is_said_as_long_as_it_runs(tmp_path: Path) -> None:
    """Also after one that was not ended in order; a folder that can't be written to ends nothing."""
    with announce(tmp_path, ("http://192.168.1.7:80/", "http://127.0.0.1:80/"), "token"):
        assert Running("http://127.0.0.1:80/", "token", os.getpid()) == find_running(tmp_path)
    assert [] == list(tmp_path.iterdir())
    with announce(tmp_path / "gone", ("http://127.0.0.1:80/",), "token"):
        assert find_running(tmp_path / "gone") is None
