"""The books: which accounts there are, and for what reasons money moves between them.

Every movement is one transfer between two accounts, named after what caused it. The same cause
gives the same name, so the database refuses to let it happen twice.
"""

from __future__ import annotations

from typing import Literal

from parlour.games.api import Millis
from parlour.store.change import Transfer

CURRENCY = "TNB"
"""The play money, where nobody gave it another name."""

Action = Literal[
    "grant",
    "stake_lock",
    "stake_accept",
    "purchase",
    "win_payout",
    "draw_refund",
    "challenge_refund",
    "cancel_refund",
]


def mint_of(currency: str) -> str:
    """Where all money comes from: the one account below zero, by what is in circulation."""
    return f"mint:{currency}"


def wallet_of(user_id: str) -> str:
    """The account of a user's wallet."""
    return f"wallet:{user_id}"


def pot_of(escrow_id: str) -> str:
    """The account that holds what was paid into an escrow."""
    return f"escrow:{escrow_id}"


def transfer(
    name: str,
    payer: str,
    payee: str,
    amount: int,
    *,
    action: Action,
    at: Millis,
    escrow_id: str | None = None,
) -> tuple[Transfer, ...]:
    """One movement; none if there is nothing to move."""
    if amount == 0:
        return ()
    return (
        Transfer(
            id=name,
            payer=payer,
            payee=payee,
            amount=amount,
            action=action,
            escrow_id=escrow_id,
            at=at,
        ),
    )
