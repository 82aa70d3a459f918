"""Bots as players: where they are rated, each plays under an account of its own."""

from __future__ import annotations

from contextlib import suppress

from parlour.play.player import Player
from parlour.play.runtime import Runtime
from parlour.store.change import Change, Taken, UserRow


class BotAccounts:
    """The accounts of all bots, each made on first use."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._known: set[str] = set()

    async def player(self, game: str, name: str) -> Player:
        """A bot about to sit down."""
        stand_ins = self._runtime.policies[game].stand_ins
        if stand_ins is None or not stand_ins.rated or name not in stand_ins.names:
            return Player(name=name, bot=name)
        user_id = f"ai:{name}"
        if user_id not in self._known:
            now = self._runtime.clock()
            user = UserRow(
                id=user_id,
                subject=user_id,
                username=user_id,
                is_bot=True,
                created_at=now,
                updated_at=now,
            )
            with suppress(Taken):  # another process, or an earlier run, was first
                await self._runtime.store.commit(Change((user,)))
            self._known.add(user_id)
        return Player(name=name, user_id=user_id, bot=name)
