"""Numbers, times and dates as the page's language writes them.

Dates are in the rig's own time zone: it is where the game was played. Durations come from the monotonic clock.
"""

from collections.abc import Sequence
from datetime import datetime

from babel import numbers
from babel.dates import format_date, format_time
from flask_babel import gettext, ngettext

from companion.core.names import shown_names
from companion.web.i18n import language

NS_A_SECOND = 1_000_000_000


def _locale() -> str:
    """Plain "en" is shown as British English, with a European calendar."""
    said = language()
    return "en_GB" if said == "en" else said


def wall_datetime(wall: int) -> datetime:
    return datetime.fromtimestamp(wall // NS_A_SECOND).astimezone()


def format_day(wall: int) -> str:
    """Wednesday, 18 November 2026"""
    return format_date(wall_datetime(wall), "full", locale=_locale())


def format_day_and_time(wall: int) -> str:
    return f"{format_date(wall_datetime(wall), 'medium', locale=_locale())}, {format_time_of_day(wall)}"


def format_time_of_day(wall: int) -> str:
    at = wall_datetime(wall)
    return format_time(at, "short", locale=_locale(), tzinfo=at.tzinfo)


def format_number(value: float, digits: int = 0) -> str:
    """With that many digits after the decimal point."""
    return numbers.format_decimal(value, "#,##0" + ("." + "0" * digits if digits else ""), locale=_locale())


def format_percent(share: float, *, signed: bool = False) -> str:
    pattern = "+0.#\u202f%;\u22120.#\u202f%" if signed and share else "#,##0\u202f%"
    return numbers.format_percent(share, pattern, locale=_locale())


def format_exact_ms(ns: int) -> str:
    """412.345 ms: in whole microseconds, as the rulings count them."""
    return gettext("%(n)s ms", n=format_number(ns // 1_000 / 1e3, 3))


def format_ms(us: float) -> str:
    return gettext("%(n)s ms", n=format_number(us / 1e3))


def format_gap(ns: int) -> str:
    """The time between two presses; the shorter it is, the more digits are shown."""
    if ns < 1_000_000:
        return gettext("%(n)s µs", n=format_number(ns / 1e3))
    if ns < NS_A_SECOND:
        return gettext("%(n)s ms", n=format_number(ns / 1e6, 1 if ns < 100_000_000 else 0))
    return gettext("%(n)s s", n=format_number(ns / 1e9, 1))


def format_seconds(us: float) -> str:
    """Seconds as written on an axis: 0.5 s."""
    s = us / 1e6
    return gettext("%(n)s s", n=format_number(s, 0 if s >= 1 else 1 if s >= 0.1 else 2))


def format_duration(ns: int) -> str:
    minutes = round(ns / (60 * NS_A_SECOND))
    if minutes < 60:
        return ngettext("%(n)s minute", "%(n)s minutes", max(1, minutes), n=max(1, minutes))
    return gettext("%(h)s h %(m)s min", h=minutes // 60, m=minutes % 60)


def format_game_time(ns: int) -> str:
    """12:05, minutes and seconds."""
    total = ns // NS_A_SECOND
    return f"{total // 60}:{total % 60:02d}"


def join_names(names: Sequence[str]) -> str:
    """Ada; Ada and Ben; Ada, Ben and Cy."""
    *all_but_one, last = shown_names(names) or ("",)
    return gettext("%(first)s and %(last)s", first=", ".join(all_but_one), last=last) if all_but_one else last
