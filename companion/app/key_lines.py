"""On which line of a TOML text each of its keys stands: that is what `tomllib` doesn't tell.

It only walks over what `tomllib` has read without complaint, so it need not know what a value may look like, only
where it ends.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

Place = tuple[str | int, ...]
"""The way to a value: names of keys, and numbers of what stands in an array."""

# Strings of several lines come before those of one, whose quotes they begin with.
_TOKEN: Final = re.compile(
    r"""
    \"{3} (?: [^\\] | \\. )*? \"{3,5}
    | '{3} .*? '{3,5}
    | " (?: [^"\\] | \\. )* "
    | ' [^']* '
    | \# [^\n]*
    | \n
    | [\[\]{}=,.]
    | [^\s\[\]{}=,."'\#]+
    """,
    re.VERBOSE | re.DOTALL,
)


def lines_of(text: str) -> Mapping[Place, int]:
    """Of every key, and of everything in an array."""
    walk = _Walk([*_tokens(text)])
    walk.text()
    return walk.lines


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    line: int


def _tokens(text: str) -> Iterator[_Token]:
    line, seen = 1, 0
    for found in _TOKEN.finditer(text):
        line, seen = line + text.count("\n", seen, found.start()), found.start()
        if not found[0].startswith("#"):
            yield _Token(found[0], line)


@dataclass(slots=True)
class _Walk:
    tokens: list[_Token]
    at: int = 0
    lines: dict[Place, int] = field(default_factory=dict[Place, int])
    counts: dict[Place, int] = field(default_factory=dict[Place, int])
    """Of each array of tables, the number of the newest."""

    @property
    def next(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def take(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def note(self, place: Place, line: int) -> None:
        """Where it stands for the first time, and so does what it is in."""
        for end in range(1, len(place) + 1):
            self.lines.setdefault(place[:end], line)

    def text(self) -> None:
        table: Place = ()
        while self.next:
            if self.next == "\n":
                self.take()
            elif self.next == "[":
                table = self.header()
            else:
                self.pair(table)

    def header(self) -> Place:
        line = self.take().line
        is_array = self.next == "["
        if is_array:
            self.take()
        place = self.within(self.key("]"))
        self.take()
        self.note(place, line)
        if is_array:
            self.take()
            self.counts[place] = self.counts.get(place, -1) + 1
            place = (*place, self.counts[place])
            self.note(place, line)
        return place

    def within(self, key: Place) -> Place:
        """A name of an array of tables means the newest of them."""
        place: Place = ()
        for name in key[:-1]:
            place = (*place, name)
            if place in self.counts:
                place = (*place, self.counts[place])
        return (*place, key[-1])

    def key(self, end: str) -> Place:
        names: list[str] = []
        while self.next != end:
            name = self.take().text
            if name[0] in "\"'":
                names.append(tomllib.loads(f"name = {name}")["name"])
            elif name != ".":
                names.append(name)
        return tuple(names)

    def pair(self, table: Place) -> None:
        line = self.tokens[self.at].line
        place = (*table, *self.key("="))
        self.take()
        self.note(place, line)
        self.value(place)

    def value(self, place: Place) -> None:
        match self.next:
            case "[":
                self.array(place)
            case "{":
                self.inline(place)
            case _:
                while self.next not in (",", "]", "}", "\n", ""):
                    self.take()

    def array(self, place: Place) -> None:
        self.take()
        number = 0
        while self.next != "]":
            if self.next in (",", "\n"):
                self.take()
                continue
            self.note((*place, number), self.tokens[self.at].line)
            self.value((*place, number))
            number += 1
        self.take()

    def inline(self, place: Place) -> None:
        self.take()
        while self.next != "}":
            if self.next in (",", "\n"):
                self.take()
                continue
            self.pair(place)
        self.take()
