"""The pages in a real browser: true, live, readable and usable, whatever happens to the line."""

import re
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Response, Route, expect

from companion.core.languages import LANGUAGES
from companion.drawn.drawn_lot import scene_by_lot
from companion.drawn.painter import paint
from companion.games.goat.cast.supplied_deck import goat_faces
from companion.rig.race_photos import RacePhotos
from companion.rig.vision import Vision

from ..demo.evenings import S, eyes
from .harbour import Event, Harbour, PaperCamera, evening
from .looking import (
    SIZES,
    Watch,
    album,
    broken_words,
    by_day_and_by_night,
    opened,
    settled,
    sideways,
    untranslated,
    violations,
)
from .stages import stage_alarm, stage_blind, stage_none, stage_over, stage_pickup, stage_race, stage_six

PAGES = ("/", "/tv", "/seat/1", "/host", "/join", "/history")
WITH_CARDS = ("/", "/tv")
FIRST_LOAD = 60_000


STAGES = (stage_none, stage_race, stage_pickup, stage_alarm, stage_over, stage_blind)


@pytest.mark.parametrize("stage", STAGES)
def test_axe_finds_nothing(chromium: Browser, harbour: Harbour, stage: Callable[[Harbour], None]) -> None:
    """No page, in no phase, in the light or the dark, shuts anybody out; nor does the browser complain."""
    stage(harbour)
    found: list[str] = []
    with chromium.new_context(viewport={"width": 390, "height": 844}, locale="de") as context:
        watch = Watch(context, harbour.url)
        page = context.new_page()
        for path in PAGES:
            answer = page.goto(harbour.url + path)
            # A seat at which nobody sits is no page that a family finds, but it is there all the same.
            assert answer is not None
            assert 200 == answer.status
            for scheme in by_day_and_by_night(page):
                found += violations(page, f"{path} {scheme}")
            found += untranslated(page, "de")
    assert [] == found + watch.wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_is_lost_finds_back(chromium: Browser, harbour: Harbour, language: str, tmp_path: Path) -> None:
    """An address that leads nowhere shows a page like all the others, in everybody's language, on a small phone;
    it can be read in another one there and then, and leads to the table."""
    with chromium.new_context(viewport={"width": 320, "height": 640}, locale=language) as context:
        page = context.new_page()
        for path, beyond in sideways(page, ("/nowhere",), harbour.url):
            assert (path, 0) == (path, beyond)
        assert [] == untranslated(page, language)
        for scheme in by_day_and_by_night(page):
            assert [] == violations(page, scheme)
            (album(tmp_path) / f"astray-{scheme}-{language}.png").write_bytes(page.screenshot())
        page.click(".languages [value=en]")
        expect(page.locator("h1")).to_have_text("Nothing but water")
        assert page.url == f"{harbour.url}/nowhere"
        page.click("text=To the table")
        expect(page.locator("#face")).to_be_visible()


def test_dialogs_are_for_everybody_too(phone: Page, harbour: Harbour) -> None:
    """The dialogs for pairing and correcting pass axe, open."""
    stage_race(harbour)
    phone.goto(f"{harbour.url}/host")
    phone.click("#pair")
    assert [] == violations(phone, "pairing")
    phone.click("button:text-is('Just watch')")
    phone.click("[data-fix-cell='4']")
    assert [] == violations(phone, "correcting")


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_lies_beyond_the_edge(chromium: Browser, harbour: Harbour, language: str) -> None:
    """In every language, from a small phone to a television, nobody has to push a page sideways."""
    stage_alarm(harbour)
    with chromium.new_context(locale=language) as context:
        page = context.new_page()
        for path in PAGES:
            assert [(path, 0)] * len(SIZES) == list(sideways(page, (path,), harbour.url, SIZES.values()))
            assert (path, []) == (path, untranslated(page, language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [320, 360])
def test_no_word_is_broken(chromium: Browser, harbour: Harbour, language: str, width: int) -> None:
    """Nor is a title written letter by letter: on the smallest phones every word stands in one line."""
    stage_alarm(harbour)
    with chromium.new_context(viewport={"width": width, "height": 568}, locale=language) as context:
        page = context.new_page()
        for path in PAGES:
            page.goto(harbour.url + path)
            opened(page)
            settled(page)
            assert (path, []) == (path, broken_words(page))


def test_the_longest_names_fit_the_smallest_phone(chromium: Browser, harbour: Harbour) -> None:
    """Whatever people are called, nobody has to push a page sideways, in no phase."""
    names = {
        "Ada": "W" * 40,
        "Ben": "Donaudampfschifffahrtsgesellschaftskapit",
        "Cy": "\N{GOAT}" * 40,
        "Dora": "شهرزاد" * 6,
    }
    events = iter(evening(names))
    with chromium.new_context(viewport={"width": 320, "height": 568}, locale="de") as context:
        page = context.new_page()
        for phase in ("race", "pickup", "over"):
            harbour.until(events, phase)
            assert [(path, 0) for path in PAGES] == list(sideways(page, PAGES, harbour.url))


def test_at_200_percent_nothing_is_lost(chromium: Browser, harbour: Harbour) -> None:
    """On a laptop zoomed to 200 % the table is still all there, and nothing has to be pushed sideways."""
    stage_race(harbour)
    with chromium.new_context(viewport={"width": 683, "height": 384}, device_scale_factor=2) as context:
        page = context.new_page()
        assert [(path, 0) for path in PAGES] == list(sideways(page, PAGES, harbour.url))
        page.goto(harbour.url)
        expect(page.locator(".cell")).to_have_count(9)
        expect(page.locator(".seat-row").last).to_be_visible()


@pytest.mark.parametrize("stage", [stage_alarm, stage_six])
def test_the_television_is_read_from_two_metres(
    chromium: Browser, harbour: Harbour, stage: Callable[[Harbour], None]
) -> None:
    """All of it is on one screen; names, counts and headline are at least 3 % of its height."""
    stage(harbour)
    with chromium.new_context(viewport={"width": 1920, "height": 1080}, locale="en") as context:
        page = context.new_page()
        page.goto(f"{harbour.url}/tv")
        for what in ("#now", ".seat-row .name", ".seat-row .number", "#alarm"):
            expect(page.locator("#lamps")).to_have_attribute("data-as", re.compile("Ada"))
            size = page.locator(what).first.evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)")
            assert size >= 1080 * 0.03, what
        for what in (".seats-house", ".grid-house", ".log-house"):
            assert page.locator(what).evaluate("(it) => it.getBoundingClientRect().bottom") <= 1080, what


@pytest.fixture(scope="module")
def nine_cards(tmp_path_factory: pytest.TempPathFactory) -> Vision:
    """As a camera sees them by lamplight, with its noise."""
    lookout = Vision(eyes(), RacePhotos(tmp_path_factory.mktemp("finishes")))
    pixels, _ = paint(scene_by_lot(4, goat_faces(), light="evening", filled=1))
    for t in range(1, 6):
        lookout.see(np.asarray(pixels, np.uint8), t * S // 5)
    return lookout


@pytest.mark.parametrize("path", ["/", "/tv", "/seat/1", "/host"])
def test_a_first_look_is_small_and_stays_in_the_house(
    chromium: Browser, harbour: Harbour, camera: PaperCamera, nine_cards: Vision, path: str
) -> None:
    """The first load is under 60 kB in all, on the wire, with the camera's picture of a card in every cell; and
    nothing is asked of any other machine."""
    stage_race(harbour)
    camera.versions = nine_cards.cutouts()
    camera.pictures = tuple(map(nine_cards.cutout, range(9)))
    assert None not in camera.pictures
    answers: list[Response] = []

    def note(answer: Response) -> None:
        answers.append(answer)

    with chromium.new_context() as context:
        page = context.new_page()
        page.on("response", note)
        page.goto(harbour.url + path)
        page.wait_for_load_state("load")
        if path in WITH_CARDS:
            expect(page.locator(".cutout:visible")).to_have_count(9)
            page.evaluate("Promise.all([...document.querySelectorAll('.cutout')].map((image) => image.decode()))")
        assert [] == [answer.url for answer in answers if not answer.url.startswith(harbour.url)]
        # The line stays open: it never comes to an end that could be measured.
        loaded = [answer.request.sizes() for answer in answers if "/api/events" not in answer.url]
    assert len(loaded) > (9 if path in WITH_CARDS else 0)
    total = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in loaded)
    assert 10_000 < total < FIRST_LOAD


def test_it_shows_the_table_without_a_script(chromium: Browser, harbour: Harbour) -> None:
    """Where no script runs, the page still shows cards, decks, whose turn it is and what has been ruled."""
    stage_over(harbour)
    with chromium.new_context(java_script_enabled=False, locale="en") as context:
        page = context.new_page()
        page.goto(harbour.url)
        expect(page.locator("#now")).to_have_text("Ben wins!")
        expect(page.locator(".cell .what").nth(3)).to_have_text(re.compile("Rowboat Pink"))
        expect(page.locator(".seat-row .number").first).to_have_text("23")
        expect(page.locator("#log li").first).to_have_text("Ben wins!")


def test_what_happens_is_seen_at_once(phone: Page, harbour: Harbour) -> None:
    """A card that is laid, the lamps of a race in order with the gaps between them, the debt: all of it live."""
    events = iter(evening())
    harbour.tell(next(events))
    phone.goto(harbour.url)
    expect(phone.locator("#now")).to_have_text("Ada's turn")
    harbour.tell(next(events))
    expect(phone.locator("[data-cell='5'] .what")).to_have_text(re.compile("Ring Yellow"))
    expect(phone.locator("#now")).to_have_text("Ben's turn")
    expect(phone.locator("[data-seat='0'] .number")).to_have_text("14")
    harbour.until(events, "race")
    expect(phone.locator(".lamp.on")).to_have_text(["Ben501 ms"])
    harbour.until(events, "pickup")
    expect(phone.locator(".lamp.on")).to_have_text(["Ben501 ms", "Dora+184 ms", "Ada+401 ms"])
    expect(phone.locator(".lamp.swims")).to_have_text(re.compile("Cy"))
    expect(phone.locator("[data-asked]")).to_have_count(3)
    expect(phone.locator("#ruling p").last).to_have_text(
        "Cy is the slowest and picks up top left, centre and bottom right (3 cards)."
    )


def test_a_set_is_for_people_to_find(phone: Page, harbour: Harbour) -> None:
    """With a set on the grid that nobody has grabbed, no cell looks, or is called, other than without it."""
    phone.goto(harbour.url)
    harbour.tell({"t": 0, "type": "game", "game": "goat", "seats": ["Ada", "Ben"], "starter": 0})
    for cell, boat in enumerate(("raft", "ring", "jetski")):
        harbour.tell({"t": cell + 1, "type": "card", "cell": cell, "boat": boat, "colour": "pink"})
    expect(phone.locator("[data-cell='2'] .what")).to_have_text(re.compile("Jet ski Pink"))
    snapshot = harbour.table.snapshot
    assert snapshot.state is not None
    assert ((0, 1, 2),) == snapshot.state["sets"]
    looks = phone.locator(".cell").evaluate_all(
        "(cells) => cells.map((cell) => [...cell.attributes].map((one) => one.name).sort().join())"
    )
    assert 9 == len(looks)
    assert 1 == len(set(looks))
    assert "data-asked" not in looks[0]
    assert "set" not in (phone.locator("main").inner_text()).lower().replace("seats", "")


def test_a_restart_is_survived_without_a_reload(phone: Page, tmp_path: Path) -> None:
    """While the rig is away the page says that it may be old; soon after it is back, the page is true."""
    events = iter(evening())
    with Harbour(tmp_path) as first:
        first.tell(next(events), next(events))
        phone.goto(first.url)
        expect(phone.locator("[data-cell='5'] .what")).to_have_text(re.compile("Ring Yellow"))
        phone.evaluate("window.sameLoad = true")
    expect(phone.locator("#line")).to_have_text(re.compile("may be old"))
    with Harbour(tmp_path, port=first.port) as second:
        second.tell(next(events), next(events))
        expect(phone.locator("[data-cell='0'] .what")).to_have_text(re.compile("Rowboat Pink"))
        expect(phone.locator("#line")).to_be_hidden()
        assert phone.evaluate("window.sameLoad") is True
        phone.goto("about:blank")


def test_a_phone_that_lost_the_wifi_is_true_again(phone: Page, harbour: Harbour) -> None:
    """Without a line nothing new comes; soon after it is back all of it has."""
    events = iter(evening())
    harbour.tell(next(events), next(events))
    phone.goto(harbour.url)
    expect(phone.locator("#now")).to_have_text("Ben's turn")
    phone.context.set_offline(True)
    expect(phone.locator("#line")).to_be_visible()
    harbour.tell(next(events), next(events))
    phone.context.set_offline(False)
    expect(phone.locator("#now")).to_have_text("Cy's turn")
    expect(phone.locator("#line")).to_be_hidden()


def test_a_phone_that_heard_nothing_reads_out_what_it_missed(phone: Page, harbour: Harbour) -> None:
    """After eight seconds of silence it asks anew; what was ruled in between is heard, in order and once."""
    phone.clock.install()
    events = iter(evening())
    harbour.tell(next(events))
    phone.goto(harbour.url)
    harbour.until(events, "race")
    expect(phone.locator("#ruling p")).to_have_text(["Ben has lifebuoy 1, after 501 ms."])
    asked: list[str] = []

    def hold(route: Route) -> None:
        # The old line has been given up; the new one has not begun.
        asked.append(route.request.url.removeprefix(harbour.url))
        if len(asked) == 1:
            missed.append(harbour.table.snapshot.number)
            harbour.until(events, "pickup")
        route.continue_()

    missed: list[int] = []
    phone.route("**/api/events?last=*", hold)
    phone.clock.fast_forward(9_000)
    expect(phone.locator("#ruling p")).to_have_text([
        "Ben has lifebuoy 1, after 501 ms.",
        "Dora has lifebuoy 2, after 685 ms.",
        "Ada has lifebuoy 3, after 902 ms.",
        "Cy is the slowest and picks up top left, centre and bottom right (3 cards).",
    ])  # fmt: skip
    expect(phone.locator("#line")).to_be_hidden()
    assert f"/api/events?last={missed[0]}" == asked[0]


def before_the_line(phone: Page, harbour: Harbour) -> Route:
    """The page is there, and its line is held back."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    phone.route("**/api/events?last=*", hold)
    phone.goto(harbour.url)
    while not held:
        phone.wait_for_timeout(20)
    return held[0]


def test_what_is_ruled_before_the_line_is_there_is_heard(phone: Page, harbour: Harbour) -> None:
    """A page that takes long to load misses nothing either."""
    events = iter(evening())
    harbour.tell(next(events))
    line = before_the_line(phone, harbour)
    harbour.until(events, "race")
    line.continue_()
    expect(phone.locator("#ruling p")).to_have_text(["Ben has lifebuoy 1, after 501 ms."])


def test_nobody_is_taken_for_somebody_else(phone: Page, harbour: Harbour) -> None:
    """While a phone slept a game ended and other people sat down: it reads out nothing about seats whose people it
    can't tell apart, and goes on with the new ones."""
    for event in evening():
        harbour.tell(event)
    line = before_the_line(phone, harbour)
    begun, first = (
        {"type": "game", "game": "goat", "seats": ["Zoe", "Yan"], "starter": 0},
        {"type": "call", "seat": 1},
    )
    harbour.tell(begun, first)
    line.continue_()
    expect(phone.locator(".seat-row .name")).to_have_text(["Zoe", "Yan"])
    harbour.tell({"type": "call", "seat": 0})
    expect(phone.locator("#ruling p")).to_have_text(["Zoe called, but it changes nothing."])


def test_other_people_sit_down_without_a_reload(phone: Page, harbour: Harbour) -> None:
    """When the next game has more seats, the page that showed the last one shows them."""
    stage_over(harbour)
    phone.goto(harbour.url)
    expect(phone.locator(".seat-row")).to_have_count(4)
    harbour.tell({"type": "game", "game": "goat", "seats": list("ABCDEF"), "starter": 2})
    expect(phone.locator(".seat-row")).to_have_count(6)
    expect(phone.locator("#now")).to_have_text("C's turn")


def test_a_screen_reader_hears_rulings_and_no_noise(phone: Page, harbour: Harbour) -> None:
    """What speaks by itself is the line, the rulings and the answer, from the first moment on; a card that is laid
    and a turn that passes say nothing, a grab says one sentence."""
    events = iter(evening())
    harbour.tell(next(events))
    phone.goto(harbour.url)
    speaking = phone.locator("[role=status], [role=log], [role=alert], [aria-live]")
    assert ["line", "ruling", "answer", "pairing-word"] == speaking.evaluate_all(
        "(all) => all.map((one) => one.id)"
    )
    harbour.tell(next(events), next(events), next(events))
    expect(phone.locator("#now")).to_have_text("Cy's turn")
    expect(phone.locator("#ruling p")).to_have_count(0)
    harbour.until(events, "race")
    expect(phone.locator("#ruling p")).to_have_text(["Ben has lifebuoy 1, after 501 ms."])


def test_who_wants_no_motion_gets_none(chromium: Browser, harbour: Harbour) -> None:
    """A card that is laid moves nothing where somebody has asked for that; elsewhere it does."""
    bare: Event = {"type": "fix", "decks": [15] * 4, "piles": [0] * 9, "tops": dict.fromkeys("012345678")}
    for wish, first in (("reduce", evening()[0]), ("no-preference", bare)):
        harbour.tell(first)
        with chromium.new_context(reduced_motion="reduce" if wish == "reduce" else "no-preference") as context:
            page = context.new_page()
            page.goto(harbour.url)
            page.evaluate(
                "void (window.moved = new Promise((then) => addEventListener('animationstart', () => then(1))))"
            )
            expect(page.locator("#lamps")).to_have_attribute("data-as", re.compile("Ada"))
            harbour.tell({"type": "card", "cell": 4, "boat": "raft", "colour": "pink"})
            expect(page.locator("[data-cell='4'].fresh")).to_be_attached()
            if wish == "reduce":
                moving = "[...document.querySelectorAll('*')].filter((it) => it.getAnimations().length).length"
                assert 0 == page.evaluate(moving)
            else:
                assert 1 == page.evaluate("window.moved")


def test_the_next_games_name_stands_above_it(phone: Page, harbour: Harbour) -> None:
    """A page that was opened before the first game has its name when it begins, above it and on the tab."""
    phone.goto(harbour.url)
    expect(phone.locator(".mark")).to_have_text("The table companion")
    harbour.tell(evening()[0])
    expect(phone.locator(".mark")).to_have_text("Row Your Goat")
    expect(phone).to_have_title("Row Your Goat")


def test_a_picture_that_has_passed_is_no_broken_one(phone: Page, harbour: Harbour, camera: PaperCamera) -> None:
    """Where a card has moved on before its picture came, the drawn one is shown alone."""
    events = iter(evening())
    harbour.tell(next(events), next(events))
    phone.goto(harbour.url)
    # No picture: what comes is no JPEG.
    camera.versions = (None,) * 5 + (7,) + (None,) * 3
    with phone.expect_response("**/cut/5/7.webp"):
        pass
    expect(phone.locator("[data-cell='5'] .cutout")).to_have_attribute("src", "/cut/5/7.webp")
    expect(phone.locator(".cutout:visible")).to_have_count(0)


def test_a_picture_that_has_passed_is_no_error(chromium: Browser, harbour: Harbour, camera: PaperCamera) -> None:
    """Nor does the browser note one, when the card moves on while its picture is asked for."""
    harbour.tell(*evening()[:2])
    with chromium.new_context() as context:
        watch = Watch(context, harbour.url)
        page = context.new_page()

        def overtake(route: Route) -> None:
            camera.versions = (None,) * 9
            route.continue_()

        page.route("**/cut/5/7.webp", overtake)
        page.goto(harbour.url)
        expect(page.locator("#lamps")).to_have_attribute("data-as", re.compile("Ada"))
        with page.expect_response("**/cut/5/7.webp") as answer:
            camera.versions = (None,) * 5 + (7,) + (None,) * 3
        assert 204 == answer.value.status
        expect(page.locator("[data-cell='5'] .cutout")).to_be_hidden()
        assert [] == watch.wrong


def test_a_name_is_a_name(phone: Page, harbour: Harbour) -> None:
    """Whatever somebody calls themselves stands there letter by letter."""
    name = "<script>alert(1)</script>{seat}&amp;"
    harbour.tell({"t": 0, "type": "game", "game": "goat", "seats": [name, "</script>Ben"], "starter": 0})
    for path in ("/", "/seat/0", "/host"):
        phone.goto(harbour.url + path)
        expect(phone.locator("#now")).to_have_text(f"{name}'s turn")
    harbour.tell({"type": "fix", "decks": [1, 59]})
    harbour.tell({"type": "call", "seat": 0})
    expect(phone.locator("#ruling p").last).to_have_text(f"{name} called, but it changes nothing.")


def test_the_cameras_own_picture_lies_beside_the_drawn_card(
    phone: Page, harbour: Harbour, camera: PaperCamera
) -> None:
    """Where the camera has surely read a card its picture is shown; where it may not be, none is asked for."""
    _, packed = cv2.imencode(".webp", np.full((88, 63, 3), 128, np.uint8))
    camera.pictures = (packed.tobytes(),) * 9
    events = iter(evening())
    harbour.tell(next(events), next(events))
    phone.goto(harbour.url)
    expect(phone.locator(".cutout:visible")).to_have_count(0)
    camera.versions = (None,) * 5 + (7,) + (None,) * 3
    shown = phone.locator("[data-cell='5'] .cutout")
    expect(shown).to_be_visible()
    assert 63 == shown.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }")
    expect(phone.locator(".cutout:visible")).to_have_count(1)
    # A hand passes over it: the same picture is shown again, and is not asked for again.
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    camera.versions = (None,) * 9
    expect(phone.locator(".cutout:visible")).to_have_count(0)
    camera.versions = (None,) * 5 + (7,) + (None,) * 3
    expect(shown).to_be_visible()
    assert [] == [url for url in asked if "/cut/" in url]


def test_the_cameras_trouble_is_said(phone: Page, harbour: Harbour, camera: PaperCamera) -> None:
    """What is wrong with the camera stands on the page in words, until it is well again."""
    stage_race(harbour)
    phone.goto(harbour.url)
    camera.wrong = "lost"
    expect(phone.locator("#line")).to_have_text(re.compile("^The camera doesn't see the grid"))
    camera.wrong = None
    expect(phone.locator("#line")).to_be_hidden()


def test_a_language_is_chosen_for_good(phone: Page, harbour: Harbour) -> None:
    """The button changes the page and stays chosen; the cookie is for no script to read."""
    stage_over(harbour)
    phone.goto(f"{harbour.url}/seat/1")
    phone.click(".languages [value=es]")
    expect(phone.locator("#now")).to_have_text("¡Gana Ben!")
    assert phone.url == f"{harbour.url}/seat/1"
    phone.goto(harbour.url)
    expect(phone.locator(".mark")).to_have_text(re.compile("¡Tu cabra rema!"))
    assert "" == phone.evaluate("document.cookie")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_is_followed_in_every_language(chromium: Browser, harbour: Harbour, language: str) -> None:
    """From the first card to the win, without an error and without a word from another language's page."""
    wrong: list[str] = []
    with chromium.new_context(viewport={"width": 1366, "height": 768}, locale=language) as context:
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.goto(harbour.url)
        begun, *events = evening()
        harbour.tell(begun)
        # Built by the server, and taken over by the script.
        expect(page.locator("#lamps")).to_have_attribute("data-as", re.compile("Ada"))
        harbour.tell(*events)
        expect(page.locator("#now")).to_have_text(re.compile(r"Ben"))
        expect(page.locator(".goat-table")).to_have_attribute("data-phase", "over")
        rulings = page.locator("#ruling p").all_text_contents()
        assert len(rulings) > 5
        assert [] == [word for word in rulings if "{" in word or "undefined" in word]
    assert [] == wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_there_to_be_looked_at(chromium: Browser, harbour: Harbour, language: str, tmp_path: Path) -> None:
    """Pictures of the table on every kind of screen, by day and by night, for people to judge."""
    folder = album(tmp_path)
    stage_pickup(harbour)
    for name, (width, height) in SIZES.items():
        with chromium.new_context(viewport={"width": width, "height": height}, locale=language) as context:
            page = context.new_page()
            page.goto(harbour.url + ("/tv" if name == "television" else "/"))
            expect(page.locator(".lamp.swims")).to_be_visible()
            for scheme in by_day_and_by_night(page):
                picture = page.screenshot(full_page=width < 1000)
                (folder / f"{name.replace(' ', '-')}-{scheme}-{language}.png").write_bytes(picture)
                assert len(picture) > 30_000
