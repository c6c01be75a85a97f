"""Takes out of a text what is nobody's business: people's names, where they live on the disk, secrets.

A name is found however it is spelt in a log: with other capitals, escaped for JSON or for an address. It must
stand for itself: Ben is blotted out, Benchmark stays.
"""

import html
import ipaddress
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from os.path import commonprefix
from typing import Any, Final, cast
from urllib.parse import quote, quote_plus

from companion.history.person_names import person_key

GONE: Final = "…"
# Shorter names are words of many a sentence in small letters.
ANY_CASE: Final = 3
_NO_LETTER_BEFORE, _NO_LETTER_AFTER = r"(?<![^\W_])", r"(?![^\W_])"
_HOME: Final = re.compile(r"(/home/|/Users/|[A-Za-z]:\\+Users\\+)[^/\\\s\"':]+")
_CODE: Final = re.compile(r"(pairing code:\s*)\d+", re.IGNORECASE)
_LOGIN: Final = re.compile(r"(\w://)[^/@\s\"']+@")
_ADDRESS: Final = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F]*:[0-9a-fA-F:]*:[0-9a-fA-F]*)(?![\w:])"
)
_SECRET: Final = re.compile(
    r"pass|secret|token|credential|user|login|private|auth|certificate|_key|^ca$", re.IGNORECASE
)


def labels_of(seats: Sequence[str], others: Iterable[str]) -> dict[str, str]:
    """What stands for each name: that of the seat in the newest game, or a number. The same person, the same."""
    persons: dict[str, str] = {}
    labels: dict[str, str] = {}
    for number, name in enumerate(seats, 1):
        labels[name] = persons.setdefault(person_key(name), f"Seat {number}")
    for name in others:
        label = persons.setdefault(person_key(name), f"Person {len(persons) + 1}")
        labels.setdefault(name, label)
    return labels


class Blotter:
    def __init__(self, labels: Mapping[str, str]) -> None:
        """`labels`: for each name what is to stand there; none where names may be read."""
        self._labels: dict[str, str] = {}
        exact: set[str] = set()
        loose: set[str] = set()
        for name, label in labels.items():
            for form in _forms(name):
                self._labels.setdefault(form.casefold(), label)
                (loose if len(name) >= ANY_CASE else exact).add(form)
        found = [f"(?i:{_any_of(loose)})"] * bool(loose) + [_any_of(exact)] * bool(exact)
        self._names = re.compile("|".join(found)) if found else None

    def text(self, text: str) -> str:
        text = _HOME.sub(rf"\1{GONE}", text)
        text = _CODE.sub(rf"\1{GONE}", text)
        text = _LOGIN.sub(rf"\1{GONE}@", text)
        text = _ADDRESS.sub(_unless_ours, text)
        if self._names is None:
            return text
        return self._names.sub(lambda found: self._labels.get(found[0].casefold(), GONE), text)

    def value(self, value: object) -> object:
        """The same in JSON: of what is named like a secret only the name stays."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {
                    key: GONE if _SECRET.search(key) else self.value(inner)
                    for key, inner in cast("dict[str, Any]", value).items()
                }
            case list():
                return [self.value(inner) for inner in cast("list[Any]", value)]
            case _:
                return value


def _forms(name: str) -> set[str]:
    plain = {name, " ".join(name.split())}
    plain |= {unicodedata.normalize(form, one) for one in plain for form in ("NFC", "NFD", "NFKC", "NFKD")}
    written = {way(one) for one in plain for way in (_as_json, quote, quote_plus, html.escape, _as_repr)}
    return {form for form in plain | written if form.strip()}


def _as_json(name: str) -> str:
    return json.dumps(name)[1:-1]


def _as_repr(name: str) -> str:
    return repr(name)[1:-1]


def _any_of(forms: Iterable[str]) -> str:
    """Not within a word; what is no letter needs no room."""
    kinds: dict[bool, set[str]] = {}
    for form in forms:
        kinds.setdefault(form[0].isalnum(), set()).add(form)
    return "|".join(f"{_NO_LETTER_BEFORE * begins}(?:{_tree(kind)})" for begins, kind in kinds.items())


def _tree(forms: Iterable[str], last: str = "") -> str:
    """One after the other a thousand names would take minutes to look for. Of two that begin alike the longer one
    is found. `last`: the letter before."""
    begin = commonprefix(list(forms))  # noqa: RUF071 - letters are what is compared
    last = (last + begin)[-1:]
    branches: dict[str, set[str]] = {}
    for form in forms:
        branches.setdefault(form[len(begin) :][:1], set()).add(form[len(begin) :])
    further = [_tree(rest, last) for letter, rest in sorted(branches.items()) if letter]
    if "" in branches:
        further.append(_NO_LETTER_AFTER * last.isalnum())
    return f"{re.escape(begin)}(?:{'|'.join(further)})"


def _unless_ours(found: re.Match[str]) -> str:
    """An address that the whole world can reach says where somebody lives."""
    try:
        is_global = ipaddress.ip_address(found[0]).is_global
    except ValueError:
        return found[0]
    return GONE if is_global else found[0]
