"""One client of `/ws`: a player's socket from its sign-in to its end, through queue and games.

It holds a ticket or a seat and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

from msgspec import UNSET

from parlour.games.api import Refused
from parlour.games.memory import messages, rules
from parlour.games.memory.messages import Pong, WaitingForMatch, frame
from parlour.games.memory.problems import error, error_of, refused
from parlour.games.memory.settings import MemorySettings
from parlour.games.memory.voice import TableSight, TableVoice
from parlour.host.attendance import Attendance
from parlour.host.host import Host
from parlour.host.seeking import Seeks
from parlour.host.sight import Facts, Seats
from parlour.net.failures import FAILURES, Gone, failure_of
from parlour.net.services import Services
from parlour.net.session import LATER, Rest, Session, framed
from parlour.people import names
from parlour.play.queue import AlreadyQueued
from parlour.store.change import PutTicket

KEY: Final = rules.RULES.key
REPLACED = 4409
_GAME_ID = re.compile(r"[0-9a-f-]{36}", re.ASCII)


class Visitor:
    """A signed-in socket."""

    __slots__ = (
        "_at",
        "_host",
        "_limits",
        "_longest_name",
        "_name",
        "_named_by_token",
        "_seeks",
        "_session",
        "_user",
        "_voice",
    )

    def __init__(self, session: Session, services: Services, host: Host, voice: TableVoice) -> None:
        assert session.user is not None
        assert session.claims is not None
        self._session = session
        self._user = session.user
        self._limits = services.limits
        self._host = host
        self._voice = voice
        self._longest_name = services.settings.of(MemorySettings).max_name_length
        claimed = (session.claims.name or "").split()
        self._name = claimed[0][: self._longest_name] if claimed else None
        self._named_by_token = self._name is not None
        self._at = Attendance(host, session, voice, self, follows=lambda _: False, stays=False)
        self._seeks = Seeks(host, session, self._at, self, self._seats)

    def received(self, said: str | bytes) -> Rest:
        """Do what the client wants, or say why not."""
        try:
            message = messages.understood(said)
        except FAILURES as failed:
            self._refuse(failed)
            return None
        if type(message) is messages.FlipCard:
            match_id, told = self._at.only, partial(self._told, message)
            flip = rules.Flip(message.index)
            if match_id is not None and self._at.act_at_once(match_id, flip, told):
                return LATER
        return self._answer(message)

    async def _answer(self, message: messages.ClientMessage) -> None:
        try:
            await ANSWERS[type(message)](self, message)
        except FAILURES as failed:
            self._refuse(failed)

    def _told(self, message: messages.ClientMessage, outcome: int | Exception | None) -> None:
        """What became of a card that nobody waited for."""
        if outcome is None:
            self._session.handled(self._answer(message))
        elif isinstance(outcome, Exception):
            self._session.handled(self._fail(outcome))
        else:
            self._session.handled()

    async def _fail(self, error: Exception) -> None:
        try:
            raise error
        except FAILURES as failed:
            self._refuse(failed)

    def _refuse(self, failed: Exception) -> None:
        self._session.refuse(frame(error_of(failure_of(failed))))

    async def ended(self) -> None:
        """The socket is closed: whatever it held is let go."""
        await self._at.end()
        await self._seeks.end()

    # --- what happens to it (see `Client` and `Seeker`) -------------------------------------

    def seated(self, sight: TableSight) -> None:
        """At a table, newly or again."""
        if not self._named_by_token:
            self._name = sight.match.seats[sight.seats[0]].name
        self._at.send_framed(framed(*self._voice.arrived(sight)))

    def taken_over(self, match_id: str) -> None:
        """The same user goes on with another connection."""
        del match_id
        self.outbid()

    def outbid(self) -> None:
        """The same user waits or plays with another connection."""
        self._session.send(frame(error("REPLACED")))
        self._session.close(REPLACED, "replaced by another connection")

    def goes_on(self, sight: TableSight) -> None:
        """One does not stay for that."""

    def dismissed(self, match_id: str) -> None:
        """Everybody there was told."""

    # --- waiting ----------------------------------------------------------------------------

    async def set_name(self, said: messages.SetName) -> None:
        """Queue under that name, unless the token says another."""
        name = names.displayed(said.name, self._longest_name)
        if name is None:
            raise Refused("INVALID_NAME", f"A name has 1 to {self._longest_name} characters.")
        self._must_be_free()
        if not self._named_by_token:
            self._name = name
        await self._queue(self._name or name)

    async def play_again(self, _: messages.PlayAgain) -> None:
        """Queue under the name of the last time."""
        self._must_be_free()
        if self._name is None:
            raise refused("NO_NAME")
        await self._queue(self._name)

    def _must_be_free(self) -> None:
        if self._seeks.waits(KEY):
            raise AlreadyQueued
        if len(self._at) or len(self._seeks):
            raise Refused("IN_GAME", "You are in a game. Finish or leave it first.")

    async def _queue(self, name: str) -> None:
        await self._limits.computer_games.admit(self._session.who)
        player = self._host.player(self._user, self._session.id, name=name)
        found = await self._seeks.join(KEY, player)
        if isinstance(found, PutTicket):
            self._say(WaitingForMatch(UNSET if found.deadline_at is None else found.deadline_at))
        else:
            self._say(WaitingForMatch())
            await self._seeks.sit(found)

    async def leave_queue(self, _: messages.LeaveQueue) -> None:
        """Stop waiting. Should an opponent just have come, the game has begun."""
        if not await self._seeks.give_up(KEY):
            raise refused("NOT_WAITING")

    # --- coming back ------------------------------------------------------------------------

    async def rejoin(self, said: messages.Rejoin) -> None:
        """Back to a game by its token, which is good for its owner only."""
        self._must_be_free()
        known = _GAME_ID.fullmatch(said.game_id)
        match = await self._host.matches.find(said.game_id) if known else None
        if match is None or match.game != KEY:
            raise refused("GAME_NOT_FOUND")
        proven = await self._host.matches.proven(match.id, said.rejoin_token)
        if match.seat_of(self._user.id) not in proven:
            raise refused("INVALID_REJOIN_TOKEN")
        await self._return_to(match)

    async def rejoin_my_game(self, _: messages.RejoinMyGame) -> None:
        """Back to one's game from anywhere."""
        self._must_be_free()
        match = await self._host.matches.open_match_of(KEY, self._user.id)
        if match is None:
            raise refused("NO_ACTIVE_GAME")
        await self._return_to(match)

    async def _return_to(self, match: Facts) -> None:
        if match.over:
            raise Gone
        sight = await self._at.sit(match.id, self._seats, kept=False)
        if sight is None:
            return
        if sight.match.over:  # the time to come back ran out
            raise Gone
        self.seated(sight)

    def _seats(self, match: Facts) -> Seats:
        seat = match.seat_of(self._user.id)
        assert seat is not None
        return (seat,)

    # --- playing ----------------------------------------------------------------------------

    async def flip_card(self, said: messages.FlipCard) -> None:
        """Turn a card over."""
        await self._host.do(self._table(), rules.Flip(said.index))

    async def use_power_up(self, said: messages.UsePowerUp) -> None:
        """Use what one holds."""
        await self._host.do(self._table(), rules.UsePowerUp(said.power_up_id, said.card_index))

    async def leave_game(self, _: messages.LeaveGame) -> None:
        """Give up, be it waiting for whom one has invited."""
        sight = self._table()
        if sight.begun:
            await self._host.resign(sight)
        else:
            await self._host.withdraw(sight)

    def _table(self) -> TableSight:
        match_id = self._at.only
        sight = None if match_id is None else self._at.sight(match_id)
        if sight is None:
            raise refused("NOT_IN_GAME")
        return sight

    # --- talking ----------------------------------------------------------------------------

    async def sign_in(self, _: messages.Auth) -> None:
        """Once is enough."""
        raise refused("ALREADY_SIGNED_IN")

    async def pong(self, _: messages.Ping) -> None:
        """A sign of life."""
        self._say(Pong(self._host.runtime.clock()))

    def _say(self, message: messages.ServerMessage) -> None:
        self._session.send(frame(message))


ANSWERS: Final[Mapping[type, Callable[[Visitor, Any], Awaitable[None]]]] = {
    messages.Auth: Visitor.sign_in,
    messages.SetName: Visitor.set_name,
    messages.PlayAgain: Visitor.play_again,
    messages.LeaveQueue: Visitor.leave_queue,
    messages.FlipCard: Visitor.flip_card,
    messages.UsePowerUp: Visitor.use_power_up,
    messages.LeaveGame: Visitor.leave_game,
    messages.Rejoin: Visitor.rejoin,
    messages.RejoinMyGame: Visitor.rejoin_my_game,
    messages.Ping: Visitor.pong,
}
