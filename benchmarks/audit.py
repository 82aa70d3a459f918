"""How long `parlour admin audit` takes over a long ledger, on both databases.

    python -m benchmarks.audit [--quick] [--json]

The books are those of finished Connect Five matches between a few thousand players, eight ledger
rows each, written in bulk; a million rows, or fifty thousand with --quick. Beside the audit stands
the bare sum over the same rows in SQL, as what the database needs just to look at each once.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import asyncpg
from msgspec.json import encode
from sqlalchemy import func, select

from benchmarks.report import Figure, asked, show
from parlour.money.audit import audit
from parlour.money.escrow import Stakes
from parlour.money.ledger import CURRENCY, mint_of, pot_of, wallet_of
from parlour.store.api import Store, open_store
from parlour.store.migrate import migrate
from parlour.store.schema import ledger_entry
from tests.servers.postgres import shared

MINT = mint_of(CURRENCY)
GRANT, STAKE, BOMBS, MAX_SPEND = 1_000_000, 100, 6, 50
TERMS = encode(Stakes(stake_amount=STAKE, max_spend_amount=MAX_SPEND))
ROWS_PER_MATCH = 8
PLAYERS = 2_000
AT = 1_800_000_000_000

Rows = list[tuple[Any, ...]]

USER = (
    "id",
    "subject",
    "username",
    "username_key",
    "is_guest",
    "is_bot",
    "created_at",
    "updated_at",
)
CHALLENGE = (
    *("id", "game", "challenger_id", "opponent_id", "currency", "terms"),
    *("status", "expires_at", "match_id"),
    *("created_at", "modified_at"),
)
ACCOUNT = ("id", "kind", "user_id", "currency", "balance", "created_at", "number")
ESCROW = (
    *("id", "challenge_id", "account_id", "currency", "a_contrib", "b_contrib", "total"),
    *("status", "how", "created_at", "settled_at"),
)
MATCH = (
    *("id", "game", "public_id", "mode", "status", "version", "options", "seed"),
    *("created_at", "updated_at", "ended_at", "winner", "escrow_id"),
)
ENTRY = (
    *("transfer_id", "account_number", "number", "direction", "amount", "balance", "action"),
    *("escrow_id", "at"),
)


class Books:
    """The rows of every table, as they would be after so many matches."""

    def __init__(self, matches: int) -> None:
        self.balances: Counter[str] = Counter()
        self.numbers: Counter[str] = Counter()
        self.places: dict[str, int] = {MINT: 1}  # it is there before all others
        self.challenges: Rows = []
        self.escrows: Rows = []
        self.matches: Rows = []
        self.entries: Rows = []
        players = [f"player-{number:05}" for number in range(PLAYERS)]
        self.users: Rows = [(p, p, p, p, False, False, AT, AT) for p in players]
        for player in players:
            self._move(f"{player}:opening", MINT, wallet_of(player), GRANT, "grant", None)
        for number in range(matches):
            ann, bob = players[number % PLAYERS], players[(number * 7 + 1) % PLAYERS]
            self._match(f"{number:08}", ann, bob if bob != ann else players[number % PLAYERS - 1])

    def _move(
        self, name: str, payer: str, payee: str, amount: int, action: str, escrow: str | None
    ) -> None:
        for account, direction, moved in ((payer, "debit", -amount), (payee, "credit", amount)):
            self.numbers[account] += 1
            self.balances[account] += moved
            line = (self.numbers[account], direction, amount, self.balances[account])
            place = self.places.setdefault(account, len(self.places) + 1)
            self.entries.append((name, place, *line, action, escrow, AT))

    def _match(self, number: str, ann: str, bob: str) -> None:
        escrow, match = f"challenge-{number}", f"match-{number}"
        pot, hers, his = pot_of(escrow), wallet_of(ann), wallet_of(bob)
        terms = (CURRENCY, TERMS)
        self.challenges.append(
            (escrow, "connect_five", ann, bob, *terms, "accepted", AT, match, AT, AT)
        )
        total = 2 * STAKE + BOMBS
        paid = (STAKE + BOMBS, STAKE, total)
        self.escrows.append((escrow, escrow, pot, CURRENCY, *paid, "settled", "won", AT, AT))
        row = (match, "connect_five", number, "online", "finished", 9, b"{}", bytes(32))
        self.matches.append((*row, AT, AT, AT, 1, escrow))
        self._move(f"{escrow}:1", hers, pot, STAKE, "stake_lock", escrow)
        self._move(f"{escrow}:2", his, pot, STAKE, "stake_accept", escrow)
        self._move(f"{escrow}:3", hers, pot, BOMBS, "purchase", escrow)
        self._move(f"{escrow}:4", pot, his, total, "win_payout", escrow)

    @property
    def accounts(self) -> Rows:
        return [
            (
                name,
                "wallet" if name.startswith("wallet:") else "escrow",
                name.removeprefix("wallet:") if name.startswith("wallet:") else None,
                CURRENCY,
                balance,
                AT,
                self.places[name],
            )
            for name, balance in self.balances.items()
            if name != MINT
        ]

    def tables(self) -> Iterator[tuple[str, tuple[str, ...], Rows]]:
        """In the order in which one refers to another."""
        yield "user", USER, self.users
        yield "challenge", CHALLENGE, self.challenges
        yield "account", ACCOUNT, self.accounts
        yield "escrow", ESCROW, self.escrows
        yield "match", MATCH, self.matches
        yield "ledger_entry", ENTRY, self.entries


def fill_sqlite(url: str, books: Books) -> None:
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    for table, columns, rows in books.tables():
        marks = ", ".join("?" * len(columns))
        names = ", ".join(columns)
        connection.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)  # noqa: S608 -- names of our own
    connection.execute(
        "UPDATE account SET balance = ? WHERE id = ?",
        (books.balances[MINT], MINT),
    )
    connection.commit()
    connection.close()


async def fill_postgres(url: str, books: Books) -> None:
    connection = await asyncpg.connect(url)
    for table, columns, rows in books.tables():
        await connection.copy_records_to_table(table, columns=columns, records=rows)
    await connection.execute(
        "UPDATE account SET balance = $1 WHERE id = $2",
        books.balances[MINT],
        MINT,
    )
    await connection.execute("ANALYZE")
    await connection.close()


async def measure(name: str, url: str, books: Books, fill: Callable[[], Any]) -> list[Figure]:
    await migrate(url)
    filled = fill()
    if filled is not None:
        await filled
    store = open_store(url)
    await store.start()
    try:
        bare = await timed(lambda: bare_sum(store))
        took = await timed(lambda: sound(store))
    finally:
        await store.close()
    settings = {"ledger rows": len(books.entries), "escrows": len(books.escrows)}
    return [
        Figure(f"{name}: bare sum", bare, "s", settings=settings),
        Figure(f"{name}: audit", took, "s", took / bare, f"{name}: bare sum", settings),
    ]


async def timed(work: Callable[[], Any]) -> float:
    began = perf_counter()
    await work()
    return perf_counter() - began


async def bare_sum(store: Store) -> None:
    await store.rows(select(func.sum(ledger_entry.c.amount), func.count(ledger_entry.c.action)))


async def sound(store: Store) -> None:
    found = [finding async for finding in audit(store)]
    assert found == [], found[:3]


async def main() -> None:
    how = asked(__doc__)
    books = Books((50_000 if how.quick else 1_000_000) // ROWS_PER_MATCH)
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as directory:
        url = f"sqlite:///{Path(directory) / 'parlour.db'}"
        figures += await measure("SQLite", url, books, lambda: fill_sqlite(url, books))
    server = shared("audit", synced=True)
    try:
        admin = await asyncpg.connect(server.url())
        await admin.execute("DROP DATABASE IF EXISTS parlour_audit")
        await admin.execute("CREATE DATABASE parlour_audit")
        url = server.url("parlour_audit")
        figures += await measure("PostgreSQL", url, books, lambda: fill_postgres(url, books))
        await admin.execute("DROP DATABASE parlour_audit WITH (FORCE)")
        await admin.close()
    finally:
        server.remove()
    show("Auditing the ledger", figures, as_json=how.json)


if __name__ == "__main__":
    asyncio.run(main())
