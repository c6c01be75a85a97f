"""A chart of each seat's advantage, with the range that chance alone may explain: a dot on a bar around the middle
line, which means no advantage."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from companion.history.charts.chart_scale import Scale
from companion.history.svg import Caption, draw_chart, element, text_at, to_percent

ROW: Final = 44
TOP: Final = 6
AXIS: Final = 40
# The least range of the axis, so that tiny differences are not magnified.
LEAST: Final = 0.1


@dataclass(frozen=True, slots=True)
class Difference:
    """One row of the chart."""

    name: str
    value: str
    """The text at the end of the row."""
    least: float | None = None
    middle: float | None = None
    """The dot: 0.03 means three in a hundred more than the average; None while it is unknown."""
    most: float | None = None


def draw_differences(
    caption: Caption, rows: Sequence[Difference], *, written: Callable[[float], str], ends: tuple[str, str]
) -> Markup:
    """`written`: formats a difference for the axis; `ends`: what the left and the right side of the middle
    mean."""
    widest = max([LEAST, *(abs(value) for row in rows for value in (row.least or 0, row.most or 0))])
    scale = Scale(-widest * 1.05, widest * 1.05)
    bottom = TOP + ROW * len(rows)
    inside = [*_axis(scale, bottom, written)]
    inside += [text_at(ends[0], 0, bottom + 34, "word"), text_at(ends[1], "100%", bottom + 34, "word", "end")]
    for place, row in enumerate(rows):
        inside += _row(row, scale, TOP + ROW * place)
    return draw_chart(caption, bottom + AXIS, inside, "seats")


def _axis(scale: Scale, bottom: float, written: Callable[[float], str]) -> Iterator[str]:
    for tick in scale.ticks(5):
        x = to_percent(scale.share(tick))
        yield element("line", x1=x, x2=x, y1=TOP, y2=bottom, class_="grid" if tick else "even")
        yield text_at(written(tick), x, bottom + 16, "tick", "middle")


def _row(row: Difference, scale: Scale, top: float) -> Iterator[str]:
    middle = top + 28
    yield text_at(row.name, 0, top + 13, "name")
    yield text_at(row.value, "100%", top + 13, "value", "end")
    if row.middle is None or row.least is None or row.most is None:
        return
    low, here, high = (to_percent(scale.share(value)) for value in (row.least, row.middle, row.most))
    yield element("line", x1=low, x2=high, y1=middle, y2=middle, class_="whisker")
    # A bar that does not reach the middle is more than chance can explain.
    is_fair = row.least <= 0 <= row.most
    yield element("circle", cx=here, cy=middle, r=6, class_="fair" if is_fair else "unfair")
