"""A box plot of how long everybody takes: a box from the first to the third quartile with the median in it, and
the newest values as dots. The axis is logarithmic: twice as long is the same distance everywhere on it."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from companion.history.charts.chart_scale import Scale, log_ticks
from companion.history.spread import Spread
from companion.history.svg import Caption, draw_chart, element, format_number, text_at, to_percent, truncate

ROW: Final = 50
TOP: Final = 6
AXIS: Final = 24
LONGEST_NAME: Final = 18
# Dots of similar values are drawn beside each other, in this many rows.
STACK: Final = 4


@dataclass(frozen=True, slots=True)
class NamedSpread:
    """One row of the chart."""

    name: str
    value: str
    """The text at the end of the row."""
    spread: Spread


def draw_spreads(caption: Caption, rows: Sequence[NamedSpread], written: Callable[[float], str]) -> Markup:
    """`written`: formats a value for the axis."""
    values = [value for row in rows for value in (*row.spread.newest, row.spread.low, row.spread.high)]
    low, high = min(values) * 0.93, max(values) * 1.07
    scale = Scale(math.log(low), math.log(high), edge=0.01)
    bottom = TOP + ROW * len(rows)
    inside = list(_axis(scale, low, high, bottom, written))
    for place, row in enumerate(rows):
        top = TOP + ROW * place
        inside += [
            text_at(truncate(row.name, LONGEST_NAME), 0, top + 13, "name"),
            text_at(row.value, "100%", top + 13, "value", "end"),
            *_row(row.spread, scale, top + 32),
        ]
    return draw_chart(caption, bottom + AXIS, inside, "spreads")


def _axis(scale: Scale, low: float, high: float, bottom: float, written: Callable[[float], str]) -> Iterator[str]:
    for tick in log_ticks(low, high):
        x = to_percent(scale.share(math.log(tick)))
        yield element("line", x1=x, x2=x, y1=TOP + 18, y2=bottom, class_="grid")
        yield text_at(written(tick), x, bottom + 16, "tick", "middle")


def _row(spread: Spread, scale: Scale, middle: float) -> Iterator[str]:
    low, median, high = (
        scale.share(math.log(max(1, value))) for value in (spread.low, spread.median, spread.high)
    )
    yield element(
        "line", x1=to_percent(scale.edge), x2=to_percent(1 - scale.edge), y1=middle, y2=middle, class_="water"
    )
    yield element(
        "rect", x=to_percent(low), y=middle - 11, width=to_percent(high - low), height=22, rx=5, class_="quartiles"
    )
    yield _dots(spread, scale, middle)
    x = to_percent(median)
    yield element("line", x1=x, x2=x, y1=middle - 13, y2=middle + 13, class_="median")


def _dots(spread: Spread, scale: Scale, middle: float) -> str:
    """One path for all dots: a segment of no length with round ends is a dot, and takes ten bytes."""
    steps: list[str] = []
    for place, time in enumerate(spread.newest):
        y = (place % STACK - (STACK - 1) / 2) * 4
        steps.append(f"M{format_number(1000 * scale.share(math.log(time)))} {format_number(11 + y)}h0")
    path = element("path", d="".join(steps), class_="dots", vector_effect="non-scaling-stroke")
    return element(
        "svg",
        path,
        x=0,
        y=middle - 11,
        width="100%",
        height=22,
        viewBox="0 0 1000 22",
        preserveAspectRatio="none",
        overflow="visible",
    )
