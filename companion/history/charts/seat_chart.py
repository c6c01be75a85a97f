"""Is any seat faster? For each the difference it makes, and how far chance alone may have moved it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from markupsafe import Markup

from companion.history.charts.chart_scale import Scale
from companion.history.fairness import SeatSpeed
from companion.history.svg import Caption, drawing, element, percent, words

ROW: Final = 44
TOP: Final = 6
AXIS: Final = 40
# A drawing of differences of nothing must not blow them up.
LEAST: Final = 0.1


def seats(
    caption: Caption,
    speeds: Sequence[SeatSpeed],
    *,
    called: Callable[[SeatSpeed], tuple[str, str]],
    written: Callable[[float], str],
    ends: tuple[str, str],
) -> Markup:
    """`called`: what stands at both ends of a row; `ends`: what it means to lie left and right of the middle."""
    widest = max([LEAST, *(abs(value) for speed in speeds for value in (speed.least or 0, speed.most or 0))])
    scale = Scale(-widest * 1.05, widest * 1.05)
    bottom = TOP + ROW * len(speeds)
    inside = [*_axis(scale, bottom, written)]
    inside += [words(ends[0], 0, bottom + 34, "word"), words(ends[1], "100%", bottom + 34, "word", "end")]
    for place, speed in enumerate(speeds):
        inside += _row(speed, called(speed), scale, TOP + ROW * place)
    return drawing(caption, bottom + AXIS, inside, "seats")


def _axis(scale: Scale, bottom: float, written: Callable[[float], str]) -> Iterator[str]:
    for tick in scale.ticks(5):
        x = percent(scale.share(tick))
        yield element("line", x1=x, x2=x, y1=TOP, y2=bottom, class_="grid" if tick else "even")
        yield words(written(tick), x, bottom + 16, "tick", "middle")


def _row(speed: SeatSpeed, called: tuple[str, str], scale: Scale, top: float) -> Iterator[str]:
    middle = top + 28
    yield words(called[0], 0, top + 13, "name")
    yield words(called[1], "100%", top + 13, "value", "end")
    if speed.slower is None or speed.least is None or speed.most is None:
        return
    low, here, high = (percent(scale.share(value)) for value in (speed.least, speed.slower, speed.most))
    yield element("line", x1=low, x2=high, y1=middle, y2=middle, class_="whisker")
    yield element("circle", cx=here, cy=middle, r=6, class_="unfair" if speed.unfair else "fair")
