"""What processes tell each other about a match over the bus."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from parlour.store.change import JournalRow


class Heard(Struct, frozen=True, array_like=True):
    """The step that led to a version; without one: somebody's connection came or went."""

    version: int
    entry: JournalRow | None = None


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Heard)


def stepped(entry: JournalRow) -> bytes:
    """The match took a step."""
    return _ENCODER.encode(Heard(entry.version, entry))


def presence_changed(version: int) -> bytes:
    """Who is here changed."""
    return _ENCODER.encode(Heard(version))


def heard(payload: bytes) -> Heard | None:
    """What was said; None if it only says to look, or nothing that makes sense."""
    try:
        return _DECODER.decode(payload) if payload else None
    except msgspec.DecodeError:
        return None
