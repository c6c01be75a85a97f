"""A taught deck as a file: a PNG that shows its cards side by side, with their names in a text chunk.

Any program that shows pictures shows what was taught; and PNG's checksums tell a damaged file from a whole
one. Eight bits are enough: the cards come from a camera's eight, and the square root of light is nearly what
those are made of.
"""

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final, cast

import numpy as np
from cv2.typing import MatLike
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from companion.core.cards import CARDS, Card
from companion.errors import DeckNewer, NotADeck, NotAPicture
from companion.eyes.deck.taught_deck import TAUGHT_MM, TaughtCard, TaughtDeck
from companion.eyes.image.arrays import Floats
from companion.eyes.image.picture import pixels_of
from companion.eyes.image.picture_head import open_picture
from companion.files import write_whole

VERSION: Final = 1
SUFFIX: Final = ".deck"
_SIGNATURE: Final = b"\x89PNG"
# The keyword of PNG's text chunk.
_KEYWORD: Final = "Companion deck"
_LARGEST_FILE: Final = 2_000_000
# A card is narrower than a cell and no smaller than a stamp.
_NARROWEST, _WIDEST = 20, 120
# Nothing on a table gives back a hundred times the light of paper.
_BRIGHTEST: Final = 10.0


def write_deck(deck: TaughtDeck, path: Path) -> None:
    """Writes the whole file, or on an error leaves what was there before."""
    sheet = np.concatenate([card.root for card in deck.cards], axis=1)
    brightest = max(float(sheet.max()), 1.0)
    code = np.round(np.clip(sheet / brightest, 0, 1) * 255).astype(np.uint8)
    text = PngInfo()
    text.add_itxt(_KEYWORD, json.dumps(_describe(deck, brightest), ensure_ascii=False))
    png = BytesIO()
    Image.fromarray(code[..., ::-1]).save(png, "PNG", pnginfo=text, compress_level=9)
    write_whole(path, png.getvalue())


def _describe(deck: TaughtDeck, brightest: float) -> Mapping[str, object]:
    return {
        "version": VERSION,
        "name": deck.name,
        "mm": TAUGHT_MM,
        "brightest": brightest,
        "white_known": deck.white_known,
        "cards": [card.card.as_json() for card in deck.cards],
    }


def read_deck(path: Path) -> TaughtDeck:
    """The deck that `write_deck` has written; `NotADeck` says what is wrong with another file.

    >>> read_deck(Path("ours.deck")).name
    'ours'
    """
    with path.open("rb") as file:
        data = file.read(_LARGEST_FILE + 1)
    try:
        return _parse_file(data)
    except DeckNewer as error:
        raise DeckNewer(f"{path}: {error}.") from None
    except (NotADeck, NotAPicture) as error:
        raise NotADeck(f"{path}: {error}.") from None


def _parse_file(data: bytes) -> TaughtDeck:
    if not data.startswith(_SIGNATURE) or len(data) > _LARGEST_FILE:
        raise NotADeck("this is no taught deck; `companion teach` makes one")
    about = open_picture(data).info.get(_KEYWORD)
    if not isinstance(about, str):
        raise NotADeck("this is a picture and no taught deck; `companion teach` makes one of pictures")
    return _build_deck(_parse_description(about), pixels_of(data, shortest=_NARROWEST))


def _parse_description(about: str) -> Mapping[str, object]:
    try:
        value: object = json.loads(about)
    except (ValueError, RecursionError):
        raise NotADeck("what it says about its cards can't be read; teach the deck again") from None
    if not isinstance(value, dict):
        raise _invalid("the description")
    return cast("Mapping[str, object]", value)


def _build_deck(about: Mapping[str, object], sheet: MatLike) -> TaughtDeck:
    version, name, white = about.get("version"), about.get("name"), about.get("white_known")
    if type(version) is not int or version < 1:
        raise _invalid("version")
    if version > VERSION:
        raise DeckNewer("a later version of the companion has taught this deck; update this one")
    if not isinstance(name, str) or not name:
        raise _invalid("name")
    if not isinstance(white, bool):
        raise _invalid("white_known")
    if _parse_number(about, "mm") != TAUGHT_MM:
        raise _invalid("mm")
    brightest = _parse_number(about, "brightest")
    if not 0 < brightest <= _BRIGHTEST:
        raise _invalid("brightest")
    cards = _parse_cards(about.get("cards"))
    wide, left_over = divmod(sheet.shape[1], len(cards))
    if left_over or not _NARROWEST <= wide <= _WIDEST or sheet.shape[0] > _WIDEST:
        raise _invalid("the size of the cards")
    roots = _cut_sheet(sheet, len(cards), brightest)
    return TaughtDeck(
        name, tuple(TaughtCard(card, root) for card, root in zip(cards, roots, strict=True)), white_known=white
    )


def _cut_sheet(sheet: MatLike, count: int, brightest: float) -> Sequence[Floats]:
    roots = np.asarray(sheet, np.float32) * np.float32(brightest / 255)
    return [np.ascontiguousarray(root) for root in np.split(roots, count, axis=1)]


def _parse_cards(value: object) -> Sequence[Card]:
    if not isinstance(value, list) or len(cast("list[object]", value)) < 2:
        raise _invalid("its list of cards")
    cards = [_parse_card(one) for one in cast("list[object]", value)]
    if len(set(cards)) < len(cards):
        raise _invalid("its list of cards")
    return cards


def _parse_card(value: object) -> Card:
    if not isinstance(value, dict):
        raise _invalid("its list of cards")
    named = cast("Mapping[str, object]", value)
    boat, colour = named.get("boat"), named.get("colour")
    if not isinstance(boat, str) or not isinstance(colour, str) or (boat, colour) not in CARDS:
        raise _invalid("its list of cards")
    return CARDS[boat, colour]


def _parse_number(about: Mapping[str, object], key: str) -> float:
    value = about.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _invalid(key)
    return float(value) if abs(value) < 1e9 else 0.0


def _invalid(what: str) -> NotADeck:
    return NotADeck(f"it is no deck that can be: {what} makes no sense; teach the deck again")
