"""Removes private data from a text: people's names, home folders, addresses and secrets.

A name is found in any spelling that a log may have: other capitals, escaped for JSON or for a URL. Only whole
words count: Ben is replaced, Benchmark stays.
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
# Shorter names must match in case: in small letters they are parts of many sentences.
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
    """The replacement for each name: the seat in the newest game, else a number. One person always gets the
    same."""
    persons: dict[str, str] = {}
    labels: dict[str, str] = {}
    for number, name in enumerate(seats, 1):
        labels[name] = persons.setdefault(person_key(name), f"Seat {number}")
    for name in others:
        label = persons.setdefault(person_key(name), f"Person {len(persons) + 1}")
        labels.setdefault(name, label)
    return labels


class Blotter:
    """Replaces names and secrets in texts and in JSON."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        """`labels`: the replacement for each name; empty if names may be shown."""
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
        """The same for JSON. A value whose key sounds like a secret is replaced as a whole."""
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
    """A pattern for any of them as a whole word; a form without letters matches anywhere."""
    kinds: dict[bool, set[str]] = {}
    for form in forms:
        kinds.setdefault(form[0].isalnum(), set()).add(form)
    return "|".join(f"{_NO_LETTER_BEFORE * begins}(?:{_tree(kind)})" for begins, kind in kinds.items())


def _tree(forms: Iterable[str], last: str = "") -> str:
    """A prefix tree as a pattern: trying a thousand names one after the other would take minutes. The longest
    match wins. `last`: the character before."""
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
    """A public address says where somebody lives; private ones are kept."""
    try:
        is_global = ipaddress.ip_address(found[0]).is_global
    except ValueError:
        return found[0]
    return GONE if is_global else found[0]
