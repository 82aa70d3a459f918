"""Collects what was promised during a run, and compares it with what is stored in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.simulation.audit import leftovers, matches, money, ratings
from tests.simulation.audit.books import Books, Broken, action

Act = tuple[int, tuple[Any, ...]]


@dataclass(frozen=True)
class Terms:
    """What is promised of a game, beside its rules."""

    sole: bool
    """Nobody sits in two open matches of it."""
    rating: str | None
    """`zero_sum` or `floor_zero`."""


class Auditor:
    """Listens while people play; `verdict` says whether all of it was kept."""

    def __init__(self, terms: Mapping[str, Terms]) -> None:
        self._terms = terms
        self._told: dict[tuple[str, int], tuple[str, int | None, bytes | None]] = {}
        self._did: dict[tuple[str, int], tuple[Any, ...]] = {}
        self._seen: dict[str, Sequence[Act]] = {}
        self._by_line: dict[Hashable, tuple[str, int]] = {}
        self._by_score: dict[Hashable, tuple[str, int]] = {}
        self._versions: dict[str, int] = {}
        self._ended: dict[str, int | None] = {}
        self._ended_for: dict[tuple[str, str], bool | None] = {}
        self._certain: Counter[str] = Counter()
        self._possible: Counter[str] = Counter()
        self._overheard: dict[str, list[bytes]] = {}
        self.failure: Broken | None = None

    def broken(self, what: str) -> Broken:
        """The first broken promise is the one that counts."""
        self.failure = self.failure or Broken(what)
        return self.failure

    # --- what players say -------------------------------------------------------------------

    def follows(self, match_id: str, last: int, version: int) -> None:
        """A watcher hears of every step, in order, each once."""
        if version != last + 1:
            self.broken(f"a watcher of {match_id} at {last} heard {version}")

    def told(
        self, match_id: str, version: int, kind: str, seat: int | None, act: bytes | None
    ) -> None:
        """Somebody was told of this step: it must be in the journal, as told, for ever."""
        step = (kind, seat, act)
        if self._told.setdefault((match_id, version), step) != step:
            self.broken(f"two different steps were told as {version} of {match_id}")

    def did(self, match_id: str, version: int, act: tuple[Any, ...]) -> None:
        """Somebody was told that this action of theirs is that step."""
        if self._did.setdefault((match_id, version), act) != act:
            self.broken(f"two actions were told to be step {version} of {match_id}")

    def saw(self, line: Hashable, match_id: str, acts: Sequence[Act]) -> None:
        """Somebody was shown all that was done so far; on one line it never becomes less."""
        longest = self._seen.get(match_id, ())
        shorter, longer = sorted((longest, acts), key=len)
        if longer[: len(shorter)] != list(shorter):
            self.broken(f"two stories were told of {match_id}")
        self._seen[match_id] = list(longer)
        shown, before = self._by_line.get(line, (match_id, 0))
        if shown == match_id and len(acts) < before:
            self.broken(f"what was done in {match_id} was taken back")
        self._by_line[line] = (match_id, len(acts))

    def saw_score(self, line: Hashable, match_id: str, score: int) -> None:
        """Somebody was shown their points; on one line they never become fewer."""
        shown, before = self._by_score.get(line, (match_id, 0))
        if shown == match_id and score < before:
            self.broken(f"points of {match_id} were taken back")
        self._by_score[line] = (match_id, score)

    def saw_version(self, match_id: str, version: int) -> None:
        """Somebody was shown the match at that version."""
        self._versions[match_id] = max(version, self._versions.get(match_id, 0))

    def ended(self, match_id: str, winner: int | None) -> None:
        """Somebody was told how a match ended."""
        if self._ended.setdefault(match_id, winner) != winner:
            self.broken(f"{match_id} was told to have ended in two ways")

    def ended_for(self, match_id: str, secret: str, won: bool | None) -> None:
        """The same, to one who knows a seat by its secret only; None: a draw."""
        self._ended_for[match_id, secret] = won

    def acted(self, match_id: str) -> None:
        """An action was taken."""
        self._certain[match_id] += 1

    def unsure(self, match: str) -> None:
        """An action of which nobody can say whether it was taken; in a match, or by its secret."""
        self._possible[match] += 1

    def overhear(self, name: str) -> list[bytes]:
        """Where to put all that somebody is sent."""
        return self._overheard.setdefault(name, [])

    # --- the verdict ------------------------------------------------------------------------

    def verdict(self, books: Books, now: int, alive: set[str]) -> dict[str, int]:
        """Raise `Broken` if a promise was broken; else say how much was checked.

        `alive` are the ids of the processes that still run.
        """
        if self.failure:
            raise self.failure
        self._steps(books)
        self._stories(books)
        self._ends(books)
        self._nothing_twice(books)
        self._secrets(books)
        for match_id in books.matches:
            matches.check(books, match_id)
        matches.check_open(books, {game for game, terms in self._terms.items() if terms.sole})
        money.check(books)
        ratings.check(books, {game: terms.rating for game, terms in self._terms.items()})
        leftovers.check(books, now, alive)
        return {
            "matches": len(books.matches),
            "steps": sum(map(len, books.journals.values())),
            "told": len(self._told) + sum(map(len, self._seen.values())) + len(self._did),
            "ends": len(self._ended) + len(self._ended_for),
            "overheard": sum(map(len, self._overheard.values())),
        }

    def up_to_date(self, books: Books, lines: Sequence[Hashable]) -> int:
        """Whoever still listens has heard of all that is in the books; says how many were asked."""
        shown = [self._by_line[line] for line in lines if line in self._by_line]
        for match_id, count in shown:
            if match_id in books.matches and count < len(_shown_acts(books, match_id)):
                raise self.broken(f"somebody still listens, and knows {count} acts of {match_id}")
        return len(shown)

    def _steps(self, books: Books) -> None:
        for (match_id, version), (kind, seat, act) in self._told.items():
            journal = books.journals.get(match_id, ())
            if version > len(journal):
                raise Broken(f"step {version} of {match_id} was told and then lost")
            entry = journal[version - 1]
            if (entry["kind"], entry["seat"], entry["action"]) != (kind, seat, act):
                raise Broken(f"step {version} of {match_id} is not what was told")
        for (match_id, version), done in self._did.items():
            journal = books.journals.get(match_id, ())
            if version > len(journal) or action(journal[version - 1]["action"]) != done:
                raise Broken(f"{done} was told to be step {version} of {match_id}, and is not")

    def _stories(self, books: Books) -> None:
        for match_id, seen in self._seen.items():
            if _shown_acts(books, match_id)[: len(seen)] != list(seen):
                raise Broken(f"what was shown of {match_id} is not what is stored")
        for match_id, version in self._versions.items():
            if len(books.journals.get(match_id, ())) < version:
                raise Broken(f"version {version} of {match_id} was shown and then lost")

    def _ends(self, books: Books) -> None:
        for match_id, winner in self._ended.items():
            match = books.matches[match_id]
            if match["status"] != "finished" or match["winner"] != winner:
                raise Broken(f"{match_id} did not end as was told")
        for (match_id, secret), won in self._ended_for.items():
            match = books.matches[match_id]
            seat = [row["secret"] for row in books.seats[match_id]].index(secret)
            stored = None if match["winner"] is None else match["winner"] == seat
            if match["status"] != "finished" or stored != won:
                raise Broken(f"{match_id} did not end as was told to seat {seat}")

    def _nothing_twice(self, books: Books) -> None:
        for match_id in books.matches:
            bots = {row["seat"] for row in books.seats[match_id] if row["bot"] is not None}
            taken = sum(seat not in bots for seat, _ in books.acts(match_id))
            names = {match_id, *(row["secret"] for row in books.seats[match_id])}
            certain = self._certain[match_id]
            perhaps = sum(self._possible[name] for name in names if name is not None)
            if not certain <= taken <= certain + perhaps:
                raise Broken(
                    f"{match_id}: {certain} were taken for certain and"
                    f" {perhaps} perhaps, but {taken} are stored"
                )

    def _secrets(self, books: Books) -> None:
        """Nobody is ever sent what proves another one's seat."""
        owners: dict[str, set[str]] = {}
        for row in books.tables["seat"]:
            if row["secret"] is not None:
                owners.setdefault(row["secret"], set()).add(row["name"])
        for name, heard in self._overheard.items():
            # Each string once: no secret has quotes, and most is said again and again.
            everything = b'"'.join({part for said in heard for part in said.split(b'"')})
            for secret, names in owners.items():
                if names.isdisjoint({name, "Player 2"}) and secret.encode() in everything:
                    raise Broken(f"{name} was sent the secret of {names}")


def _shown_acts(books: Books, match_id: str) -> list[Act]:
    """What a game's history has; that somebody gave up, or claimed the win, is no part of it."""
    return [
        (seat, act) for seat, act in books.acts(match_id) if act not in (("leave",), ("claim",))
    ]
