"""A user's notifications: the list of them, reading them, and word of every new one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import msgspec
from litestar import Router, get, post
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from parlour.games.api import Millis
from parlour.net.auth import BEARER, SignedIn, signed_in
from parlour.net.drf import DRF, Rejected, responses
from parlour.net.feeds import Feed, LetIn, NotUnderstood, Say, limited
from parlour.net.forms import canonical_id
from parlour.net.paging import SIZE, Cursor, Page, PageNumber, PageSize, Walk
from parlour.net.services import Services
from parlour.net.sockets import framed, socket
from parlour.net.times import iso
from parlour.people import notifications
from parlour.play.runtime import Runtime
from parlour.store.change import NotificationRow
from parlour.store.lists import Place

KIND: Final = "notification"
"""The word on the bus that a user was notified of something."""

LOOK_BACK_MS: Millis = 60_000
"""How late a commit may be, or another process's clock, for its word to be told all the same."""


class Notification(Struct, frozen=True):
    """Something a user should hear of."""

    id: str
    notification_type: str
    payload: dict[str, Any]
    is_read: bool
    created_date: str


class NotificationPage(Page, frozen=True):
    """Part of what one was notified of."""

    results: list[Notification]


class NewNotification(Struct, frozen=True, tag="create.notification"):
    """What the notifications' socket says."""

    notification: Notification
    total_unread_count: int


Heard = LetIn | NotUnderstood | NewNotification


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""
    store = services.store

    @get("/", responses=responses(404))
    async def list_notifications(
        request: SignedIn,
        page: PageNumber = 1,
        page_size: PageSize = SIZE,
        cursor: Cursor = None,
    ) -> NotificationPage:
        """What one was notified of, the newest first."""
        walk, me = Walk.of(page, page_size, cursor), request.user.id
        found, count = await notifications.page(
            store, me, limit=walk.limit, offset=walk.offset, before=walk.before
        )
        places = [Place(row.created_at, row.id) for row in found]
        return walk.page(NotificationPage, request, count, [shown(row) for row in found], places)

    @post("/{notification_id:str}/read", status_code=200, responses=responses(404))
    async def read_notification(request: SignedIn, notification_id: FromPath[str]) -> Notification:
        """Take note of one."""
        known = canonical_id(notification_id)
        row = known and await notifications.mark_read(store, request.user.id, known)
        if not row:
            raise Rejected(404, "not_found", "There is no such notification.")
        return shown(row)

    answers = Router(
        "/api/notifications",
        route_handlers=[list_notifications, read_notification],
        guards=[signed_in],
        security=BEARER,
        opt=DRF.mounted,
        tags=["notifications"],
    )
    feed = Feed(services, KIND, Notices(services.kernel.runtime))
    return [answers, socket("/ws/notifications/{user_id:str}", feed.attend, services, limited)]


def shown(row: NotificationRow) -> Notification:
    """A notification as a client gets it."""
    return Notification(
        id=row.id,
        notification_type=row.type,
        payload=msgspec.json.decode(row.payload),
        is_read=row.is_read,
        created_date=iso(row.created_at),
    )


class Notices:
    """Which recent notifications each user was told of."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._told: dict[str, tuple[set[str], Say]] = {}

    async def begin(self, user_id: str, say: Say) -> None:
        """What there is by now can be found in the list."""
        recent = await self._recent((user_id,))
        self._told[user_id] = ({row.id for row in recent}, say)

    async def look(self, users: Collection[str]) -> None:
        """Say what has come since."""
        recent = await self._recent(users)
        unread: dict[str, int] = {}
        for row in recent:
            listening = self._told.get(row.user_id)
            if listening is None or row.id in listening[0]:
                continue
            # What can fail comes first: whoever was told is not told again.
            if row.user_id not in unread:
                unread[row.user_id] = await notifications.unread_count(
                    self._runtime.store, row.user_id
                )
            listening[0].add(row.id)
            told = NewNotification(shown(row), unread[row.user_id])
            listening[1](framed(msgspec.json.encode(told)))
        ids = {row.id for row in recent}
        for user_id in users:
            if listening := self._told.get(user_id):
                listening[0].intersection_update(ids)

    def end(self, user_id: str) -> None:
        """Nobody wants to know any more."""
        self._told.pop(user_id, None)

    async def _recent(self, users: Collection[str]) -> list[NotificationRow]:
        return await notifications.since(
            self._runtime.store, users, self._runtime.clock() - LOOK_BACK_MS
        )
