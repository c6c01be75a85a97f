"""German, Spanish and English: which language a browser gets, and the message catalogues.

The catalogues are kept as `*.po` files (several may lie beside each other) and compiled when first used, so there
is no build step. Texts of every page are in `translations` here, a game's own texts in `page/translations` of that
game's folder. Scripts use the same catalogues, as sentences with `{gaps}` that they fill in.
"""

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, current_app, request
from flask_babel import Babel, Domain, get_locale
from flask_babel import lazy_gettext as _
from flask_babel.speaklater import LazyString
from markupsafe import Markup

from companion.core.languages import LANGUAGES
from companion.games.registry import GAMES

LANGUAGE_COOKIE: Final = "lang"
TRANSLATIONS: Final = Path(__file__).parent / "translations"

# The words for the scripts that every game's page uses.
PAGE_WORDS: Final[Mapping[str, LazyString]] = {
    "lost": _("No connection: what you see may be old. Trying again …"),
    "camera.gone": _("The camera doesn't answer: is it plugged in?"),
    "camera.opening": _("The camera has not shown a picture yet: is it plugged in?"),
    "camera.absent": _("There is no camera: is it plugged in?"),
    "camera.busy": _("Another program uses the camera: end that one."),
    "camera.lost": _("The camera doesn't see the grid: check what is in its way, or whether it was pushed."),
    "camera.covered": _("The camera is covered."),
    "camera.dark": _("It is too dark for the camera."),
    "camera.blur": _("The camera is out of focus."),
    "camera.glare": _("A lamp dazzles the camera: turn it a little."),
    "camera.hand": _("Something has lain over the cards for a while: the camera can't read them."),
    "camera.moving": _("Something keeps moving over the cards: the camera can't read them."),
    "camera.unknown_card": _("A card lies there that is none of this deck, or lies badly: put it straight."),
    "camera.other": _("Something is wrong with the camera."),
    "seat": _("Seat {n}"),
    "button.out": _("The button of {seat} is ignored: see whether something lies on it or its wires touch."),
    "call.out": _("The call button of {seat} is ignored: see whether something lies on it or its wires touch."),
    "buttons.gone": _("The buttons don't answer: are they plugged in? Phones can stand in for them."),
    "disk.low": _("The disk is nearly full: make room, or the game can't be kept."),
    "disk.gone": _("The folder in which the game is kept is gone."),
    # One sentence for each trouble, by its key.
    "trouble.table": _("The table has stopped: nothing is judged any more. Start the program again."),
    "trouble.rules": _(
        "Something that happened could not be judged: check the table, and correct what is missing."
    ),
    "trouble.feed": _("What is new reaches the phones late or not at all. The game is judged all the same."),
    "trouble.live": _("The live pages stand still at the moment. The game is judged all the same."),
    "trouble.buttons": _("The buttons are not heard at the moment. Phones can stand in for them."),
    "trouble.lamps": _("The lamps don't follow the game at the moment: watch the page instead."),
    "trouble.camera": _("The camera gives no pictures at the moment: it is tried again and again."),
    "trouble.eyes": _("The camera's pictures can't be read at the moment. The host can correct the cards."),
    "trouble.deck": _("The taught deck can't be read, so no card is recognised: teach it again."),
    "trouble.journal": _("What happens can't be written down, so it doesn't count: make room on the disk."),
    "trouble.damaged": _(
        "Some events of earlier games are lost: the journal was damaged. All the rest was saved."
    ),
    "trouble.photos": _("Photo finishes can't be kept at the moment: make room on the disk."),
    "trouble.phones": _("Which phone is whose can't be kept: after a restart everybody pairs again."),
    "trouble.disk": _("The disk is nearly full: make room, or the game can't be kept."),
    "trouble.web": _("The page can't answer everything at the moment: try again in a moment."),
    "trouble.telling": _("The terminal takes no more lines. The game goes on."),
    "trouble.misread": _("Misread pictures are not kept for a report at the moment. The game goes on."),
    "trouble.history": _("Earlier games are not added up at the moment. The game goes on."),
    "trouble.demo": _("The drawn people have stopped playing: start the demo again."),
    "noted": _("Noted."),
    "stale": _("The table has moved on: look again, and repeat it if it still holds."),
    "senseless": _("That can't be, as the table stands."),
    # The server's own reason, in English, comes from `companion/web/permissions.py` and stands in the log.
    "say.not": _("Only the host, or the player in that seat, can do that."),
    "host.nobody": _("No phone is paired for that seat yet."),
    "unsaid": _("This didn't reach the table. Try again."),
    "busy": _("The table doesn't answer: check whether it was noted before you repeat it."),
    "pair.press": _("{seat}: now press the button there. You have ten seconds."),
    "pair.instead": _("{other} was pressed, not {seat}. If that is yours, touch {other} here."),
    "pair.wrong": _("That code is not right."),
    "pair.many": _("Too many tries. Wait {minutes}."),
    "pair.nobody": _("Nobody pressed. Try again."),
    "pair.other": _("Another phone is waiting for that seat's button. Try again in ten seconds."),
    "pair.done": _("This phone can take part now."),
    # A no-break space keeps a number with its unit.
    "ms": _("{n}\u00a0ms"),
    "later": _("+{n}\u00a0ms"),
    "minutes.one": _("{n} minute"),
    "minutes.other": _("{n} minutes"),
    "and": _("{first} and {last}"),
    "or": _("{first} or {last}"),
}


class _Catalogues(Domain):
    """Flask-Babel's own domain reads only compiled files."""

    def get_translations(self) -> NullTranslations:
        return catalogue(language())


def speak(app: Flask, usual: str) -> None:
    """`usual`: the language for browsers that speak none of ours."""
    babel = Babel(app, locale_selector=lambda: _choose_language(usual))
    babel.domain_instance = _Catalogues()
    app.context_processor(lambda: {"languages": LANGUAGES, "language": language})


def language() -> str:
    return str(get_locale() or "en")


def _choose_language(usual: str) -> str:
    asked = request.cookies.get(LANGUAGE_COOKIE, "")
    return asked if asked in LANGUAGES else _of_browser() or usual


def _of_browser() -> str | None:
    """The browser's first language that we have. Regions are ignored: es-MX counts as es."""
    tags = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return next((tag for tag in tags if tag in LANGUAGES), None)


def catalogue(language: str) -> NullTranslations:
    """The texts of the pages and all games. English needs no catalogue: the message ids are English."""
    return _compile(language, (TRANSLATIONS, *(game.folder / "page" / "translations" for game in GAMES.values())))


@cache
def _compile(language: str, folders: tuple[Path, ...]) -> NullTranslations:
    files = [file for folder in folders for file in sorted((folder / language / "LC_MESSAGES").glob("*.po"))]
    if not files:
        return NullTranslations()
    whole = Catalog(locale=language)
    for file in files:
        with file.open("rb") as lines:
            for message in read_po(lines, locale=language):
                if message.id:
                    whole[message.id] = message
    compiled = BytesIO()
    write_mo(compiled, whole)
    compiled.seek(0)
    return Translations(compiled)


def spoken(words: Mapping[str, LazyString]) -> dict[str, str]:
    """These words in the language of the request."""
    return {key: str(word) for key, word in words.items()}


def as_data(value: object) -> Markup:
    """JSON for a data block in the page. It is escaped, so that no name can end the block."""
    text: str = current_app.json.dumps(value, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)  # noqa: S704 - what could be read as markup has just been escaped
