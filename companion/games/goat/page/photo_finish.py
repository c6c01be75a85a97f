"""The photo finish of a race as the page shows it: drawings, and a table that says the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flask_babel import gettext
from markupsafe import Markup

from companion.games.goat.history import Answer, Finish, PressMark, SprintHeat
from companion.games.goat.page.race_reasons import Names, describe_sets, explain, headline, how_close
from companion.history.charts.lane_chart import Band, Lane, MarkerLine, Needle, TimeView, draw_lanes
from companion.history.svg import Caption
from companion.web.formatting import format_exact_ms, format_game_time, format_gap, format_number

# Presses that are further apart are told apart at a glance.
CLOSE = 30_000_000
TOO_SOON = 100_000_000
# A lone slap has no time line of its own.
SHORTEST = 100_000_000
# Presses that were ruled on no further, and those that were wrong.
PASSED_OVER = ("same_slap", "unheard")
WRONG = ("no_set", "already_safe", "misplay", "no_pile", "jumped")


@dataclass(frozen=True, slots=True)
class Row:
    """A press in the table beside the drawing."""

    seat: int
    name: str
    time: str
    ruled: str


@dataclass(frozen=True, slots=True)
class FinishPart:
    finish: Finish
    when: str
    headline: str
    close: str | None
    sets: list[str]
    race: Markup
    magnified: Markup | None
    sprints: tuple[Markup, ...]
    rows: tuple[Row, ...]
    why: list[tuple[int | None, str]]
    pictures: tuple[str, ...] = ()
    """Which of `before` and `after` were kept."""


def finish_part(finish: Finish, names: Names, begun: int, pictures: tuple[str, ...]) -> FinishPart:
    return FinishPart(
        finish,
        format_game_time(finish.t - begun),
        headline(finish, names),
        how_close(finish),
        describe_sets(finish),
        _race(finish, names),
        _magnify(finish, names),
        tuple(_sprint(finish, heat, place, names) for place, heat in enumerate(finish.heats, 1)),
        tuple(_rows(finish, names)),
        explain(finish, names),
        pictures,
    )


def verdict(finish: Finish, mark: PressMark) -> str:
    """In two or three words."""
    if mark.place is not None:
        return gettext("lifebuoy %(place)s", place=mark.place)
    return {
        "safe": gettext("safe"),
        "tied": gettext("slowest") if finish.slowest == mark.seat else gettext("dead heat"),
        "late": gettext("slowest"),
        "no_set": gettext("no set"),
        "already_safe": gettext("safe already"),
        "misplay": gettext("void: misplay"),
        "no_pile": gettext("void: no pile"),
        "same_slap": gettext("same slap"),
        "unheard": gettext("meant nothing"),
    }[mark.verdict]


def _zero(finish: Finish) -> int:
    """From where times are counted: a hand may have hidden the card beyond the first press."""
    return min(finish.since, finish.t) if finish.since is not None else finish.t


def _race(finish: Finish, names: Names) -> Markup:
    zero = _zero(finish)
    last = max(mark.t for mark in finish.marks)
    # Whoever did not press at all has a lane too: that is what happened.
    order = list(dict.fromkeys([*(mark.seat for mark in finish.marks), *finish.order]))
    since = finish.since
    return draw_lanes(
        Caption(
            f"race-{finish.number}",
            gettext("Photo finish %(n)s: %(headline)s", n=finish.number, headline=headline(finish, names)),
            " ".join(f"{row.name}: {row.time}, {row.ruled}." for row in _rows(finish, names)),
        ),
        TimeView(0.0, max(SHORTEST, last - zero) * 1.06 / 1e3, _milliseconds),
        [_lane(finish, seat, names, zero) for seat in order],
        lines=[MarkerLine((since - zero) / 1e3, gettext("the set"), "set")] if since is not None else [],
        bands=_resolution(finish, zero),
    )


def _milliseconds(us: float) -> str:
    return gettext("%(n)s ms", n=format_number(us / 1e3))


def _lane(finish: Finish, seat: int, names: Names, zero: int) -> Lane:
    marks = [mark for mark in finish.marks if mark.seat == seat]
    first = next((mark for mark in marks if mark.verdict not in PASSED_OVER), None)
    if first is None:
        value = gettext("no slap") if not marks else gettext("meant nothing")
    else:
        # The referee's own number, which is rounded down, where there is one: it stands in the sentences as well.
        after = first.t - zero if first.reaction_us is None else first.reaction_us * 1000
        value = f"{format_exact_ms(after)} · {verdict(finish, first)}"
    return _lane_of(seat, names, value, *(_needle(mark.t - zero, mark.verdict) for mark in marks))


def _lane_of(seat: int, names: Names, value: str, *needles: Needle) -> Lane:
    return Lane(seat, names[seat], value, needles, head=f"goat-{seat}")


def _needle(ns: int, kind: str) -> Needle:
    return Needle(ns / 1e3, kind, is_minor=kind in PASSED_OVER, is_wrong=kind in WRONG)


def _deciding(finish: Finish) -> PressMark | None:
    """The press that took the last lifebuoy, or would have."""
    if finish.heats:
        return next(
            (mark for mark in finish.marks if mark.t == finish.heats[0].t and mark.verdict == "tied"), None
        )
    safe = [mark for mark in finish.marks if mark.verdict == "safe"]
    return safe[-1] if safe else None


def _resolution(finish: Finish, zero: int) -> tuple[Band, ...]:
    deciding = _deciding(finish)
    if deciding is None:
        return ()
    at, reach = (deciding.t - zero) / 1e3, finish.resolution / 1e3
    return (Band(at - reach, at + reach, "resolution"),)


def _magnify(finish: Finish, names: Names) -> Markup | None:
    """Those that came closest, microseconds apart, beside what the clock can tell."""
    marks = _closest_marks(finish)
    if len(marks) < 2:
        return None
    first, apart, reach = marks[0].t, (marks[-1].t - marks[0].t) / 1e3, finish.resolution / 1e3
    deciding = _deciding(finish)
    centre = ((deciding if deciding in marks and deciding is not None else marks[0]).t - first) / 1e3
    edge = max(apart * 0.35, reach * 1.6, 1.0)
    return draw_lanes(
        Caption(
            f"magnified-{finish.number}",
            gettext("The closest slaps, magnified"),
            gettext(
                "%(gap)s lie between them; the clock tells apart what is further apart than %(resolution)s.",
                gap=format_gap(marks[-1].t - first),
                resolution=format_gap(finish.resolution),
            ),
        ),
        TimeView(-edge, apart + edge, _microseconds),
        [
            _lane_of(mark.seat, names, _behind(mark.t - first), _needle(mark.t - first, mark.verdict))
            for mark in marks
        ],
        bands=(Band(centre - reach, centre + reach, "resolution"),),
    )


def _closest_marks(finish: Finish) -> Sequence[PressMark]:
    if finish.heats:
        return [mark for mark in finish.raced if mark.verdict == "tied"]
    pair = finish.closest
    return pair if pair is not None and pair[1].t - pair[0].t <= CLOSE else ()


def _microseconds(us: float) -> str:
    return gettext("%(n)s µs", n=format_number(us))


def _behind(ns: int) -> str:
    return gettext("first") if not ns else f"+{_microseconds(ns / 1e3)}"


def _sprint(finish: Finish, heat: SprintHeat, place: int, names: Names) -> Markup:
    lit, answered = heat.lit, [answer.t for answer in heat.answers]
    zero = min(answered if lit is None else [lit, *answered], default=heat.t)
    end = max([zero + 2 * TOO_SOON, *answered])
    racing = [_sprinter(finish, place, answer, names, zero) for answer in heat.answers]
    answers = {answer.seat for answer in heat.answers}
    racing += [_lane_of(seat, names, gettext("no slap")) for seat in heat.seats if seat not in answers]
    lamps = None if lit is None else (lit - zero) / 1e3
    return draw_lanes(
        Caption(
            f"sprint-{finish.number}-{place}",
            gettext("The sprint"),
            " ".join(f"{lane.name}: {lane.value}." for lane in racing),
        ),
        TimeView(0.0, (end - zero) * 1.06 / 1e3, _milliseconds),
        racing,
        lines=[] if lamps is None else [MarkerLine(lamps, gettext("the lamps"), "lamps")],
        bands=[] if lamps is None else [Band(lamps, lamps + TOO_SOON / 1e3, "too-soon")],
    )


def _sprinter(finish: Finish, place: int, answer: Answer, names: Names, zero: int) -> Lane:
    lit = finish.heats[place - 1].lit
    value = gettext("too soon") if answer.jumped or lit is None else format_exact_ms(answer.t - lit)
    kind = "jumped" if answer.jumped else _sprint_kind(finish, place, answer.seat)
    return _lane_of(answer.seat, names, value, _needle(answer.t - zero, kind))


def _sprint_kind(finish: Finish, place: int, seat: int) -> str:
    if place < len(finish.heats) and seat in finish.heats[place].seats:
        return "tied"
    return "late" if seat == finish.slowest else "safe"


def _rows(finish: Finish, names: Names) -> Iterator[Row]:
    zero = _zero(finish)
    for mark in finish.marks:
        yield Row(mark.seat, names[mark.seat], format_exact_ms(mark.t - zero), verdict(finish, mark))
