"""What anybody can do at any table of any game: commands over play, for every surface alike.

A command is made durable before it returns, or raises: `Refused` with a code, `Busy` with the match
to finish first, `Gone` where there is no such table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from hmac import compare_digest
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from parlour.games.api import SEATS, Millis, Refused, Seat, Seen
from parlour.games.options import chosen
from parlour.games.registry import AnyRules, bots
from parlour.host.audience import Audience
from parlour.host.messages import Invitation
from parlour.host.sight import Facts, Seats, SeatsOf, Sight, StepSeen
from parlour.net.feeds import word
from parlour.net.notices import KIND as NOTIFIED
from parlour.net.services import Services
from parlour.people import notifications
from parlour.play.live import Live
from parlour.play.match import Match, Update, from_row
from parlour.play.other_rules import governing, refusal
from parlour.play.play import Gone
from parlour.play.seating import Player
from parlour.store import queries
from parlour.store.change import (
    ChallengeRow,
    Change,
    Conflict,
    JournalRow,
    NotificationRow,
    ReadNotification,
    TakeTicket,
    UserRow,
    Write,
)

NOBODY: Final = (False, False)
"""Nobody has a connection, or it does not matter who does."""

SIT_ATTEMPTS: Final = 3
"""How often sitting down is tried again because one's place in the queue was used meanwhile."""
INVITATION: Final = "INVITATION"
"""The type of the notification by which somebody is invited."""

RECENT: Final = 20
"""How many of the newest notifications are looked through for invitations."""

WORDS: Final[Mapping[str, str]] = {
    "UNKNOWN_GAME": "There is no such game here.",
    "UNKNOWN_BOT": "This game has no such computer player.",
    "UNKNOWN_USER": "There is nobody of that name.",
    "INVALID_OPTIONS": "These options are not ones of this game.",
    "INVALID_ACTION": "That is nothing one can do in this game.",
    "NOT_SEATED": "You do not sit at this table.",
    "STALE": "The game moved on since. Look again.",
    "CANNOT_RESIGN": "This game cannot be given up.",
    "CANNOT_INVITE_YOURSELF": "Invite somebody else.",
    "ALREADY_INVITED": "You keep a seat for them already, at another table of this game.",
    "NO_SUCH_TABLE": "There is no such table.",
    "PLAYED_FOR_STAKES": "A game for stakes begins with a challenge.",
}
"""The host's own refusals, for people."""

T = TypeVar("T")


def refused(code: str) -> Refused:
    """One of the host's own refusals."""
    return Refused(code, WORDS[code])


class Host:
    """The tables of this process, and how people come to sit at them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.kernel = services.kernel
        self.play = services.kernel.play
        self._audiences: dict[str, Audience] = {}

    # --- finding ----------------------------------------------------------------------------

    def rules(self, game: str) -> AnyRules:
        """Of a game that is played here."""
        found = self.play.rules.get(game)
        if found is None:
            raise refused("UNKNOWN_GAME")
        return found

    def options(self, game: str, wanted: Raw | UnsetType = UNSET) -> Any:
        """What a match is to be told: the policy's own words, changed where somebody asks."""
        rules, policy = self.rules(game), self.play.policies[game]
        if isinstance(wanted, UnsetType):
            return policy.options
        try:
            asked = msgspec.json.decode(wanted, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            raise refused("INVALID_OPTIONS") from None
        return policy.agreed(chosen(rules, policy.options, asked))

    async def audience(self, match_id: str) -> Audience:
        """Who is told of a match in this process, whoever that is; `Gone` if there is none."""
        while True:
            found = self._audiences.get(match_id)
            if found is None:
                live = await self.play.known(match_id)
                if live is None:
                    raise Gone
                fresh = Audience(self.play, live.rules, match_id)
                found = self._audiences.setdefault(match_id, fresh)
            try:
                await found.listen()
            except BaseException:
                self.release(match_id)
                raise
            if self._audiences.get(match_id) is found:
                return found
            # Whoever else listened was gone before this one had its turn.

    def release(self, match_id: str) -> None:
        """Stop following a match that nobody here looks at."""
        found = self._audiences.get(match_id)
        if found is not None and found.deserted:
            del self._audiences[match_id]
            found.close()

    def must_be_playable(self, match: Facts) -> None:
        """Refuses what nobody can play any more: a match of other rules than those of today."""
        if match.rules_version != self.rules(match.game).version:
            raise refusal()

    async def by_code(self, game: str, code: str) -> Facts:
        """The table of that code."""
        match = await self.find_code(game, code)
        if match is None:
            raise refused("NO_SUCH_TABLE")
        return match

    async def find_code(self, game: str, code: str) -> Facts | None:
        """The table of that code, if there is one."""
        self.rules(game)
        return await self.play.find_code(game, code.upper())

    async def look(self, match_id: str, seats: Seats | SeatsOf) -> Sight[Any]:
        """A match as the store has it, for whoever has these seats; `Gone` if there is none."""
        live = await self.play.live(match_id, fresh=True)
        if live is None:
            raise Gone
        return self._seen_by(live, seats(live.match) if callable(seats) else seats)

    async def look_by_public_id(
        self, game: str, public_id: str, seats: Seats | SeatsOf
    ) -> Sight[Any]:
        """As `look`, by the id that stands in addresses."""
        match = await self.play.find_public(game, public_id.upper())
        if match is None:
            raise Gone
        return await self.look(match.id, seats)

    async def open_game(self, game: str, user_id: str) -> Sight[Any] | None:
        """The one match that a user has open, of a game that allows one."""
        match = await self.play.open_match_of(game, user_id)
        live = None if match is None else await self.play.live(match.id)
        return None if live is None else self._seen_by(live, seats_of(user_id)(live.match))

    def _seen_by(self, live: Live, seats: Seats) -> Sight[Any]:
        seen = partial(self.play.last_seen, live)
        return Sight(live.rules, live.match, seats, self.play.here(live), seen)

    async def past(self, ids: Iterable[str]) -> list[Sight[Any]]:
        """Matches of a list as the store has them, to anybody's eyes."""
        stored = await queries.matches_by_id(self.play.store, list(ids))
        return [
            _past(governing(self.rules(each.match.game), each.match.rules_version), each)
            for each in stored
        ]

    def saw(self, sight: Sight[Any]) -> None:
        """Whoever holds these seats looked, which is a sign of life while the match is on."""
        live = self.play.remembered(sight.match.id)
        if live is not None and not live.match.over:
            for seat in sight.seats:
                self.play.saw(live, seat)

    async def find(self, match_id: str) -> Facts | None:
        """A match as the store has it now; one that lapsed is none."""
        return await self.play.find(match_id)

    async def known(self, match_id: str) -> Facts | None:
        """A match, be it one of other rules that cannot be played; one that lapsed is none."""
        live = await self.play.known(match_id)
        return None if live is None or live.match.status == "expired" else live.match

    async def open_match_of(self, game: str, user_id: str) -> Facts | None:
        """The one match that somebody is in, of a game that allows one at a time."""
        return await self.play.open_match_of(game, user_id)

    async def look_at(self, match_id: str, user_id: str | None) -> Sight[Any]:
        """Any match as it stands, through that user's eyes or everybody's; `Gone` if none is."""
        live = await self.play.known(match_id)
        if live is None or live.match.status == "expired":
            raise Gone
        await self.play.refresh(live)
        match = live.match
        seat = None if user_id is None else match.seat_of(user_id)
        seats: Seats = () if seat is None else (seat,)
        if seats and match.mode == "local":
            seats = SEATS
        return self._seen_by(live, seats)

    async def look_as(self, user_id: str, game: str, match_id: str) -> Sight[Any]:
        """A user's own match of a game, as this process knows it; `Gone` to everybody else."""
        live = await self.play.live(match_id)
        seat = live.match.seat_of(user_id) if live else None
        if live is None or seat is None or live.match.game != game:
            raise Gone
        return Sight(live.rules, live.match, (seat,), self.play.here(live))

    async def look_again(self, sight: Sight[Any]) -> Sight[Any]:
        """The same match as the store has it, past what was due; `Gone` if it is no more."""
        live = await self.play.live(sight.match.id)
        if live is None:
            raise Gone
        # An operator's command is another process that no bus tells of.
        await self.play.refresh(live)
        await self.play.due(live)
        return Sight(live.rules, live.match, sight.seats, self.play.here(live))

    async def look_at_all(self, match_ids: Iterable[str], user_id: str) -> list[Sight[Any]]:
        """A user's matches as the store has them, in this order; who is there it does not say."""
        return [
            _own(governing(self.rules(each.match.game), each.match.rules_version), each, user_id)
            for each in await queries.matches_by_id(self.play.store, match_ids)
        ]

    def follow(self, game: str, follower: Callable[[StepSeen[Any]], None]) -> None:
        """From now on it hears of every step of a game that this process takes, as anybody may."""
        rules = self.rules(game)

        def stepped(update: Update) -> None:
            follower(StepSeen.of(rules, update, (), NOBODY))

        self.play.follow(game, stepped)

    async def following(self, match_id: str) -> Facts | None:
        """The game that came of a match, if one did."""
        match = await self.play.find(match_id)
        following = match.rematch_id if match is not None else None
        return None if following is None else await self.play.find(following)

    async def proven(self, match_id: str, secret: str) -> Seats:
        """Which seats of a match are whose who knows that secret."""
        match = await self.play.find(match_id)
        if match is None or not secret:
            return ()
        return tuple(row.seat for row in match.seats if _same(row.secret, secret))

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
            process_id=None if connection is None else self.play.process_id,
        )

    def secret(self) -> str:
        """What will prove a seat to be one's own."""
        return self.play.chance.secret()

    async def make(
        self, game: str, first: Player, second: Player | None, *, mode: str, code: str
    ) -> Facts:
        """A table of that name, for one who waits or for two; `Taken` if the name is."""
        seating = self.kernel.seating
        if second is None:
            return await seating.open(game, first, code=code, mode=mode)
        return await seating.start(game, (first, second), code=code, mode=mode)

    async def join(
        self, match_id: str, player: Player, also: tuple[ReadNotification, ...] = ()
    ) -> None:
        """Take the second seat, and play."""
        live = await self.play.live(match_id)
        if live is None:
            raise Gone
        join = partial(self.kernel.seating.join, match_id, player)
        game = live.match.game
        await self._leaving_queue(game, player, lambda left: join(also=(*also, *left)))

    async def open(self, player: Player, game: str, wanted: Raw | UnsetType = UNSET) -> Facts:
        """A table that waits for its second player."""
        open_ = partial(self.kernel.seating.open, game, player, options=self.options(game, wanted))
        return await self._leaving_queue(game, player, lambda left: open_(also=lambda _: left))

    async def _leaving_queue(
        self, game: str, player: Player, sit_down: Callable[[tuple[Write, ...]], Awaitable[T]]
    ) -> T:
        """Where one may have one open match, taking a seat gives up one's place in the queue: in
        the same commit.
        """
        queue, user_id = self.kernel.queue, player.user_id
        if user_id is None or not self.play.policies[game].sole:
            return await sit_down(())
        for _ in range(SIT_ATTEMPTS):
            ticket = await queue.ticket_of(game, user_id)
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
        if name not in bots(game):
            raise refused("UNKNOWN_BOT")
        mine = self.play.chance.below(len(SEATS)) if seat is None else seat
        bot = Player(name=name.capitalize(), bot=name)
        players = (player, bot) if mine == 0 else (bot, player)
        return await self.kernel.seating.start(game, players, options=options, mode="ai")

    async def invite(
        self, player: Player, by: UserRow, game: str, whom: str, wanted: Raw | UnsetType
    ) -> tuple[Facts, bool]:
        """A table that waits for somebody, who is told of it in the same commit; and if it is new.

        Who was invited and has not answered is not invited again: it is the same table.
        """
        options = self.options(game, wanted)
        users = self._services.users
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
                    id=self.play.chance.id(),
                    user_id=invited.id,
                    type=INVITATION,
                    payload=msgspec.json.encode(payload),
                    created_at=match.created_at,
                ),
            )

        match = await self.kernel.seating.open(game, player, options=options, also=told)
        self.tell_of_invitations(invited.id)
        return match, True

    async def invitations(self, user_id: str) -> list[tuple[NotificationRow, Invitation]]:
        """Those of a user's newest notifications that invite it, the newest first."""
        rows, _ = await notifications.page(self.play.store, user_id, limit=RECENT)
        return [
            (row, msgspec.json.decode(row.payload, type=Invitation))
            for row in rows
            if row.type == INVITATION
        ]

    async def _kept_for(self, user_id: str, by: str, game: str) -> Match | None:
        """The table of a game at which somebody keeps a seat for a user, who knows of it."""
        for row, invitation in await self.invitations(user_id):
            if invitation.by.id == by and invitation.game == game and not row.is_read:
                match = await self.play.find(invitation.match)
                if match is not None and match.status == "waiting":
                    return match
        return None

    async def answering(self, user_id: str, match_id: str) -> tuple[ReadNotification, ...]:
        """What says that a user has read the invitation to a table; nothing if there is none."""
        return tuple(
            ReadNotification(id=row.id, user_id=user_id)
            for row, invitation in await self.invitations(user_id)
            if invitation.match == match_id and not row.is_read
        )

    async def decline(self, match_id: str, answer: tuple[ReadNotification, ...]) -> None:
        """The table that somebody kept is closed, and the invitation read, in one commit."""
        match = await self.play.find(match_id)
        if match is None or match.over:
            await self.play.store.commit(Change(answer))
        else:
            await self.kernel.seating.cancel(match_id, 1, also=answer)

    def tell_of_invitations(self, user_id: str) -> None:
        """Have all connections of a user look at its invitations."""
        word(self._services.bus, user_id, NOTIFIED)

    async def accept(
        self,
        challenge: ChallengeRow,
        names: tuple[str, str],
        along: Callable[[Sight[Any]], tuple[Write, ...]],
    ) -> Sight[Any]:
        """Whoever was challenged pays as much, and plays: the match as it begins, through its eyes.

        `along`: what must become durable together with it.
        """
        rules = self.rules(challenge.game)
        players = (
            Player(name=names[0], user_id=challenge.challenger_id),
            Player(name=names[1], user_id=challenge.opponent_id),
        )

        def seen(match: Match) -> Sight[Any]:
            return Sight(rules, match, (1,), NOBODY)

        _, match = await self.kernel.challenges.accept(
            challenge.id, lambda _: players, lambda _, match: along(seen(match))
        )
        return seen(match)

    # --- playing ----------------------------------------------------------------------------

    async def act(self, sight: Sight[Any], version: int, raw: Raw) -> int:
        """The version that the action led to, now or when it was sent before."""
        match, seat = sight.match, _actor(sight)
        rules = self.rules(match.game)
        try:
            action = msgspec.json.decode(raw, type=rules.action_type)
        except (msgspec.DecodeError, RecursionError):
            raise refused("INVALID_ACTION") from None
        try:
            update = await self.play.act(match.id, seat, action, version=version)
        except Refused as refusal:
            if refusal.code != "TOO_LATE":
                raise _worded(rules, refusal) from None
            # Perhaps it is the same one again, because the answer to the first was lost.
            entry = await queries.journal_entry(self.play.store, match.id, version + 1)
            if entry is None or not _says(entry, seat, action):
                raise refused("STALE") from None
            return entry.version
        return update.after.version

    async def do(
        self,
        sight: Sight[Any],
        action: Any,
        seat: Seat | None = None,
        along: Callable[[StepSeen[Any]], tuple[Write, ...]] | None = None,
    ) -> StepSeen[Any]:
        """An action on the match as it is; at one device that of whoever is to move.

        `along`: what must become durable together with the step that it turns out to be.
        """
        rules = self.rules(sight.match.game)

        def seen(update: Update) -> StepSeen[Any]:
            before: Sight[Any] = Sight(rules, update.before, sight.seats, sight.here)
            return StepSeen(rules, update, before, sight.after(update))

        update = await self.play.act(
            sight.match.id,
            _actor(sight) if seat is None else seat,
            action,
            along=None if along is None else lambda update: along(seen(update)),
        )
        return seen(update)

    async def resign(self, sight: Sight[Any]) -> int:
        """Give up; the version in which one has."""
        rules = self.rules(sight.match.game)
        if rules.resignation is None:
            raise refused("CANNOT_RESIGN")
        try:
            update = await self.play.act(sight.match.id, _actor(sight), rules.resignation)
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
            following = await self.kernel.seating.rematch(
                match.id, seat, swap=swap, options=options, keep_code=keep_code
            )
        if following is not None and self.play.policies[match.game].sole:
            for row in following.seats:
                await self.kernel.queue.leave(match.game, row.user_id or "")
        return following

    async def withdraw(self, sight: Sight[Any]) -> None:
        """Give up waiting."""
        await self.kernel.seating.cancel(sight.match.id, sight.seats[0])


def seats_of(user_id: str) -> SeatsOf:
    """Where a user sits, if at all."""

    def found(match: Facts) -> Seats:
        seat = match.seat_of(user_id)
        return () if seat is None else (seat,)

    return found


def _past(rules: AnyRules, stored: queries.Stored) -> Sight[Any]:
    match = stored.match
    seen = [match.started_at, match.started_at]
    acted = (match.acted_0_at, match.acted_1_at)
    for row in stored.presence:
        seen[row.seat] = max(seen[row.seat] or 0, row.seen_at)
    last: Seen = (_later(seen[0], acted[0]), _later(seen[1], acted[1]))
    sight: Sight[Any] = Sight(
        rules, from_row(rules, match, stored.seats), (), (False, False), lambda: last
    )
    return sight


def _later(one: Millis | None, other: Millis | None) -> Millis | None:
    return max(filter(None, (one, other)), default=None)


def _same(known: str | None, said: str) -> bool:
    return known is not None and compare_digest(known.encode(), said.encode())


def _actor(sight: Sight[Any]) -> Seat:
    """Who acts: at one device, whoever is to move."""
    seat = sight.eye
    assert seat is not None, "who only looks on does nothing"
    return seat


def _own(rules: AnyRules, stored: queries.Stored, user_id: str) -> Sight[Any]:
    match = from_row(rules, stored.match, stored.seats, stored.pot)
    seat = match.seat_of(user_id)
    return Sight(rules, match, () if seat is None else (seat,), NOBODY)


def _worded(rules: AnyRules, refusal: Refused) -> Refused:
    """The rules' refusal in words, be it that they only gave its code."""
    words = refusal.detail or rules.words.get(refusal.code, WORDS["INVALID_ACTION"])
    return Refused(refusal.code, words, refusal.field)


def _says(entry: JournalRow, seat: Seat, action: Any) -> bool:
    """Whether an entry is that seat's very action."""
    return (
        entry.kind == "act" and entry.seat == seat and entry.action == msgspec.json.encode(action)
    )
