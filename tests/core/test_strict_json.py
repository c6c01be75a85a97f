"""A single number out of a JSON object that is no event."""

import pytest

from companion.core.strict_json import read_whole
from companion.errors import InvalidEvent


def test_a_whole_number_is_read_or_refused() -> None:
    """In words that name the key and what may stand there."""
    assert 3 == read_whole({"place": 3}, "pairing", "place", 0, 8)
    with pytest.raises(InvalidEvent, match="pairing: `place` is missing"):
        read_whole({}, "pairing", "place", 0, 8)
    with pytest.raises(InvalidEvent, match="pairing: `place` must be a whole number from 0 to 8, not 9"):
        read_whole({"place": 9}, "pairing", "place", 0, 8)
