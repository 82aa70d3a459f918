"""What was spent from rate limits in one process, told to the others over the bus.

Nobody asks anybody: each process grants from buckets of its own, and what others granted is taken
from them too. Word is given a few times a second, and at once when a twentieth of a bucket has been
spent, so whoever spreads over many processes gets little more than the limit. A word that is lost
makes a limit looser for a while; one that comes twice, stricter.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from parlour.bus.api import Bus
from parlour.rates import LARGEST_COUNT, Buckets, Rate

TOPIC: Final = "rates"
TELL_EVERY_SEC = 0.2
TELL_AT_ONCE = 20
"""Which part of a bucket is worth a word of its own."""
PORTION = 40
"""How much one word may hold: every bus can carry a few kilobytes."""


class Spent(Struct, frozen=True, array_like=True):
    """From which bucket, and how much."""

    name: str
    key: str
    count: Annotated[int, Meta(ge=1, le=LARGEST_COUNT)]


class Word(Struct, frozen=True, array_like=True):
    """What a process spent since its last word."""

    origin: str
    spent: tuple[Spent, ...]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Word)


class Spending:
    """One process's part in it."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._origin = secrets.token_hex(8)
        self._shared: dict[str, Buckets] = {}
        self._untold: dict[tuple[str, str], int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def share(self, name: str, buckets: Buckets) -> None:
        """Let others spend from these, which they know by that name."""
        self._shared[name] = buckets

    def start(self) -> None:
        """Listen to the others."""
        if self._shared:
            self._unsubscribe = self._bus.subscribe(TOPIC, self._hear)

    def close(self) -> None:
        """Tell what is untold, and listen no more."""
        self._tell()
        self._unsubscribe()

    def note(self, name: str, key: str, rate: Rate) -> None:
        """One was spent here."""
        if self._bus.alone:
            return
        spent = self._untold[name, key] = self._untold.get((name, key), 0) + 1
        if spent * TELL_AT_ONCE >= rate.count:
            self._tell()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_EVERY_SEC, self._tell)

    def _tell(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        spent = [Spent(*bucket, count) for bucket, count in self._untold.items()]
        self._untold.clear()
        for start in range(0, len(spent), PORTION):
            word = Word(self._origin, tuple(spent[start : start + PORTION]))
            self._bus.publish(TOPIC, _ENCODER.encode(word))

    def _hear(self, payload: bytes) -> None:
        try:
            word = _DECODER.decode(payload)
        except msgspec.DecodeError:
            return  # that a word may have been missed, or one of another version
        if word.origin == self._origin:
            return
        for spent in word.spent:
            buckets = self._shared.get(spent.name)
            if buckets is not None:
                buckets.spend(spent.key, spent.count)
