"""Word between processes that a match moved on; may lose, repeat or reorder it."""

from __future__ import annotations

from parlour.bus.api import CHECK, Bus, Hear
from parlour.bus.local import LocalBus

__all__ = ["CHECK", "Bus", "Hear", "LocalBus", "open_bus"]


def open_bus(redis_url: str | None) -> Bus:
    """The bus between processes where a Redis is named, else the one within this process."""
    if redis_url is None:
        return LocalBus()
    # Only who uses Redis needs its client installed.
    from parlour.bus.redis import RedisBus  # noqa: PLC0415 (only with the extra)

    return RedisBus(redis_url)
