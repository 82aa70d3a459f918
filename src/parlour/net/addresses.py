"""Who counts as one: an IPv4 address, or the /64 network that an IPv6 address is one of many in."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from functools import lru_cache

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@lru_cache(10_000)
def address_group(host: str) -> str:
    """What to count under for that host.

    >>> address_group("192.0.2.7"), address_group("::ffff:192.0.2.7"), address_group("odd")
    ('192.0.2.7', '192.0.2.7', 'odd')
    >>> address_group("2001:db8:1:2:3:4:5:6"), address_group("fe80::1%eth0")
    ('2001:db8:1:2::/64', 'fe80::/64')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
        address = address.ipv4_mapped
    return str(address)


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
