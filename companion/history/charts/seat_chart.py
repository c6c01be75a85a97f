"""What difference each seat makes, and how far chance alone may have moved it: a point on a bar about the middle,
which is none."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from companion.history.charts.chart_scale import Scale
from companion.history.svg import Caption, draw_chart, element, text_at, to_percent

ROW: Final = 44
TOP: Final = 6
AXIS: Final = 40
# A drawing of differences of nothing must not blow them up.
LEAST: Final = 0.1


@dataclass(frozen=True, slots=True)
class Difference:
    """A row."""

    name: str
    value: str
    """What stands at its end."""
    least: float | None = None
    middle: float | None = None
    """0.03: three in a hundred more than the average; None while nobody knows."""
    most: float | None = None


def draw_differences(
    caption: Caption, rows: Sequence[Difference], *, written: Callable[[float], str], ends: tuple[str, str]
) -> Markup:
    """`written`: a difference as it stands on the axis; `ends`: what it means to lie left and right of the
    middle."""
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
    # A bar that does not reach the middle is more than chance explains.
    is_fair = row.least <= 0 <= row.most
    yield element("circle", cx=here, cy=middle, r=6, class_="fair" if is_fair else "unfair")
