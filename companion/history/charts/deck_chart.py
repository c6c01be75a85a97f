"""A chart of the size of everybody's deck over a game; who gets to the bottom may win."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from companion.history.charts.chart_scale import Scale
from companion.history.svg import (
    Caption,
    draw_chart,
    element,
    fit_text,
    format_number,
    text_at,
    to_percent,
    tooltip,
)

TOP: Final = 12
TALL: Final = 220
AXIS: Final = 40
APART: Final = 18
# The pixels that the style sheet keeps free beside the drawing, for a head and about ten letters. A share of the
# width would be too little on a phone and too much on a laptop.
NAMES: Final = 112
NAMES_BEGIN: Final = 23
LETTER: Final = 13
SIDE: Final = 1000


@dataclass(frozen=True, slots=True)
class Course:
    """One seat's deck: its size from each instant on."""

    seat: int
    name: str
    steps: tuple[tuple[float, int], ...]
    head: str | None = None
    """The id of a drawing on the page that represents the seat, about 54 wide around (0, 0)."""

    @property
    def last(self) -> int:
        return self.steps[-1][1]


def draw_decks(
    caption: Caption,
    courses: Sequence[Course],
    end: float,
    *,
    marks: Sequence[float] = (),
    written: Callable[[float], str],
) -> Markup:
    """`marks`: instants marked below the lines; `written`: formats an instant for the axis."""
    most = max(cards for course in courses for _, cards in course.steps)
    across, up = Scale(0, end, edge=0), Scale(0, max(10, most), edge=0)
    inside = [
        *_axes(across, up, written),
        *(_mark(across.share(t)) for t in marks),
        _lines(courses, across, up, end),
        *_names(courses, up),
    ]
    return draw_chart(caption, TOP + TALL + AXIS, inside, "decks")


def _y(up: Scale, cards: float) -> float:
    return TOP + TALL * (1 - up.share(cards))


def _axes(across: Scale, up: Scale, written: Callable[[float], str]) -> Iterator[str]:
    for cards in up.ticks(4):
        y = _y(up, cards)
        yield element("line", x1=0, x2="100%", y1=y, y2=y, class_="grid")
        yield text_at(f"{cards:.0f}", 0, y - 3, "tick")
    for t in across.ticks(3):
        x = to_percent(across.share(t))
        yield text_at(written(t), x, TOP + TALL + 34, "tick", "start" if t == 0 else "middle")


def _mark(share: float) -> str:
    x, y = to_percent(share), TOP + TALL
    return element("line", x1=x, x2=x, y1=y + 6, y2=y + 16, class_="race")


def _lines(courses: Sequence[Course], across: Scale, up: Scale, end: float) -> str:
    paths = [
        element(
            "path",
            d=_course(course, across, up, end),
            class_=f"deck seat-{course.seat + 1}",
            vector_effect="non-scaling-stroke",
        )
        for course in courses
    ]
    return element(
        "svg",
        *paths,
        x=0,
        y=TOP,
        width="100%",
        height=TALL,
        viewBox=f"0 0 {SIDE} {TALL}",
        preserveAspectRatio="none",
        overflow="visible",
    )


def _course(course: Course, across: Scale, up: Scale, end: float) -> str:
    parts: list[str] = []
    for t, cards in course.steps:
        x, y = format_number(SIDE * across.share(t)), format_number(_y(up, cards) - TOP)
        parts.append(f"H{x}V{y}" if parts else f"M{x} {y}")
    return "".join((*parts, f"H{format_number(SIDE * across.share(end))}"))


def _names(courses: Sequence[Course], up: Scale) -> Iterator[str]:
    """At the end of each line, moved apart where they would overlap."""
    y, lowest = TOP - APART, TOP + TALL
    ordered = sorted(courses, key=lambda course: -course.last)
    places: list[float] = []
    for place, course in enumerate(ordered):
        room = lowest - APART * (len(ordered) - 1 - place)
        y = min(max(y + APART, _y(up, course.last)), room)
        places.append(y)
    for course, place in zip(ordered, places, strict=True):
        name = fit_text(course.name, (NAMES - NAMES_BEGIN) / LETTER)
        parts = [
            element("circle", r=8.5, cx=11, class_=f"seat seat-{course.seat + 1}"),
            *_head(course),
            text_at(name, NAMES_BEGIN, 4, "name"),
        ]
        whole = [tooltip(course.name)] if name != course.name else []
        yield element("svg", *whole, *parts, x="100%", y=place, overflow="visible")


def _head(course: Course) -> Iterator[str]:
    if course.head is not None:
        yield element("g", element("use", href=f"#{course.head}"), transform="translate(11 0) scale(.34)")
