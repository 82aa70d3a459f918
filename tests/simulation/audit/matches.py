"""Every match by itself: its journal is whole, leads to what is stored, and keeps the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, Protocol, cast

from tests.simulation.audit.books import Books, Broken, Row, decoded

OPEN = ("waiting", "active")

LAG = 31
"""So many steps at most are in the journal and not in the row."""


@dataclass(frozen=True)
class Played:
    """A match as a referee gets it: JSON as it was stored, decoded."""

    match: Row
    seats: list[Row]
    journal: list[Row]
    options: dict[str, Any]
    state: dict[str, Any]
    """As of the entry that the row names; the journal may go on from there."""


class Referee(Protocol):
    """What a game's own referee says; a module of `referees`, found by the game's name."""

    def judge(self, played: Played) -> None:
        """Raise `Broken` unless everything that was done was allowed, and led to the result."""
        ...


@cache
def referee_of(game: str) -> Referee | None:
    """None: this game is judged by what holds for all games."""
    name = f"{__name__.rpartition('.')[0]}.referees.{game}"
    return cast("Referee", import_module(name)) if find_spec(name) else None


def check(books: Books, match_id: str) -> None:
    """One match."""
    match, journal = books.matches[match_id], books.journals.get(match_id, [])
    seats = books.seats.get(match_id, [])
    if [entry["version"] for entry in journal] != list(range(1, len(journal) + 1)):
        raise Broken(f"the journal of {match_id} has a gap, or a step twice")
    behind = len(journal) - match["version"]
    if not 0 <= behind <= (LAG if match["status"] == "active" else 0):
        raise Broken(f"{match_id} is at {match['version']}, its journal at {len(journal)}")
    since = {entry["kind"] for entry in journal[match["version"] :]}
    if not since <= {"act", "expire", "gone", "back", "takeback"}:
        raise Broken(f"{match_id} was written down before what it cannot do without")
    if any(one["at"] > two["at"] for one, two in pairwise(journal)):
        raise Broken(f"time ran backwards in {match_id}")
    _status(match, journal)
    _seats(match, seats)
    _rematch(books, match)
    _takebacks(match, seats, journal)
    if match["state"] is not None and (referee := referee_of(match["game"])) is not None:
        options, state = decoded(match["options"]), decoded(match["state"])
        referee.judge(Played(match, seats, _standing(journal), options, state))


def _status(match: Row, journal: list[Row]) -> None:
    kinds = [entry["kind"] for entry in journal]
    counts = Counter(kinds)
    name, status = match["id"], match["status"]
    if kinds[0] not in ("open", "start") or counts["start"] > 1 or counts["open"] > 1:
        raise Broken(f"{name} did not begin as matches do")
    started = counts["start"] == 1
    if counts["cancel"]:
        expected = {"cancelled"}
    elif match["ended_at"] is not None and match["reason"] == "expired":
        expected = {"expired"}
        if kinds[-1] != "lapse":
            raise Broken(f"{name} went on after it had lapsed")
    else:
        expected = {"finished", "active"} if started else {"waiting"}
    if status not in expected:
        raise Broken(f"{name} is {status} after {kinds}")
    if (status in OPEN) != (match["ended_at"] is None):
        raise Broken(f"{name} is {status} and has ended, or neither")
    if status == "finished":
        last = max(at for at, kind in enumerate(kinds) if kind in ("act", "expire"))
        after = set(kinds[last + 1 :])
        if not after <= {"rematch", "rematched", "lapse"}:
            raise Broken(f"{name} went on after its end: {after}")
        if journal[last]["at"] != match["ended_at"]:
            raise Broken(f"{name} did not end when its last step was made")
    elif status in OPEN and match["winner"] is not None:
        raise Broken(f"{name} has a winner and is {status}")


def _seats(match: Row, seats: list[Row]) -> None:
    wanted = 1 if match["started_at"] is None else 2
    if [seat["seat"] for seat in seats] != list(range(wanted)):
        raise Broken(f"{match['id']} has {len(seats)} seats")
    if match["status"] not in OPEN and any(seat["sole"] for seat in seats):
        raise Broken(f"{match['id']} is over and still counts as open")


def _takebacks(match: Row, seats: list[Row], journal: list[Row]) -> None:
    """Only against the computer, for nothing, by who moved; and the position is one that was."""
    acted: dict[int, int] = {}
    for entry in journal:
        version, seat = entry["version"], entry["seat"]
        if entry["kind"] == "act":
            acted[version] = seat
        if entry["kind"] != "takeback":
            continue
        to = decoded(entry["action"])["version"]
        if acted.get(to + 1) != seat:
            raise Broken(f"{match['id']} went back to {to}, where {seat} had not moved")
        acted = {at: who for at, who in acted.items() if at <= to}
        if seats[seat]["bot"] is not None or seats[1 - seat]["bot"] is None:
            raise Broken(f"a move was taken back in {match['id']}, between people")
        if any(row["rating_delta"] is not None for row in seats) or match["escrow_id"]:
            raise Broken(f"a move was taken back in {match['id']}, which counts")


def _standing(journal: list[Row]) -> list[Row]:
    """The entries without those that were taken back."""
    kept: list[Row] = []
    for entry in journal:
        if entry["kind"] == "takeback":
            to = decoded(entry["action"])["version"]
            kept = [each for each in kept if each["version"] <= to]
        else:
            kept.append(entry)
    return kept


def _rematch(books: Books, match: Row) -> None:
    """The next game is there, between the same two."""
    if match["rematch_id"] is None:
        return
    new = books.matches.get(match["rematch_id"])
    if new is None or new["game"] != match["game"] or new["created_at"] < match["ended_at"]:
        raise Broken(f"the rematch of {match['id']} is none")
    old_people, new_people = (
        Counter((seat["user_id"], seat["bot"]) for seat in books.seats[each["id"]])
        for each in (match, new)
    )
    if old_people != new_people:
        raise Broken(f"others play the rematch of {match['id']}")


def check_open(books: Books, sole: AbstractSet[str]) -> None:
    """Nobody sits in two open matches of a game of which one may be in one, or is linked twice."""
    sitting: Counter[tuple[str, str]] = Counter()
    linked: Counter[str] = Counter()
    for match in books.matches.values():
        if match["rematch_id"] is not None:
            linked[match["rematch_id"]] += 1
        if match["status"] in OPEN and match["game"] in sole:
            for seat in books.seats[match["id"]]:
                if seat["user_id"] is not None and seat["bot"] is None:
                    sitting[seat["user_id"], match["game"]] += 1
    for (user, game), count in sitting.items():
        if count > 1:
            raise Broken(f"{user} sits in {count} open matches of {game}")
    for match_id, count in linked.items():
        if count > 1:
            raise Broken(f"{match_id} is the rematch of {count} matches")
