"""Writes well-formed SVG in which all names are escaped.

Widths are shares of the page (`x="12.5%"`), heights are pixels: a drawing fills the width and its text keeps its
size, on a phone as on a laptop. Colours are classes; the style sheet has a light and a dark mode.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from markupsafe import Markup

Number = int | float
_WIDTHS = ((0.4, " fijltIJ.,:;!|'()[]-"), (0.52, "rst/"), (1.1, "mwMW@%…—"))
_NEVER = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF])


@dataclass(frozen=True, slots=True)
class Caption:
    """A drawing's title and description in words, for screen readers."""

    name: str
    """Unique on the page: the ids of title and description begin with it."""
    title: str
    description: str


def element(name: str, *inside: str, **attributes: str | Number | None) -> str:
    """One element. `class_` and `for_` lose their underscore, other underscores become hyphens; None is left
    out."""
    written = "".join(
        f" {_key(key)}={quoteattr(_text(value))}" for key, value in attributes.items() if value is not None
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def text_at(text: str, x: str | Number, y: Number, kind: str, anchor: str | None = None) -> str:
    """A line of text; `anchor` says which part of it is at `x`."""
    return element("text", escape_text(text), x=x, y=y, class_=kind, text_anchor=anchor)


def tooltip(text: str) -> str:
    """Browsers show it while the pointer rests on the surrounding element."""
    return element("title", escape_text(text))


def escape_text(text: str) -> str:
    return escape(text.translate(_NEVER))


def draw_chart(caption: Caption, height: Number, inside: Iterable[str], kind: str) -> Markup:
    title, description = f"{caption.name}-title", f"{caption.name}-desc"
    return Markup(  # noqa: S704 - everything in it has been escaped where it was written
        element(
            "svg",
            element("title", escape_text(caption.title), id=title),
            element("desc", escape_text(caption.description), id=description),
            *inside,
            xmlns="http://www.w3.org/2000/svg",
            class_=f"chart {kind}",
            role="img",
            width="100%",
            height=height,
            aria_labelledby=f"{title} {description}",
        )
    )


def to_percent(share: float) -> str:
    return f"{format_number(share * 100)}%"


def format_number(value: float) -> str:
    """Two decimals at most: no screen shows less than a hundredth of a pixel. `format_number(12.50)` is "12.5"."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def truncate(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def estimate_width(text: str) -> float:
    """The approximate width in ems of a bold and rather wide font: the browser's font is unknown."""
    return sum(_letter_width(letter) for letter in text)


def fit_text(name: str, ems: float) -> str:
    """As much of the name as fits into so many ems, with an ellipsis where something is missing."""
    if estimate_width(name) <= ems:
        return name
    while name and estimate_width(f"{name}…") > ems:
        name = name[:-1]
    return f"{name.rstrip()}…"


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.1
    for width, letters in _WIDTHS:
        if letter in letters:
            return width
    return 0.8 if letter.isupper() else 0.7


def _text(value: str | Number) -> str:
    return value.translate(_NEVER) if isinstance(value, str) else format_number(value)


def _key(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
