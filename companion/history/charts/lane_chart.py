"""A photo finish: a lane for each seat, one time line for all, and the clock's resolution as a band across it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from companion.history.charts.chart_scale import Scale
from companion.history.svg import Caption, drawing, element, percent, shortened, words

LANE: Final = 52
TOP: Final = 8
AXIS: Final = 34
LONGEST_NAME: Final = 16
# On a small telephone more numbers than that run into each other.
TICKS: Final = 4
# Presses that were ruled on no further, and those that were wrong.
PASSED_OVER: Final = ("same_slap", "unheard")
WRONG: Final = ("no_set", "already_safe", "misplay", "no_pile", "jumped")


@dataclass(frozen=True, slots=True)
class Needle:
    """A press in its lane."""

    at: float
    kind: str
    """`safe`, `late`, ...: how it is drawn."""


@dataclass(frozen=True, slots=True)
class Lane:
    seat: int
    name: str
    value: str
    """What stands at its end."""
    needles: tuple[Needle, ...]


@dataclass(frozen=True, slots=True)
class MarkerLine:
    """An instant that concerns all lanes."""

    at: float
    word: str
    kind: str


@dataclass(frozen=True, slots=True)
class Band:
    low: float
    high: float
    kind: str


@dataclass(frozen=True, slots=True)
class TimeView:
    """What part of the time line is shown, in whatever unit the presses are in."""

    low: float
    high: float
    written: Callable[[float], str]


def lanes(
    caption: Caption,
    view: TimeView,
    swimmers: Sequence[Lane],
    *,
    lines: Sequence[MarkerLine] = (),
    bands: Sequence[Band] = (),
) -> Markup:
    scale = Scale(view.low, view.high)
    bottom = TOP + LANE * len(swimmers)
    inside = [
        *(_band(band, scale, bottom) for band in bands),
        *_axis(scale, view, bottom),
        *(part for line in lines for part in _line(line, scale, bottom)),
        *(part for place, lane in enumerate(swimmers) for part in _lane(lane, scale, TOP + LANE * place)),
    ]
    return drawing(caption, bottom + AXIS, inside, "lanes")


def _band(band: Band, scale: Scale, bottom: float) -> str:
    low, high = (min(1.0, max(0.0, scale.share(value))) for value in (band.low, band.high))
    # However narrow it is, it can be seen: the style sheet draws its outline.
    return element(
        "rect",
        x=percent(low),
        y=TOP - 4,
        width=percent(max(0.0, high - low)),
        height=bottom - TOP + 8,
        class_=f"band {band.kind}",
    )


def _axis(scale: Scale, view: TimeView, bottom: float) -> Iterator[str]:
    for tick in scale.ticks(TICKS):
        x = percent(scale.share(tick))
        yield element("line", x1=x, x2=x, y1=TOP, y2=bottom, class_="grid")
        yield words(view.written(tick), x, bottom + 16, "tick", "middle")


def _line(line: MarkerLine, scale: Scale, bottom: float) -> Iterator[str]:
    share = scale.share(line.at)
    x = percent(share)
    yield element("line", x1=x, x2=x, y1=TOP - 4, y2=bottom + 2, class_=f"instant {line.kind}")
    yield words(line.word, x, bottom + 31, f"word {line.kind}", _anchor(share))


def _anchor(share: float) -> str:
    """So that it stays inside."""
    return "start" if share < 0.25 else "end" if share > 0.75 else "middle"


def _lane(lane: Lane, scale: Scale, top: float) -> Iterator[str]:
    water = top + 38
    yield element("line", x1=0, x2="100%", y1=water, y2=water, class_="water")
    for needle in lane.needles:
        if scale.holds(needle.at):
            yield _needle(needle, lane.seat, scale.share(needle.at), water)
    yield words(shortened(lane.name, LONGEST_NAME), 0, top + 13, "name")
    yield words(lane.value, "100%", top + 13, "value", "end")


def _needle(needle: Needle, seat: int, share: float, water: float) -> str:
    """The press itself is the fine line; the goat whose it is touches it with its nose."""
    high, low = (5, 5) if needle.kind in PASSED_OVER else (20, 9)
    line = element("line", y1=-high, y2=low, class_="press")
    inside = [line] if needle.kind in PASSED_OVER else [line, *_goat(needle.kind, seat, 1 if share < 0.12 else -1)]
    return element(
        "svg",
        *inside,
        x=percent(share),
        y=water,
        overflow="visible",
        class_=f"needle seat-{seat + 1} {needle.kind}",
    )


def _goat(kind: str, seat: int, side: int) -> Iterator[str]:
    x = side * 15
    yield element("circle", r=13, cx=x, cy=-5, class_="seat")
    yield element("g", element("use", href=f"#goat-{seat}"), transform=f"translate({x} -5) scale(.44)")
    if kind in WRONG:
        yield element("path", d=f"M{x - 8}-13l16 16m0-16l-16 16", class_="cross")
