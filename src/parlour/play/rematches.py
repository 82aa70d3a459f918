"""Once more: two who have played ask for another game, and both asking begins it.

Laws: the next match and the old one's word of it are one commit; there is at most one next match,
however many ask at once.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

from parlour.games.api import SEATS, Refused, Seat
from parlour.play.deciding import Plan, Wanted
from parlour.play.finding import Finder
from parlour.play.match import Linked, Match, Update
from parlour.play.new_matches import NAMES_TRIED, New, NewMatches
from parlour.play.player import Player
from parlour.play.resident import NOWHERE, Here, Resident
from parlour.play.residents import Residents
from parlour.play.steps import Steps
from parlour.store.change import SeatRow, Taken


class Rematches:
    """What seats ask for after a game, and what comes of it."""

    def __init__(
        self, new_matches: NewMatches, residents: Residents, steps: Steps, finder: Finder
    ) -> None:
        self._new = new_matches
        self._residents = residents
        self._steps = steps
        self._finder = finder

    async def ask(
        self, match_id: str, seat: Seat, *, swap: bool, options: Any = None, keep_code: bool = False
    ) -> Match | None:
        """Ask for another game: None until the other side has asked too, then the new match.

        `swap` exchanges the seats; `keep_code` moves the room, its name and whoever is in it to
        the new match. Without a room each connects to the new match by itself.
        """
        resident = await self._finder.must_be_playable(match_id, fresh=True)
        if len(resident.match.seats) < len(SEATS):
            raise Refused("NO_OPPONENT", "There was no opponent.")
        async with resident.lock:
            rematch_id = await self._once_more(resident, seat, swap, options, keep_code)
        return None if rematch_id is None else await self._finder.find(rematch_id)

    async def withdraw(self, match_id: str, seat: Seat) -> Update:
        """A seat wants no other game after all; `Refused` unless its wish still stands alone."""
        resident = await self._finder.must_be_playable(match_id, fresh=True)
        return await self._steps.step(resident, partial(_withdrawn, seat=seat))

    async def _once_more(
        self, resident: Resident, seat: Seat, swap: bool, options: Any, keep_code: bool
    ) -> str | None:
        """The next match, if there is one once this seat has asked for it."""
        blank: Match | None = None
        players = _again(resident, swap=swap, present=keep_code)
        for _ in range(NAMES_TRIED):
            old = resident.match
            if blank is None and old.rematch_by not in (None, seat) and old.rematch_id is None:
                wanted = options or msgspec.json.decode(
                    old.options, type=resident.rules.options_type
                )
                code = old.code if keep_code else None
                blank = await self._new.blank(old.game, players, wanted, old.mode, code)
            new = (
                None
                if blank is None
                else self._new.begun(blank, _started(resident, players), players)
            )
            try:
                update = await self._steps.attempt_locked(
                    resident, partial(_asked, seat=seat, new=new, keep_code=keep_code)
                )
            except Taken as taken:
                assert blank is not None
                blank = await self._new.renamed(blank, taken)
                continue
            if new is not None and update is not None and update.entry.kind == "rematched":
                self._residents.admit_new(new.match, new.arrivals)
            if resident.match.rematch_id is not None or resident.match.rematch_by == seat:
                return resident.match.rematch_id
            # The other side has asked meanwhile: then this is the answer.
        raise Taken("public_id")


def _asked(match: Match, *, seat: Seat, new: New | None, keep_code: bool) -> Plan | None:
    """A seat asks for another game: its wish is noted, or, if it is the second one, granted.

    The new match and the old one's word of it are one commit.
    """
    if not match.over:
        raise Refused("GAME_NOT_FINISHED", "This game is not over yet.")
    if match.rematch_id is not None or match.rematch_by == seat:
        return None
    if match.rematch_by is None:
        return Plan((Wanted("rematch", seat),))
    if new is None:
        return None  # it must be made before it can be granted
    linked = Linked(match.seats, None if keep_code else match.code, new.match.id)
    return Plan((Wanted("rematched", seat, linked=linked),), (*new.writes, *new.arrivals))


def _withdrawn(match: Match, *, seat: Seat) -> Plan:
    if match.rematch_id is not None:
        raise Refused("GAME_ALREADY_STARTED", "The next game has begun.")
    if match.rematch_by != seat:
        raise Refused("NOT_ASKED", "You have not asked for another game.")
    return Plan((Wanted("rematch"),))


def _again(resident: Resident, *, swap: bool, present: bool) -> tuple[Player, Player]:
    """The same two; `present`: as they are connected now."""
    first, second = (
        _player(row, resident.here[row.seat] if present else NOWHERE)
        for row in resident.match.seats
    )
    return (second, first) if swap else (first, second)


def _started(resident: Resident, players: tuple[Player, Player]) -> tuple[Wanted, ...]:
    """Where seats are held by connections, who has none is gone from the start."""
    away: tuple[Wanted, ...] = ()
    if resident.policy.held:
        people = enumerate(players)
        away = tuple(Wanted("gone", at) for at, who in people if not (who.connection or who.bot))
    return (Wanted("start"), *away)


def _player(row: SeatRow, here: Here) -> Player:
    return Player(
        name=row.name,
        user_id=row.user_id,
        secret=row.secret,
        bot=row.bot,
        connection=here.connection,
        process_id=here.process_id,
    )
