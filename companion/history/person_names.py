"""Identifies people by name: "Ada" today and "ada " next week are the same person."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(1024)
def person_key(name: str) -> str:
    """One key for all spellings of a name: case and spaces do not matter."""
    # Repeated until stable: normalising may give a space and a combining mark, and without the space two marks may
    # swap.
    while (folded := "".join(unicodedata.normalize("NFKC", name).casefold().split())) != name:
        name = folded
    return folded


def latest_spellings(names: Iterable[str]) -> dict[str, str]:
    """Each person's key with the newest spelling of the name."""
    return {person_key(name): " ".join(name.split()) for name in names}
