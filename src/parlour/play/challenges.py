"""Directed challenges: one user invites another, with the stake in escrow from the start.

Laws:

* Pending is left once, for accepted, expired or cancelled; the database guards it.
* The stake is locked, doubled or returned in the very commit that says so.
* Past its time a challenge is expired first, whoever asks for what.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import structlog
from msgspec.structs import replace

from parlour.games.api import Millis, Refused
from parlour.money import escrow
from parlour.play.match import Gone, Match
from parlour.play.player import Player
from parlour.play.policy import Stakes
from parlour.play.rounds import Worklist
from parlour.play.runtime import Runtime
from parlour.play.seating import Seating
from parlour.store import queries
from parlour.store.change import (
    AnswerChallenge,
    AuditRow,
    ChallengeRow,
    ChallengeStatus,
    Change,
    Conflict,
    Unavailable,
    Write,
)
from parlour.store.queries import Overdue

log = structlog.get_logger()


Told = Callable[[ChallengeRow], None]
WithChallenge = Callable[[ChallengeRow], tuple[Write, ...]]
"""What becomes durable together with a challenge's change, by what it turns out to be."""


def nothing(_: ChallengeRow) -> tuple[Write, ...]:
    """Nothing but the challenge."""
    return ()


class Challenges:
    """Creates, answers and expires challenges of any game that is played by them."""

    def __init__(self, runtime: Runtime, seating: Seating) -> None:
        self._runtime = runtime
        self._seating = seating
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._watchers: list[Told] = []
        self.overdue = Worklist[Overdue](
            "overdue challenge", runtime.clock, lambda each: (each.id, each.due_at)
        )

    def watch(self, told: Told) -> None:
        """Hear of every challenge that changes through this process."""
        self._watchers.append(told)

    async def create(
        self,
        game: str,
        challenger_id: str,
        opponent_id: str,
        terms: escrow.Stakes,
        ttl_ms: Millis,
        together: WithChallenge = nothing,
    ) -> ChallengeRow:
        """Invite on terms of that game; `InsufficientFunds` unless the challenger has the stake."""
        now = self._runtime.clock()
        challenge = ChallengeRow(
            id=self._runtime.chance.id(),
            game=game,
            challenger_id=challenger_id,
            opponent_id=opponent_id,
            currency=self._stakes(game).currency,
            terms=msgspec.json.encode(terms),
            status="pending",
            expires_at=now + ttl_ms,
            created_at=now,
            modified_at=now,
        )
        audit = self._audit(challenge, "challenge_created", challenger_id)
        made = (challenge, *escrow.lock_stake(challenge), audit, *together(challenge))
        try:
            await self._runtime.store.commit(Change(made))
        except Unavailable:
            # It may stand all the same, and nobody else can have made this one.
            if await queries.challenge(self._runtime.store, challenge.id) is None:
                raise
        self._arm(challenge)
        self._tell(challenge)
        return challenge

    def _stakes(self, game: str) -> Stakes:
        stakes = self._runtime.policies[game].stakes
        assert stakes is not None, f"{game} is not played for money"
        return stakes

    async def find(self, challenge_id: str) -> ChallengeRow | None:
        """As it stands; expired first if its time is over."""
        challenge = await queries.challenge(self._runtime.store, challenge_id)
        if challenge is not None and self._due(challenge):
            return await self.expire(challenge)
        return challenge

    async def accept(
        self,
        challenge_id: str,
        players: Callable[[ChallengeRow], tuple[Player, Player]],
        together: Callable[[ChallengeRow, Match], tuple[Write, ...]] = lambda _, __: (),
    ) -> tuple[ChallengeRow, Match]:
        """The opponent pays as much, and play begins.

        `Refused` unless still pending, `InsufficientFunds` if the opponent cannot pay.
        """
        challenge = await self._pending(challenge_id)
        now = self._runtime.clock()
        accepted = replace(challenge, status="accepted", accepted_at=now, modified_at=now)

        def answered(match: Match) -> tuple[Write, ...]:
            final = replace(accepted, match_id=match.id)
            # The challenge's guard first: who comes too late hears so, rather than of money.
            return (
                self._answer(final),
                *escrow.accept_stake(challenge, now),
                self._audit(final, "challenge_accepted", challenge.opponent_id),
                *together(final, match),
            )

        stake = escrow.stakes_of(challenge).stake_amount
        try:
            match = await self._seating.start(
                challenge.game,
                players(challenge),
                options=self._stakes(challenge.game).options(challenge),
                escrow=(challenge.id, (stake, stake)),
                together=answered,
            )
        except Conflict:
            await self._pending(challenge_id)
            raise
        final = replace(accepted, match_id=match.id)
        self._tell(final)
        return final, match

    async def cancel(
        self,
        challenge_id: str,
        together: WithChallenge = nothing,
        actor_id: str | None = None,
    ) -> ChallengeRow:
        """The challenger takes it back, or another declines it, and the stake returns.

        `Refused` unless pending.
        """
        challenge = await self._pending(challenge_id)
        actor_id = actor_id or challenge.challenger_id
        try:
            return await self._close(challenge, "cancelled", actor_id, together)
        except Conflict:
            await self._pending(challenge_id)
            raise

    async def call_off(self, challenge_id: str, together: WithChallenge = nothing) -> ChallengeRow:
        """An operator takes it back for the challenger; `Refused` unless pending."""
        challenge = await self._pending(challenge_id)
        return await self._close(challenge, "cancelled", None, together)

    async def expire(
        self, challenge: ChallengeRow, together: WithChallenge = nothing
    ) -> ChallengeRow:
        """Its time is over: the stake goes back. Whatever it became instead is returned."""
        try:
            return await self._close(challenge, "expired", None, together)
        except Conflict:
            current = await queries.challenge(self._runtime.store, challenge.id)
            assert current is not None
            return current

    async def sweep(self) -> None:
        """Expire whatever is overdue."""
        store, now = self._runtime.store, self._runtime.clock()
        await self.overdue.work(
            lambda after, limit: queries.overdue_challenges(store, now, after, limit), self._notice
        )

    async def _notice(self, overdue: Overdue) -> None:
        await self.find(overdue.id)

    async def _pending(self, challenge_id: str) -> ChallengeRow:
        challenge = await self.find(challenge_id)
        if challenge is None:
            raise Gone
        if challenge.status != "pending":
            raise Refused(
                f"challenge_{challenge.status}", f"This challenge was {challenge.status}."
            )
        return challenge

    async def _close(
        self,
        challenge: ChallengeRow,
        status: ChallengeStatus,
        actor_id: str | None,
        together: WithChallenge,
    ) -> ChallengeRow:
        now = self._runtime.clock()
        closed = replace(challenge, status=status, modified_at=now)
        made = (
            self._answer(closed),
            *escrow.refund_challenge(challenge, now),
            self._audit(closed, f"challenge_{status}", actor_id),
            *together(closed),
        )
        try:
            await self._runtime.store.commit(Change(made))
        except Unavailable:
            if await queries.challenge(self._runtime.store, challenge.id) != closed:
                raise
        self._tell(closed)
        return closed

    def _answer(self, challenge: ChallengeRow) -> AnswerChallenge:
        return AnswerChallenge(
            id=challenge.id,
            status=challenge.status,
            accepted_at=challenge.accepted_at,
            match_id=challenge.match_id,
            modified_at=challenge.modified_at,
        )

    def _audit(self, challenge: ChallengeRow, kind: str, actor_id: str | None) -> AuditRow:
        return AuditRow(
            id=self._runtime.chance.id(),
            subject_id=challenge.id,
            match_id=challenge.match_id,
            actor_id=actor_id,
            type=kind,
            payload=challenge.terms,
            at=challenge.modified_at,
        )

    # --- time -------------------------------------------------------------------------------

    def _due(self, challenge: ChallengeRow) -> bool:
        return challenge.status == "pending" and challenge.expires_at <= self._runtime.clock()

    def _arm(self, challenge: ChallengeRow) -> None:
        delay = max(0, challenge.expires_at - self._runtime.clock()) / 1000
        self._timers[challenge.id] = asyncio.get_running_loop().call_later(
            delay, lambda: self._runtime.background.spawn(self._ring(challenge))
        )

    async def _ring(self, challenge: ChallengeRow) -> None:
        self._timers.pop(challenge.id, None)
        await self.find(challenge.id)

    def _tell(self, challenge: ChallengeRow) -> None:
        if challenge.status != "pending" and (timer := self._timers.pop(challenge.id, None)):
            timer.cancel()
        for told in self._watchers:
            told(challenge)
