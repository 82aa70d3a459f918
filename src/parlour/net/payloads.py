"""What a notification tells: as it was stored, or as whoever sent it puts it now.

services.payloads.put("CONNECT_FIVE_CHALLENGE", told)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec

from parlour.store.change import NotificationRow

Payload = dict[str, Any]

Put = Callable[[list[NotificationRow]], Awaitable[dict[str, Payload]]]
"""What each of these notifications tells, by its id."""


class Payloads:
    """How each type of notification is put into words."""

    def __init__(self) -> None:
        self._puts: dict[str, Put] = {}

    def put(self, notification_type: str, put: Put) -> None:
        """From now on notifications of that type tell what this says."""
        self._puts[notification_type] = put

    async def of(self, rows: Iterable[NotificationRow]) -> dict[str, Payload]:
        """What each of these tells, by its id."""
        told: dict[str, Payload] = {}
        apart: dict[str, list[NotificationRow]] = {}
        for row in rows:
            if row.type in self._puts:
                apart.setdefault(row.type, []).append(row)
            else:
                told[row.id] = {"notification_type": row.type, **msgspec.json.decode(row.payload)}
        for notification_type, some in apart.items():
            told |= await self._puts[notification_type](some)
        return told
