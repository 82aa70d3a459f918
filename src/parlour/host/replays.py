"""Finished games, gone through once more: each position through the eyes of whoever looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Raw

from parlour.games.api import Seat
from parlour.games.registry import AnyRules
from parlour.host.matches import NOBODY, Matches
from parlour.host.refusals import refused
from parlour.host.sight import Facts, Sight, StepSeen
from parlour.play.analyses import LONGEST
from parlour.play.line import line
from parlour.play.match import Position, Update
from parlour.play.replay import replay
from parlour.store.api import Store


class Replays:
    """Goes through them."""

    def __init__(self, matches: Matches, rules: Callable[[str], AnyRules], store: Store) -> None:
        self._matches = matches
        self._rules = rules
        self._store = store

    async def look_at(self, match_id: str, user_id: str | None) -> Sight[Any]:
        """A finished game through that user's eyes or everybody's; `Refused`, or `Gone`."""
        sight = await self._matches.look_at(match_id, user_id)
        self._matches.must_be_playable(sight.match)
        if sight.match.status != "finished":
            raise refused("GAME_NOT_FINISHED")
        return sight

    async def steps(self, sight: Sight[Any]) -> Iterator[StepSeen[Any]]:
        """How it was played from the start on, without what was taken back."""
        if sight.match.version > LONGEST:
            raise refused("TOO_LONG")
        rules = self._rules(sight.match.game)
        played = await self._line(sight.match)
        return (StepSeen.of(rules, each, sight.seats, NOBODY) for each in played)

    async def position(self, match_id: str, version: int) -> tuple[Facts, Position, Seat | None]:
        """Where a finished game stood at a version, and whose turn it was; or `Refused`."""
        match = (await self.look_at(match_id, None)).match
        rules = self._rules(match.game)
        if rules.hidden:
            raise refused("HIDDEN")
        for update in await self._line(match):
            after = update.after
            if after.version == version:
                if after.over:
                    raise refused("NOTHING_LEFT")
                state = Raw(msgspec.json.encode(after.state))
                return match, Position(state, version, match.id), rules.turn(after.state)
        raise refused("NO_SUCH_POSITION")

    async def _line(self, match: Facts) -> list[Update]:
        """From where there was something to see, to the end."""
        updates = await replay(self._store, self._rules(match.game), match.id)
        played = (each for each in line(updates) if each.after.started_at is not None)
        return [each for each in played if each.entry.version <= match.version]
