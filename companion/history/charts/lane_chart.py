"""A photo finish chart: a lane for each seat, a common time axis, and the clock's resolution as a band across
it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from companion.history.charts.chart_scale import Scale
from companion.history.svg import Caption, draw_chart, element, text_at, to_percent, truncate

LANE: Final = 52
TOP: Final = 8
AXIS: Final = 34
LONGEST_NAME: Final = 16
# More numbers than that overlap on a small phone.
TICKS: Final = 4


@dataclass(frozen=True, slots=True)
class Needle:
    """One press in its lane."""

    at: float
    kind: str
    """Its class in the style sheet."""
    is_minor: bool = False
    """Drawn as a short line only: it had no further effect."""
    is_wrong: bool = False
    """Drawn crossed out."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One seat's lane."""

    seat: int
    name: str
    value: str
    """The text at the end of the lane."""
    needles: tuple[Needle, ...]
    head: str | None = None
    """The id of a drawing on the page that represents the seat, about 54 wide around (0, 0)."""


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
    """The part of the time axis that is shown, in the unit of the presses."""

    low: float
    high: float
    written: Callable[[float], str]


def draw_lanes(
    caption: Caption,
    view: TimeView,
    rows: Sequence[Lane],
    *,
    lines: Sequence[MarkerLine] = (),
    bands: Sequence[Band] = (),
) -> Markup:
    scale = Scale(view.low, view.high)
    bottom = TOP + LANE * len(rows)
    inside = [
        *(_band(band, scale, bottom) for band in bands),
        *_axis(scale, view, bottom),
        *(part for line in lines for part in _line(line, scale, bottom)),
        *(part for place, lane in enumerate(rows) for part in _lane(lane, scale, TOP + LANE * place)),
    ]
    return draw_chart(caption, bottom + AXIS, inside, "lanes")


def _band(band: Band, scale: Scale, bottom: float) -> str:
    low, high = (min(1.0, max(0.0, scale.share(value))) for value in (band.low, band.high))
    # It is visible however narrow it is: the style sheet draws its outline.
    return element(
        "rect",
        x=to_percent(low),
        y=TOP - 4,
        width=to_percent(max(0.0, high - low)),
        height=bottom - TOP + 8,
        class_=f"band {band.kind}",
    )


def _axis(scale: Scale, view: TimeView, bottom: float) -> Iterator[str]:
    for tick in scale.ticks(TICKS):
        x = to_percent(scale.share(tick))
        yield element("line", x1=x, x2=x, y1=TOP, y2=bottom, class_="grid")
        yield text_at(view.written(tick), x, bottom + 16, "tick", "middle")


def _line(line: MarkerLine, scale: Scale, bottom: float) -> Iterator[str]:
    share = scale.share(line.at)
    x = to_percent(share)
    yield element("line", x1=x, x2=x, y1=TOP - 4, y2=bottom + 2, class_=f"instant {line.kind}")
    yield text_at(line.word, x, bottom + 31, f"word {line.kind}", _anchor(share))


def _anchor(share: float) -> str:
    """The text anchor that keeps the text inside the drawing."""
    return "start" if share < 0.25 else "end" if share > 0.75 else "middle"


def _lane(lane: Lane, scale: Scale, top: float) -> Iterator[str]:
    water = top + 38
    yield element("line", x1=0, x2="100%", y1=water, y2=water, class_="water")
    for needle in lane.needles:
        if scale.holds(needle.at):
            yield _needle(needle, lane, scale.share(needle.at), water)
    yield text_at(truncate(lane.name, LONGEST_NAME), 0, top + 13, "name")
    yield text_at(lane.value, "100%", top + 13, "value", "end")


def _needle(needle: Needle, lane: Lane, share: float, water: float) -> str:
    """The exact time is the thin line; the seat's head touches it from the side with more room."""
    high, low = (5, 5) if needle.is_minor else (20, 9)
    line = element("line", y1=-high, y2=low, class_="press")
    inside = [line] if needle.is_minor else [line, *_head(needle, lane, 1 if share < 0.12 else -1)]
    return element(
        "svg",
        *inside,
        x=to_percent(share),
        y=water,
        overflow="visible",
        class_=f"needle seat-{lane.seat + 1} {needle.kind}",
    )


def _head(needle: Needle, lane: Lane, side: int) -> Iterator[str]:
    x = side * 15
    yield element("circle", r=13, cx=x, cy=-5, class_="seat")
    if lane.head is not None:
        yield element("g", element("use", href=f"#{lane.head}"), transform=f"translate({x} -5) scale(.44)")
    if needle.is_wrong:
        yield element("path", d=f"M{x - 8}-13l16 16m0-16l-16 16", class_="cross")
