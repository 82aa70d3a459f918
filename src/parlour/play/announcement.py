"""What processes tell each other about a match over the bus."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from parlour.play.match import UNSAID, Words
from parlour.store.change import JournalRow


class Announcement(Struct, frozen=True, array_like=True, gc=False):
    """The step that led to a version; without one: somebody's connection came or went."""

    version: int
    entry: JournalRow | None = None
    said: dict[str, bytes] = {}
    """What all are told of the step alike, for who would say the same (`Words`)."""


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Announcement)


def stepped(entry: JournalRow, said: Words = UNSAID) -> bytes:
    """The match took a step."""
    return _ENCODER.encode((entry.version, entry, said) if said else (entry.version, entry))


def presence_changed(version: int) -> bytes:
    """Who is here changed."""
    return _ENCODER.encode(Announcement(version))


def announced(payload: bytes) -> Announcement | None:
    """What was told; None if it only says to look, or nothing that makes sense."""
    try:
        return _DECODER.decode(payload) if payload else None
    except msgspec.DecodeError:
        return None
