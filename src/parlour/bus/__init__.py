"""Word between processes that a match moved on; may lose, repeat or reorder it."""

from __future__ import annotations

from parlour.bus.api import CHECK, Bus, Hear
from parlour.bus.local import LocalBus

__all__ = ["CHECK", "Bus", "Hear", "LocalBus", "open_bus"]


def open_bus(redis_url: str | None, database_url: str) -> Bus:
    """Between processes over the Redis that is named, else over a PostgreSQL that they share.

    A file of SQLite belongs to one process, and so does the bus beside it.
    """
    if redis_url is not None:
        # Only who uses Redis needs its client installed.
        from parlour.bus.redis import RedisBus  # noqa: PLC0415 (only with the extra)

        return RedisBus(redis_url)
    if database_url.startswith("sqlite:"):
        return LocalBus()
    # Its client takes a while to load.
    from parlour.bus.postgres import PostgresBus  # noqa: PLC0415 (see above)

    return PostgresBus(database_url)
