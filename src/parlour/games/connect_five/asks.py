"""What Connect Five can be asked for: the bodies of requests, checked field by field."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from parlour.games.connect_five.board import SHAPES
from parlour.games.connect_five.table import MAX_AMOUNT, PRICES, Move, Purchase
from parlour.games.connect_five.terms import Terms
from parlour.net.drf import Rejected
from parlour.net.forms import given_id

T = TypeVar("T", bound=str)

Amount = Annotated[int, Meta(ge=0, le=MAX_AMOUNT, description="whole units of the play money")]
TimeLimit = Literal[300, 600, 900, 1800]
"""Seconds on each player's clock."""


class NewChallenge(Struct, frozen=True):
    """Whom to invite, and on what terms."""

    opponent_id: Annotated[int | str, Meta(description="a user's `id`, or its `uuid`")]
    stake_amount: Amount
    max_spend_amount: Amount
    time_limit_seconds: TimeLimit

    def terms(self) -> Terms:
        """What would be played for."""
        return Terms(
            stake_amount=self.stake_amount,
            max_spend_amount=self.max_spend_amount,
            time_limit_seconds=self.time_limit_seconds,
        )

    @property
    def opponent(self) -> int | str:
        """Whose number or id it is."""
        opponent = given_id(self.opponent_id)
        if opponent is None:
            raise Rejected.fields({"opponent_id": ["Not a valid id."]})
        return opponent


class MoveWish(Struct, frozen=True):
    """A move: the cell (x, y) is the one placed or bombed, the left or upper one of two, or the
    middle of four.
    """

    move_type: Annotated[str, Meta(description="SINGLE, H2, V2, CROSS4 or BOMB, in any case")]
    x: int
    y: int

    def action(self) -> Move:
        """The move in the words of the rules."""
        return Move(_choice("move_type", self.move_type, SHAPES), self.x, self.y)


class PurchaseWish(Struct, frozen=True):
    """Specials to buy."""

    special_type: Annotated[str, Meta(description="H2, V2, CROSS4 or BOMB, in any case")]
    quantity: Annotated[int, Meta(ge=1)] = 1

    def action(self) -> Purchase:
        """The purchase in the words of the rules."""
        return Purchase(_choice("special_type", self.special_type, PRICES), self.quantity)


def _choice(field: str, given: str, choices: Collection[T]) -> T:
    # Beyond ASCII there are other letters that have S or I as their capital.
    for choice in choices:
        if given.isascii() and given.upper() == choice:
            return choice
    raise Rejected.fields({field: [f'"{given[:40]}" is not a valid choice.']})
