"""The law of the rooms: what belongs to a game stands in its folder, and everything has a name of its own."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import companion
from companion.games.registry import GAMES

HOUSE = Path(companion.__file__).parent
ROOT = HOUSE.parent
FOLDERS = HOUSE / "games"
SOURCES = sorted((*HOUSE.rglob("*.py"), *(ROOT / "hardware").rglob("*.py")))
PAGES = sorted(page for kind in ("html", "js", "css") for page in HOUSE.rglob(f"*.{kind}"))
REGISTRY = FOLDERS / "registry.py"
AT_THE_TOP = {"__init__.py", "__main__.py", "errors.py", "units.py", "files.py"}

COMMENT = re.compile(r"\{#.*?#\}|/\*.*?\*/", re.DOTALL)


@cache
def tree(source: Path) -> ast.Module:
    return ast.parse(source.read_text(encoding="utf-8"))


def place(source: Path) -> str:
    return source.relative_to(ROOT).as_posix()


def imported(source: Path) -> Iterator[str]:
    for node in ast.walk(tree(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


def words(source: Path) -> Iterator[str]:
    """All names and texts of a program, but not its docstrings."""
    nodes = list(ast.walk(tree(source)))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        for _, value in ast.iter_fields(node):
            if isinstance(value, str) and id(node) not in docstrings:
                yield value


def knows(file: Path, game: str) -> bool:
    said = words(file) if file.suffix == ".py" else [COMMENT.sub("", file.read_text(encoding="utf-8"))]
    return any(game in word.lower() for word in said)


def strangers(game: str) -> Iterator[Path]:
    """The files that do not belong to that game, and are not the one that names it."""
    for file in (*SOURCES, *PAGES):
        if FOLDERS / game not in file.parents and file != REGISTRY:
            yield file


def test_a_game_is_named_in_its_folder_and_in_the_registry() -> None:
    """Whoever adds a game or takes one away touches nothing else."""
    know = {place(file) for game in GAMES for file in strangers(game) if knows(file, game)}

    assert set() == know


def test_nobody_reaches_into_a_games_folder() -> None:
    """What others need of a game they ask the registry for."""
    reaching = {
        place(file)
        for game in GAMES
        for file in strangers(game)
        if file.suffix == ".py"
        for name in imported(file)
        if f"{name}.".startswith(f"companion.games.{game}.")
    }

    assert set() == reaching


def test_the_hardware_knows_nothing_of_the_table() -> None:
    """It is of use to others as well: of ours it takes the units."""
    ours = {
        f"{place(source)}: {name}"
        for source in SOURCES
        if place(source).startswith("hardware/")
        for name in imported(source)
        if f"{name}.".startswith("companion.") and name != "companion.units"
    }

    assert set() == ours


def test_only_what_has_no_room_stands_at_the_top() -> None:
    """Whatever is added stands in a room."""
    assert {source.name for source in HOUSE.glob("*.py")} == AT_THE_TOP


def rooms_of(name_of: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    """Which names stand in several places. Games do not see each other, so two games may use one name."""
    places: defaultdict[str, set[Path]] = defaultdict(set)
    for name, source in name_of:
        places[name].add(source)
    return {name: sorted(map(place, found)) for name, found in places.items() if not _are_apart(found)}


def _are_apart(sources: set[Path]) -> bool:
    games = [source.relative_to(FOLDERS).parts[0] for source in sources if FOLDERS in source.parents]
    return len(sources) == 1 or (len(games) == len(sources) == len(set(games)))


def test_every_module_has_a_name_of_its_own() -> None:
    """Who looks for one finds one."""
    assert {} == rooms_of(
        (source.stem, source) for source in SOURCES if source.stem not in {"__init__", "__main__"}
    )


def test_every_class_has_a_name_of_its_own() -> None:
    """A class that begins with an underscore is nobody's but its module's."""
    assert {} == rooms_of(
        (node.name, source)
        for source in SOURCES
        for node in ast.walk(tree(source))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
