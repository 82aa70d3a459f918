"""A limit for each turn, for rules that have one: it runs, or stands still with what is left of it.

Laws: at most one of both parts is set; what stands still loses nothing; no limit is (None, None).
"""

from __future__ import annotations

from parlour.games.api import Millis

Limit = tuple[Millis | None, Millis | None]
"""When the turn ends while its time runs, else what is left of it."""

UNLIMITED: Limit = (None, None)


def begun(limit_ms: Millis, now: Millis, *, running: bool = True) -> Limit:
    """A turn's full time; 0: as long as it likes.

    >>> begun(60_000, now=5_000)
    (65000, None)
    """
    if not limit_ms:
        return UNLIMITED
    return (now + limit_ms, None) if running else (None, limit_ms)


def stopped(limit: Limit, now: Millis) -> Limit:
    """The time stands still from now on; nothing changes if it does already.

    >>> stopped((65_000, None), now=15_000)
    (None, 50000)
    """
    ends_at, left_ms = limit
    return (None, left_ms) if ends_at is None else (None, max(0, ends_at - now))


def resumed(limit: Limit, now: Millis) -> Limit:
    """What is left runs on; nothing changes if it runs already.

    >>> resumed((None, 50_000), now=20_000)
    (70000, None)
    """
    ends_at, left_ms = limit
    return (ends_at, None) if left_ms is None else (now + left_ms, None)
