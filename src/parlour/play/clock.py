"""Time and chance, as the kernel gets them handed in."""

from __future__ import annotations

import os
from collections.abc import Callable

from parlour.games.api import Millis
from parlour.timekeeping import wall_clock

__all__ = ["ALPHABET", "Chance", "Clock", "uuid", "wall_clock"]

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Base 32 without the look-alikes I, O, 0 and 1; what codes and public ids are made of."""

_LETTERS = (ALPHABET * 8).encode()
"""One for each byte."""

Clock = Callable[[], Millis]


class Chance:
    """Where ids, codes, secrets and seeds come from."""

    def __init__(self, entropy: Callable[[int], bytes] = os.urandom, clock: Clock = wall_clock):
        self._entropy = entropy
        self._clock = clock

    def id(self) -> str:
        """A UUID (version 7) that sorts by time, so that new rows stand side by side on disk.

        >>> len(Chance().id())
        36
        """
        value = (self._clock() << 80) | int.from_bytes(self._entropy(10), "big")
        return uuid(value, 7)

    def word(self, length: int) -> str:
        """A random word of the alphabet above."""
        return self._entropy(length).translate(_LETTERS).decode()

    def secret(self) -> str:
        """An unguessable UUID (version 4): what proves a seat."""
        return uuid(int.from_bytes(self._entropy(16), "big"), 4)

    def seed(self) -> bytes:
        """A match's secret."""
        return self._entropy(32)

    def below(self, limit: int) -> int:
        """A uniform integer in [0, limit), for limits far below 2**64."""
        return int.from_bytes(self._entropy(16), "big") % limit


def uuid(value: int, version: int) -> str:
    """A UUID of that version, made of 128 bits of which six are not kept.

    >>> uuid(0, 4)
    '00000000-0000-4000-8000-000000000000'
    """
    value = value & ~(0xF << 76 | 0x3 << 62) | version << 76 | 0x2 << 62
    digits = f"{value:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
