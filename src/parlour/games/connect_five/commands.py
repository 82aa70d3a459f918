"""What can be done to challenges and matches, and by whom; each command is a route's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from parlour.games.api import Millis, Refused
from parlour.games.connect_five.alarms import Alarms
from parlour.games.connect_five.answers import (
    KEY,
    Challenge,
    MatchSight,
    MatchSnapshot,
    Named,
    snapshot,
    staked,
)
from parlour.games.connect_five.asks import MoveWish, NewChallenge, PurchaseWish
from parlour.games.connect_five.listing import find_challenge, pending_until
from parlour.games.connect_five.notices import DECLINED, NOTIFICATION, Notice, Noticed, subject
from parlour.games.connect_five.numbers import NOT_YET, MatchNumbers, Numbers
from parlour.games.connect_five.problems import (
    Doing,
    no_challenge,
    no_match,
    no_opponent,
    not_for_you,
    not_yourself,
    refusal,
    too_poor,
)
from parlour.games.connect_five.said import moved, purchased
from parlour.games.connect_five.settings import ConnectFiveSettings
from parlour.games.connect_five.table import View
from parlour.host.begun import begun
from parlour.host.host import Host
from parlour.host.sight import StepSeen
from parlour.net.bodies import MALFORMED
from parlour.net.directory import person
from parlour.net.drf import Rejected
from parlour.net.failures import Gone
from parlour.net.forms import given_id
from parlour.net.limits import RateLimited, Who
from parlour.net.once import Keep
from parlour.net.services import Services
from parlour.net.short_ways import Asked, Taken, Told
from parlour.people import notifications
from parlour.people.users import User
from parlour.store.change import (
    ChallengeRow,
    Conflict,
    Impossible,
    InsufficientFunds,
    NotificationRow,
    ReadNotification,
    Write,
)

PENDING_MAX = 5
"""So many challenges of one person may wait for the same other person's answer."""
RECENT = 100
"""How many of the newest notifications are looked through for one of a challenge."""

A = TypeVar("A", Challenge, MatchSnapshot)

encode = msgspec.json.encode

_MOVE_WISH = msgspec.json.Decoder(MoveWish)
_PURCHASE_WISH = msgspec.json.Decoder(PurchaseWish)
_CHALLENGE = msgspec.json.Decoder(Challenge)
_MATCH = msgspec.json.Decoder(MatchSnapshot)


class Commands:
    """Every check that neither the rules nor the kernel make stands here."""

    def __init__(self, services: Services, host: Host, alarms: Alarms, numbers: Numbers) -> None:
        self._store = services.store
        self._users = services.users
        self._host = host
        self._challenges = services.kernel.challenges
        self._runtime = services.kernel.runtime
        self._ttl_ms = services.settings.of(ConnectFiveSettings).challenge_ttl_ms
        self._currency = services.settings.default_currency_ticker
        self._limits = services.limits
        self._alarms = alarms
        self._numbers = numbers

    # --- challenges -------------------------------------------------------------------------

    async def challenge(self, user_id: str, challenge_id: str) -> Named:
        """A challenge to or from that user, as it stands."""
        known = given_id(challenge_id)
        named = await find_challenge(self._store, known) if known else None
        if named is None or user_id not in (named.challenger.uuid, named.opponent.uuid):
            raise no_challenge()
        row = named.row
        if row.status == "pending" and row.expires_at <= self._runtime.clock():
            await self._challenges.expire(row)
            named = await find_challenge(self._store, row.id)
            assert named is not None
        return named

    async def create(self, user: User, wish: NewChallenge, keep: Keep, who: Who) -> bytes:
        """Invite somebody: the stake is locked, and they are told.

        The answer lacks what only the commit gives: see `made`.
        """
        opponent = await self._user(wish.opponent)
        if opponent is None or opponent.is_bot:
            raise no_opponent()
        if opponent.id == user.id:
            raise not_yourself()
        await self._admit(user.id, opponent.id, who)

        def answer(row: ChallengeRow) -> bytes:
            challenger, challenged = person(user), person(opponent)
            named = Named(row=row, number=NOT_YET, challenger=challenger, opponent=challenged)
            return encode(named.shown)

        def together(row: ChallengeRow) -> tuple[Write, ...]:
            notice = NotificationRow(
                id=self._runtime.chance.id(),
                user_id=opponent.id,
                type=NOTIFICATION,
                payload=encode(Notice(Noticed(row.id))),
                created_at=row.created_at,
            )
            return (notice, *keep(lambda: answer(row)))

        with self._refusing("create", opponent.id):
            row = await self._challenges.create(
                KEY, user.id, opponent.id, wish.terms(), self._ttl_ms, together
            )
        return answer(row)

    async def made(self, answer: bytes) -> bytes:
        """What is answered to who made a challenge, with the number that it was given."""
        if (shown := _read(_CHALLENGE, answer)) is None:
            return answer
        named = await find_challenge(self._store, shown.uuid)
        assert named is not None, "it was made, or there would be no answer"
        return encode(replace(shown, id=named.number))

    async def _user(self, given: int | str) -> User | None:
        if isinstance(given, int):
            return await self._users.by_number(given)
        return await self._users.by_id(given)

    async def _admit(self, user_id: str, opponent_id: str, who: Who) -> None:
        """`RateLimited` if somebody challenges too often, or too many wait for the same answer."""
        if self._limits.on:
            now = self._runtime.clock()
            until = await pending_until(self._store, user_id, opponent_id, now - self._ttl_ms)
            if len(until) >= PENDING_MAX:
                raise RateLimited("challenges_to_one", (min(until) - now) * 1_000_000)
        self._limits.challenges_to_one.check(who, opponent_id)
        await self._limits.challenges.admit(who)
        self._limits.challenges_to_one.take(who, opponent_id)

    async def accept(self, user: User, challenge_id: str, keep: Keep) -> bytes:
        """Pay as much, and play.

        The answer lacks what only the commit gives: see `begun`.
        """
        named = await self.challenge(user.id, challenge_id)
        if user.id != named.opponent.uuid:
            raise not_for_you("Only the one who was challenged can accept.")
        players = (named.challenger, named.opponent)
        numbers = MatchNumbers(NOT_YET, named.number, (players[0].id, players[1].id))

        def answer(sight: MatchSight) -> bytes:
            return encode(snapshot(sight, numbers, sight.match.updated_at, self._currency))

        told = await self._dealt_with(named)
        with self._refusing("accept", named.row.id):
            names = (players[0].username, players[1].username)
            sight = await self._host.accept(
                named.row,
                names,
                lambda sight: (*told, *self._told_begun(sight), *keep(lambda: answer(sight))),
            )
        return answer(sight)

    def _told_begun(self, sight: MatchSight) -> tuple[Write, ...]:
        """To the challenger, wherever they are."""
        match = sight.match
        word = begun(self._runtime.chance.id(), match, match.seats[1].name, match.created_at)
        return () if word is None else (word,)

    async def _dealt_with(self, named: Named) -> tuple[Write, ...]:
        """What says that whoever was challenged need not be told of it any more."""
        whom = named.opponent.uuid
        notices, _ = await notifications.page(self._store, whom, limit=RECENT)
        return tuple(
            ReadNotification(id=notice.id, user_id=whom)
            for notice in notices
            if notice.type == NOTIFICATION
            and not notice.is_read
            and subject(notice) == named.row.id
        )

    async def begun(self, answer: bytes) -> bytes:
        """What is answered to who began a match, with the number that it was given."""
        if (shown := _read(_MATCH, answer)) is None:
            return answer
        numbers = await self._numbers.of(shown.uuid)
        assert numbers is not None, "it was begun, or there would be no answer"
        return encode(replace(shown, id=numbers.match))

    async def cancel(self, user: User, challenge_id: str, keep: Keep) -> bytes:
        """Take a challenge back: the stake returns."""
        named = await self.challenge(user.id, challenge_id)
        if user.id != named.challenger.uuid:
            raise not_for_you("Only the one who challenged can cancel.")
        return await self._call_off(named, user.id, keep)

    async def decline(self, user: User, challenge_id: str, keep: Keep) -> bytes:
        """Stay away: the challenger is told, and has the stake again."""
        named = await self.challenge(user.id, challenge_id)
        if user.id != named.opponent.uuid:
            raise not_for_you("Only the one who was challenged can decline.")
        word = NotificationRow(
            id=self._runtime.chance.id(),
            user_id=named.row.challenger_id,
            type=DECLINED,
            payload=encode(Notice(Noticed(named.row.id))),
            created_at=self._runtime.clock(),
        )
        return await self._call_off(named, user.id, keep, word)

    async def _call_off(self, named: Named, actor_id: str, keep: Keep, *words: Write) -> bytes:
        def answer(row: ChallengeRow) -> bytes:
            return encode(replace(named, row=row).shown)

        told = (*words, *await self._dealt_with(named))
        with self._refusing("cancel", named.row.id):
            row = await self._challenges.cancel(
                named.row.id, lambda row: (*told, *keep(lambda: answer(row))), actor_id
            )
        return answer(row)

    # --- matches ----------------------------------------------------------------------------

    async def match(self, user_id: str, match_id: str) -> tuple[MatchSight, MatchNumbers]:
        """A match of that user as the store has it, and what it is called."""
        sight, numbers = await self._seated(user_id, match_id)
        return await self._host.matches.look_again(sight), numbers

    async def move(self, user_id: str, match_id: str, body: MoveWish) -> bytes:
        """Make a move."""
        sight, numbers = await self._seated(user_id, match_id)
        with self._refusing("move", sight.match.id):
            step = await self._host.do(sight, body.action())
        return moved(step.after, numbers, step.at, self._currency)

    async def purchase(self, user_id: str, match_id: str, body: PurchaseWish, keep: Keep) -> bytes:
        """Buy specials."""
        sight, numbers = await self._seated(user_id, match_id)

        def answer(step: StepSeen[View]) -> bytes:
            return purchased(step.after, numbers, step.at, self._currency)

        with self._refusing("purchase", sight.match.id):
            step = await self._host.do(
                sight, body.action(), together=lambda step: keep(lambda: answer(step))
            )
        return answer(step)

    # --- the same where nothing is in the way (see `ShortWays`)

    def move_and_show(self, asked: Asked, told: Told) -> Taken | None:
        """Make a move."""
        return self._step_and_show("move", _MOVE_WISH, moved, asked, told)

    def purchase_and_show(self, asked: Asked, told: Told) -> Taken | None:
        """Buy specials, by a request that bears no key."""
        return self._step_and_show("purchase", _PURCHASE_WISH, purchased, asked, told)

    def _step_and_show(
        self,
        doing: Doing,
        wish: msgspec.json.Decoder[MoveWish] | msgspec.json.Decoder[PurchaseWish],
        answer: Callable[[MatchSight, MatchNumbers, Millis, str], bytes],
        asked: Asked,
        told: Told,
    ) -> Taken | None:
        known = self._numbers.at_hand(asked.id)
        if known is None:
            return None
        match_id, numbers = known
        sight: MatchSight | None = self._host.matches.at_hand(match_id, asked.user.id)
        if sight is None or sight.match.game != KEY or not staked(sight.match):
            return None
        try:
            action = wish.decode(asked.body).action()
        except (Rejected, *MALFORMED):
            return None

        def show() -> bytes:
            after: MatchSight | None = self._host.matches.at_hand(match_id, asked.user.id)
            assert after is not None, "it was stepped this very moment"
            return answer(after, numbers, after.match.updated_at, self._currency)

        async def again() -> bytes:
            with self._refusing(doing, match_id):
                step = await self._host.do(sight, action)
            return answer(step.after, numbers, step.at, self._currency)

        def hear(outcome: int | Exception | None) -> None:
            told(self._worded(doing, match_id, outcome))

        if not self._host.do_at_once(sight, action, sight.seats[0], hear):
            return None
        return Taken(show, again)

    def _worded(
        self, doing: Doing, subject: str, outcome: int | Exception | None
    ) -> int | Exception | None:
        """What became of a step, in the words of this surface."""
        if not isinstance(outcome, Exception):
            return outcome
        try:
            with self._refusing(doing, subject):
                raise outcome  # noqa: TRY301 (what it is called is decided in one place)
        except Exception as error:  # noqa: BLE001 (it is handed on)
            return error

    async def _seated(self, user_id: str, match_id: str) -> tuple[MatchSight, MatchNumbers]:
        known = await self._numbers.match_id(match_id)
        if known is None:
            raise no_match()
        try:
            sight = await self._host.matches.look_as(user_id, KEY, known)
        except Gone:
            raise no_match() from None
        numbers = await self._numbers.of(known) if staked(sight.match) else None
        if numbers is None:
            raise no_match()
        return sight, numbers

    # --- refusals ---------------------------------------------------------------------------

    @contextmanager
    def _refusing(self, doing: Doing, subject: str) -> Iterator[None]:
        """Errors of the layers below as a client gets them; what should never be, to the alarms."""
        try:
            yield
        except Refused as refused:
            raise refusal(refused, doing) from None
        except InsufficientFunds:
            raise too_poor(self._currency) from None
        except Gone:
            raise no_match() from None
        except Conflict:
            # Nobody was quicker, or it would have been decided again: a pot is not as it should be.
            self._alarms.mismatch(subject, f"{doing} met a guard that should hold")
            raise
        except Impossible as impossible:
            self._alarms.unexpected(subject, f"{doing} broke {impossible.rule}")
            raise


def _read(decoder: msgspec.json.Decoder[A], answer: bytes) -> A | None:
    """A kept answer; None if it dates from when ids were no numbers, and is given as it was."""
    try:
        return decoder.decode(answer)
    except msgspec.ValidationError:
        return None
