"""Cleans people's names for display. A name is whatever somebody types or pastes: characters in it may be
invisible, reverse the text's direction, or stack up over the lines above."""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

JOINERS: Final = frozenset("\u200c\u200d")
# Flags of regions (such as Scotland's) are a black flag, invisible tag letters, and an end tag.
FLAG: Final = "\N{WAVING BLACK FLAG}"
TAGS: Final = range(0xE0020, 0xE0080)
# Letters and signs that are blank although Unicode doesn't classify them as space.
BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# No language puts more combining marks on one letter; a stack of them ("zalgo") covers other lines.
MOST_MARKS: Final = 4
LONGEST: Final = 40
NOBODY: Final = "?"
# Unicode categories to remove: control, format, surrogate, private use.
UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co"})
BREAKS: Final = frozenset({"Zs", "Zl", "Zp"})
RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
FIRST_STRONG_ISOLATE: Final = "\u2068"
POP_ISOLATE: Final = "\u2069"


def clean_name(name: str) -> str:
    """The visible part of a name, in one line, cut to the maximum length; empty if nothing is visible."""
    composed = unicodedata.normalize("NFC", name)
    seen = "".join(_visible(composed))
    return " ".join(_without_towers(seen).split())[:LONGEST].rstrip()


@lru_cache(1024)
def shown_name(name: str) -> str:
    """A name as it stands in a sentence, isolated so that a right-to-left name does not reorder the rest."""
    clean = clean_name(name) or NOBODY
    if any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in clean):
        return f"{FIRST_STRONG_ISOLATE}{clean}{POP_ISOLATE}"
    return clean


def shown_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(shown_name, names))


def _visible(name: str) -> Iterator[str]:
    for place, sign in enumerate(name):
        kind = unicodedata.category(sign)
        if sign in BLANK or kind in BREAKS or sign in "\t\n\r":
            yield " "
        elif sign in JOINERS:
            if _joins(name[place - 1 : place], name[place + 1 : place + 2]):
                yield sign
        elif ord(sign) in TAGS:
            if _is_of_a_flag(name[:place]):
                yield sign
        elif kind not in UNSEEN:
            yield sign


def _joins(before: str, after: str) -> bool:
    """Whether a joiner between these is meaningful: between letters of a script that joins them, and between the
    parts of one emoji, such as a family."""
    return all(side and unicodedata.category(side) in {"Lo", "Mn", "Mc", "So", "Sk"} for side in (before, after))


def _is_of_a_flag(before: str) -> bool:
    return before.rstrip("".join(map(chr, TAGS))).endswith(FLAG)


def _without_towers(name: str) -> str:
    kept: list[str] = []
    marks = MOST_MARKS
    for sign in name:
        marks = marks + 1 if unicodedata.category(sign) in {"Mn", "Me"} else 0
        if marks <= MOST_MARKS:
            kept.append(sign)
    return "".join(kept)
