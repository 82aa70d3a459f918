"""A user's notifications: the list of them, reading them, and word of every new one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

import msgspec
from litestar import get, patch, post
from litestar.params import FromPath, JSONBody
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from parlour.games.api import Millis
from parlour.net.auth import BEARER, SignedIn, signed_in
from parlour.net.drf import DRF, Rejected, responses
from parlour.net.feeds import Feed, LetIn, NotUnderstood, Say, limited
from parlour.net.forms import Form, given_id
from parlour.net.paging import SIZE, Cursor, Page, PageNumber, PageSize, Walk
from parlour.net.payloads import Payload, Payloads
from parlour.net.services import Services
from parlour.net.session import framed
from parlour.net.sockets import socket
from parlour.net.surface import Part
from parlour.people import notifications
from parlour.play.runtime import Runtime
from parlour.store.lists import Place
from parlour.timekeeping import iso

KIND: Final = "notification"
"""The word on the bus that a user was notified of something."""

LOOK_BACK_MS: Millis = 60_000
"""How late a commit may be, or another process's clock, for its word to be told all the same."""


class Notification(Struct, frozen=True):
    """Something a user should hear of."""

    id: int
    notification_type: str
    payload: Payload
    is_read: bool
    created_date: str


class NotificationPage(Page, frozen=True):
    """Part of what one was notified of, and how much of the whole one has not read."""

    results: list[Notification]
    unread_count: int


class UnreadCount(Struct, frozen=True):
    """How much one has not read."""

    unread_count: int


class AllRead(Struct, frozen=True):
    """That everything is read, but for what has come meanwhile."""

    success: bool
    unread_count: int


class Reading(Struct, frozen=True):
    """What can be changed about a notification: it is read, and stays so."""

    is_read: bool


class NewNotification(Struct, frozen=True, tag="create.notification"):
    """What the notifications' socket says."""

    notification: Notification
    total_unread_count: int


Heard = LetIn | NotUnderstood | NewNotification


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""
    store, payloads = services.store, services.payloads

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
        unread = await notifications.unread_count(store, me)
        places = [Place(row.created_at, row.id) for row in found]
        listed = await shown(payloads, found[: walk.size])
        return walk.page(partial(_page, unread), request, count, listed, places)

    @get("/unread-count", responses=responses())
    async def count_unread(request: SignedIn) -> UnreadCount:
        """How much one has not read."""
        return UnreadCount(await notifications.unread_count(store, request.user.id))

    async def read(request: SignedIn, notification_id: str) -> Notification:
        known = given_id(notification_id)
        row = known and await notifications.mark_read(store, request.user.id, known)
        if not row:
            raise Rejected(404, "not_found", "There is no such notification.")
        return (await shown(payloads, (row,)))[0]

    @post("/{notification_id:str}/read", status_code=200, responses=responses(404))
    async def read_notification(request: SignedIn, notification_id: FromPath[str]) -> Notification:
        """Take note of one."""
        return await read(request, notification_id)

    @patch(
        "/{notification_id:str}", dto=Form[Reading], return_dto=None, responses=responses(404, 413)
    )
    async def change_notification(
        request: SignedIn, notification_id: FromPath[str], data: JSONBody[Reading]
    ) -> Notification:
        """Take note of one."""
        if not data.is_read:
            raise Rejected.fields({"is_read": ["What is read stays read."]})
        return await read(request, notification_id)

    @patch("/mark-all-as-read", responses=responses())
    async def read_everything(request: SignedIn) -> AllRead:
        """Take note of all that has come by now."""
        me = request.user.id
        await notifications.mark_all_read(store, me, services.kernel.runtime.clock())
        return AllRead(success=True, unread_count=await notifications.unread_count(store, me))

    answers = Part(
        "/api/notifications",
        route_handlers=[
            list_notifications,
            count_unread,
            read_notification,
            change_notification,
            read_everything,
        ],
        guards=[signed_in],
        security=BEARER,
        opt=DRF.mounted,
        tags=["notifications"],
    )
    feed = Feed(services, KIND, Notices(services.kernel.runtime, payloads))
    return [answers, socket("/ws/notifications/{user_id:str}", feed.attend, services, limited)]


def _page(
    unread: int,
    count: int,
    following: str | None,
    previous: str | None,
    results: list[Notification],
) -> NotificationPage:
    return NotificationPage(count, following, previous, results, unread)


async def shown(
    payloads: Payloads, rows: Sequence[notifications.Notification]
) -> list[Notification]:
    """Notifications as a client gets them."""
    told = await payloads.of(rows)
    return [
        Notification(
            id=row.number,
            notification_type=row.type,
            payload=told[row.id],
            is_read=row.is_read,
            created_date=iso(row.created_at),
        )
        for row in rows
    ]


class Notices:
    """Which recent notifications each user was told of."""

    def __init__(self, runtime: Runtime, payloads: Payloads) -> None:
        self._runtime = runtime
        self._payloads = payloads
        self._told: dict[str, tuple[set[str], Say]] = {}

    async def begin(self, user_id: str, say: Say) -> None:
        """What there is by now can be found in the list."""
        recent = await self._recent((user_id,))
        self._told[user_id] = ({row.id for row in recent}, say)

    async def look(self, users: Collection[str]) -> None:
        """Say what has come since."""
        recent = await self._recent(users)
        new = [row for row in recent if self._is_new(row)]
        unread: dict[str, int] = {}
        # What can fail comes first: whoever was told is not told again.
        for row, telling in zip(new, await shown(self._payloads, new), strict=True):
            listening = self._told.get(row.user_id)
            if listening is None:
                continue
            if row.user_id not in unread:
                unread[row.user_id] = await notifications.unread_count(
                    self._runtime.store, row.user_id
                )
            listening[0].add(row.id)
            told = NewNotification(telling, unread[row.user_id])
            listening[1](framed(msgspec.json.encode(told)))
        ids = {row.id for row in recent}
        for user_id in users:
            if listening := self._told.get(user_id):
                listening[0].intersection_update(ids)

    def _is_new(self, row: notifications.Notification) -> bool:
        listening = self._told.get(row.user_id)
        return listening is not None and row.id not in listening[0]

    def end(self, user_id: str) -> None:
        """Nobody wants to know any more."""
        self._told.pop(user_id, None)

    async def _recent(self, users: Collection[str]) -> list[notifications.Notification]:
        return await notifications.since(
            self._runtime.store, users, self._runtime.clock() - LOOK_BACK_MS
        )
