"""How two players come to sit at one match: by code, by room, or directly; and calling it off."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from parlour.games.api import SEATS, Refused, Seat
from parlour.play.deciding import Plan, Together, Wanted
from parlour.play.finding import Finder
from parlour.play.match import Linked, Match, Position, Update
from parlour.play.new_matches import NAMES_TRIED, NewMatches, WithMatch, arrivals_at
from parlour.play.player import Player
from parlour.play.presence import Presence
from parlour.play.resident import Resident
from parlour.play.runtime import Runtime
from parlour.play.steps import Steps
from parlour.store.change import FillSeat, SeatRow, SnapshotRating, Taken, Write

CODE_LENGTH = 6


def nothing(_: Match) -> tuple[Write, ...]:
    """Nothing but the match."""
    return ()


class Seating:
    """Opens, fills and calls off matches."""

    def __init__(
        self,
        runtime: Runtime,
        new_matches: NewMatches,
        presence: Presence,
        steps: Steps,
        finder: Finder,
    ) -> None:
        self._runtime = runtime
        self._new = new_matches
        self._presence = presence
        self._steps = steps
        self._finder = finder

    async def open(
        self,
        game: str,
        player: Player,
        *,
        code: str | None = None,
        options: Any = None,
        mode: str = "online",
        together: WithMatch = nothing,
    ) -> Match:
        """A match that waits for its second player under a code: the given one, or a new one.

        `Taken("code")` if the given one is in use, `Busy` if the player may not have another.
        """
        for _ in range(NAMES_TRIED):
            word = code or self._runtime.chance.word(CODE_LENGTH)
            blank = await self._new.blank(game, (player,), options, mode, word)
            try:
                return await self._new.create(blank, "open", (player,), together)
            except Taken as taken:
                if taken.what != "code" or code is not None:
                    raise
        raise Taken("code")

    async def start(
        self,
        game: str,
        players: tuple[Player, Player],
        *,
        code: str | None = None,
        options: Any = None,
        mode: str = "online",
        escrow: tuple[str, tuple[int, int]] | None = None,
        position: Position | None = None,
        together: WithMatch = nothing,
    ) -> Match:
        """A match of two, playing at once; `escrow` is its id and what each has paid in.

        `position`: where it begins, if not at the beginning.
        """
        blank = await self._new.blank(game, players, options, mode, code)
        if escrow is not None:
            blank = replace(blank, escrow_id=escrow[0], pot=escrow[1])
        return await self._new.create(blank, "start", players, together, position)

    # --- filling ----------------------------------------------------------------------------

    async def join(self, match_id: str, player: Player, writes: tuple[Write, ...] = ()) -> Update:
        """The second player sits down and play begins; `Refused`, `Busy` or `Gone`."""
        resident = await self._finder.must_be_playable(match_id)
        match = resident.match
        users = (*(seat.user_id for seat in match.seats), player.user_id)
        ratings = await self._new.ratings(match.game, users)
        guest = self._new.seat(match.game, 1, player, ratings)

        def propose(match: Match) -> Plan:
            if player.user_id is not None and match.seats[0].user_id == player.user_id:
                raise Refused("CANNOT_JOIN_OWN_GAME", "You cannot join your own game.")
            if match.status != "waiting":
                raise Refused("GAME_ALREADY_STARTED", "This game has two players already.")
            host = replace(match.seats[0], rating_before=ratings.get(match.seats[0].user_id or ""))
            start = Wanted("start", 1, linked=Linked((host, guest), match.code, None))
            return Plan(
                (start, *self._gone(resident, player)),
                (*_filling(match, host, guest), *arrivals_at(match, (None, player)), *writes),
            )

        try:
            async with resident.lock:
                update = await self._steps.step_locked(resident, propose)
                arrivals = tuple(arrivals_at(update.after, (None, player)))
                self._presence.seated(resident, arrivals)
        except Taken as taken:
            if taken.what != "open_game":
                raise
            raise await self._new.busy(replace(match, seats=(guest,))) from None
        if arrivals:
            self._presence.tell(resident)
        return update

    def _gone(self, resident: Resident, guest: Player) -> tuple[Wanted, ...]:
        """Where seats are held by connections, who has none is gone from the start."""
        if not resident.policy.held:
            return ()
        here = (self._presence.here(resident)[0], guest.connection is not None)
        return tuple(Wanted("gone", seat) for seat in SEATS if not here[seat])

    async def cancel(self, match_id: str, seat: Seat, writes: tuple[Write, ...] = ()) -> Update:
        """The host gives up waiting, or who was to be seat 1 will not come.

        `Refused` once somebody has come.
        """
        resident = await self._finder.must_be_playable(match_id)

        def propose(match: Match) -> Plan:
            if match.status != "waiting":
                raise Refused("GAME_ALREADY_STARTED", "This game has two players already.")
            return Plan((Wanted("cancel", seat),), writes)

        return await self._steps.step(resident, propose)

    async def call_off(self, match_id: str, together: Together | None = None) -> Update:
        """An operator ends what is not over yet, and all that was paid in goes back.

        `Refused` once it is over, be it by a clock that had run out unnoticed.
        """
        resident = await self._finder.must_be_playable(match_id)

        def propose(match: Match) -> Plan:
            if match.over:
                raise Refused("NOT_ACTIVE", "This match is over.")
            return Plan((Wanted("cancel"),))

        return await self._steps.step(resident, propose, together)


def _filling(match: Match, host: SeatRow, guest: SeatRow) -> tuple[Write, ...]:
    filled: tuple[Write, ...] = (FillSeat(match_id=match.id, game=match.game, seat=guest),)
    if host.rating_before is not None:
        filled += (SnapshotRating(match_id=match.id, seat=0, rating_before=host.rating_before),)
    return filled
