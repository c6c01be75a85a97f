"""What people do on the pages: calling, accusing, and all that the host does, within three taps."""

import re
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from .harbour import Event, Harbour
from .stages import stage_alarm, stage_blind, stage_over, stage_pickup, stage_race

BEGUN: Event = {"type": "game", "game": "goat", "seats": ["Ada", "Ben", "Cy"], "starter": 0}


def card(cell: int, boat: str, colour: str) -> Event:
    return {"type": "card", "cell": cell, "boat": boat, "colour": colour}


def paired(phone: Page, harbour: Harbour) -> None:
    """Types the code into the dialog that has opened by itself."""
    code = harbour.pairing.code
    assert code is not None
    phone.fill("#code", code)
    phone.keyboard.press("Enter")
    expect(phone.locator("#pairing")).to_be_hidden()


def test_a_seat_calls_from_its_phone(phone: Page, harbour: Harbour) -> None:
    """The first call asks for the code, and is then made; an accusation names a seat; its times are listed."""
    stage_alarm(harbour)
    phone.goto(f"{harbour.url}/seat/1")
    expect(phone.locator("#count")).to_have_text("1")
    expect(phone.locator("#times li")).not_to_have_count(0)
    phone.click("#call")
    paired(phone, harbour)
    expect(phone.locator("#answer")).to_have_text("Ben calls: “Goat on board!”")
    phone.click("text=Goat overboard!")
    phone.click("[data-accuse='0']")
    expect(phone.locator("#answer")).to_have_text("Ben called, but it changes nothing.")


def raced(harbour: Harbour) -> None:
    """A set lies there, and Ada has already grabbed: one lifebuoy is left for Ben and Cy."""
    later: list[Event] = [card(0, "raft", "pink"), card(1, "ring", "pink"), card(2, "jetski", "pink")]
    for event in [*later, {"type": "press", "seat": 0}, {"type": "seen"}]:
        harbour.now += 500_000_000
        harbour.tell(event)


def sits(phone: Page, harbour: Harbour, seat: int) -> None:
    """Opened and paired before anything happens."""
    phone.goto(f"{harbour.url}/seat/{seat}")
    phone.click("#pair")
    paired(phone, harbour)


def test_a_phone_is_slapped_where_there_are_no_buttons(phone: Page, harbour: Harbour) -> None:
    """The press is there while the finger is still down; the last lifebuoy makes the other seat the slowest, who
    is too late then. A thumb finds it, and the answer stays when the finger is lifted."""
    harbour.tell(BEGUN)
    sits(phone, harbour, 1)
    raced(harbour)
    expect(phone.locator("#now")).to_have_text("Race! Still without a lifebuoy: Ben and Cy")
    harbour.now += 250_000_000
    box = phone.locator("#slap").bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert box["height"] > 150
    phone.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.mouse.down()
    expect(phone.locator("#answer")).to_have_text("Slap noted.")
    harbour.tell({"type": "seen"})
    expect(phone.locator("#ruling p")).to_have_text([
        "Ada has lifebuoy 1, after 500 ms.",
        "Cy is the slowest and picks up top left, top middle and top right (3 cards).",
    ])  # fmt: skip
    phone.mouse.up()
    expect(phone.locator("#answer")).to_have_text("Lifebuoy 2 is yours, after 1,250 ms!")
    # One slap is one press.
    assert "press seen" == " ".join(kinds(harbour)[-2:])


def kinds(harbour: Harbour) -> list[str]:
    return [event["type"] for event in harbour.told]


def test_who_slaps_too_late_reads_so(phone: Page, harbour: Harbour) -> None:
    """The slowest seat's own phone, too, and by the keyboard: at the key's way down, once for each."""
    harbour.tell(BEGUN)
    sits(phone, harbour, 2)
    raced(harbour)
    harbour.tell({"type": "press", "seat": 1}, {"type": "seen"})
    harbour.now += 250_000_000
    phone.focus("#slap")
    phone.keyboard.down("Space")
    expect(phone.locator("#answer")).to_have_text("Slap noted.")
    phone.keyboard.down("Space")
    phone.keyboard.up("Space")
    harbour.tell({"type": "seen"})
    expect(phone.locator("#answer")).to_have_text("Too late, after 1,250 ms.")
    phone.keyboard.press("Enter")
    # What a screen reader does.
    phone.evaluate("document.getElementById('slap').click()")
    while kinds(harbour).count("press") < 5:
        phone.wait_for_timeout(20)
    phone.click("#call")
    expect(phone.locator("#answer")).to_have_text("Cy called, but it changes nothing.")
    assert 5 == kinds(harbour).count("press")


def test_a_slap_is_true_whatever_else_has_happened(phone: Page, harbour: Harbour) -> None:
    """While it is on its way somebody else grabs: it is said again at once, and counts once."""
    harbour.tell(BEGUN)
    sits(phone, harbour, 2)
    raced(harbour)
    expect(phone.locator("#now")).to_have_text("Race! Still without a lifebuoy: Ben and Cy")
    overtaken: list[int] = []

    def overtake(route: Route) -> None:
        if not overtaken and route.request.method == "POST":
            overtaken.append(harbour.tell({"type": "seen"}, {"type": "call", "seat": 0}).number)
        route.continue_()

    phone.route("**/api/events", overtake)
    phone.click("#slap")
    harbour.tell({"type": "seen"})
    expect(phone.locator("#answer")).to_have_text("Lifebuoy 2 is yours, after 1,000 ms!")
    expect(phone.locator("#ruling p").last).to_have_text(re.compile("^Ben is the slowest"))
    assert 2 == kinds(harbour).count("press")
    assert 1 == len(overtaken)


def test_a_strangers_slap_is_not_made_up_for_later(phone: Page, harbour: Harbour) -> None:
    """Whoever has to type a code first has not slapped; then the phone may speak, and the next slap counts."""
    harbour.tell(BEGUN)
    phone.goto(f"{harbour.url}/seat/1")
    phone.click("#slap")
    paired(phone, harbour)
    expect(phone.locator("#answer")).to_have_text("This phone can take part now.")
    assert ["game"] == kinds(harbour)
    phone.click("#slap")
    expect(phone.locator("#answer")).to_have_text("No set, but lucky: no pile is left.")
    assert ["game", "press"] == kinds(harbour)


def test_after_the_end_nothing_is_left_to_grab(phone: Page, harbour: Harbour) -> None:
    """The lifebuoys lie in their box until somebody plays again."""
    stage_over(harbour)
    phone.goto(f"{harbour.url}/seat/1")
    expect(phone.locator("#times li")).not_to_have_count(0)
    expect(phone.locator("#slap")).to_be_disabled()
    harbour.tell({**BEGUN, "seats": ["Ada", "Ben", "Cy", "Dora"]})
    expect(phone.locator("#slap")).to_be_enabled()


def test_an_answer_stays_until_something_else_is_touched(phone: Page, harbour: Harbour) -> None:
    """What came of a call is not wiped away by what else the page learns, be it whose phone it now is."""
    stage_alarm(harbour)
    phone.goto(f"{harbour.url}/seat/1")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    phone.route("**/seat/1", hold)
    phone.click("#call")
    paired(phone, harbour)
    expect(phone.locator("#answer")).to_have_text("Ben calls: “Goat on board!”")
    # The page asks who it is now, and the answer takes its time.
    expect(phone.locator(".speaks")).to_contain_text("just watching")
    while not held:
        phone.wait_for_timeout(20)
    for route in held:
        route.continue_()
    expect(phone.locator(".speaks")).to_contain_text("It plays for Ben.")
    expect(phone.locator("#answer")).to_have_text("Ben calls: “Goat on board!”")
    phone.click("#times-title")
    expect(phone.locator("#answer")).to_have_text("")


@pytest.mark.parametrize(
    ("status", "word"),
    [
        (422, "So, wie es auf dem Tisch steht, geht das nicht. the server's reason"),
        (503, "Der Tisch antwortet nicht: Seht nach, ob es notiert wurde, bevor ihr es wiederholt."),
        (413, "Das kam nicht am Tisch an. Versuch es noch einmal."),
    ],
)
def test_a_refusal_is_in_the_phones_language(chromium: Browser, harbour: Harbour, status: int, word: str) -> None:
    """Whatever the rig refuses is said in German to a German phone; only what it alone can explain stands below in
    the rig's own English, marked as such."""
    stage_alarm(harbour)
    with chromium.new_context(locale="de") as context:
        page = context.new_page()
        page.route("**/api/events", lambda route: refuse(route, status))
        page.goto(f"{harbour.url}/seat/1")
        page.click("#call")
        expect(page.locator("#answer")).to_have_text(word)
        assert ["en"] * (status == 422) == page.locator("#answer small").evaluate_all(
            "(all) => all.map((it) => it.lang)"
        )


def refuse(route: Route, status: int) -> None:
    if route.request.method == "POST":
        route.fulfill(status=status, json={"error": "the server's reason"})
    else:
        route.continue_()


def test_too_many_codes_are_said_with_the_time_to_wait(chromium: Browser, harbour: Harbour) -> None:
    """Three wrong codes, and the dialog says in the phone's language how long it takes."""
    stage_alarm(harbour)
    with chromium.new_context(locale="es") as context:
        page = context.new_page()
        page.goto(f"{harbour.url}/seat/1")
        page.click("#pair")
        wrong = "000000" if harbour.pairing.code != "000000" else "000001"
        for _ in range(3):
            page.fill("#code", wrong)
            page.keyboard.press("Enter")
            expect(page.locator("#pairing-word")).to_have_text("Ese no era el código.")
            page.evaluate("document.getElementById('pairing-word').textContent = ''")
        page.keyboard.press("Enter")
        expect(page.locator("#pairing-word")).to_have_text("Demasiados intentos. Espera 1 minuto.")


def test_the_host_runs_an_evening(phone: Page, harbour: Harbour) -> None:
    """Begin, correct the turn, a card and a deck, take back, end, play again: each within three taps."""
    phone.goto(f"{harbour.url}/host")
    for seat, name in enumerate(("Ada", "Ben", "Cy")):
        phone.fill(f"#name-{seat}", name)
    phone.check("[name=starter][value='2']")
    # There is no camera here, so the game would be one without.
    phone.click("text=Options")
    phone.check("[name=camera]")
    phone.click("button:text-is('Begin')")
    paired(phone, harbour)
    expect(phone.locator("#now")).to_have_text("Cy's turn")
    phone.click("[data-turn-of='1']")
    expect(phone.locator("#now")).to_have_text("Ben's turn")
    expect(phone.locator("#undone")).to_have_text("The last correction")
    phone.click("[data-fix-cell='4']")
    phone.click("[aria-label='Raft, Pink']")
    phone.click("#fix >> text=Ben")
    expect(phone.locator("[data-fix-deck='1']")).to_have_text("Ben: 19")
    phone.click("[data-fix-deck='1']")
    phone.click("#fix button:text-is('20')")
    phone.click("#fix >> text=Ada")
    expect(phone.locator("[data-fix-deck='0']")).to_have_text("Ada: 19")
    phone.click("#undo")
    expect(phone.locator("[data-fix-deck='0']")).to_have_text("Ada: 20")
    phone.click("text=End it …")
    phone.click("#end")
    expect(phone.locator("#now")).to_have_text("This game was ended before anybody had won")
    phone.click("#again")
    expect(phone.locator("#now")).to_have_text("Ada's turn")
    state = harbour.table.snapshot.state
    assert state is not None
    assert (20, 20, 20) == state["decks"]


def test_a_page_is_built_anew_once(phone: Page, harbour: Harbour) -> None:
    """When a game begins, and then stays: what somebody has opened there would be shut again."""
    phone.clock.install()
    phone.goto(f"{harbour.url}/host")
    stage_race(harbour)
    expect(phone.locator("#undo")).to_be_visible()
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.clock.run_for(10_000)
    phone.click("text=End it …")
    expect(phone.locator("#end")).to_be_visible()
    assert f"{harbour.url}/host" not in asked


def test_two_of_one_name_can_not_sit_down(phone: Page, harbour: Harbour) -> None:
    """Nobody could tell their buttons apart, nor their evenings."""
    phone.goto(f"{harbour.url}/host")
    for seat, name in enumerate(("Ada", "ada ")):
        phone.fill(f"#name-{seat}", name)
    phone.click("button:text-is('Begin')")
    expect(phone.locator("#answer")).to_contain_text("Two of them have the same name")
    assert harbour.table.snapshot.state is None


def test_a_name_that_nobody_sees_is_no_name(phone: Page, harbour: Harbour) -> None:
    """It says so in the phone's language, and nobody sits down."""
    phone.goto(f"{harbour.url}/host")
    for seat, name in enumerate(("Ada", "\u200b")):
        phone.fill(f"#name-{seat}", name)
    phone.click("button:text-is('Begin')")
    expect(phone.locator("#answer")).to_have_text("A name needs something that can be seen.")
    assert harbour.table.snapshot.state is None


def test_a_game_ends_while_something_is_owed(phone: Page, harbour: Harbour) -> None:
    """What is owed is forgiven, and then the game is over."""
    stage_pickup(harbour)
    phone.goto(f"{harbour.url}/host")
    phone.click("text=End it …")
    phone.click("#end")
    paired(phone, harbour)
    expect(phone.locator("#now")).to_have_text("This game was ended before anybody had won")


@pytest.mark.parametrize("owed", [False, True])
def test_a_game_without_a_camera_ends_too(phone: Page, harbour: Harbour, *, owed: bool) -> None:
    """The host empties all decks, once more for there is no set to wait for, and nothing else is corrected; what
    is owed is forgiven first."""
    stage_blind(harbour)
    slap: Event = {"type": "press", "seat": 0}
    for event in [{"type": "laid"}, {"type": "laid"}, *([slap] if owed else [])]:
        harbour.now += 1_000_000_000
        harbour.tell(event)
    phone.goto(f"{harbour.url}/host")
    phone.click("#pair")
    paired(phone, harbour)
    phone.click("text=End it …")
    phone.click("#end")
    expect(phone.locator("#now")).to_have_text("This game was ended before anybody had won")
    expect(phone.locator("#again")).to_be_enabled()
    told = [{key: value for key, value in event.items() if key != "t"} for event in harbour.told]
    assert [{"type": "fix", "decks": [0, 0]}] * 2 == told[-2:]
    assert ("take" if owed else "laid") == told[-3]["type"]


def test_a_stranger_to_the_host_may_not_rule(chromium: Browser, harbour: Harbour) -> None:
    """A paired phone that is not the host's is told so, in words, and nothing happens; from then on it only offers
    what it may do."""
    stage_race(harbour)
    code = harbour.pairing.code
    assert code is not None
    harbour.pairing.by_code("192.168.1.2", "the host's phone", code, 0)
    with chromium.new_context(locale="en") as context:
        page = context.new_page()
        page.goto(f"{harbour.url}/host")
        page.click("#undo")
        paired(page, harbour)
        expect(page.locator("#answer")).to_have_text(re.compile("^Only the host"))
        expect(page.locator(".notice")).to_contain_text("this phone is not the host's")
        expect(page.locator("#undo")).to_be_disabled()
        expect(page.locator("[data-host-to='0']")).to_be_enabled()


def test_a_phone_that_becomes_the_hosts_offers_it_at_once(chromium: Browser, harbour: Harbour) -> None:
    """And the one that was it no longer does."""
    stage_race(harbour)
    with chromium.new_context(locale="en") as of_ada, chromium.new_context(locale="en") as of_ben:
        ada, ben = of_ada.new_page(), of_ben.new_page()
        for seat, page in enumerate((ada, ben)):
            page.goto(f"{harbour.url}/seat/{seat}")
            page.click("#pair")
            paired(page, harbour)
            page.goto(f"{harbour.url}/host")
        expect(ben.locator("#undo")).to_be_disabled()
        ada.click("[data-host-to='1']")
        expect(ben.locator("#undo")).to_be_enabled()
        expect(ben.locator(".notice")).to_have_text("")
        expect(ada.locator("#undo")).to_be_disabled()


def test_the_keyboard_is_enough(phone: Page, harbour: Harbour) -> None:
    """From the first key on: over the header to the content, through the calls, and the dialog comes and goes."""
    stage_alarm(harbour)
    phone.goto(f"{harbour.url}/seat/1")
    # By then the script has taken over what came from the server.
    expect(phone.locator("#times li")).not_to_have_count(0)
    phone.keyboard.press("Tab")
    expect(phone.locator(".skip")).to_be_focused()
    phone.keyboard.press("Enter")
    phone.keyboard.press("Tab")
    expect(phone.locator("#slap")).to_be_focused()
    phone.keyboard.press("Tab")
    expect(phone.locator("#call")).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator("#code")).to_be_focused()
    phone.keyboard.press("Escape")
    expect(phone.locator("#pairing")).to_be_hidden()
    expect(phone.locator("#answer")).to_have_text(re.compile("^Only the host"))


def test_nothing_is_corrected_that_has_changed_meanwhile(phone: Page, harbour: Harbour) -> None:
    """While a host looks at a space people may play on: elsewhere, and the correction holds; there, and the host
    is told. A correction never takes a card from nowhere."""
    harbour.tell(BEGUN, card(4, "raft", "pink"))
    phone.goto(f"{harbour.url}/host")
    phone.click("#pair")
    paired(phone, harbour)
    phone.click("[data-fix-cell='4']")
    phone.click("[aria-label='One more']")
    phone.click("#fix button:text-is('Correct it')")
    harbour.tell(card(0, "ring", "blue"))
    expect(phone.locator("#now")).to_have_text("Cy's turn")
    phone.click("#fix >> text=Ben")
    expect(phone.locator("#answer")).to_have_text("Noted.")
    expect(phone.locator("[data-fix-deck='1']")).to_have_text("Ben: 18")
    phone.click("[data-fix-cell='0']")
    harbour.tell({"type": "foul", "seat": 1, "reason": "peeked", "cell": 0})
    expect(phone.locator("[data-fix-deck='1']")).to_have_text("Ben: 19")
    phone.click("[aria-label='Raft, Yellow']")
    expect(phone.locator("#answer")).to_have_text(re.compile("has moved on"))
    state: Any = harbour.table.snapshot.state
    assert ((19, 19, 20), None) == (state["decks"], state["tops"][0])


def test_only_what_stands_there_is_taken_back(phone: Page, harbour: Harbour) -> None:
    """When another event has come since the words of the newest one, the button takes nothing back."""
    harbour.tell(BEGUN, card(4, "raft", "pink"))
    phone.goto(f"{harbour.url}/host")
    phone.click("#pair")
    paired(phone, harbour)
    expect(phone.locator("#undone")).to_have_text("Raft, Pink laid: centre")

    def hold(_route: Route) -> None:
        """No words come any more."""

    phone.route("**/host/undoes", hold)
    harbour.tell(card(0, "ring", "blue"))
    expect(phone.locator("#now")).to_have_text("Cy's turn")
    phone.click("#undo")
    expect(phone.locator("#answer")).to_have_text(re.compile("has moved on"))
    state: Any = harbour.table.snapshot.state
    assert 2 == sum(state["piles"])
    # Those that were held back go on.
    phone.unroute("**/host/undoes")
    expect(phone.locator("#undone")).to_have_text("Ring, Blue laid: top left")


def test_only_an_own_card_can_have_been_laid_wrongly(phone: Page, harbour: Harbour) -> None:
    """The host is offered no card of another seat's, so that nothing senseless can be said."""
    harbour.tell(BEGUN, card(4, "raft", "pink"), card(0, "ring", "blue"))
    phone.goto(f"{harbour.url}/host")
    phone.click("#pair")
    paired(phone, harbour)
    phone.click("[data-foul='1']")
    phone.click("text=Looked at the card first")
    expect(phone.locator("#fix .choices button")).to_have_text(["It's no longer there", "top left"])
    # The question has changed: it is where the keyboard and the screen reader are.
    expect(phone.locator("#fix-title")).to_be_focused()
    phone.click("#fix >> text=top left")
    expect(phone.locator("#answer")).to_have_text("Noted.")
    expect(phone.locator("[data-fix-deck='1']")).to_have_text("Ben: 20")


def test_without_a_camera_only_what_can_be_is_asked_for(phone: Page, harbour: Harbour) -> None:
    """Nobody picks up more cards than lie there; whoever tries is told by the browser, and nothing is said."""
    stage_blind(harbour)
    for event in ({"type": "laid"}, {"type": "laid"}, {"type": "press", "seat": 0}):
        harbour.now += 1_000_000_000
        harbour.tell(event)
    phone.goto(f"{harbour.url}/seat/1")
    expect(phone.locator("#take input")).to_have_attribute("max", "2")
    before = harbour.table.snapshot.number
    phone.fill("#take input", "3")
    phone.click("#take button")
    assert phone.evaluate("document.querySelector('#take input').validity.rangeOverflow")
    expect(phone.locator("#pairing")).to_be_hidden()
    assert before == harbour.table.snapshot.number


def begun_by_keyboard(phone: Page, harbour: Harbour) -> None:
    phone.click("#pair")
    paired(phone, harbour)
    phone.fill("#name-0", "Ada")
    phone.fill("#name-1", "Ben")
    phone.keyboard.press("Enter")
    expect(phone.locator("#now")).to_have_text("Ada's turn")


def test_what_was_asked_before_a_game_began_comes_too_late(phone: Page, harbour: Harbour) -> None:
    """A page that was asked for when the phone was paired, and comes over a slow line once a game has begun,
    doesn't take away what is played."""
    phone.goto(f"{harbour.url}/host")
    held: list[tuple[Route, APIResponse]] = []
    phone.route("**/host", lambda route: held.append((route, route.fetch())), times=1)
    begun_by_keyboard(phone, harbour)
    route, answer = held[0]
    with phone.expect_event("requestfinished", lambda request: request == route.request):
        route.fulfill(response=answer)
    # What it brings is put in its place before anything that is asked after it is answered.
    phone.evaluate("() => fetch('/healthz').then((answer) => answer.text())")
    expect(phone.locator(".mark")).to_have_text("Row Your Goat")


def test_nothing_is_offered_to_be_taken_back_before_there_is(phone: Page, harbour: Harbour) -> None:
    """When a game has only begun, the button for it sleeps on until something else is known."""
    phone.goto(f"{harbour.url}/host")
    phone.route("**/host/undoes", lambda _: None)
    begun_by_keyboard(phone, harbour)
    expect(phone.locator("[data-turn-of='1']")).to_be_enabled()
    expect(phone.locator("#undo")).to_be_disabled()


def test_a_new_page_goes_on_where_the_keyboard_was(phone: Page, harbour: Harbour) -> None:
    """When a game begins by the keyboard, the next key is in the new content, not at the top of the page."""
    phone.goto(f"{harbour.url}/host")
    begun_by_keyboard(phone, harbour)
    expect(phone.locator("main")).to_be_focused()
    expect(phone.locator("#answer")).to_have_text("Noted.")
    # The name above it is the last that is put in its place.
    expect(phone.locator(".mark")).to_have_text("Row Your Goat")
    phone.keyboard.press("Tab")
    assert phone.evaluate("document.getElementById('face').contains(document.activeElement)")


def test_no_tap_is_lost_without_a_word(chromium: Browser, harbour: Harbour) -> None:
    """What only a script can do can't be touched before one is there to do it, and can as soon as it is."""
    stage_alarm(harbour)
    for script in (False, True):
        with chromium.new_context(java_script_enabled=script) as context:
            page = context.new_page()
            for path, button in (("/seat/1", "#call"), ("/host", "#undo"), ("/", "#pair")):
                page.goto(harbour.url + path)
                if script:
                    expect(page.locator(button)).to_be_enabled()
                    expect(page.locator("[data-asleep]")).to_have_count(0)
                else:
                    expect(page.locator(button)).to_be_disabled()


def test_a_phone_sees_when_a_sprint_begins(phone: Page, harbour: Harbour) -> None:
    """Where nobody has a lamp, the page says when the lamps of a dead heat are lit, also to who comes late."""
    second = 1_000_000_000
    harbour.tell(
        {"t": 0, "type": "game", "game": "goat", "seats": ["Ada", "Ben", "Cy"], "starter": 0},
        {"t": second, "type": "card", "cell": 0, "boat": "raft", "colour": "pink"},
        {"t": 2 * second, "type": "card", "cell": 1, "boat": "ring", "colour": "pink"},
        {"t": 3 * second, "type": "card", "cell": 2, "boat": "jetski", "colour": "pink"},
        {"t": 3_400_000_000, "type": "press", "seat": 1},
        {"t": 3_600_000_000, "type": "press", "seat": 0},
        {"t": 3_600_020_000, "type": "press", "seat": 2},
        {"t": 4 * second, "type": "seen"},
    )
    phone.goto(f"{harbour.url}/seat/0")
    expect(phone.locator("#now")).to_have_text("Dead heat! Watch your lamps: Ada and Cy")
    harbour.tell({"t": 5 * second, "type": "sprint"}, {"t": 6 * second, "type": "seen"})
    expect(phone.locator("#now")).to_have_text("Now! Slap: Ada and Cy")
    phone.reload()
    expect(phone.locator("#now")).to_have_text("Now! Slap: Ada and Cy")


def test_a_cell_says_what_lies_there(phone: Page, harbour: Harbour) -> None:
    """To a screen reader, place and card, from the first look on and when it changes."""
    harbour.tell(BEGUN, card(4, "raft", "pink"))
    phone.goto(f"{harbour.url}/host")
    cell = phone.locator("[data-fix-cell='4']")
    expect(cell).to_have_accessible_name("centre: Raft, Pink")
    expect(phone.locator("[data-fix-cell='0']")).to_have_accessible_name("top left: Empty")
    decks = [18, 20, 20]
    harbour.tell({"type": "fix", "piles": [0, 0, 0, 0, 2, 0, 0, 0, 0], "decks": decks})
    expect(cell).to_have_accessible_name("centre: Raft, Pink, 2 cards")
    phone.reload()
    expect(cell).to_have_accessible_name("centre: Raft, Pink, 2 cards")


def test_the_keyboard_is_never_lost(phone: Page, harbour: Harbour) -> None:
    """What has it may have nothing more to do, or be nobody's any more: the next key goes on from there."""
    harbour.tell(BEGUN, card(4, "raft", "pink"))
    phone.goto(f"{harbour.url}/host")
    phone.click("#pair")
    paired(phone, harbour)
    phone.focus("#undo")
    phone.keyboard.press("Enter")
    expect(phone.locator("#undo")).to_be_disabled()
    expect(phone.locator("section[aria-labelledby='undo-title']")).to_be_focused()
    phone.focus("[data-fix-cell='4']")
    phone.keyboard.press("Enter")
    expect(phone.locator("#fix")).to_be_visible()
    phone.keyboard.press("Escape")
    expect(phone.locator("[data-fix-cell='4']")).to_be_focused()
    phone.focus("[data-turn-of='1']")
    harbour.tell({"type": "fix", "decks": [40, 0, 20]})
    expect(phone.locator("[data-turn-of='1']")).to_be_disabled()
    expect(phone.locator("section[aria-labelledby='turn-title']")).to_be_focused()
