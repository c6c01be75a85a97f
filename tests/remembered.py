"""Drawn pictures remembered from run to run: the same scene, drawn by the same source, is not drawn again.

They lie in pytest's own cache, `.pytest_cache/d/drawn`; `python -m pytest --cache-clear` forgets them. Many
processes may write there at once: a file is whole or not there, and whoever is second writes the same.
"""

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, cast

import cv2
import numpy as np
from cv2.typing import MatLike

import companion
from companion.drawn import painter
from companion.drawn.drawn_surface import FINE, SHEET, Surface, surface_picture
from companion.drawn.painter import Scene, Truth

ROOM = 600_000_000
COMPANION = Path(companion.__file__).parent
# What decides how anything is drawn.
SOURCES = ("drawn/*.py", "paper/*.py", "games/goat/printed/*.py", "core/mat.py")
# Of the truth about a picture, what doesn't stand in its scene as well.
MEASURED = ("hidden", "card_hidden", "burnt", "corners", "outlines")


class Memory:
    """Bytes under the name of what they were made of."""

    def __init__(self, folder: Path, room: int = ROOM) -> None:
        self._folder = folder
        self._room = room

    def of(self, source: str, make: Callable[[], bytes], *, noisy: bool = False) -> bytes:
        """`noisy`: hardly anything in it comes again, so that only how often each byte does is worth the time."""
        place = self._folder / source
        try:
            known = zlib.decompress(place.read_bytes())
            os.utime(place)
        except (OSError, zlib.error):
            known = make()
            self._keep(place, known, zlib.Z_HUFFMAN_ONLY if noisy else zlib.Z_DEFAULT_STRATEGY)
        return known

    def _keep(self, place: Path, content: bytes, strategy: int) -> None:
        pack = zlib.compressobj(level=1, strategy=strategy)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, delete=False) as draft:
                draft.write(pack.compress(content) + pack.flush())
            Path(draft.name).replace(place)
        except OSError:
            # A disk that is full or not ours to write on costs time, no more.
            return

    def forget_the_oldest(self) -> None:
        """All that there is no more room for, by when it was last needed."""
        kept = sorted(_seen(self._folder), reverse=True)
        total = 0
        for _, size, place in kept:
            total += size
            if total > self._room:
                place.unlink(missing_ok=True)


def _seen(folder: Path) -> Iterator[tuple[float, int, Path]]:
    for place in folder.glob("*"):
        try:
            stat = place.stat()
        except FileNotFoundError:
            continue
        yield stat.st_mtime, stat.st_size, place


def name_of(*parts: object) -> str:
    """The same for the same things, in any process; another one for anything that differs."""
    digest = hashlib.sha256(_drawn_by().encode())
    for part in parts:
        for word in _words(part):
            digest.update(len(word).to_bytes(8, "big") + word)
    return digest.hexdigest()


# Printed cards lie in picture after picture; what is found here again is the very same array.
_PRINTED: dict[int, tuple[MatLike, bytes]] = {}


def _words(thing: object) -> Iterator[bytes]:
    if isinstance(thing, np.ndarray):
        yield _printed(cast("MatLike", thing))
    elif is_dataclass(thing):
        yield type(thing).__qualname__.encode()
        for field in fields(thing):
            yield from _words(getattr(thing, field.name))
    elif isinstance(thing, tuple):
        many = cast("tuple[object, ...]", thing)
        yield f"{len(many)} of them".encode()
        for one in many:
            yield from _words(one)
    elif thing is None or isinstance(thing, str | int | float):
        yield f"{type(thing).__name__} {thing!r}".encode()
    else:
        raise TypeError(f"nobody knows when two of {type(thing)} are the same")


def _printed(picture: MatLike) -> bytes:
    if id(picture) not in _PRINTED:
        told = f"{picture.dtype} {picture.shape}".encode() + np.ascontiguousarray(picture).tobytes()
        _PRINTED[id(picture)] = (picture, hashlib.sha256(told).digest())
    return _PRINTED[id(picture)][1]


@cache
def _drawn_by() -> str:
    sources = sorted(path for pattern in SOURCES for path in COMPANION.glob(pattern))
    own = [Path(__file__), *sources]
    digest = hashlib.sha256(f"{np.__version__} {cv2.__version__}".encode())
    for path in own:
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Drawer:
    """Draws what it doesn't remember."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def paint(self, scene: Scene, shot: int = 0) -> tuple[MatLike, Truth]:
        def draw() -> bytes:
            picture, truth = painter.paint(scene, shot)
            measured = {name: getattr(truth, name) for name in MEASURED}
            return json.dumps(measured).encode() + b"\n" + picture.tobytes()

        measured, _, pixels = self._memory.of(name_of(scene, shot), draw, noisy=True).partition(b"\n")
        truth = Truth(scene.tops, **{name: _tuples(one) for name, one in json.loads(measured).items()})
        return _array(pixels, scene.lens.width), truth

    def surface(self, surface: Surface, *, mat: bool) -> MatLike:
        pixels = self._memory.of(name_of(surface, mat), lambda: surface_picture(surface, mat=mat).tobytes())
        return _array(pixels, (SHEET.right - SHEET.left) * FINE)


def _array(pixels: bytes, width: int) -> MatLike:
    return np.frombuffer(pixels, np.uint8).reshape(-1, width, 3).copy()


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, cast("list[Any]", value))) if isinstance(value, list) else value


MEMORY = Memory(COMPANION.parent / ".pytest_cache/d/drawn")
_DRAWER = Drawer(MEMORY)
paint = _DRAWER.paint
# As few at a time as whoever draws them holds.
surface = lru_cache(maxsize=4)(_DRAWER.surface)
