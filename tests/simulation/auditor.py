"""Knows only the promises, and holds the kernel to them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import Any

import msgspec

from parlour.games.registry import all_rules
from parlour.play.match import Linked, Match, Update, from_row, take
from parlour.play.replay import blank
from parlour.store.change import JournalRow, MatchRow, SeatRow


class Broken(AssertionError):
    """A promise was broken."""


class Stream:
    """What one watcher heard: every step from some version on, in order, each once."""

    def __init__(self, auditor: Auditor, seat: int | None) -> None:
        self._auditor = auditor
        self._seat = seat
        self.last: Match | None = None

    def begin(self, match: Match) -> None:
        self.last = match

    def moved(self, update: Update) -> None:
        if self.last is not None and update.after.version != self.last.version + 1:
            raise self._auditor.broken(
                f"a watcher of {update.after.id} at {self.last.version}"
                f" heard {update.after.version}"
            )
        self.last = update.after
        self._auditor.acknowledged(update)
        self._auditor.check_view(update.after, self._seat)

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        pass


class Auditor:
    """Collects what was promised during a run; `verdict` compares it with what is stored."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._told: dict[tuple[str, int], JournalRow] = {}
        self._acts: Counter[tuple[str, int]] = Counter()
        self._unknown: Counter[tuple[str, int]] = Counter()
        self.failure: Broken | None = None

    def broken(self, what: str) -> Broken:
        self.failure = self.failure or Broken(what)
        return self.failure

    def acknowledged(self, update: Update) -> None:
        """Somebody was told of this step: it must be in the journal, as told, for ever."""
        key = (update.entry.match_id, update.entry.version)
        if self._told.setdefault(key, update.entry) != update.entry:
            self.broken(f"two different steps were told as {key}")

    def acted(self, match_id: str, seat: int) -> None:
        self._acts[match_id, seat] += 1

    def unanswered(self, match_id: str, seat: int) -> None:
        """An action of which nobody can say whether it was taken."""
        self._unknown[match_id, seat] += 1

    def check_view(self, match: Match, seat: int | None) -> None:
        """A hidden card's pair is not in anybody's view."""
        if match.game == "memory" and match.state is not None:
            view = all_rules()["memory"].view(match.state, seat)
            for card in msgspec.to_builtins(view)["cards"]:
                if card["state"] == "hidden" and card.get("pair_id") is not None:
                    self.broken(f"a hidden card of {match.id} was shown")

    # --- the verdict ------------------------------------------------------------------------

    def verdict(self, now: int, alive: set[str]) -> dict[str, int]:
        """Raise `Broken` if a promise was broken; else say how much was checked.

        `alive` are the ids of the processes that still run.
        """
        if self.failure:
            raise self.failure
        journals = self._journals()
        for (match_id, version), entry in self._told.items():
            if version > len(journals.get(match_id, ())):
                raise self.broken(f"step {version} of {match_id} was told and then lost")
            if journals[match_id][version - 1] != entry:
                raise self.broken(f"step {version} of {match_id} is not what was told")
        self._nothing_twice(journals)
        for match_id, entries in journals.items():
            self._replays(match_id, entries)
        self._money()
        self._ratings()
        self._seats()
        self._nothing_left_behind(now, alive)
        return {
            "matches": len(journals),
            "steps": sum(map(len, journals.values())),
            "told": len(self._told),
            "unknown": sum(self._unknown.values()),
        }

    def _rows(self, sql: str, **values: Any) -> list[sqlite3.Row]:
        return self._db.execute(sql, values).fetchall()

    def _journals(self) -> dict[str, list[JournalRow]]:
        journals: dict[str, list[JournalRow]] = {}
        for row in self._rows("SELECT * FROM journal ORDER BY match_id, version"):
            entry = msgspec.convert(dict(row), JournalRow)
            journals.setdefault(entry.match_id, []).append(entry)
        return journals

    def _nothing_twice(self, journals: dict[str, list[JournalRow]]) -> None:
        taken: Counter[tuple[str, int]] = Counter()
        bots = {
            (row["match_id"], row["seat"])
            for row in self._rows("SELECT match_id, seat FROM seat WHERE bot IS NOT NULL")
        }
        for match_id, entries in journals.items():
            for number, entry in enumerate(entries, start=1):
                if entry.version != number:
                    raise self.broken(f"the journal of {match_id} has a gap at {number}")
                if entry.kind == "act" and entry.seat is not None:
                    taken[match_id, entry.seat] += 1
        for key, count in taken.items():
            at_most = self._acts[key] + self._unknown[key]
            if key not in bots and not self._acts[key] <= count <= at_most:
                raise self.broken(f"{key}: {self._acts[key]}..{at_most} asked, {count} taken")

    def _replays(self, match_id: str, entries: list[JournalRow]) -> None:
        row = msgspec.convert(
            dict(self._rows("SELECT * FROM match WHERE id = :id", id=match_id)[0]), MatchRow
        )
        seats = tuple(
            msgspec.convert(dict(seat) | {"sole": bool(seat["sole"])}, SeatRow)
            for seat in self._rows(
                "SELECT * FROM seat WHERE match_id = :id ORDER BY seat", id=match_id
            )
        )
        rules = all_rules()[row.game]
        linked = Linked(seats, row.code, row.rematch_id)
        match = blank(from_row(rules, row, seats))
        for entry in entries:
            match = take(rules, match, entry, linked=linked).match
        state = None if match.state is None else msgspec.json.encode(match.state)
        if (match.version, state, match.status) != (row.version, row.state, row.status):
            raise self.broken(f"the journal of {match_id} does not lead to what is stored")
        if row.status == "active" and row.deadline_at is None and row.game != "quarto":
            raise self.broken(f"{match_id} is being played and waits for nothing")

    def _money(self) -> None:
        if self._rows("SELECT sum(balance) AS total FROM account")[0]["total"] not in (0, None):
            raise self.broken("money was made or lost")
        wrong = self._rows(
            """
            SELECT account.id FROM account LEFT JOIN
              (SELECT account_id,
                 sum(CASE direction WHEN 'credit' THEN amount ELSE -amount END) AS sum
               FROM ledger_entry GROUP BY account_id) AS booked ON booked.account_id = account.id
            WHERE balance <> coalesce(booked.sum, 0)
            """
        )
        if wrong:
            raise self.broken(f"the balance of {wrong[0]['id']} is not what its ledger says")
        for row in self._rows("SELECT * FROM escrow JOIN account ON account.id = account_id"):
            held = 0 if row["status"] == "settled" else row["total"]
            if row["balance"] != held:
                raise self.broken(f"escrow {row['id']} holds {row['balance']}, not {held}")
        open_pots = self._rows(
            """
            SELECT escrow.id FROM escrow JOIN challenge ON challenge.id = escrow.challenge_id
            LEFT JOIN match ON match.id = challenge.match_id
            WHERE (escrow.status = 'settled') <>
                  (challenge.status IN ('expired', 'cancelled')
                   OR coalesce(match.status IN ('finished', 'cancelled', 'expired'), 0))
            """
        )
        if open_pots:
            raise self.broken(f"escrow {open_pots[0]['id']} and its challenge disagree")

    def _ratings(self) -> None:
        for row in self._rows(
            "SELECT sum(rating - 1000) AS drift FROM rating WHERE game = 'connect4'"
        ):
            if row["drift"] not in (0, None):
                raise self.broken(f"Connect 4 ratings drifted by {row['drift']}")

    def _seats(self) -> None:
        twice = self._rows(
            """
            SELECT user_id FROM seat JOIN match ON match.id = match_id
            WHERE match.status IN ('waiting', 'active') AND match.game IN ('connect4', 'memory')
              AND user_id IS NOT NULL AND bot IS NULL GROUP BY user_id, match.game
            HAVING count(*) > 1
            """
        )
        if twice:
            raise self.broken(f"{twice[0]['user_id']} sits in two open games")
        held = self._rows(
            "SELECT match_id FROM seat JOIN match ON match.id = match_id"
            " WHERE sole AND match.status NOT IN ('waiting', 'active')"
        )
        if held:
            raise self.broken(f"{held[0]['match_id']} is over and still counts as open")

    def _nothing_left_behind(self, now: int, alive: set[str]) -> None:
        """After a while of peace nothing is overdue, and the dead hold nothing."""
        late = self._rows(
            """
            SELECT id FROM match WHERE deadline_at < :then
            UNION ALL SELECT id FROM ticket WHERE deadline_at < :then
            UNION ALL SELECT id FROM challenge WHERE status = 'pending' AND expires_at < :then
            """,
            then=now - 5_000,
        )
        if late:
            raise self.broken(f"{late[0]['id']} is overdue and nobody sees to it")
        held = self._rows(
            """
            SELECT match_id AS id, process_id FROM presence WHERE connection IS NOT NULL
            UNION ALL SELECT id, process_id FROM ticket WHERE connection IS NOT NULL
            """
        )
        for row in held:
            if row["process_id"] not in alive:
                raise self.broken(f"{row['id']} is held by a process that died")
