"""What processes tell each other about a match over the bus."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from parlour.store.change import JournalRow


class Announcement(Struct, frozen=True, array_like=True):
    """The step that led to a version; without one: somebody's connection came or went."""

    version: int
    entry: JournalRow | None = None


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Announcement)


def stepped(entry: JournalRow) -> bytes:
    """The match took a step."""
    return _ENCODER.encode(Announcement(entry.version, entry))


def presence_changed(version: int) -> bytes:
    """Who is here changed."""
    return _ENCODER.encode(Announcement(version))


def announced(payload: bytes) -> JournalRow | None:
    """The step that was told of; None if it only says to look, or nothing that makes sense."""
    try:
        return _DECODER.decode(payload).entry if payload else None
    except msgspec.DecodeError:
        return None
