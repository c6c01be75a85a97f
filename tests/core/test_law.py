"""The law of the rules: the standard library only, and of it nothing that knows the time, the world or chance."""

import ast
from collections.abc import Iterator
from pathlib import Path

import companion

HOUSE = Path(companion.__file__).parent
PURE = [*(HOUSE / "core").rglob("*.py"), *(HOUSE / "games").glob("*/rules/**/*.py"), HOUSE / "units.py"]
ALLOWED = {"bisect", "collections", "contextlib", "dataclasses", "enum", "fractions", "functools"} | {
    *("heapq", "itertools", "json", "math", "re", "types", "typing", "unicodedata", "zlib")
}
OURS = ("companion.core", "companion.errors", "companion.units")


def imported(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


def own_rules(source: Path) -> tuple[str, ...]:
    """A game's rules may use each other, and no other game's."""
    parts = source.relative_to(HOUSE).parts
    return (f"companion.games.{parts[1]}.rules",) if parts[0] == "games" else ()


def test_the_rules_import_nothing_impure() -> None:
    """No module of them reaches a clock, a file, a thread or chance."""
    foreign = [
        f"{source.relative_to(HOUSE)}: {name}"
        for source in PURE
        for name in imported(source)
        if name.split(".")[0] not in ALLOWED and not name.startswith((*OURS, *own_rules(source)))
    ]

    assert len(PURE) > 30
    assert [] == foreign


def test_the_rules_open_and_print_nothing() -> None:
    """The built-in ways out are closed too."""
    calls = {
        f"{source.relative_to(HOUSE)}: {node.func.id}"
        for source in PURE
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"open", "print", "input", "exec", "eval", "__import__"}
    }

    assert set() == calls
