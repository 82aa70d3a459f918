"""Challenges and their matches as money sees them, made and ended by hand."""

from __future__ import annotations

from itertools import count
from typing import Literal

from msgspec.json import encode
from msgspec.structs import replace

from parlour.money import escrow
from parlour.money.escrow import Pot
from parlour.money.ledger import CURRENCY
from parlour.money.wallets import grant, opening
from parlour.store.api import Store
from parlour.store.change import (
    AnswerChallenge,
    ChallengeRow,
    ChallengeStatus,
    Change,
    CreateMatch,
    JournalRow,
    MatchRow,
    RewriteMatch,
    UserRow,
    Write,
)

GRANT = 1_000
STAKE_MAX = 10**15
_numbers = count(1)

Ending = Literal["first", "second", "draw", "cancelled"]


class Table:
    """A challenge, and from its acceptance on a match, with the pot between two users."""

    def __init__(self, challenge: ChallengeRow) -> None:
        self.challenge = challenge
        self.paid = (escrow.stakes_of(challenge).stake_amount, 0)
        self.match: MatchRow | None = None

    @property
    def users(self) -> tuple[str, str]:
        return self.challenge.challenger_id, self.challenge.opponent_id

    @property
    def pot(self) -> Pot:
        return Pot(self.challenge.id, self.users, self.paid)

    @property
    def open(self) -> bool:
        if self.match is None:
            return self.challenge.status == "pending"
        return self.match.status == "active"


async def make_user(store: Store) -> str:
    """Someone with the usual grant."""
    user_id = f"user-{next(_numbers)}"
    user = UserRow(id=user_id, subject=user_id, username=user_id, created_at=1, updated_at=1)
    await store.commit(Change((user, *opening(user_id, GRANT, 1))))
    return user_id


async def mint(store: Store, user_id: str, amount: int) -> None:
    await store.commit(Change(grant(f"mint-{next(_numbers)}", user_id, amount, 2)))


async def challenge(store: Store, users: tuple[str, str], stake: int, max_spend: int) -> Table:
    row = ChallengeRow(
        id=f"challenge-{next(_numbers):09}",
        game="connect_five",
        challenger_id=users[0],
        opponent_id=users[1],
        currency=CURRENCY,
        terms=encode(escrow.Stakes(stake_amount=stake, max_spend_amount=max_spend)),
        status="pending",
        expires_at=100,
        created_at=2,
        modified_at=2,
    )
    await store.commit(Change((row, *escrow.lock_stake(row))))
    return Table(row)


def _answer(table: Table, status: ChallengeStatus, match_id: str | None = None) -> AnswerChallenge:
    return AnswerChallenge(id=table.challenge.id, status=status, match_id=match_id, modified_at=3)


async def accept(store: Store, table: Table) -> None:
    match = MatchRow(
        id=f"match-{next(_numbers)}",
        game="connect_five",
        public_id=f"public-{next(_numbers)}",
        status="active",
        version=0,
        options=b"{}",
        seed=bytes(32),
        created_at=3,
        updated_at=3,
        escrow_id=table.challenge.id,
    )
    await store.commit(
        Change(
            (
                _answer(table, "accepted", match.id),
                CreateMatch(match=match, seats=()),
                *escrow.accept_stake(table.challenge, 3),
            )
        )
    )
    table.challenge = replace(table.challenge, status="accepted", match_id=match.id)
    table.match = match
    table.paid = (table.paid[0], escrow.stakes_of(table.challenge).stake_amount)


async def call_off(store: Store, table: Table, status: ChallengeStatus) -> None:
    """Cancel or expire a challenge."""
    refund = escrow.refund_challenge(table.challenge, 3)
    await store.commit(Change((_answer(table, status), *refund)))
    table.challenge = replace(table.challenge, status=status)


def _stepped(after: MatchRow) -> tuple[Write, ...]:
    entry = JournalRow(match_id=after.id, version=after.version, at=4, kind="act")
    return (entry, RewriteMatch(match=after))


async def buy(store: Store, table: Table, seat: int, amount: int) -> None:
    """A step of the match that costs something."""
    assert table.match is not None
    after = replace(table.match, version=table.match.version + 1)
    bought = escrow.purchase(table.pot, seat, amount, after.version, 4)
    await store.commit(Change((*_stepped(after), *bought)))
    table.match = after
    first, second = table.paid
    table.paid = (first + amount, second) if seat == 0 else (first, second + amount)


async def end(store: Store, table: Table, ending: Ending) -> None:
    """The last step of the match, and what becomes of the pot."""
    assert table.match is not None
    winner = {"first": 0, "second": 1}.get(ending)
    after = replace(
        table.match,
        version=table.match.version + 1,
        status="cancelled" if ending == "cancelled" else "finished",
        winner=winner,
        ended_at=5,
    )
    settled: tuple[Write, ...]
    if winner is not None:
        settled = escrow.pay_winner(table.pot, winner, 5)
    elif ending == "draw":
        settled = escrow.refund_draw(table.pot, 5)
    else:
        settled = escrow.refund_cancelled(table.pot, 5)
    await store.commit(Change((*_stepped(after), *settled)))
    table.match = after
