"""One player's visit: a socket from its sign-in to its end, through queue and games.

What the client says is done in the order it was said; what happens around it is told as it happens.
The visit holds a ticket or a seat and nothing else: queue and match live in the kernel.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from hmac import compare_digest
from typing import Any, Final

import structlog
from msgspec import UNSET, Struct
from websockets.frames import CloseCode

from parlour.games.api import Refused, Seat
from parlour.games.memory import messages, rules
from parlour.games.memory.frames import arrival, news
from parlour.games.memory.messages import Error, NotUnderstood, Pong, WaitingForMatch, frame
from parlour.net.errors import GENERAL
from parlour.net.limits import RateLimited
from parlour.net.services import Services
from parlour.net.sockets import Session
from parlour.people import names
from parlour.play.match import Match, Update
from parlour.play.queue import AlreadyQueued
from parlour.play.seating import Busy, Player
from parlour.play.tables import Gone
from parlour.store.change import Conflict, PutTicket, Unavailable

KEY = rules.RULES.key
REPLACED = 4409
UNAVAILABLE: Final = GENERAL["UNAVAILABLE"][1]
WORDS: Final[Mapping[type[Exception], str]] = {
    Busy: "You are in a game. Go on with it first: send rejoin_my_game.",
    AlreadyQueued: "You are already waiting for a match.",
    Gone: "That game is over.",
    Conflict: "Too much happened at once. Please try again.",
    Unavailable: UNAVAILABLE,
}
"""What a client is told when it is not the rules that refuse."""
ELSEWHERE: Final = frame(Error("You go on from another window or device."))

log = structlog.get_logger()

_GAME_ID = re.compile(r"[0-9a-f-]{36}", re.ASCII)


class Place(Struct, frozen=True):
    """Where one sits."""

    match_id: str
    seat: Seat


class Visit:
    """A signed-in socket."""

    __slots__ = (
        "_ended",
        "_kernel",
        "_limits",
        "_longest_name",
        "_name",
        "_named_by_token",
        "_place",
        "_play",
        "_session",
        "_ticket",
        "_unsure",
        "_user_id",
    )

    def __init__(self, session: Session, services: Services) -> None:
        assert session.user is not None
        assert session.claims is not None
        self._session = session
        self._kernel = services.kernel
        self._limits = services.limits
        self._play = services.kernel.play
        self._user_id = session.user.id
        self._longest_name = services.settings.max_name_length
        claimed = (session.claims.name or "").split()
        self._name = claimed[0][: self._longest_name] if claimed else None
        self._named_by_token = self._name is not None
        self._ticket: PutTicket | None = None
        self._place: Place | None = None
        self._unsure = False
        """Whether the store failed to say what became of an attempt to queue or sit down."""
        self._ended = False

    async def hear(self, said: str | bytes) -> None:
        """Do what the client wants, or say why not."""
        try:
            message = messages.understood(said)
            await ANSWERS[type(message)](self, message)
        except NotUnderstood as error:
            self._refuse(str(error))
        except Refused as refused:
            self._refuse(refused.detail)
        except RateLimited as refusal:
            self._session.hear_limited(refusal)
        except (Busy, AlreadyQueued, Gone, Conflict, Unavailable) as error:
            self._refuse(WORDS[type(error)])

    async def end(self) -> None:
        """The socket is closed: whatever it held is let go."""
        self._ended = True
        try:
            if self._ticket is not None:
                await self._give_up(self._ticket)
            if self._unsure and self._place is None:
                await self._find_place()
        except Unavailable:
            log.warning("a seat may be held by nobody", user_id=self._user_id)
        if self._place is not None:
            await self._get_up(self._place)

    # --- waiting ----------------------------------------------------------------------------

    async def set_name(self, said: messages.SetName) -> None:
        """Queue under that name, unless the token says another."""
        name = names.displayed(said.name, self._longest_name)
        if name is None:
            raise Refused("bad_name", f"A name has 1 to {self._longest_name} characters.")
        self._must_be_free()
        if not self._named_by_token:
            self._name = name
        await self._queue()

    async def play_again(self, _: messages.PlayAgain) -> None:
        """Queue under the name of the last time."""
        self._must_be_free()
        if self._name is None:
            raise Refused("no_name", "Choose a name first: send set_name.")
        await self._queue()

    def _must_be_free(self) -> None:
        if self._place is not None:
            raise Refused("in_game", "You are in a game. Finish or leave it first.")
        if self._ticket is not None:
            raise AlreadyQueued

    async def _queue(self) -> None:
        assert self._name is not None
        await self._limits.computer_games.admit(self._session.who)
        player = Player(
            name=self._name,
            user_id=self._user_id,
            connection=self._session.id,
            process_id=self._play.process_id,
        )
        try:
            found = await self._kernel.queue.join(KEY, player, self._matched, self._replaced)
        except Unavailable:
            self._unsure = True
            raise
        if isinstance(found, Match):
            self._say(WaitingForMatch())
            self._matched(found)
        else:
            self._ticket = found
            self._say(WaitingForMatch(UNSET if found.deadline_at is None else found.deadline_at))

    async def leave_queue(self, _: messages.LeaveQueue) -> None:
        """Stop waiting. Should an opponent just have come, the game has begun."""
        if self._ticket is None:
            raise Refused("not_waiting", "You are not waiting for a match.")
        await self._give_up(self._ticket)

    async def _give_up(self, ticket: PutTicket) -> None:
        self._ticket = None
        try:
            if not await self._kernel.queue.drop(ticket):
                await self._find_place()
        except Unavailable:
            self._unsure = True

    async def _find_place(self) -> None:
        """Sit down at the match that was made for this connection, if one was."""
        match = await self._play.open_match_of(KEY, self._user_id)
        if match is not None:
            self._matched(match)

    # --- sitting down and getting up --------------------------------------------------------

    def _matched(self, match: Match) -> None:
        """A wait ended with a match, in which this connection holds a seat from the start."""
        seat = match.seat_of(self._user_id)
        assert seat is not None
        self._ticket = None
        self._place = Place(match.id, seat)
        if not self._ended:
            self._play.spawn(self._begin(self._place))

    async def _begin(self, place: Place) -> None:
        try:
            kept = await self._kernel.presence.keep(
                place.match_id, place.seat, self._session.id, self._replaced
            )
            if kept:
                await self._attend(place)
            elif self._place is place:
                self._replaced()
        except Unavailable:
            # Nobody asked, so there is nobody to answer: the client comes back and rejoins.
            self._session.close(CloseCode.TRY_AGAIN_LATER)

    async def rejoin(self, said: messages.Rejoin) -> None:
        """Back to a game by its token, which is good for its owner only."""
        self._must_be_free()
        match = None
        if _GAME_ID.fullmatch(said.game_id):
            match = await self._play.find(said.game_id)
        seat = match.seat_of(self._user_id) if match and match.game == KEY else None
        secret = match.seats[seat].secret if match and seat is not None else None
        if secret is None or not compare_digest(secret.encode(), said.rejoin_token.encode()):
            raise Refused("no_such_seat", "There is no game to rejoin with this token.")
        assert match is not None
        assert seat is not None
        await self._return_to(match, seat)

    async def rejoin_my_game(self, _: messages.RejoinMyGame) -> None:
        """Back to one's game from anywhere."""
        self._must_be_free()
        match = await self._play.open_match_of(KEY, self._user_id)
        seat = match.seat_of(self._user_id) if match else None
        if match is None or seat is None:
            raise Refused("no_game", "You have no game to rejoin.")
        await self._return_to(match, seat)

    async def _return_to(self, match: Match, seat: Seat) -> None:
        if match.over:
            raise Gone
        place = self._place = Place(match.id, seat)
        try:
            live = await self._kernel.presence.arrive(
                match.id, seat, self._session.id, self._replaced
            )
            if live.match.over:  # the time to come back ran out
                await self._get_up(place)
                raise Gone
            if self._place is place:
                await self._attend(place)
        except Unavailable:
            await self._get_up(place)
            raise

    async def _attend(self, place: Place) -> None:
        """From now on everything that happens at the table is told."""
        match = await self._play.watch(place.match_id, self)
        if self._place is not place or self._ended:
            self._play.unwatch(place.match_id, self)
            return
        self._name = match.seats[place.seat].name
        for each in arrival(match, place.seat):
            self._session.send(each)
        if match.over:
            await self._get_up(place)

    def _replaced(self) -> None:
        """The same user goes on with another connection."""
        if self._place is not None:
            self._play.unwatch(self._place.match_id, self)
        self._place = self._ticket = None
        self._session.send(ELSEWHERE)
        self._session.close(REPLACED, "replaced by another connection")

    async def _get_up(self, place: Place) -> None:
        """Let go of a seat; nothing happens to one that another connection holds."""
        if self._place is place:
            self._place = None
        self._play.unwatch(place.match_id, self)
        await self._kernel.presence.depart(place.match_id, place.seat, self._session.id)

    # --- playing ----------------------------------------------------------------------------

    async def flip_card(self, said: messages.FlipCard) -> None:
        """Turn a card over."""
        await self._act(rules.Flip(said.index))

    async def use_power_up(self, said: messages.UsePowerUp) -> None:
        """Use what one holds."""
        await self._act(rules.UsePowerUp(said.power_up_id, said.card_index))

    async def leave_game(self, _: messages.LeaveGame) -> None:
        """Give up."""
        await self._act(rules.Leave())

    async def _act(self, action: rules.Action) -> None:
        place = self._place
        if place is None:
            raise Refused("not_playing", "You are not in a game.")
        await self._play.act(place.match_id, place.seat, action)

    def moved(self, update: Update) -> None:
        """The match took a step (see `Watcher`)."""
        place = self._place
        if place is None:
            return
        for each in news(update, place.seat):
            self._session.send(each)
        if update.after.over:
            self._place = None
            self._play.spawn(self._get_up(place))

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        """Comings and goings that matter are steps, and told as such."""

    # --- talking ----------------------------------------------------------------------------

    async def sign_in(self, _: messages.Auth) -> None:
        """Once is enough."""
        raise Refused("signed_in", "You are signed in already.")

    async def pong(self, _: messages.Ping) -> None:
        """A sign of life."""
        self._say(Pong(self._play.clock()))

    def _refuse(self, words: str) -> None:
        self._session.refuse(frame(Error(words)))

    def _say(self, message: messages.ServerMessage) -> None:
        self._session.send(frame(message))


ANSWERS: Final[Mapping[type, Callable[[Visit, Any], Awaitable[None]]]] = {
    messages.Auth: Visit.sign_in,
    messages.SetName: Visit.set_name,
    messages.PlayAgain: Visit.play_again,
    messages.LeaveQueue: Visit.leave_queue,
    messages.FlipCard: Visit.flip_card,
    messages.UsePowerUp: Visit.use_power_up,
    messages.LeaveGame: Visit.leave_game,
    messages.Rejoin: Visit.rejoin,
    messages.RejoinMyGame: Visit.rejoin_my_game,
    messages.Ping: Visit.pong,
}
