"""Who counts as one: an IPv4 address, or the /64 network that an IPv6 address is one of many in."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def address_group(host: str) -> str:
    """What to count that host's connections under.

    >>> address_group("192.0.2.7"), address_group("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> address_group("2001:db8:1:2:3:4:5:6") == address_group("2001:db8:1:2::9")
    True
    """
    if ":" not in host:
        return host
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(address) >> 64 << 64)) + "/64"


class TrustedProxies:
    """The peers whose forwarding headers are believed: many people come through each of them."""

    def __init__(self, allowed: str | Sequence[str]) -> None:
        """`allowed` is what FORWARDED_ALLOW_IPS says: `*`, or addresses and networks."""
        entries = allowed.split(",") if isinstance(allowed, str) else allowed
        self._everybody = "*" in entries
        self._networks = [found for each in entries if (found := _network(each.strip()))]

    def __contains__(self, host: str) -> bool:
        if self._everybody:
            return True
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None)
        return any((mapped or address) in network for network in self._networks)


def _network(text: str) -> Network | None:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        return None  # uvicorn takes such a name literally; no peer over TCP has one
