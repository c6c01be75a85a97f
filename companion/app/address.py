"""Parses the address where the page is served: a host name or an IP address, with or without a port.

Strict, because name resolution is not: it takes 8080 for the IP address 0.0.31.144.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final

LAST_PORT: Final = 65535
_ADDRESS: Final = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]{1,9}))?")
_LINK: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*://)?([^/?#]*)(?:[/?#].*)?", re.IGNORECASE)
_BACK_TO_FRONT: Final = re.compile(r"([0-9]{1,5}):(.*[^0-9].*)")
# Name resolution takes what ends like this for an IP address, however odd: 127.1, 0x7f000001, 010.0.0.1.
_NUMERIC: Final = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """Where the page is served."""

    host: str | None = None
    """None: all addresses of this machine."""
    port: int | None = None
    """None: 8080, or the next free one."""


def address_in(said: object) -> Address:
    """Parses an address from rig.toml or an option. Raises `ValueError`, which says what to write instead."""
    if type(said) is int and 0 < said <= LAST_PORT:
        raise ValueError(_port_alone(said))
    if not isinstance(said, str) or not said:
        raise ValueError(f"{said!r} is no text")
    if _is(IPv6Address, said):
        return Address(said)
    if _BACK_TO_FRONT.fullmatch(said):
        port, _, host = said.partition(":")
        raise ValueError(f'{said!r}: the port stands behind the address, as in "{host}:{port}"')
    link = _LINK.fullmatch(said)
    if link is not None and link[1] and link[1] != said:
        raise ValueError(f'{said!r} is a link; leave the rest away, as in "{link[1]}"')
    found = _ADDRESS.fullmatch(said)
    if found is None:
        if said.endswith(":") and said[:-1].isdecimal():
            raise ValueError(_port_alone(int(said[:-1])))
        raise ValueError(f'{said!r} is no address; give it as in "0.0.0.0:8080", "[::1]:8080" or ":8080"')
    if found[2] is not None and not 0 < int(found[2]) <= LAST_PORT:
        raise ValueError(f"{found[2]} is no port; they go from 1 to {LAST_PORT}")
    if found[2] is None and said.isdecimal():
        raise ValueError(_port_alone(int(said)))
    return Address(host_in(found[1]) or None, None if found[2] is None else int(found[2]))


def host_in(said: str) -> str:
    """Parses a host name or an IP address; IPv6 may stand in brackets. Raises `ValueError`."""
    host = said[1:-1] if said.startswith("[") and said.endswith("]") else said
    if not host.isprintable() or " " in host or (":" in host and not _is(IPv6Address, host)):
        raise ValueError(f"{said!r} is no address of a machine; give its name or number, as in 192.168.1.7")
    try:
        # Encode the name as the resolver does.
        name = host.encode("idna").decode()
    except UnicodeError:
        raise ValueError(f"{said!r} is no name of a machine: between two dots stand 1 to 63 letters") from None
    if ":" not in name and _NUMERIC.fullmatch(name) and not _is(IPv4Address, name):
        raise ValueError(f"{said!r} is no number of a machine; it has four parts, as in 192.168.1.7")
    return host


def _port_alone(port: int) -> str:
    return f'{port} is a port: write ":{port}", or the address before it, as in "0.0.0.0:{port}"'


def _is(kind: type[IPv4Address | IPv6Address], said: str) -> bool:
    try:
        kind(said)
    except ValueError:
        return False
    return True
