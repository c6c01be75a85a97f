"""The law of the core: the standard library only, and of it nothing that knows the time, the world or chance."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.core

CORE = Path(companion.core.__file__).parent
ALLOWED = {"bisect", "collections", "contextlib", "dataclasses", "enum", "fractions", "functools"} | {
    *("heapq", "itertools", "json", "math", "types", "typing", "unicodedata", "zlib")
}
OURS = ("companion.core", "companion.errors")


def imported(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


@pytest.mark.parametrize("source", sorted(CORE.rglob("*.py")), ids=lambda path: str(path.relative_to(CORE)))
def test_the_core_imports_nothing_impure(source: Path) -> None:
    """No module of the core reaches a clock, a file, a thread or chance."""
    foreign = [
        name for name in imported(source) if name.split(".")[0] not in ALLOWED and not name.startswith(OURS)
    ]

    assert [] == foreign


@pytest.mark.parametrize("source", sorted(CORE.rglob("*.py")), ids=lambda path: str(path.relative_to(CORE)))
def test_the_core_opens_and_prints_nothing(source: Path) -> None:
    """The built-in ways out are closed too."""
    calls = [
        node.func.id
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]

    assert not {"open", "print", "input", "exec", "eval", "__import__"} & set(calls)
