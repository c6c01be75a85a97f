"""What people are called, made fit to be shown. A name is whatever somebody types or pastes; some of what can be
pasted shows nothing, turns the sentence around it, or towers over the lines above it."""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

JOINERS: Final = frozenset("\u200c\u200d")
# Flags of regions are a black flag, letters that are not to be seen, and the end of them.
FLAG: Final = "\N{WAVING BLACK FLAG}"
TAGS: Final = range(0xE0020, 0xE0080)
# Letters and signs that show nothing.
BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# No language sets more above and below one letter; towers of them cover what others have written.
MOST_MARKS: Final = 4
LONGEST: Final = 40
NOBODY: Final = "?"
# Controls, formats, halves of characters, private ones.
UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co"})
BREAKS: Final = frozenset({"Zs", "Zl", "Zp"})
RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
FIRST_STRONG_ISOLATE: Final = "\u2068"
POP_ISOLATE: Final = "\u2069"


def clean_name(name: str) -> str:
    """Only what can be seen, in one line, and as short as a name may be; empty if nothing can be seen."""
    composed = unicodedata.normalize("NFC", name)
    seen = "".join(_visible(composed))
    return " ".join(_without_towers(seen).split())[:LONGEST].rstrip()


@lru_cache(1024)
def shown_name(name: str) -> str:
    """As it stands in a sentence: one that is written from right to left turns nothing round but itself."""
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
    """Between letters of a script that joins them, and between the parts of one picture: a family is several."""
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
