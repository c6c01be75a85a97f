"""Where the keys of a TOML text stand."""

import tomllib
from collections.abc import Iterator
from typing import Any

from companion.app.key_lines import Place, lines_of

TEXT = (
    r'''
plain = 1  # not = this
"quoted key" = "[not] = { a table } # \" ]"
dotted."key with ]".end = -1.5e3
many = """
[no.table]
key = "" \""" """
days = [1979-05-27 07:32:00.5Z,
  [true, [], "a,]"], {}, # ]
  {x = {y = 1}, "z" = [2,
   3]},
]
[table . sub]
key = 0
[[table.rows]]
key = 0
[[table.rows]]
key = [
]
[table.rows.below]
deep = 0
'''
    "literal = '\\'\n'literal key' = '''\n] } ''''\n"
)


def places(said: Any, place: Place = ()) -> Iterator[Place]:
    """Of all that `tomllib` has read."""
    within: list[tuple[str | int, Any]] = []
    if isinstance(said, dict):
        within = [*said.items()]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    elif isinstance(said, list):
        within = [*enumerate(said)]  # pyright: ignore[reportUnknownArgumentType]
    for key, value in within:
        yield (*place, key)
        yield from places(value, (*place, key))


def test_whatever_stands_there_has_its_line() -> None:
    """Every key and everything in an array, and nothing else; whatever strings and remarks look like."""
    lines = lines_of(TEXT)
    assert {*places(tomllib.loads(TEXT))} == {*lines}
    rows = TEXT.splitlines()
    for place, line in lines.items():
        if isinstance(place[-1], str):
            assert place[-1] in rows[line - 1]


def test_the_lines_are_those_of_an_editor() -> None:
    """Counted from one, also where Windows ends them."""
    text = "a = 1\r\n\r\nb = [\r\n  0,\r\n  {c = 0}]\r\n"
    expected = {("a",): 1, ("b",): 3, ("b", 0): 4, ("b", 1): 5, ("b", 1, "c"): 5}
    assert expected == lines_of(text)
    assert {} == lines_of("")
    assert {("a",): 1} == lines_of("a=1")
