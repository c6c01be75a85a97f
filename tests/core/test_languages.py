"""The languages in which people at the table can read."""

from companion.core.languages import LANGUAGES


def test_english_is_among_the_languages_for_it_stands_in_the_code() -> None:
    """Each has a name of its own, so that whoever chooses one finds it."""
    assert "en" in LANGUAGES
    assert len(LANGUAGES) == len(set(LANGUAGES.values()))
