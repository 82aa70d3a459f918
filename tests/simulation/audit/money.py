"""The money: none is made or lost, every balance is its book's, every pot goes where it must."""

from __future__ import annotations

from collections import Counter, defaultdict

from tests.simulation.audit.books import Books, Broken, Row, decoded


def check(books: Books) -> None:
    """All of it."""
    accounts = {row["id"]: row for row in books.tables["account"]}
    if sum(row["balance"] for row in accounts.values()) != 0:
        raise Broken("money was made or lost")
    _books(books, accounts)
    _transfers(books)
    challenges = {row["id"]: row for row in books.tables["challenge"]}
    paid = _paid_out(books)
    for pot in books.tables["escrow"]:
        got = paid[pot["account_id"]]
        _pot(books, pot, challenges[pot["challenge_id"]], accounts, got)


def _books(books: Books, accounts: dict[str, Row]) -> None:
    running: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for entry in books.tables["ledger_entry"]:
        account = books.accounts[entry["account_number"]]
        sign = 1 if entry["direction"] == "credit" else -1
        running[account] += sign * entry["amount"]
        numbers[account] += 1
        if (entry["number"], entry["balance"]) != (numbers[account], running[account]):
            raise Broken(f"the book of {account} is wrong at {entry['number']}")
        if running[account] < 0 and accounts[account]["kind"] != "mint":
            raise Broken(f"{account} was overdrawn")
    for name, account in accounts.items():
        if account["balance"] != running[name]:
            raise Broken(f"the balance of {name} is not what its book says")


def _transfers(books: Books) -> None:
    sides: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for entry in books.tables["ledger_entry"]:
        sides[entry["transfer_id"]].append((entry["direction"], entry["amount"]))
    for name, entries in sides.items():
        directions = sorted(direction for direction, _ in entries)
        if directions != ["credit", "debit"] or len({amount for _, amount in entries}) != 1:
            raise Broken(f"transfer {name} has not two equal sides")


def _pot(
    books: Books, pot: Row, challenge: Row, accounts: dict[str, Row], got: Counter[str]
) -> None:
    name, settled = pot["id"], pot["status"] == "settled"
    held = accounts[pot["account_id"]]["balance"]
    if held != (0 if settled else pot["total"]):
        raise Broken(f"pot {name} holds {held} of {pot['total']}")
    match = books.matches.get(challenge["match_id"] or "")
    over = challenge["status"] in ("expired", "cancelled") or (
        match is not None and match["status"] in ("finished", "cancelled", "expired")
    )
    if settled != over:
        raise Broken(f"pot {name} is {pot['status']} and its challenge {challenge['status']}")
    stake, both = decoded(challenge["terms"])["stake_amount"], challenge["status"] == "accepted"
    if pot["a_contrib"] < stake or (pot["b_contrib"] < stake if both else pot["b_contrib"]):
        raise Broken(f"pot {name} lacks a stake")
    if not settled:
        return
    people = (challenge["challenger_id"], challenge["opponent_id"])
    wallets = [
        next(row["id"] for row in accounts.values() if row["user_id"] == user) for user in people
    ]
    winner = match["winner"] if match is not None else None
    expected = [pot["a_contrib"], pot["b_contrib"]]
    if winner is not None:
        expected = [0, 0]
        expected[winner] = pot["total"]
    if [got[wallet] for wallet in wallets] != expected:
        raise Broken(f"pot {name} was paid out as {got}, not as {expected}")


def _paid_out(books: Books) -> defaultdict[str, Counter[str]]:
    """By account: who was paid how much out of it."""
    payers = {
        entry["transfer_id"]: books.accounts[entry["account_number"]]
        for entry in books.tables["ledger_entry"]
        if entry["direction"] == "debit"
    }
    got: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for entry in books.tables["ledger_entry"]:
        if entry["direction"] == "credit":
            payee = books.accounts[entry["account_number"]]
            got[payers[entry["transfer_id"]]][payee] += entry["amount"]
    return got
