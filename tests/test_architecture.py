"""What .github/ARCHITECTURE.md says of rooms, threads, queues and ways is what the code does."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import companion
from companion.threads.worker import HANGS_AFTER_S, Policy, Worker

ROOT = Path(companion.__file__).parents[1]
TEXT = (ROOT / ".github/ARCHITECTURE.md").read_text(encoding="utf-8")
SOURCES = [path for room in ("companion", "hardware") for path in (ROOT / room).rglob("*.py")]
# Whoever wants may use these; they import nothing of ours.
FOR_ALL = {"companion", "units", "errors", "files"}


def table(header: str, text: str = TEXT) -> list[list[str]]:
    """The rows of the table with that header."""
    rows = text.partition(f"{header}\n")[2].splitlines()[1:]
    ended = next((number for number, row in enumerate(rows) if not row.startswith("|")), len(rows))
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[:ended]]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


# Rooms


def room_of(module: str) -> str:
    match module.split("."):
        case ["companion", "games", _, room, *_]:
            return f"games/*/{room}"
        case ["companion", room, *_]:
            return room
        case [top, *_]:
            return top
        case _:
            raise AssertionError(module)


def loaded(tree: ast.AST) -> Iterator[str]:
    """What is imported as soon as the module is, not what a function or a type checker imports."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif not isinstance(node, ast.FunctionDef) and not is_for_types(node):
            yield from loaded(node)


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def test_a_room_imports_only_what_it_is_said_to() -> None:
    """A new way between two rooms is a word in the table, thought about by whoever writes it there."""
    told = {
        room.strip("`").rstrip("/").removeprefix("companion/"): {*quoted(imports), *FOR_ALL}
        for room, _, imports in table("| room | for | imports |")
    }
    used: dict[str, set[str]] = {}
    for path in SOURCES:
        room = room_of(module_of(path))
        names = loaded(ast.parse(path.read_text(encoding="utf-8")))
        others = {room_of(name) for name in names if name.split(".")[0] in ("companion", "hardware")}
        used.setdefault(room, set()).update(others - {room})

    assert used.keys() - {*FOR_ALL, "__main__"} <= told.keys()
    assert {room: more for room in told if (more := used.get(room, set()) - told[room])} == {}


# Threads and queues


def workers() -> Iterator[list[str]]:
    """Each class of worker as the table tells it."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and any(isinstance(base, ast.Name) for base in node.bases):
                module = import_module(module_of(path))
                if issubclass(getattr(module, node.name, object), Worker) and node.name != "Worker":
                    yield [str(path.relative_to(ROOT)), *begun_with(node, vars(module))]


def begun_with(node: ast.ClassDef, names: dict[str, Any]) -> list[str]:
    """Its name, policy, whether it is vital, and after how long it hangs."""
    call = next(
        call
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__"
    )
    name, policy = (eval(ast.unparse(one), names) for one in call.args[:2])  # noqa: S307 - our own source
    options = {
        one.arg: eval(ast.unparse(one.value), names)  # noqa: S307 - as above
        for one in call.keywords
        if one.arg in ("is_vital", "hangs_after_s")
    }
    assert isinstance(policy, Policy)
    vital, hangs = options.get("is_vital", True), options.get("hangs_after_s", HANGS_AFTER_S)
    return [name, policy.name, "yes" if vital else "no", f"{hangs:g} s"]


def test_every_worker_is_told_as_it_is() -> None:
    """Its name, where it stands, its policy, whether the program can do without it, and when it hangs."""
    told = [
        [where.strip("`"), name.strip("`"), *rest]
        for name, where, *rest, _ in table("| name | where | policy | vital | hangs after | does |")
    ]

    assert sorted(told) == sorted(workers())


def test_every_queue_has_the_room_it_is_said_to_have() -> None:
    """A bound that is changed is changed in the table."""
    rows = [
        (quoted(where), room)
        for _, _, where, room, _ in table("| from -> to | what | where | room | when it is full |")
    ]
    bound = {
        (path, name): room for (path, name), room in ((where, room) for where, room in rows if len(where) == 2)
    }

    assert len(bound) > 10
    assert bound == {
        (path, name): str(getattr(import_module(module_of(ROOT / path)), name)) for path, name in bound
    }


# Ways

HOPS = [
    (where.strip("`"), call)
    for way in re.split(r"^### ", TEXT, flags=re.MULTILINE)[1:]
    for _, where, calls, _ in table("| thread | where | calls | what |", way)
    for call in quoted(calls)
]


@pytest.mark.parametrize(("where", "call"), HOPS)
def test_every_hop_is_there(where: str, call: str) -> None:
    """What a way calls is found in that file under that name."""
    tree: ast.AST = ast.parse((ROOT / where).read_text(encoding="utf-8"))
    for name in call.split("."):
        there = {
            node.name: node
            for node in ast.iter_child_nodes(tree)
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        assert name in there, f"{where} has no {call}: is it one of {', '.join(there)}?"
        tree = there[name]
