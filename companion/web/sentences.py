"""Sentences with gaps, filled by the server where no script does it.

The scripts fill the same sentences by the same rules (`static/words.js`).
"""

from collections.abc import Mapping, Sequence

from babel.numbers import format_decimal

from companion.web.i18n import language


def filled(words: Mapping[str, str], key: str, **gaps: object) -> str:
    """Fills the gaps once: a name that contains a `{gap}` is left as it is."""
    text = words[key]
    parts = text.split("{")
    done = [parts[0]]
    for part in parts[1:]:
        gap, _, rest = part.partition("}")
        done += [str(gaps[gap]), rest]
    return "".join(done)


def counted(words: Mapping[str, str], key: str, n: int) -> str:
    return filled(words, f"{key}.{'one' if n == 1 else 'other'}", n=n)


def joined(words: Mapping[str, str], between: str, parts: Sequence[str]) -> str:
    """Ada; Ada and Ben; Ada, Ben and Cy."""
    if len(parts) < 2:
        return "".join(parts)
    return filled(words, between, first=", ".join(parts[:-1]), last=parts[-1])


def milliseconds(words: Mapping[str, str], us: int) -> str:
    """In whole milliseconds; with tenths if the presses were that close."""
    return filled(
        words, "ms", n=format_decimal(us / 1000, "#,##0.0" if us < 10_000 else "#,##0", locale=language())
    )
