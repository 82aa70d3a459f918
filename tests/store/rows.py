"""Rows to store, and ways to look at all that is stored."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
from msgspec.structs import replace
from sqlalchemy import select

from parlour.store import queries
from parlour.store.api import Store
from parlour.store.change import (
    AddToEscrow,
    AdvanceMatch,
    ChallengeRow,
    Change,
    ChangeRating,
    CloseSeat,
    CreateMatch,
    GetUp,
    JournalRow,
    MatchRow,
    OpenAccount,
    OpenEscrow,
    OutboxRow,
    PutTicket,
    RewriteMatch,
    SeatRow,
    Transfer,
    UserRow,
    Write,
)
from parlour.store.migrate import sqlite_path
from parlour.store.schema import metadata

NOW = 1_800_000_000_000
REFUSED = (sqlite3.IntegrityError, asyncpg.IntegrityConstraintViolationError)
"""What the databases themselves raise when they refuse."""


async def make(store: Store, *writes: Write) -> None:
    """Commit these writes as one change."""
    await store.commit(Change(writes))


async def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables."""
    return {
        name: sorted(map(tuple, await store.rows(select(table))), key=repr)
        for name, table in metadata.tables.items()
    }


async def versions_of(store: Store, ids: Iterable[str]) -> dict[str, int]:
    """Where each of these matches stands; unknown ones are left out."""
    found = await queries.standings(store, list(ids))
    return {match_id: standing.version for match_id, standing in found.items()}


@asynccontextmanager
async def unchanged(store: Store) -> AsyncIterator[None]:
    """Nothing that happens within leaves a trace."""
    before = await everything(store)
    yield
    assert await everything(store) == before


async def around(database: str, sql: str) -> None:
    """Run SQL without the store, as somebody with a database console would."""
    if database.startswith("sqlite"):
        connection = sqlite3.connect(sqlite_path(database))
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            with connection:
                connection.execute(sql)
        finally:
            connection.close()
    else:
        server = await asyncpg.connect(database)
        try:
            await server.execute(sql)
        finally:
            await server.close()


def user(name: str, **fields: Any) -> UserRow:
    given = {"id": f"user-{name}", "subject": f"guest:{name}", "username": name}
    return UserRow(**{**given, "created_at": NOW, "updated_at": NOW, **fields})


def match(match_id: str = "match", **fields: Any) -> MatchRow:
    given: dict[str, Any] = {
        "id": match_id,
        "game": "connect4",
        "public_id": f"public-{match_id}",
        "status": "active",
        "version": 0,
        "state": b"{}",
        "options": b"{}",
        "seed": b"seed",
        "created_at": NOW,
        "updated_at": NOW,
    }
    return MatchRow(**{**given, **fields})


def seat(number: int, name: str, **fields: Any) -> SeatRow:
    return SeatRow(**{"seat": number, "name": name, **fields})


def create(match_id: str = "match", *seats: SeatRow, **fields: Any) -> CreateMatch:
    return CreateMatch(
        match=match(match_id, **fields), seats=seats or (seat(0, "Ann"), seat(1, "Bob"))
    )


def advance(version: int, match_id: str = "match", **fields: Any) -> AdvanceMatch:
    given: dict[str, Any] = {
        "match_id": match_id,
        "version": version,
        "state": b'{"version":%d}' % version,
        "updated_at": NOW + version,
        "deadline_at": None,
        "bot_at": None,
        "acted_0_at": NOW + version,
        "acted_1_at": None,
    }
    return AdvanceMatch(**{**given, **fields})


def entry(version: int, match_id: str = "match", **fields: Any) -> JournalRow:
    given: dict[str, Any] = {
        "match_id": match_id,
        "version": version,
        "at": NOW + version,
        "kind": "act",
        "seat": version % 2,
        "action": b'{"column":3}',
        "seen_0": NOW,
    }
    return JournalRow(**{**given, **fields})


def move(version: int, match_id: str = "match") -> Change:
    """The common step."""
    return Change((entry(version, match_id),))


def ending(match_id: str, *users: str, version: int = 1) -> Change:
    """The last step of a match, which the first of two users won."""
    row = replace(match(match_id), status="finished", version=version, reason="won", winner=0)
    changes: list[Write] = [entry(version, match_id), RewriteMatch(match=row)]
    for place, name in enumerate(users):
        delta = -16 if place else 16
        rated = ChangeRating(
            user_id=name, game="memory", delta=delta, result="loss" if place else "win", at=NOW
        )
        changes += (
            CloseSeat(match_id=match_id, seat=place, ending="won", rating_delta=delta),
            rated,
        )
    gone = GetUp(match_id=match_id, at=NOW, connection_0=None, connection_1=f"of-{match_id}")
    return Change((*changes, gone))


def event(key: str = "match", number: int = 1) -> OutboxRow:
    return OutboxRow(key=key, type="move_made", payload=b"%d" % number, at=NOW)


def ticket(name: str, **fields: Any) -> PutTicket:
    given: dict[str, Any] = {
        "id": f"ticket-{name}",
        "game": "connect4",
        "user_id": f"user-{name}",
        "name": name,
        "joined_at": NOW,
        "seen_at": NOW,
    }
    return PutTicket(**{**given, **fields})


def challenge(challenge_id: str = "challenge", **fields: Any) -> ChallengeRow:
    given: dict[str, Any] = {
        "id": challenge_id,
        "game": "connect_five",
        "challenger_id": "user-Ann",
        "opponent_id": "user-Bob",
        "currency": "TNB",
        "terms": b'{"stake_amount":10,"max_spend_amount":50,"time_limit_seconds":300}',
        "status": "pending",
        "expires_at": NOW + 300_000,
        "created_at": NOW,
        "modified_at": NOW,
    }
    return ChallengeRow(**{**given, **fields})


def wallet(name: str) -> OpenAccount:
    return OpenAccount(
        id=f"wallet-{name}", kind="wallet", user_id=f"user-{name}", currency="TNB", created_at=NOW
    )


def pot(name: str = "pot") -> OpenAccount:
    return OpenAccount(id=name, kind="escrow", currency="TNB", created_at=NOW)


def pay(payer: str, payee: str, amount: int, transfer_id: str = "", **fields: Any) -> Transfer:
    given: dict[str, Any] = {
        "id": transfer_id or f"{payer}-{payee}-{amount}",
        "payer": payer,
        "payee": payee,
        "amount": amount,
        "action": "grant",
        "at": NOW,
    }
    return Transfer(**{**given, **fields})


def escrow() -> OpenEscrow:
    return OpenEscrow(
        id="escrow", challenge_id="challenge", account_id="pot", currency="TNB", created_at=NOW
    )


def pots(names: Iterable[str], balance: int) -> Iterator[Change]:
    """Each of them has so much in a wallet, and a match of their own with an empty pot."""
    yield Change((user("Host"),))
    for name in names:
        yield Change((user(name), wallet(name)))
        yield Change((pay("mint:TNB", f"wallet-{name}", balance),))
        terms = challenge(f"of-{name}", challenger_id=f"user-{name}", opponent_id="user-Host")
        pot_of = {"id": terms.id, "challenge_id": terms.id, "account_id": f"pot-{name}"}
        yield Change((terms, pot(f"pot-{name}"), replace(escrow(), **pot_of), create(name)))


def purchase(name: str, amount: int, *, version: int = 1, at: str = "") -> Change:
    """A step that somebody pays for, in a match of their own or in another's."""
    at = at or name
    paid: dict[str, Any] = {"action": "purchase", "escrow_id": f"of-{at}"}
    return Change(
        (
            entry(version, at),
            advance(version, at),
            AddToEscrow(id=f"of-{at}", seat=version % 2, amount=amount),
            pay(f"wallet-{name}", f"pot-{at}", amount, f"{at}-{version}-{name}", **paid),
        )
    )


async def staked(store: Store) -> None:
    """Ann and Bob hold 100 each; Ann has challenged Bob with 10, which are in the pot."""
    await make(store, user("Ann"), user("Bob"), wallet("Ann"), wallet("Bob"))
    for name in ("Ann", "Bob"):
        await make(store, pay("mint:TNB", f"wallet-{name}", 100))
    await make(
        store,
        challenge(),
        pot(),
        escrow(),
        pay("wallet-Ann", "pot", 10, action="stake_lock", escrow_id="escrow"),
        AddToEscrow(id="escrow", seat=0, amount=10),
    )
