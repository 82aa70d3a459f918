"""Asking somebody by name to a table: they are told at once, and answer by sitting down or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw, UnsetType

from parlour.host.messages import Invitation
from parlour.host.refusals import refused
from parlour.host.sight import Facts
from parlour.net.feeds import word
from parlour.net.notices import KIND as NOTIFIED
from parlour.net.services import Services
from parlour.people import notifications
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.store.change import Change, NotificationRow, ReadNotification, UserRow

INVITATION: Final = "INVITATION"
"""The type of the notification by which somebody is invited."""

RECENT: Final = 20
"""How many of the newest notifications are looked through for invitations."""


class Invitations:
    """Those of all users."""

    def __init__(self, services: Services, options: Callable[[str, Raw | UnsetType], Any]) -> None:
        self._users = services.users
        self._bus = services.bus
        self._seating = services.kernel.seating
        self._runtime = services.kernel.runtime
        self._finder = services.kernel.finder
        self._options = options

    async def invite(
        self, player: Player, by: UserRow, game: str, whom: str, wanted: Raw | UnsetType
    ) -> tuple[Facts, bool]:
        """A table that waits for somebody, who is told of it in the same commit; and if it is new.

        Who was invited and has not answered is not invited again: it is the same table.
        """
        options = self._options(game, wanted)
        users = self._users
        invited = await users.by_id(whom) or await users.by_name(whom)
        if invited is None or invited.is_bot:
            raise refused("UNKNOWN_USER")
        if invited.id == by.id:
            raise refused("CANNOT_INVITE_YOURSELF")
        if (kept := await self._kept_for(invited.id, by.id, game)) is not None:
            if kept.options != msgspec.json.encode(options):
                raise refused("ALREADY_INVITED")
            return kept, False

        def told(match: Match) -> tuple[NotificationRow, ...]:
            payload = {
                "match": match.id,
                "game": game,
                "code": match.code,
                "by": {"id": by.id, "username": by.username},
            }
            return (
                NotificationRow(
                    id=self._runtime.chance.id(),
                    user_id=invited.id,
                    type=INVITATION,
                    payload=msgspec.json.encode(payload),
                    created_at=match.created_at,
                ),
            )

        match = await self._seating.open(game, player, options=options, together=told)
        self.tell(invited.id)
        return match, True

    async def of(self, user_id: str) -> list[tuple[NotificationRow, Invitation]]:
        """Those of a user's newest notifications that invite it, the newest first."""
        rows, _ = await notifications.page(self._runtime.store, user_id, limit=RECENT)
        return [
            (row, msgspec.json.decode(row.payload, type=Invitation))
            for row in rows
            if row.type == INVITATION
        ]

    async def _kept_for(self, user_id: str, by: str, game: str) -> Match | None:
        """The table of a game at which somebody keeps a seat for a user, who knows of it."""
        for row, invitation in await self.of(user_id):
            if invitation.by.id == by and invitation.game == game and not row.is_read:
                match = await self._finder.find(invitation.match)
                if match is not None and match.status == "waiting":
                    return match
        return None

    async def answering(self, user_id: str, match_id: str) -> tuple[ReadNotification, ...]:
        """What says that a user has read the invitation to a table; nothing if there is none."""
        return tuple(
            ReadNotification(id=row.id, user_id=user_id)
            for row, invitation in await self.of(user_id)
            if invitation.match == match_id and not row.is_read
        )

    async def decline(self, match_id: str, answer: tuple[ReadNotification, ...]) -> None:
        """The table that somebody kept is closed, and the invitation read, in one commit."""
        match = await self._finder.find(match_id)
        if match is None or match.over:
            await self._runtime.store.commit(Change(answer))
        else:
            await self._seating.cancel(match_id, 1, answer)

    def tell(self, user_id: str) -> None:
        """Have all connections of a user look at its invitations."""
        word(self._bus, user_id, NOTIFIED)
