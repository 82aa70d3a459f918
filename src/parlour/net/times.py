"""Times as clients get them."""

from __future__ import annotations

from datetime import UTC, datetime

from parlour.games.api import Millis


def iso(at: Millis) -> str:
    """ISO 8601 in UTC with milliseconds.

    >>> iso(1_700_000_000_007)
    '2023-11-14T22:13:20.007Z'
    """
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
