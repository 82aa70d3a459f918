"""The pot of a challenge, from the first stake to its one settlement, as writes to be committed
together with what causes them.

An escrow bears its challenge's id. Each group of writes begins with the guarded one on the escrow,
so that a pot settled in the meantime is a `Conflict` rather than a lack of funds.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.json import Decoder

from parlour.games.api import SEATS, Millis, Seat
from parlour.money.ledger import Action, pot_of, transfer, wallet_of
from parlour.store.change import (
    AddToEscrow,
    ChallengeRow,
    OpenAccount,
    OpenEscrow,
    SettleEscrow,
    Write,
)

Amount = Annotated[int, Meta(ge=0)]


class Stakes(Struct, frozen=True):
    """What the pot must know of the terms of a challenge; the game's own terms add to it."""

    stake_amount: Amount
    """What each player pays in before the match."""
    max_spend_amount: Amount
    """What each may pay in at most while it is played."""


_DECODER = Decoder(Stakes)


def stakes_of(challenge: ChallengeRow) -> Stakes:
    """What a challenge is played for, whatever the game."""
    return _DECODER.decode(challenge.terms)


class Pot(Struct, frozen=True):
    """An escrow that is still locked, and what each seat's player has paid into it."""

    escrow_id: str
    users: tuple[str, str]
    paid: tuple[int, int]


def lock_stake(challenge: ChallengeRow) -> tuple[Write, ...]:
    """The challenger, seat 0 of the match to come, pays the stake into a new pot."""
    at = challenge.created_at
    account = pot_of(challenge.id)
    return (
        OpenAccount(id=account, kind="escrow", currency=challenge.currency, created_at=at),
        OpenEscrow(
            id=challenge.id,
            challenge_id=challenge.id,
            account_id=account,
            currency=challenge.currency,
            created_at=at,
        ),
        *_pay_in(_pot(challenge), 0, stakes_of(challenge).stake_amount, "stake_lock", at),
    )


def accept_stake(challenge: ChallengeRow, at: Millis) -> tuple[Write, ...]:
    """The opponent, seat 1, pays as much."""
    return _pay_in(_pot(challenge), 1, stakes_of(challenge).stake_amount, "stake_accept", at)


def purchase(pot: Pot, seat: Seat, amount: int, version: int, at: Millis) -> tuple[Write, ...]:
    """A player buys something in the step that brings the match to `version`."""
    return _pay_in(pot, seat, amount, "purchase", at, nth=version)


def pay_winner(pot: Pot, winner: Seat, at: Millis) -> tuple[Write, ...]:
    """The winner gets all of it."""
    return (
        SettleEscrow(id=pot.escrow_id, how="won", at=at),
        *transfer(
            f"{pot.escrow_id}:win_payout",
            pot_of(pot.escrow_id),
            wallet_of(pot.users[winner]),
            sum(pot.paid),
            action="win_payout",
            escrow_id=pot.escrow_id,
            at=at,
        ),
    )


def refund_draw(pot: Pot, at: Millis) -> tuple[Write, ...]:
    """A draw: everyone gets back what they paid in, purchases too."""
    return _refund(pot, "draw_refund", at)


def refund_cancelled(pot: Pot, at: Millis) -> tuple[Write, ...]:
    """The match was called off: everyone gets back what they paid in."""
    return _refund(pot, "cancel_refund", at)


def refund_challenge(challenge: ChallengeRow, at: Millis) -> tuple[Write, ...]:
    """The challenge came to nothing: its stake goes back."""
    return _refund(_pot(challenge), "challenge_refund", at)


def _pot(challenge: ChallengeRow) -> Pot:
    users = (challenge.challenger_id, challenge.opponent_id)
    return Pot(challenge.id, users, (stakes_of(challenge).stake_amount, 0))


def _pay_in(
    pot: Pot, seat: Seat, amount: int, action: Action, at: Millis, *, nth: int = 0
) -> tuple[Write, ...]:
    return (
        AddToEscrow(id=pot.escrow_id, seat=seat, amount=amount),
        *transfer(
            f"{pot.escrow_id}:{action}:{seat}:{nth}",
            wallet_of(pot.users[seat]),
            pot_of(pot.escrow_id),
            amount,
            action=action,
            escrow_id=pot.escrow_id,
            at=at,
        ),
    )


def _refund(pot: Pot, action: Action, at: Millis) -> tuple[Write, ...]:
    refunds: tuple[Write, ...] = ()
    # In one order whoever sits where, so that no two refunds wait for each other.
    for seat in sorted(SEATS, key=lambda seat: pot.users[seat]):
        refunds += transfer(
            f"{pot.escrow_id}:{action}:{seat}",
            pot_of(pot.escrow_id),
            wallet_of(pot.users[seat]),
            pot.paid[seat],
            action=action,
            escrow_id=pot.escrow_id,
            at=at,
        )
    return (SettleEscrow(id=pot.escrow_id, how="refunded", at=at), *refunds)
