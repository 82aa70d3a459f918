"""Times as clients get them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from parlour.games.api import Millis


@lru_cache(maxsize=4096)
def iso(at: Millis) -> str:
    """ISO 8601 in UTC with milliseconds.

    >>> iso(1_700_000_000_007)
    '2023-11-14T22:13:20.007Z'
    """
    # One step is told with the same few times to all who hear of it, and with the next again.
    second, rest = divmod(at, 1000)
    return f"{_second(second)}.{rest:03}Z"


@lru_cache(maxsize=64)
def _second(at: int) -> str:
    # Most times that are told are of now, and many of them of the same second.
    return datetime.fromtimestamp(at, UTC).isoformat().removesuffix("+00:00")
