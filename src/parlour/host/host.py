"""What anybody can do at any table of any game: commands over play, for every surface alike.

A command is made durable before it returns, or raises: `Refused` with a code, `Busy` with the match
to finish first, `Gone` where there is no such table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from parlour.games.api import SEATS, Refused, Seat
from parlour.games.options import chosen
from parlour.games.registry import AnyRules, bots
from parlour.host.audience import Audience
from parlour.host.begun import begun
from parlour.host.invitations import Invitations
from parlour.host.matches import NOBODY, Matches
from parlour.host.refusals import WORDS, refused
from parlour.host.replays import Replays
from parlour.host.sight import Facts, Sight, StepSeen
from parlour.net.services import Services
from parlour.play.analyses import Progress
from parlour.play.hints import Hint
from parlour.play.match import Gone, Match, Update
from parlour.play.player import Player
from parlour.play.steps import Told
from parlour.store import queries
from parlour.store.change import (
    ChallengeRow,
    Conflict,
    JournalRow,
    ReadNotification,
    TakeTicket,
    UserRow,
    Write,
)

SIT_ATTEMPTS: Final = 3
"""How often sitting down is tried again because one's place in the queue was used meanwhile."""
T = TypeVar("T")


class Host:
    """The tables of this process, and how people come to sit at them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.kernel = services.kernel
        self.runtime = services.kernel.runtime
        self.matches = Matches(services.kernel, self.rules)
        self.replays = Replays(self.matches, self.rules, self.runtime.store)
        self.invitations = Invitations(services, self.options)
        self._audiences: dict[str, Audience] = {}

    # --- what is played here ----------------------------------------------------------------

    def rules(self, game: str) -> AnyRules:
        """Of a game that is played here."""
        found = self.runtime.rules.get(game)
        if found is None:
            raise refused("UNKNOWN_GAME")
        return found

    def options(self, game: str, wanted: Raw | UnsetType = UNSET) -> Any:
        """What a match is to be told: the policy's own words, changed where somebody asks."""
        rules, policy = self.rules(game), self.runtime.policies[game]
        if isinstance(wanted, UnsetType):
            return policy.options
        try:
            asked = msgspec.json.decode(wanted, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            raise refused("INVALID_OPTIONS") from None
        return policy.agreed(chosen(rules, policy.options, asked))

    async def audience(self, match_id: str) -> Audience:
        """Who is told of a match in this process, whoever that is; `Gone` if there is none."""
        if (at_once := self.audience_at_once(match_id)) is not None:
            return at_once
        while True:
            found = self._audience_known(match_id)
            if found is None:
                resident = await self.kernel.residents.get(match_id)
                if resident is None:
                    raise Gone
                continue
            try:
                await found.listen()
            except BaseException:
                self.release(match_id)
                raise
            if self._audiences.get(match_id) is found:
                return found
            # Whoever else listened was gone before this one had its turn.

    def audience_at_once(self, match_id: str) -> Audience | None:
        """The same of a match in memory where nothing is in the way; None: `audience` does it."""
        found = self._audience_known(match_id)
        if found is None or found.listen_at_once():
            return found
        self.release(match_id)
        return None

    def _audience_known(self, match_id: str) -> Audience | None:
        """Of a match in memory, be it that nobody is there yet."""
        found = self._audiences.get(match_id)
        if found is None and (resident := self.kernel.residents.by_id.get(match_id)) is not None:
            found = self._audiences[match_id] = Audience(self.kernel, resident.rules, match_id)
        return found

    def release(self, match_id: str) -> None:
        """Stop following a match that nobody here looks at."""
        found = self._audiences.get(match_id)
        if found is not None and found.deserted:
            del self._audiences[match_id]
            found.close()

    # --- sitting down -----------------------------------------------------------------------

    def player(
        self,
        user: UserRow | None,
        connection: str | None = None,
        *,
        name: str | None = None,
        secret: str | None = None,
    ) -> Player:
        """Somebody about to sit down, by the name given here or the account's."""
        assert user is not None or name is not None
        return Player(
            name=name or (user.username if user else ""),
            user_id=user.id if user else None,
            secret=secret,
            connection=connection,
            process_id=None if connection is None else self.runtime.process_id,
        )

    def secret(self) -> str:
        """What will prove a seat to be one's own."""
        return self.runtime.chance.secret()

    async def make(
        self, game: str, first: Player, second: Player | None, *, mode: str, code: str
    ) -> Facts:
        """A table of that name, for one who waits or for two; `Taken` if the name is."""
        seating = self.kernel.seating
        if second is None:
            return await seating.open(game, first, code=code, mode=mode)
        return await seating.start(game, (first, second), code=code, mode=mode)

    async def join(
        self, match_id: str, player: Player, writes: tuple[ReadNotification, ...] = ()
    ) -> None:
        """Take the second seat, and play; whoever opened the table and is elsewhere is told."""
        resident = await self.kernel.finder.must_be_playable(match_id)
        match, word = resident.match, None
        if not self.kernel.presence.here(resident)[0]:
            runtime = self.runtime
            word = begun(runtime.chance.id(), match, player.name, runtime.clock())
        told: tuple[Write, ...] = () if word is None else (word,)
        join = partial(self.kernel.seating.join, match_id, player)
        await self._leaving_queue(match.game, player, lambda left: join((*writes, *told, *left)))
        if word is not None:
            self.invitations.tell(word.user_id)

    async def open(self, player: Player, game: str, wanted: Raw | UnsetType = UNSET) -> Facts:
        """A table that waits for its second player."""
        open_ = partial(self.kernel.seating.open, game, player, options=self.options(game, wanted))
        return await self._leaving_queue(game, player, lambda left: open_(together=lambda _: left))

    async def _leaving_queue(
        self, game: str, player: Player, sit_down: Callable[[tuple[Write, ...]], Awaitable[T]]
    ) -> T:
        """Where one may have one open match, taking a seat gives up one's place in the queue: in
        the same commit.
        """
        queue, user_id = self.kernel.queue, player.user_id
        if user_id is None or not self.runtime.policies[game].sole:
            return await sit_down(())
        for _ in range(SIT_ATTEMPTS):
            ticket = await queue.tickets.of(game, user_id)
            try:
                async with self._services.users.known(user_id):
                    seated = await sit_down((TakeTicket(id=ticket.id),) if ticket else ())
            except Conflict:
                if ticket is None:
                    raise
                continue
            # One that was asked for meanwhile, on another line of the same user.
            await queue.leave(game, user_id)
            return seated
        raise Conflict

    async def open_local(self, player: Player, game: str, wanted: Raw | UnsetType) -> Facts:
        """A table for two at one device: unrated, as nobody knows who the second one is.

        The first seat is the account's, which is how it finds the table again.
        """
        second = replace(player, user_id=None, name="Player 2")
        options = self.options(game, wanted)
        players = (player, second)
        return await self.kernel.seating.start(game, players, options=options, mode="local")

    async def play_bot(
        self, player: Player, game: str, name: str, seat: Seat | None, wanted: Raw | UnsetType
    ) -> Facts:
        """A game against the computer: never rated here."""
        options = self.options(game, wanted)
        found = bots(game).get(name)
        if found is None:
            raise refused("UNKNOWN_BOT")
        mine = self.runtime.chance.below(len(SEATS)) if seat is None else seat
        bot = Player(name=found.persona.title, bot=name)
        players = (player, bot) if mine == 0 else (bot, player)
        return await self.kernel.seating.start(game, players, options=options, mode="ai")

    async def play_on(
        self, player: Player, match_id: str, version: int, name: str | None, seat: Seat | None
    ) -> Facts:
        """A game against the computer from a position of a finished one; never rated."""
        match, position, turn = await self.replays.position(match_id, version)
        known = bots(match.game)
        if not known or name not in (None, *known):
            raise refused("UNKNOWN_BOT")
        bot = name or tuple(known)[-1]
        mine = seat if seat is not None else turn if turn is not None else 0
        options = msgspec.json.decode(match.options, type=self.rules(match.game).options_type)
        computer = Player(name=known[bot].persona.title, bot=bot)
        players = (player, computer) if mine == 0 else (computer, player)
        return await self.kernel.seating.start(
            match.game, players, options=options, mode="ai", position=position
        )

    async def accept(
        self,
        challenge: ChallengeRow,
        names: tuple[str, str],
        together: Callable[[Sight[Any]], tuple[Write, ...]],
    ) -> Sight[Any]:
        """Whoever was challenged pays as much, and plays: the match as it begins, through its eyes.

        `together`: what becomes durable with it.
        """
        rules = self.rules(challenge.game)
        players = (
            Player(name=names[0], user_id=challenge.challenger_id),
            Player(name=names[1], user_id=challenge.opponent_id),
        )

        def seen(match: Match) -> Sight[Any]:
            return Sight(rules, match, (1,), NOBODY)

        _, match = await self.kernel.challenges.accept(
            challenge.id, lambda _: players, lambda _, match: together(seen(match))
        )
        return seen(match)

    # --- playing ----------------------------------------------------------------------------

    async def act(self, sight: Sight[Any], version: int, raw: Raw) -> int:
        """The version that the action led to, now or when it was sent before."""
        match, seat = sight.match, _actor(sight)
        rules = self.rules(match.game)
        try:
            action = rules.actions.decode(raw)
        except (msgspec.DecodeError, RecursionError):
            raise refused("INVALID_ACTION") from None
        try:
            update = await self.kernel.steps.act(match.id, seat, action, version=version)
        except Refused as refusal:
            if refusal.code != "TOO_LATE":
                raise _worded(rules, refusal) from None
            # Perhaps it is the same one again, because the answer to the first was lost.
            entry = await queries.journal_entry(self.runtime.store, match.id, version + 1)
            if entry is None or not _says(entry, seat, action):
                raise refused("STALE") from None
            return entry.version
        return update.after.version

    def act_at_once(self, sight: Sight[Any], version: int, raw: Raw, told: Told) -> bool:
        """As `act` where nothing is in the way, and without waiting: `told` hears of it later.

        False: nothing was done, and `act` does it or says why not.
        """
        match = sight.match
        rules = self.runtime.rules.get(match.game)
        if rules is None or rules.version != match.rules_version or not sight.seats:
            return False
        try:
            action = rules.actions.decode(raw)
        except (msgspec.DecodeError, RecursionError):
            return False
        return self.kernel.steps.act_at_once(match.id, _actor(sight), action, version, told)

    def do_at_once(self, sight: Sight[Any], action: Any, seat: Seat, told: Told) -> bool:
        """The same for an action on the match as it is (see `do`)."""
        return self.kernel.steps.act_at_once(sight.match.id, seat, action, None, told)

    async def do(
        self,
        sight: Sight[Any],
        action: Any,
        seat: Seat | None = None,
        together: Callable[[StepSeen[Any]], tuple[Write, ...]] | None = None,
    ) -> StepSeen[Any]:
        """An action on the match as it is; at one device that of whoever is to move.

        `together`: what becomes durable with the step, by what that turns out to be.
        """
        rules = self.rules(sight.match.game)

        def seen(update: Update) -> StepSeen[Any]:
            return StepSeen(rules, update, sight.after(update))

        update = await self.kernel.steps.act(
            sight.match.id,
            _actor(sight) if seat is None else seat,
            action,
            together=None if together is None else lambda update: together(seen(update)),
        )
        return seen(update)

    async def hint(self, sight: Sight[Any]) -> Hint:
        """What one could do now."""
        return await self.kernel.hints.give(sight.match.id, _actor(sight))

    async def take_back(self, sight: Sight[Any]) -> int:
        """Back to before one's own last move; the version in which one is."""
        update = await self.kernel.takebacks.take_back(sight.match.id, _actor(sight))
        return update.after.version

    def analysed(self, progress: Progress) -> None:
        """Those who look at a game are told how far its analysis is."""
        audience = self._audiences.get(progress.match)
        if audience is not None:
            audience.tell(lambda voice, _: voice.analysed(progress), "analysis")

    async def resign(self, sight: Sight[Any]) -> int:
        """Give up; the version in which one has."""
        rules = self.rules(sight.match.game)
        if rules.resignation is None:
            raise refused("CANNOT_RESIGN")
        try:
            update = await self.kernel.steps.act(sight.match.id, _actor(sight), rules.resignation)
        except Refused as refusal:
            raise _worded(rules, refusal) from None
        return update.after.version

    async def rematch(
        self,
        sight: Sight[Any],
        *,
        swap: bool = True,
        options: Any = None,
        keep_code: bool = True,
    ) -> Facts | None:
        """Another game at this table, once both want it; the computer always does.

        Without `keep_code` it is a table of its own, which each comes to by itself.
        """
        match, following = sight.match, None
        if match.escrow_id is not None:
            raise refused("PLAYED_FOR_STAKES")
        willing = {*sight.seats, *(row.seat for row in match.seats if row.bot is not None)}
        for seat in sorted(willing):
            following = await self.kernel.rematches.ask(
                match.id, seat, swap=swap, options=options, keep_code=keep_code
            )
        if following is not None and self.runtime.policies[match.game].sole:
            for row in following.seats:
                await self.kernel.queue.leave(match.game, row.user_id or "")
        return following

    async def withdraw(self, sight: Sight[Any]) -> None:
        """Give up waiting: for somebody to come, or once it is over for them to play again."""
        seat = sight.seats[0]
        if sight.match.over:
            await self.kernel.rematches.withdraw(sight.match.id, seat)
        else:
            await self.kernel.seating.cancel(sight.match.id, seat)


def _actor(sight: Sight[Any]) -> Seat:
    """Who acts: at one device, whoever is to move."""
    seat = sight.eye
    assert seat is not None, "who only looks on does nothing"
    return seat


def _worded(rules: AnyRules, refusal: Refused) -> Refused:
    """The rules' refusal in words, be it that they only gave its code."""
    words = refusal.detail or rules.words.get(refusal.code, WORDS["INVALID_ACTION"])
    return Refused(refusal.code, words, refusal.field)


def _says(entry: JournalRow, seat: Seat, action: Any) -> bool:
    """Whether an entry is that seat's very action."""
    return (
        entry.kind == "act" and entry.seat == seat and entry.action == msgspec.json.encode(action)
    )
