"""Names belong to people: who sits down as "Ada" today and as "ada " next week is the same person."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(1024)
def person_key(name: str) -> str:
    """The same for all spellings of a name: case and blanks say nothing about who somebody is."""
    # Some signs fall apart into a blank and a mark; without the blank two marks may change places.
    while (folded := "".join(unicodedata.normalize("NFKC", name).casefold().split())) != name:
        name = folded
    return folded


def latest_spellings(names: Iterable[str]) -> dict[str, str]:
    """Each person with their name as it was spelt last."""
    return {person_key(name): " ".join(name.split()) for name in names}
