"""What a user should hear of, now over a socket or later from a list.

A notification is written, as a `NotificationRow`, in the same change as what it tells of.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import BigInteger, Text, bindparam, select, text

from parlour.games.api import Millis
from parlour.store.api import Record, Store
from parlour.store.change import (
    Change,
    Conflict,
    NotificationRow,
    ReadNotification,
    ReadNotifications,
)
from parlour.store.lists import NEWEST, Place, count_of, counted, newest_first, walked
from parlour.store.queries import LIST_LIMIT
from parlour.store.schema import notification


class Notification(NotificationRow, frozen=True, kw_only=True):
    """A notification as the store knows it."""

    number: int
    """By which clients name it; given once, and to no other ever."""


_OWNER = notification.c.user_id == bindparam("user_id", type_=Text)
_PAGE = newest_first(
    select(notification).where(_OWNER), at=notification.c.created_at, key=notification.c.id
)
_ONE = select(notification).where(_OWNER, notification.c.id == bindparam("id", type_=Text))
_ONE_BY_NUMBER = select(notification).where(
    _OWNER, notification.c.number == bindparam("number", type_=BigInteger)
)
_RECENT = (
    select(notification)
    .where(
        notification.c.user_id.in_(bindparam("users", expanding=True)),
        notification.c.created_at >= bindparam("at"),
    )
    .limit(LIST_LIMIT)
)
_UNREAD_UNTIL = (
    select(notification.c.id)
    .where(_OWNER, text("NOT is_read"), notification.c.created_at <= bindparam("until"))
    .limit(1)
)
_TOTAL = count_of(select(notification.c.id).where(_OWNER))
_UNREAD = count_of(
    select(notification.c.user_id).where(_OWNER, text("NOT is_read"))  # as the index has it
)


async def page(
    store: Store, user_id: str, *, limit: int, offset: int = 0, before: Place = NEWEST
) -> tuple[list[Notification], int]:
    """A page of the user's notifications, newest first, and how many there are in all."""
    rows = await walked(store, _PAGE, user_id=user_id, limit=limit, offset=offset, before=before)
    total = await counted(store, _TOTAL, user_id=user_id)
    return [_notification(row) for row in rows], total


async def since(store: Store, users: Collection[str], at: Millis) -> list[Notification]:
    """What these users were notified of since then, the oldest first; of each the newest 500."""
    found: list[Notification] = []
    wanted = list(users)
    for start in range(0, len(wanted), LIST_LIMIT):
        some = wanted[start : start + LIST_LIMIT]
        rows = await store.rows(_RECENT, users=some, at=at)
        if len(rows) == LIST_LIMIT:
            # Somebody is being flooded, which must not hide what others should hear of.
            found += [row for user_id in some for row in await _newest(store, user_id, at)]
        else:
            found += map(_notification, rows)
    return sorted(found, key=lambda row: (row.created_at, row.id))


async def _newest(store: Store, user_id: str, since: Millis) -> list[Notification]:
    newest = await walked(store, _PAGE, user_id=user_id, limit=LIST_LIMIT)
    return [_notification(row) for row in newest if row["created_at"] >= since]


async def unread_count(store: Store, user_id: str) -> int:
    """How many the user has not read yet."""
    return await counted(store, _UNREAD, user_id=user_id)


async def mark_read(store: Store, user_id: str, given: int | str) -> Notification | None:
    """The notification of that number or id, read from now on; None if the user has no such one."""
    found = await _one(store, user_id, given)
    if found is None or found.is_read:
        return found
    try:
        await store.commit(Change((ReadNotification(id=found.id, user_id=user_id),)))
    except Conflict:
        return None
    return await _one(store, user_id, found.id)


async def mark_all_read(store: Store, user_id: str, until: Millis) -> None:
    """All that the user was notified of until then is read from now on, a portion at a time."""
    while await store.row(_UNREAD_UNTIL, user_id=user_id, until=until):
        await store.commit(Change((ReadNotifications(user_id=user_id, until=until),)))


async def _one(store: Store, user_id: str, given: int | str) -> Notification | None:
    if isinstance(given, int):
        row = await store.row(_ONE_BY_NUMBER, user_id=user_id, number=given)
    else:
        row = await store.row(_ONE, user_id=user_id, id=given)
    return _notification(row) if row else None


def _notification(row: Record) -> Notification:
    return Notification(
        id=row["id"],
        user_id=row["user_id"],
        type=row["type"],
        payload=row["payload"],
        is_read=bool(row["is_read"]),
        created_at=row["created_at"],
        number=row["number"],
    )
