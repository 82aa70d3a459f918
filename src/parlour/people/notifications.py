"""What a user should hear of, now over a socket or later from a list.

A notification is written, as a `NotificationRow`, in the same change as what it tells of.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Text, bindparam, func, select

from parlour.games.api import Millis
from parlour.store.api import Record, Store
from parlour.store.change import Change, Conflict, NotificationRow, ReadNotification
from parlour.store.queries import LIST_LIMIT, NEWS_LIMIT
from parlour.store.schema import notification

_OWNER = notification.c.user_id == bindparam("user_id", type_=Text)
_PAGE = (
    select(notification)
    .where(_OWNER)
    .order_by(notification.c.created_at.desc(), notification.c.id.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
_ONE = select(notification).where(_OWNER, notification.c.id == bindparam("id", type_=Text))
_place = func.row_number().over(
    partition_by=notification.c.user_id,
    order_by=(notification.c.created_at.desc(), notification.c.id.desc()),
)
_recent = (
    select(notification, _place.label("place"))
    .where(
        notification.c.user_id.in_(bindparam("users", expanding=True)),
        notification.c.created_at >= bindparam("at"),
    )
    .subquery()
)
_SINCE = (
    select(_recent)
    .where(_recent.c.place <= NEWS_LIMIT)
    .order_by(_recent.c.created_at, _recent.c.id)
)
_TOTAL = select(func.count().label("total")).where(_OWNER)
_UNREAD = select(func.count().label("unread")).where(_OWNER, ~notification.c.is_read)


async def page(
    store: Store, user_id: str, *, limit: int, offset: int = 0
) -> tuple[list[NotificationRow], int]:
    """A page of the user's notifications, newest first, and how many there are in all."""
    rows = await store.rows(_PAGE, user_id=user_id, limit=limit, offset=offset)
    total = await store.row(_TOTAL, user_id=user_id)
    return [_notification(row) for row in rows], total["total"] if total else 0


async def since(store: Store, users: Collection[str], at: Millis) -> list[NotificationRow]:
    """What these users were notified of since then, the oldest first; of many the newest."""
    found: list[NotificationRow] = []
    wanted = list(users)
    for start in range(0, len(wanted), LIST_LIMIT):
        rows = await store.rows(_SINCE, users=wanted[start : start + LIST_LIMIT], at=at)
        found += map(_notification, rows)
    return found


async def unread_count(store: Store, user_id: str) -> int:
    """How many the user has not read yet."""
    row = await store.row(_UNREAD, user_id=user_id)
    return row["unread"] if row else 0


async def mark_read(store: Store, user_id: str, notification_id: str) -> NotificationRow | None:
    """The notification, read from now on; None if the user has no such one."""
    write = ReadNotification(id=notification_id, user_id=user_id)
    try:
        await store.commit(Change((write,)))
    except Conflict:
        return None
    row = await store.row(_ONE, user_id=user_id, id=notification_id)
    return _notification(row) if row else None


def _notification(row: Record) -> NotificationRow:
    return NotificationRow(
        id=row["id"],
        user_id=row["user_id"],
        type=row["type"],
        payload=row["payload"],
        is_read=bool(row["is_read"]),
        created_at=row["created_at"],
    )
