"""The pages about earlier evenings: in every language, safe with any name, and everything to take along."""

import errno
import os
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.backups import restore_all
from companion.core.languages import LANGUAGES
from companion.history.archive import Archive
from companion.journal import Reader
from companion.web import create_app
from companion.web.downloads import AT_ONCE
from companion.web.services import Services

from ..games.goat.rules.play import game
from ..kinds import mostly_slow
from .past import DAY, EVENINGS, GOLDEN, Book, lines_of, raced, won_game

PICTURE = b"\xff\xd8 a picture"


class Kept:
    """A camera that has kept the picture before every grab, and none after."""

    def cutouts(self) -> tuple[int | None, ...]:
        return (None,) * 9

    def cutout(self, cell: int) -> bytes | None:  # noqa: ARG002 - it shows none
        return None

    def finish(self, game: int, t: int, which: str) -> bytes | None:  # noqa: ARG002 - the same for all
        return PICTURE if (game, which) == (1, "before") else None

    def words(self) -> str | None:
        return None


class Outline(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.fixture
def phone(book: Book, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    # However busy the machine is.
    monkeypatch.setattr(Archive.list_games, "__defaults__", (float("inf"),))
    nobody: Any = None
    return create_app(Services(nobody, book.path, nobody, nobody, camera=Kept())).test_client()


def look(phone: FlaskClient, path: str, language: str = "en") -> str:
    answer = phone.get(path, headers={"Accept-Language": language})
    assert 200 == answer.status_code, path
    return answer.text


def outline(page: str) -> Outline:
    found = Outline()
    found.feed(page)
    return found


def every_game(book: Book) -> Iterator[int]:
    return iter([summary.number for summary in book.summaries()])


def test_before_the_first_game_the_page_says_so(phone: FlaskClient) -> None:
    """And has no empty charts."""
    page = look(phone, "/history")

    assert "No game has been played yet." in page
    assert 'class="chart' not in page


@pytest.mark.parametrize("language", mostly_slow(LANGUAGES))
def test_every_golden_evening_has_its_pages(phone: FlaskClient, book: Book, language: str) -> None:
    """Whatever was recorded, each page is there, with every race's photo finish."""
    names = {
        "de": ("Zielfoto", "Rettungsring"),
        "en": ("Photo finish", "lifebuoy"),
        "es": ("Foto finish", "salvavidas"),
    }
    for evening in EVENINGS if language == "en" else EVENINGS[::6]:
        book.add(lines_of(evening), pause=DAY)
    page = look(phone, "/history", language)
    while 'class="adding"' in page:
        page = look(phone, "/history", language)

    told = "".join(look(phone, f"/game/{number}", language) for number in every_game(book))
    assert all(word in told for word in names[language])


@pytest.mark.parametrize("name", ["games.csv", "races.csv", "backup.db"])
def test_only_so_many_download_at_once(phone: FlaskClient, book: Book, name: str) -> None:
    """Who comes too many is asked to come again, and does so with success once another is through."""
    book.add(won_game(), won_game())
    loading = [phone.get("/history/races.csv", buffered=False) for _ in range(AT_ONCE)]
    first = [next(iter(answer.response)) for answer in loading]
    for _ in range(3):
        refused = phone.get(f"/history/{name}")
        assert (429, "5") == (refused.status_code, refused.headers["Retry-After"])
        assert "try again in a moment" in refused.text
    assert 200 == phone.get("/history").status_code
    loading[0].close()
    answer = phone.get(f"/history/{name}")
    assert 200 == answer.status_code
    assert name != "races.csv" or answer.data == first[1]
    answer.close()
    again = phone.get(f"/history/{name}")
    assert 200 == again.status_code
    again.close()
    loading[1].close()


def test_a_download_that_fails_gives_its_place_back(phone: FlaskClient, book: Book) -> None:
    """However often."""
    book.add(won_game())
    hidden = book.path.with_name("hidden")
    book.path.rename(hidden)
    book.path.mkdir()
    for _ in range(AT_ONCE + 1):
        assert 503 == phone.get("/history/backup.db").status_code
    book.path.rmdir()
    hidden.rename(book.path)
    with phone.get("/history/backup.db") as answer:
        assert 200 == answer.status_code


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            ("What is lost", "1 event, in or after the game of", "damaged", "up to there", "is not known"),
        ),
        ("de", ("Was verloren ist", "1 Ereignis, in der Partie", "beschädigt", "bis dorthin", "nicht bekannt")),
        ("es", ("Lo que se ha perdido", "1 suceso, en la partida", "dañada", "hasta ahí", "No se sabe")),
    ],
)
def test_what_a_damage_has_taken_is_said(
    phone: FlaskClient, book: Book, language: str, told: tuple[str, ...]
) -> None:
    """On the history's page and on the game's own; the other games are whole."""
    book.add(won_game(), won_game(("Cy", "Dora")), won_game())
    content = book.path.read_bytes()
    book.path.write_bytes(content.replace(b'"t": 13000000000', b'"t": 13000000009'))
    book.add(won_game())

    page = look(phone, "/history", language)
    assert all(words in page for words in told[:3])
    assert 1 == page.count(f'">{told[2]}') + page.count(f"\n        {told[2]}")
    page = look(phone, "/game/9", language)
    assert all(words in page for words in told[3:])
    for number in (1, 17, 25):
        assert told[3] not in look(phone, f"/game/{number}", language)


def test_a_name_is_a_name_on_every_page(phone: FlaskClient, book: Book) -> None:
    """Nobody can bring a script along by being called one."""
    book.add(won_game(("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>')))
    [number] = every_game(book)

    for path in ("/history", f"/game/{number}"):
        page = look(phone, path)
        found = outline(page)
        assert "&lt;script&gt;" in page
        assert not [tag for tag in found.tags if tag[0] == "script"]
        assert not [tag for tag in found.tags if tag[1].get("src") == "x" or "onerror" in tag[1]]


def test_no_style_stands_in_the_page(phone: FlaskClient, book: Book) -> None:
    """The policy forbids it, and a drawing needs none."""
    book.add(won_game())

    for path in ("/history", "/game/1"):
        assert not [tag for tag in outline(look(phone, path)).tags if "style" in tag[1] or tag[0] == "style"]


def test_no_two_things_on_a_page_have_one_name(phone: FlaskClient, book: Book) -> None:
    """Labels lead to what they label."""
    book.add(lines_of(GOLDEN / "a-whole-game-of-four.jsonl"), lines_of(GOLDEN / "two-last-ones.jsonl"))

    for path in ("/history", *(f"/game/{number}" for number in every_game(book))):
        own = [found for _, attrs in outline(look(phone, path)).tags if (found := attrs.get("id"))]
        assert len(own) == len(set(own))


def test_a_race_that_is_on_gives_its_set_away_to_nobody(phone: FlaskClient, book: Book) -> None:
    """Neither in words nor as a grid, as long as somebody still looks for it."""
    book.add([game(3), *raced(1, (0.4, 1))[:-1], {"t": 4_000_000_000, "type": "seen"}])
    page = look(phone, "/game/1")

    assert "Photo finish 1" in page
    assert "The set:" not in page
    assert "top row" not in page
    assert 'class="hit"' not in page


def test_the_set_is_shown_once_the_race_is_over(phone: FlaskClient, book: Book) -> None:
    """With what its cards share."""
    book.add([game(), *raced(1, (0.4, 1), (0.6, 0))])
    page = look(phone, "/game/1")

    assert "The set: top row: Pink" in page
    assert 3 == page.count('class="hit"')


def test_why_is_said_in_words(phone: FlaskClient, book: Book) -> None:
    """Each ruling with its reason."""
    book.add([game(), *raced(1, (0.4, 1), (0.6, 0))])
    page = look(phone, "/game/1")

    assert "Ben is safe: lifebuoy 1 of 1, 400.000 ms after the set came to be." in page
    assert "Ada is the slowest: pressed 200 ms after the last lifebuoy was gone. Took 3 cards." in page


def test_numbers_are_written_as_people_write_them(phone: FlaskClient, book: Book) -> None:
    """A comma in Germany and Spain, a point in England."""
    book.add([game(), *raced(1, (1.4, 1), (1.6, 0))])

    assert "1,400.000 ms" in look(phone, "/game/1", "en")
    assert "1.400,000 ms" in look(phone, "/game/1", "de")
    assert "1400,000 ms" in look(phone, "/game/1", "es") or "1.400,000 ms" in look(phone, "/game/1", "es")


def test_only_pictures_that_were_kept_are_shown(phone: FlaskClient, book: Book) -> None:
    """And served."""
    book.add(won_game())
    [t] = re.findall(r"/game/1/finish/(\d+)/before\.jpg", look(phone, "/game/1"))
    shown = phone.get(f"/game/1/finish/{t}/before.jpg")

    assert "after.jpg" not in look(phone, "/game/1")
    assert (PICTURE, "image/jpeg") == (shown.data, shown.mimetype)
    assert [404, 404] == [
        phone.get(f"/game/1/finish/{t}/{which}.jpg").status_code for which in ("after", "..%2Fbefore")
    ]


def test_an_unknown_game_is_not_found(phone: FlaskClient, book: Book) -> None:
    """Not even one with a number that no journal can hold."""
    book.add(won_game())

    assert {404} == {phone.get(f"/game/{number}").status_code for number in (0, 2, 2**63 - 1, 2**63, "x", -1)}


def test_a_page_of_evenings_beyond_the_last_is_the_last(phone: FlaskClient, book: Book) -> None:
    """Whatever stands in the address."""
    for _ in range(9):
        book.add(won_game(), pause=DAY)

    def shown(query: str) -> str:
        """But for where one comes back to in another language."""
        return look(phone, f"/history{query}").replace(f'value="/history{query}"', "")

    assert "Page 2 of 2" in shown("?page=2")
    assert shown("?page=2") == shown("?page=99")
    assert shown("") == shown("?page=-3") == shown("?page=x")


def test_a_full_disk_is_why_there_is_no_backup(
    phone: FlaskClient, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sentence; the next one gets it."""
    book.add(won_game())

    def no_room(**_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/backup")  # noqa: S108 - only named

    with monkeypatch.context() as full:
        full.setattr("companion.web.history_pages.TemporaryDirectory", no_room)
        answer = phone.get("/history/backup.db", headers={"Accept": "application/json"})
    assert 503 == answer.status_code
    assert "No backup can be made at the moment: the disk under /tmp/backup is full: make room" in answer.text
    with phone.get("/history/backup.db") as again:
        assert 200 == again.status_code


def test_the_backup_is_a_journal(phone: FlaskClient, book: Book, tmp_path: Path) -> None:
    """Whole, sound, and nothing of its making is left behind."""
    book.add(won_game(), won_game())
    answer = phone.get("/history/backup.db")
    copy = tmp_path / "copy.db"
    copy.write_bytes(answer.data)
    answer.close()

    assert int(answer.headers["Content-Length"]) == len(answer.data)
    assert "attachment" in answer.headers["Content-Disposition"]
    with Reader.open(copy) as there, Reader.open(book.path) as here:
        assert list(here.entries()) == list(there.entries())
    # Another one may be made now.
    with phone.get("/history/backup.db") as again:
        assert 200 == again.status_code


def test_everything_can_be_taken_along(phone: FlaskClient, book: Book, tmp_path: Path) -> None:
    """As the command line makes it, and takes it back."""
    book.add(won_game())
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "goats.deck").write_bytes(b"taught")
    with phone.get("/history/backup.zip") as answer:
        assert "table-companion-" in answer.headers["Content-Disposition"]
        assert int(answer.headers["Content-Length"]) == len(answer.data)
        (tmp_path / "kept.zip").write_bytes(answer.data)
    restore_all(tmp_path / "kept.zip", tmp_path / "other")
    assert b"taught" == (tmp_path / "other" / "models" / "goats.deck").read_bytes()
    with Reader.open(tmp_path / "other" / "journal.db") as there:
        assert 1 == len(there.games())


@pytest.mark.parametrize(("language", "link"), [("en", "everything"), ("de", "von allem"), ("es", "de todo")])
def test_a_backup_of_everything_is_called_so(phone: FlaskClient, book: Book, language: str, link: str) -> None:
    """And leads to one."""
    book.add(won_game())
    assert re.search(rf'href="/history/backup\.zip">[^<]*{link}</a>', look(phone, "/history", language))


def test_without_a_journal_there_is_nothing_to_back_up(phone: FlaskClient) -> None:
    """And the phone is told so."""
    assert 404 == phone.get("/history/backup.db").status_code


def test_tables_can_be_taken_along(phone: FlaskClient, book: Book) -> None:
    """All games and all races, marked as UTF-8 for table programs."""
    book.add(won_game(("Ada", "Jürgen")))

    for name in ("games", "races"):
        answer = phone.get(f"/history/{name}.csv")
        assert answer.data.startswith(b"\xef\xbb\xbf")
        assert "Jürgen" in answer.data.decode("utf-8-sig")
        assert f'filename="{name}.csv"' in answer.headers["Content-Disposition"]


def test_a_game_s_recording_is_offered(phone: FlaskClient, book: Book) -> None:
    """And the play as a link, for it is over."""
    book.add(won_game())
    links = [attrs.get("href") or "" for tag, attrs in outline(look(phone, "/game/1")).tags if tag == "a"]

    assert "/api/games/1.jsonl" in links
    assert any(link.startswith("https://app.bgstatsapp.com/createPlay.html?data=") for link in links)


def test_a_long_history_is_added_up_bit_by_bit(
    phone: FlaskClient, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page comes at once, says how many games are missing, and a script asks on."""
    book.add(won_game(), won_game(), won_game())
    monkeypatch.setattr(Archive.list_games, "__defaults__", (-1.0,))

    assert "2 older games are not counted yet." in look(phone, "/history")
    assert "history.js" in look(phone, "/history")
    assert 'class="adding"' not in look(phone, "/history")
