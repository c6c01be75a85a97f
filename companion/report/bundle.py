"""Makes the zip of a problem report. A part that fails is listed as missing; the rest is made all the same."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from companion import __version__
from companion.report.redact import Blotter, labels_of
from companion.report.report_parts import Names, Part, Sources, names_in, parts_of

FIRST: Final = "report.txt"
_WORD: Final = re.compile(r"[a-z_]+")


@dataclass(frozen=True, slots=True)
class Wish:
    names: bool = False
    """Keep people's names instead of replacing them."""
    pictures: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    content: bytes
    """The zip."""
    parts: tuple[str, ...]
    missing: tuple[tuple[str, str], ...]
    """The parts that could not be made, each with the reason."""


def make_report(sources: Sources, wish: Wish) -> Report:
    """All parts in one zip; whatever fails is listed in `missing`."""
    names = Names() if wish.names else names_in(sources.data)
    blotter = Blotter(labels_of(names.seats, names.everybody))
    had: list[tuple[str, bytes]] = []
    missing = [(f"the names in {file}", why) for file, why in names.unread]
    for part in parts_of(sources, pictures=wish.pictures):
        try:
            had.append((blotter.text(part.name), _make_part(part, blotter)))
        except Exception as error:  # noqa: BLE001 - what can't be had is no reason to go without the rest
            missing.append((part.name, blotter.text(" ".join(f"{error}".split()) or type(error).__name__)))
    within = tuple(name for name, _ in had)
    first = blotter.text("\n".join(_first(within, missing, wish)))
    return Report(_zip([(FIRST, first.encode()), *had]), within, tuple(missing))


def _make_part(part: Part, blotter: Blotter) -> bytes:
    made = part.make()
    if isinstance(made, bytes):
        return made
    if part.name.endswith(".json"):
        return (json.dumps(blotter.value(json.loads(made)), indent=1, ensure_ascii=False) + "\n").encode()
    if part.name.endswith(".jsonl"):
        return "".join(f"{_event(json.loads(line), blotter)}\n" for line in made.splitlines()).encode()
    return blotter.text(made).encode()


def _event(event: Mapping[str, object], blotter: Blotter) -> str:
    """One event of a recording, redacted. Words of the rules are kept even if somebody is called the same, so that
    it can still be replayed."""
    blotted = {
        key: value if isinstance(value, str) and _WORD.fullmatch(value) else blotter.value(value)
        for key, value in event.items()
    }
    return json.dumps(blotted, separators=(",", ":"), ensure_ascii=False)


def _first(had: tuple[str, ...], missing: list[tuple[str, str]], wish: Wish) -> Iterator[str]:
    yield f"Report of the table companion {__version__}, {datetime.now().astimezone():%Y-%m-%d %H:%M %z}"
    yield ""
    yield "Names: " + ("as they are." if wish.names else "blotted out; a seat's number stands for each.")
    yield "Pictures: " + ("the last that were misread." if wish.pictures else "none.")
    yield "Secrets, and which phones are paired, are never in it."
    yield ""
    yield "In it:"
    yield from (f"  {name}" for name in had)
    if missing:
        yield ""
        yield "Not to be had:"
        yield from (f"  {name}: {why}" for name, why in missing)
    yield ""


def _zip(files: list[tuple[str, bytes]]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return out.getvalue()
