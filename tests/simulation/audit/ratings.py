"""The ratings, worked out anew from what both players had when play began."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from math import floor

from tests.simulation.audit.books import Books, Broken, Row

START = 1000
K = 32


def check(books: Books, kinds: Mapping[str, str | None]) -> None:
    """Every change, and that the changes add up to what everyone has."""
    sums: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    results: Counter[tuple[str, str, str]] = Counter()
    for match in books.matches.values():
        seats, kind = books.seats[match["id"]], kinds[match["game"]]
        deltas = [seat["rating_delta"] for seat in seats]
        if all(delta is None for delta in deltas):
            continue
        if kind is None or match["status"] != "finished" or None in deltas:
            raise Broken(f"{match['id']} moved ratings and must not")
        if deltas != _changes(kind, match, seats):
            raise Broken(f"{match['id']} changed ratings by {deltas}")
        for seat in seats:
            key = (seat["user_id"], match["game"])
            sums[key].append((match["ended_at"], seat["rating_delta"]))
            results[(*key, _result(seat["seat"], match["winner"]))] += 1
    for row in books.tables["rating"]:
        key = (row["user_id"], row["game"])
        changes = [delta for _, delta in sums.pop(key, [])]
        if row["rating"] != START + sum(changes) and kinds[row["game"]] == "zero_sum":
            raise Broken(f"{key} is rated {row['rating']}, and changed by {changes}")
        counts = [results[(*key, result)] for result in ("win", "loss", "draw")]
        if [row["wins"], row["losses"], row["draws"]] != counts:
            raise Broken(f"{key} has counts that are not those of its games")
    if sums:
        raise Broken(f"{next(iter(sums))} played rated games and has no rating")


def _changes(kind: str, match: Row, seats: list[Row]) -> list[int]:
    before = [seat["rating_before"] for seat in seats]
    winner = match["winner"]
    raw = [_elo(before[seat], before[1 - seat], _score(seat, winner)) for seat in (0, 1)]
    if kind == "zero_sum":
        decisive = winner or 0
        raw[1 - decisive] = -raw[decisive]
        return raw
    return [max(change, -has) for change, has in zip(raw, before, strict=True)]


def _elo(own: int, other: int, score: float) -> int:
    expected = 1 / (1 + 10 ** ((other - own) / 400))
    return floor(K * (score - expected) + 0.5)


def _score(seat: int, winner: int | None) -> float:
    return 0.5 if winner is None else float(winner == seat)


def _result(seat: int, winner: int | None) -> str:
    return "draw" if winner is None else "win" if winner == seat else "loss"
