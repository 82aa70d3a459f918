"""What operators may do with money and matches.

Every command first says what it would do, and does it only on a `yes`. What was done is written to
the audit log together with it, under the name of who did it. What changes a match leaves a lease
behind that runs out by itself: meanwhile a server knows that it is not alone, and looks.
"""

from __future__ import annotations

import getpass
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec
import typer
from sqlalchemy import bindparam, or_, select

from parlour.games.api import Millis
from parlour.money import escrow, wallets
from parlour.money.audit import Books, audit, books_of, faults
from parlour.net.services import Services
from parlour.play.deciding import snapshot
from parlour.play.match import row_deadline
from parlour.play.resident import Resident
from parlour.store import journals, queries, schema
from parlour.store.change import AuditRow, ChallengeRow, Change, Conflict, Write

_USER = select(schema.user).where(
    or_(schema.user.c.id == bindparam("id"), schema.user.c.username_key == bindparam("key"))
)
_ESCROW_OF = select(schema.match.c.escrow_id).where(schema.match.c.id == bindparam("id"))
_ENTRIES = (
    select(schema.ledger_entry, schema.account.c.id.label("account_id"))
    .join(schema.account, schema.account.c.number == schema.ledger_entry.c.account_number)
    .where(schema.ledger_entry.c.escrow_id == bindparam("escrow_id"))
    .order_by(schema.ledger_entry.c.position)
)
_NOTES = (
    select(schema.audit)
    .where(schema.audit.c.subject_id.in_(bindparam("subjects", expanding=True)))
    .order_by(schema.audit.c.position)
)


class Denied(Exception):
    """Why nothing is done."""


class Operator:
    """Somebody at the command line of a server's machine."""

    def __init__(self, services: Services, *, yes: bool) -> None:
        self._store = services.store
        self._kernel = services.kernel
        self._clock = services.kernel.runtime.clock
        self._chance = services.kernel.runtime.chance
        self._currency = services.settings.default_currency_ticker
        self._yes = yes

    # --- money --------------------------------------------------------------------------------

    async def mint(self, who: str, amount: int) -> None:
        """New money for a user."""
        found = await self._store.row(_USER, id=who, key=schema.username_key(who))
        if found is None:
            raise Denied(f"there is no user {who!r}")
        user_id, name = found["id"], found["username"]
        balance = await wallets.balance(self._store, user_id)
        if balance is None:
            raise Denied(f"{name} has no wallet")
        typer.echo(f"{name} ({user_id}): {balance} + {amount} = {balance + amount}")
        transfer_id, now = self._chance.id(), self._clock()
        grant = wallets.grant(transfer_id, user_id, amount, now, self._currency)
        note = self._note("admin_mint", user_id, amount=amount, transfer=transfer_id)
        await self._commit(*grant, note)

    async def audit(self) -> None:
        """Everything worked out again from the ledger."""
        wrong = 0
        async for finding in audit(self._store):
            wrong += 1
            typer.echo(f"{finding.subject}: {finding.problem}")
        async for fault in journals.faults(self._store):
            wrong += 1
            typer.echo(f"{fault.subject}: {fault.problem}")
        if wrong:
            raise Denied(f"the audit found {wrong} mismatches")
        typer.echo("Everything adds up.")

    # --- snapshot -----------------------------------------------------------------------------

    async def snapshot(self) -> None:
        """Write the rows of matches that only their journals have brought further."""
        behind = [row["id"] for row in await self._store.scan(journals.BEHIND)]
        typer.echo(f"{len(behind)} matches are further than their rows say.")
        if not self._yes:
            typer.echo("Nothing was done. Add --yes to do it.")
            return
        for match_id in behind:
            resident = await self._kernel.finder.playable(match_id)
            if resident is not None:
                match = resident.match
                due = row_deadline(resident.rules, match, self._kernel.runtime.clock())
                row = snapshot(match, due)
                with suppress(Conflict):  # a server was first
                    await self._store.commit(Change((row,)))

    # --- cancel -------------------------------------------------------------------------------

    async def cancel(self, target: str) -> None:
        """A challenge or match is called off, and everyone gets back what they paid in."""
        challenge = await self._challenge(target)
        if challenge is not None and challenge.status == "pending":
            stake = escrow.stakes_of(challenge).stake_amount
            typer.echo(f"Challenge {challenge.id}: {stake} back to its maker.")
            if self._may_go_on():
                note = self._note("admin_cancel", challenge.id)
                await self._kernel.challenges.call_off(challenge.id, lambda _: (note,))
                typer.echo("Done.")
            return
        match_id = challenge.match_id if challenge is not None else target
        resident = await self._kernel.finder.playable(match_id, fresh=True) if match_id else None
        if resident is None:
            raise Denied(f"there is no open challenge and no match {target!r}")
        match = resident.match
        if match.over:
            raise Denied(f"the match is over already: {match.reason}")
        # Calling it off would first let the clock decide, and pay out instead of refunding.
        if match.escrow_id is not None and (ended_at := self._unnoticed_end(resident)) is not None:
            raise Denied(f"the match ended at {_time(ended_at)}; settle it to pay out its pot")
        typer.echo(f"Match {match.id} of {match.game}, at version {match.version}, is called off.")
        for seat in match.seats:
            typer.echo(f"  {seat.name}: {match.pot[seat.seat]} back")
        if self._may_go_on():
            await self._kernel.lease.renew()
            note = self._note("admin_cancel", match.escrow_id or match.id, match.id)
            await self._kernel.seating.call_off(match.id, lambda _: (note,))
            typer.echo("Done.")

    # --- settle -------------------------------------------------------------------------------

    async def settle(self, target: str) -> None:
        """A pot that is still locked although it should not be is paid out."""
        challenge = await self._challenge(target)
        books = await books_of(self._store, challenge.id) if challenge else None
        if challenge is None or books is None:
            raise Denied(f"there is no escrow of {target!r}")
        if books.status == "settled":
            raise Denied("the pot is settled already")
        if challenge.status == "pending":
            await self._settle_pending(challenge)
        elif books.match_status == "active":
            await self._settle_overdue(challenge)
        else:
            await self._settle_ended(challenge, books)

    async def _settle_pending(self, challenge: ChallengeRow) -> None:
        if challenge.expires_at > self._clock():
            raise Denied("the challenge is still open; cancel it to return its stake")
        stake = escrow.stakes_of(challenge).stake_amount
        typer.echo(f"Challenge {challenge.id} has expired: {stake} goes back.")
        if self._may_go_on():
            note = self._note("admin_settle", challenge.id)
            settled = await self._kernel.challenges.expire(challenge, lambda _: (note,))
            typer.echo(f"Done: {settled.status}.")

    async def _settle_overdue(self, challenge: ChallengeRow) -> None:
        resident = await self._kernel.finder.playable(challenge.match_id or "", fresh=True)
        ended_at = self._unnoticed_end(resident) if resident else None
        if resident is None or ended_at is None:
            raise Denied("the match is still being played; cancel it to refund both")
        typer.echo(
            f"Match {resident.match.id} ended at {_time(ended_at)}, which nobody has noticed yet."
        )
        if self._may_go_on():
            await self._kernel.lease.renew()
            note = self._note("admin_settle", challenge.id, challenge.match_id)
            await self._kernel.deadlines.due(resident, lambda _: (note,))
            typer.echo(f"Done: {resident.match.status}, {resident.match.reason}.")

    async def _settle_ended(self, challenge: ChallengeRow, books: Books) -> None:
        users = (challenge.challenger_id, challenge.opponent_id)
        pot, now = escrow.Pot(challenge.id, users, books.contrib), self._clock()
        settlement: tuple[Write, ...]
        if books.match_status == "finished" and books.winner is not None:
            typer.echo(f"{users[books.winner]} won: {sum(books.contrib)} is paid out.")
            settlement = escrow.pay_winner(pot, books.winner, now)
        else:
            typer.echo(f"Nobody won: {books.contrib[0]} and {books.contrib[1]} go back.")
            drawn = books.match_status == "finished"
            settlement = (escrow.refund_draw if drawn else escrow.refund_cancelled)(pot, now)
        note = self._note("admin_settle", challenge.id, challenge.match_id)
        await self._commit(*settlement, note)

    # --- show ---------------------------------------------------------------------------------

    async def show_escrow(self, target: str) -> None:
        """All that is written about a pot."""
        challenge = await self._challenge(target)
        books = await books_of(self._store, challenge.id) if challenge else None
        if challenge is None or books is None:
            raise Denied(f"there is no escrow of {target!r}")
        for label, value in (
            ("escrow", f"{books.id}, {books.status}{f', {books.how}' if books.how else ''}"),
            ("pot", f"holds {books.pot}, was paid {books.total}"),
            ("challenger", f"{challenge.challenger_id}: {books.paid[0]} in, {books.got[0]} out"),
            ("opponent", f"{challenge.opponent_id}: {books.paid[1]} in, {books.got[1]} out"),
            ("challenge", f"{challenge.status}, stake {books.stake}, spend {books.max_spend}"),
            ("match", f"{challenge.match_id}, {books.match_status}"),
        ):
            typer.echo(f"{label:<12}{value}")
        for row in await self._store.rows(_ENTRIES, escrow_id=books.id):
            amount = row["amount"] if row["direction"] == "credit" else -row["amount"]
            typer.echo(f"{_time(row['at'])}  {row['action']:<16} {amount:>+9}  {row['account_id']}")
        subjects = [challenge.id, f"admin:{challenge.id}"]
        for row in await self._store.rows(_NOTES, subjects=subjects):
            typer.echo(f"{_time(row['at'])}  {row['type']} {bytes(row['payload']).decode()}")
        for problem in faults(books):
            typer.echo(f"wrong: {problem}")

    # --- what they share ----------------------------------------------------------------------

    async def _challenge(self, target: str) -> ChallengeRow | None:
        """The challenge of that id, or the one whose match has it."""
        found = await queries.challenge(self._store, target)
        if found is None:
            row = await self._store.row(_ESCROW_OF, id=target)
            if row is not None and row["escrow_id"] is not None:
                found = await queries.challenge(self._store, row["escrow_id"])
        return found

    def _unnoticed_end(self, resident: Resident) -> Millis | None:
        """When the clock of a match ran out, if it did; with stakes that is its end."""
        due = resident.match.rules_at
        return due if due is not None and due <= self._clock() else None

    def _note(
        self, kind: str, subject: str, match_id: str | None = None, **details: Any
    ) -> AuditRow:
        """For the audit log, apart from what players may read of their match."""
        return AuditRow(
            id=self._chance.id(),
            subject_id=f"admin:{subject}",
            match_id=match_id,
            type=kind,
            payload=msgspec.json.encode({"operator": _who_am_i(), **details}),
            at=self._clock(),
        )

    async def _commit(self, *writes: Write) -> None:
        if self._may_go_on():
            await self._store.commit(Change(writes))
            typer.echo("Done.")

    def _may_go_on(self) -> bool:
        if not self._yes:
            typer.echo("Nothing was done. Add --yes to do it.")
        return self._yes


def _who_am_i() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return str(os.getuid())


def _time(at: Millis) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S}"
