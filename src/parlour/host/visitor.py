"""One client of `/ws/play`: what it says is done in order, at any number of tables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

from msgspec import UNSET

from parlour.games.api import SEATS, Refused
from parlour.host import messages as said
from parlour.host.attendance import Attendance
from parlour.host.host import Host
from parlour.host.messages import (
    Done,
    Error,
    HintGiven,
    Invitation,
    Left,
    Pong,
    Ref,
    Seeking,
    Told,
    User,
    Welcome,
    encoded,
)
from parlour.host.refusals import refused
from parlour.host.seeking import Seeks
from parlour.host.shown import PlayVoice, answered, table_of
from parlour.host.sight import Facts, Seats, Sight
from parlour.net.failures import FAILURES, Failure, failure_of
from parlour.net.notices import KIND as NOTIFIED
from parlour.net.services import Services
from parlour.net.session import LATER, Rest, Session
from parlour.store.change import PutTicket, ReadNotification, UserRow

TABLES_AT_ONCE: Final = 256
"""How many tables one connection may sit at, watch or seek."""


class Visitor:
    """A connection, the tables it is told of and the games it seeks."""

    def __init__(self, session: Session, services: Services, host: Host, voice: PlayVoice) -> None:
        self._session = session
        self._services = services
        self._host = host
        self._runtime = host.runtime
        self._user: UserRow | None = None
        self._at = Attendance(host, session, voice, self)
        self._seeks = Seeks(host, session, self._at, self, self._seats)
        self._unsubscribe: Callable[[], None] | None = None
        self._invited: dict[str, str] = {}
        """The tables that it was told to be invited to, by their notifications."""

    def received(self, message: str | bytes) -> Rest:
        """Do what the client wants, or say why not."""
        try:
            wish = said.DECODER.decode(message)
        except FAILURES as error:
            self._refuse(None, failure_of(error))
            return None
        if type(wish) is said.Act:
            sight = self._at.sight(wish.match)
            told = partial(self._acted, wish)
            if sight and self._host.act_at_once(sight, wish.version, wish.action, told):
                return LATER
        return self._answer(wish)

    def _acted(self, wish: said.Act, outcome: int | Exception | None) -> None:
        """What became of an action that nobody waited for."""
        if outcome is None or isinstance(outcome, Exception):
            self._session.handled(self._answer(wish, outcome))
        else:
            self._done(wish, outcome)
            self._session.handled()

    async def _answer(self, wish: Any, error: Exception | None = None) -> None:
        try:
            if error is not None:
                raise error
            await ANSWERS[type(wish)](self, wish)
        except FAILURES as failure:
            self._refuse(wish, failure_of(failure))

    def _refuse(self, wish: Any, failure: Failure) -> None:
        ref, match_id = getattr(wish, "ref", None), getattr(wish, "match", None)
        about = failure.match_id or match_id
        error = Error(
            code=failure.code,
            message=failure.words,
            ref=UNSET if ref is None else ref,
            match=UNSET if about is None else about,
            field=UNSET if failure.field is None else failure.field,
        )
        self._session.refuse(encoded(error))
        if failure.code == "STALE" and about and (sight := self._at.sight(about)):
            self._show(sight)

    async def ended(self) -> None:
        """The socket is closed: whatever it held is let go."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        await self._at.end()
        await self._seeks.end()
        del self._seeks  # they would hold each other

    def send(self, message: Told) -> None:
        """Tell this client alone."""
        self._session.send(encoded(message))

    # --- what happens at its tables (see `Client`) ------------------------------------------

    def goes_on(self, sight: Sight[Any]) -> None:
        """The next game at one's table."""
        self._show(sight)

    def taken_over(self, match_id: str) -> None:
        """The same user goes on with another connection."""
        self.send(Left(match=match_id, why="taken_over"))

    def dismissed(self, match_id: str) -> None:
        """Everybody there was told."""

    def _show(self, sight: Sight[Any], ref: Ref | None = None) -> None:
        self.send(answered(table_of(sight, self._runtime.clock()), ref))

    # --- who one is -------------------------------------------------------------------------

    @property
    def _me(self) -> UserRow:
        if self._user is None:
            raise Refused("UNAUTHORIZED", "Say who you are first: send auth.")
        return self._user

    async def auth(self, wish: said.Auth) -> None:
        """Once is enough: seats and seeks belong to who began them."""
        if self._user is not None:
            raise Refused("SIGNED_IN", "You are signed in already.")
        user = await self._services.user_of(wish.token, self._session.who.address)
        self._session.count_for(user)
        self._sign_in(user)
        self.send(Welcome(user=self._shown(), ref=_ref(wish)))
        await self._look_for_invitations()

    async def greet(self, token: str) -> None:
        """A token came with the handshake."""
        await self.auth(said.Auth(token=token))

    def _sign_in(self, user: UserRow) -> None:
        self._user = user
        kind = NOTIFIED.encode()

        def hear(payload: bytes) -> None:
            if payload in (kind, b""):
                self._runtime.background.spawn(self._look_for_invitations())

        self._unsubscribe = self._services.bus.subscribe(f"user:{user.id}", hear)

    def _shown(self) -> User:
        return User(self._me.id, self._me.username)

    async def _look_for_invitations(self) -> None:
        """Say which tables somebody keeps a seat at."""
        for row, invitation in reversed(await self._host.invitations.of(self._me.id)):
            if row.is_read:
                if (match_id := self._invited.pop(row.id, None)) is not None:
                    self._answered(match_id)
            elif row.id not in self._invited:
                self._invited[row.id] = invitation.match
                await self._pass_on(invitation)

    def _has_answered(self, answer: tuple[ReadNotification, ...]) -> None:
        """This window answered invitations: the others are told."""
        for read in answer:
            self._invited.pop(read.id, None)
            self._host.invitations.tell(read.user_id)

    def _answered(self, match_id: str) -> None:
        """Another window of the same user answered an invitation; who sits there knows."""
        if not self._at.seats_at(match_id):
            self.send(Left(match=match_id, why="answered"))

    async def _pass_on(self, invitation: Invitation) -> None:
        match = await self._host.matches.find(invitation.match)
        if match is not None and match.status == "waiting":
            self.send(invitation)

    # --- sitting down -----------------------------------------------------------------------

    def _must_have_room(self) -> None:
        if len(self._at) + len(self._seeks) >= TABLES_AT_ONCE:
            raise Refused("TOO_MANY_TABLES", "Leave one of your tables first.")

    async def seek(self, wish: said.Seek) -> None:
        """Play anybody."""
        self._must_have_room()
        self._host.rules(wish.game)
        if self._runtime.policies[wish.game].stand_ins is not None:
            await self._services.limits.computer_games.admit(self._session.who)
        player = self._host.player(self._me, self._session.id)
        found = await self._seeks.join(wish.game, player)
        now = self._runtime.clock()
        if isinstance(found, PutTicket):
            bot_at = found.deadline_at
            self.send(Seeking(game=wish.game, bot_at=bot_at, now=now, ref=_ref(wish)))
        else:
            self.send(Seeking(game=wish.game, now=now, ref=_ref(wish)))
            await self._seeks.sit(found)

    def seated(self, sight: Sight[Any]) -> None:
        """Somebody was found (see `Seeker`)."""
        self._show(sight)

    def outbid(self) -> None:
        """The same user seeks from another window."""
        self.send(Error(code="SEEKING_ELSEWHERE", message="You go on looking from another window."))

    async def open(self, wish: said.Open) -> None:
        """A table of one's own."""
        self._must_have_room()
        await self._services.limits.rooms.admit(self._session.who)
        player = self._host.player(self._me, self._session.id)
        open_table = self._host.open_local if wish.local else self._host.open
        match = await open_table(player, wish.game, wish.options)
        await self._sit(match.id, kept=True, ref=wish.ref)

    async def invite(self, wish: said.Invite) -> None:
        """A table for somebody."""
        self._must_have_room()
        await self._services.limits.challenges.admit(self._session.who)
        player = self._host.player(self._me, self._session.id)
        match, new = await self._host.invitations.invite(
            player, self._me, wish.game, wish.user, wish.options
        )
        await self._sit(match.id, kept=new, ref=wish.ref)

    async def play_bot(self, wish: said.PlayBot) -> None:
        """A table with the computer."""
        self._must_have_room()
        await self._services.limits.computer_games.admit(self._session.who)
        player = self._host.player(self._me, self._session.id)
        match = await self._host.play_bot(player, wish.game, wish.bot, wish.seat, wish.options)
        await self._sit(match.id, kept=True, ref=wish.ref)

    async def join(self, wish: said.Join) -> None:
        """Take a free seat, or one's own again."""
        self._must_have_room()
        me = self._me
        if wish.match is not None:
            match = await self._host.matches.known(wish.match)
        elif wish.game is not None and wish.code is not None:
            match = await self._host.matches.by_code(wish.game, wish.code)
        else:
            raise Refused("INVALID_MESSAGE", "Name a match, or a game and a code.")
        if match is None:
            raise refused("NO_SUCH_TABLE")
        self._host.matches.must_be_playable(match)
        if match.seat_of(me.id) is not None:
            await self._sit(match.id, kept=False, ref=wish.ref)
        elif wish.code is None and not (wish.take and match.status == "waiting"):
            raise refused("NOT_SEATED")
        else:
            player = self._host.player(me, self._session.id)
            answer = await self._host.invitations.answering(me.id, match.id)
            await self._host.join(match.id, player, writes=answer)
            await self._sit(match.id, kept=True, ref=wish.ref)
            self._has_answered(answer)

    async def _sit(self, match_id: str, *, kept: bool, ref: Ref | None = None) -> None:
        sight = await self._at.sit(match_id, self._seats, kept=kept)
        if sight is not None:
            self._show(sight, ref)

    def _seats(self, match: Facts) -> Seats:
        if match.mode == "local":
            return SEATS
        seat = match.seat_of(self._me.id)
        assert seat is not None
        return (seat,)

    # --- looking on -------------------------------------------------------------------------

    async def watch(self, wish: said.Watch) -> None:
        """See a table as everybody may."""
        self._must_have_room()
        self._show(await self._at.watch(wish.match), wish.ref)

    async def unwatch(self, wish: said.Unwatch) -> None:
        """Look away, or get up."""
        if self._at.at(wish.match) is None:
            raise refused("NO_SUCH_TABLE")
        await self._at.get_up(wish.match)
        self.send(Left(match=wish.match, why="unwatched", ref=_ref(wish)))

    async def withdraw(self, wish: said.Withdraw) -> None:
        """Seek no more, let a table go that nobody has come to, or decline an invitation."""
        if wish.game is not None:
            if not await self._seeks.give_up(wish.game):
                raise Refused("NOT_SEEKING", "You do not look for an opponent.")
        elif wish.match is not None:
            answer = await self._host.invitations.answering(self._me.id, wish.match)
            if answer:
                await self._host.invitations.decline(wish.match, answer)
                self._has_answered(answer)
            else:
                await self._host.withdraw(self._seated(wish.match))
        else:
            raise Refused("INVALID_MESSAGE", "Name a game or a match.")
        self._done(wish)

    # --- playing ----------------------------------------------------------------------------

    def _seated(self, match_id: str) -> Sight[Any]:
        sight = self._at.sight(match_id)
        if sight is not None:
            self._host.matches.must_be_playable(sight.match)
        if sight is None or not sight.seats:
            raise refused("NOT_SEATED")
        return sight

    async def act(self, wish: said.Act) -> None:
        """Do something; everybody at the table hears of it first."""
        sight = self._seated(wish.match)
        self._done(wish, await self._host.act(sight, wish.version, wish.action))

    async def resign(self, wish: said.Resign) -> None:
        """Give up."""
        self._done(wish, await self._host.resign(self._seated(wish.match)))

    async def hint(self, wish: said.Hint) -> None:
        """What one could do now."""
        sight = self._seated(wish.match)
        await self._services.limits.analyses.admit(self._session.who)
        hint = await self._host.hint(sight)
        weighed = hint.weighed
        self.send(
            HintGiven(
                match=wish.match,
                version=hint.version,
                action=hint.action,
                value=weighed.value,
                exact=weighed.exact,
                note=weighed.note,
                ref=_ref(wish),
            )
        )

    async def takeback(self, wish: said.Takeback) -> None:
        """Back to before one's own last move."""
        self._done(wish, await self._host.take_back(self._seated(wish.match)))

    async def play_on(self, wish: said.PlayOn) -> None:
        """A table with the computer, where a finished game stood."""
        self._must_have_room()
        await self._services.limits.computer_games.admit(self._session.who)
        player = self._host.player(self._me, self._session.id)
        match = await self._host.play_on(player, wish.match, wish.version, wish.bot, wish.seat)
        await self._sit(match.id, kept=True, ref=wish.ref)

    async def rematch(self, wish: said.Rematch) -> None:
        """Once more."""
        sight = self._seated(wish.match)
        if sight.match.over and any(row.bot is not None for row in sight.match.seats):
            await self._services.limits.computer_games.admit(self._session.who)
        await self._host.rematch(sight)
        self._done(wish)

    async def ping(self, wish: said.Ping) -> None:
        """A sign of life."""
        self.send(Pong(now=self._runtime.clock(), ref=_ref(wish)))

    def _done(self, wish: Any, version: int | None = None) -> None:
        """The answer to what has no other; who gave no `ref` waits for none."""
        if wish.ref is not None:
            about = getattr(wish, "match", None)
            self.send(
                Done(
                    ref=wish.ref,
                    match=UNSET if about is None else about,
                    version=UNSET if version is None else version,
                )
            )


def _ref(wish: said.Ask) -> Any:
    return UNSET if wish.ref is None else wish.ref


ANSWERS: Final[Mapping[type, Callable[[Visitor, Any], Awaitable[None]]]] = {
    said.Auth: Visitor.auth,
    said.Seek: Visitor.seek,
    said.Open: Visitor.open,
    said.Invite: Visitor.invite,
    said.PlayBot: Visitor.play_bot,
    said.Join: Visitor.join,
    said.Withdraw: Visitor.withdraw,
    said.Watch: Visitor.watch,
    said.Unwatch: Visitor.unwatch,
    said.Act: Visitor.act,
    said.Resign: Visitor.resign,
    said.Hint: Visitor.hint,
    said.Takeback: Visitor.takeback,
    said.PlayOn: Visitor.play_on,
    said.Rematch: Visitor.rematch,
    said.Ping: Visitor.ping,
}
