"""What a user is notified of: that somebody challenges it, and the challenge as it stands now.

Stored is only which challenge it is about. So whoever looks late sees what became of it.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from parlour.games.connect_five.answers import Challenge
from parlour.games.connect_five.listing import challenges_by_id
from parlour.net.directory import Person
from parlour.net.payloads import Payload
from parlour.store.api import Store
from parlour.store.change import NotificationRow

NOTIFICATION: Final = "CONNECT_FIVE_CHALLENGE"
DECLINED: Final = "CONNECT_FIVE_DECLINED"


class Noticed(Struct, frozen=True):
    """A challenge, by its id."""

    id: str


class Notice(Struct, frozen=True):
    """What is stored of a notification; older ones hold more of the challenge."""

    challenge: Noticed


class ChallengeNotice(Struct, frozen=True, kw_only=True):
    """What a client is told of a challenge to it."""

    notification_type: str = NOTIFICATION
    challenge_id: int
    challenger: Person
    challenge: Challenge
    stake_amount: int
    max_spend_amount: int
    time_limit_seconds: int
    expires_at: str


_NOTICE = msgspec.json.Decoder(Notice)


class Notices:
    """Puts such notifications into words."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def told(self, rows: list[NotificationRow]) -> dict[str, Payload]:
        """What each of these tells, by its id."""
        about = {row.id: subject(row) for row in rows}
        ids = list(dict.fromkeys(filter(None, about.values())))
        found = await challenges_by_id(self._store, ids)
        shown = {named.row.id: asdict(_told(named.shown)) for named in found}
        return {
            row.id: shown.get(about[row.id], {}) | {"notification_type": row.type} for row in rows
        }


def subject(row: NotificationRow) -> str:
    """The id of the challenge that a notification is about; empty if it cannot be read."""
    try:
        return _NOTICE.decode(row.payload).challenge.id
    except msgspec.ValidationError:
        return ""  # What cannot be read must not keep one from reading the others.


def _told(challenge: Challenge) -> ChallengeNotice:
    return ChallengeNotice(
        challenge_id=challenge.id,
        challenger=challenge.challenger,
        challenge=challenge,
        stake_amount=challenge.stake_amount,
        max_spend_amount=challenge.max_spend_amount,
        time_limit_seconds=challenge.time_limit_seconds,
        expires_at=challenge.expires_at,
    )
