"""So many may look at once, and no single device takes all the places."""

import pytest

from companion.errors import TooManyConnections
from companion.live.connection_limits import ConnectionLimit

PHONE, OTHER, OURS = "192.168.7.7", "192.168.7.8", "127.0.0.1"


def test_a_device_gets_so_many_places_and_no_more() -> None:
    """The others still find theirs, and a place that is left is free again."""
    places = ConnectionLimit(in_all=10, of_one=2)
    places.take(PHONE)
    places.take(PHONE)
    with pytest.raises(TooManyConnections, match="close one") as refused:
        places.take(PHONE)
    assert refused.value.again_in_s > 0
    places.take(OTHER)
    places.leave(PHONE)
    places.take(PHONE)
    assert 3 == places.taken


def test_all_places_together_are_limited() -> None:
    """Each of them is a connection kept open."""
    places = ConnectionLimit(in_all=3, of_one=2)
    for address in (PHONE, PHONE, OTHER):
        places.take(address)
    with pytest.raises(TooManyConnections, match="3 pages"):
        places.take("192.168.7.9")


@pytest.mark.parametrize("address", [OURS, "::1", "::ffff:127.0.0.1", "127.0.0.7"])
def test_the_machine_itself_is_no_single_device(address: str) -> None:
    """What comes through a tunnel comes from there, whoever it is."""
    places = ConnectionLimit(in_all=3, of_one=1)
    for _ in range(3):
        places.take(address)
    with pytest.raises(TooManyConnections):
        places.take(address)


def test_what_is_no_address_is_a_device_of_its_own() -> None:
    """A socket without a number has no special rights."""
    places = ConnectionLimit(in_all=3, of_one=1)
    places.take("")
    with pytest.raises(TooManyConnections):
        places.take("")


def test_an_ipv6_device_can_not_take_all_places() -> None:
    """However many of its 2^64 addresses it uses, half of them are left to others; and one that leaves is free."""
    places = ConnectionLimit(in_all=8, of_one=2)
    for number in range(4):
        places.take(f"2001:db8::{number + 1:x}")
    with pytest.raises(TooManyConnections, match="this network"):
        places.take("2001:db8::99")
    for address in ("2001:db8:0:1::1", PHONE, "::ffff:192.168.7.77"):
        places.take(address)
    places.leave("2001:db8::1")
    places.take("2001:db8::99")
    assert 7 == places.taken
