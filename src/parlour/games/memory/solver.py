"""What plain Memory is worth to two who forget nothing, and how they play it.

A position is `pairs` left, of which `singles` have one card that was seen; a pair of which both
were seen is taken as a matter of course. Who is to move opens a card that nobody knows. If its
partner was seen, the pair is taken and the turn goes on. If not, the second card is either another
unknown one, which may be the partner but may also show the opponent one, or a known one, which
shows nothing. With two known cards one may open nothing new at all. Zwick and Paterson, "The memory
game" (1993), found how to choose; this is their recurrence, computed when it is first asked for.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, erf, sqrt
from typing import Final

from msgspec import Struct

EXACT_UP_TO: Final = 32
"""Pairs up to which numbers are fractions: beyond, choices that differ by a rounding error do not
matter, and fractions of hundreds of digits take their time."""

ROUNDING: Final = 1e-6


class Worth(Struct, frozen=True):
    """How many pairs more than the opponent the one to move will take from here."""

    mean: Fraction | float
    opening: Fraction | float
    """The same if an unknown card must be opened."""
    square: float
    """The mean of its square."""
    opens_second: bool
    """After a first card without a known partner: another unknown one, rather than a known one."""
    waits: bool
    """Whatever is opened helps the opponent more: two known cards, if there are two."""


@cache
def _row(pairs: int) -> tuple[Worth, ...]:
    """What so many pairs are worth, by the number of singles."""
    found: dict[int, Worth] = {}
    for singles in range(pairs, -1, -1):
        found[singles] = _worth(pairs, singles, found)
    return tuple(found[singles] for singles in range(pairs + 1))


def _worth(pairs: int, singles: int, more: dict[int, Worth]) -> Worth:
    """By those with fewer pairs, and those with `more` singles."""
    if pairs == 0:
        return Worth(Fraction(0), Fraction(0), 0.0, opens_second=False, waits=False)
    fewer = _row(pairs - 1)
    unknown = 2 * pairs - singles
    one: Fraction | float = Fraction(1) if pairs <= EXACT_UP_TO else 1.0
    taken, second = one * singles / unknown, unknown - 1
    mean: Fraction | float = 0 * one
    square = 0.0
    if singles:
        mean, square = _gained(fewer[singles - 1])
        mean, square = taken * mean, float(taken) * square
    if singles == pairs:
        return Worth(mean, mean, square, opens_second=False, waits=False)
    # The second card: the partner for oneself, one for the opponent, or neither.
    won, won_square = _gained(fewer[singles])
    opened = won * (1 - singles) / (second * one)
    opened_square = won_square * (1 + singles) / second
    neither = 2 * (pairs - singles - 1)
    if neither:
        opened -= more[singles + 2].mean * neither / (second * one)
        opened_square += more[singles + 2].square * neither / second
    closed = more[singles + 1]
    opens_second = not singles or opened >= -closed.mean
    mean += (1 - taken) * (opened if opens_second else -closed.mean)
    square += float(1 - taken) * (opened_square if opens_second else closed.square)
    waits = singles > 1 and mean < 0
    return Worth(0 * one if waits else mean, mean, square, opens_second, waits)


def _gained(rest: Worth) -> tuple[Fraction | float, float]:
    """A pair, and what follows it on the same turn."""
    return 1 + rest.mean, 1 + 2 * float(rest.mean) + rest.square


def worth(pairs: int, singles: int) -> Worth:
    """What a position is worth to the one to move, and how it is played.

    >>> worth(2, 1).mean
    Fraction(2, 3)
    """
    return _row(pairs)[singles]


# --- who is going to win ----------------------------------------------------------------------


class Standing(Struct, frozen=True, kw_only=True):
    """A game as the one to move knows it."""

    lead: int
    """Points more than the opponent."""
    taken: int = 0
    """Pairs that lie open for good."""
    sure: int = 0
    """Pairs of which it knows both cards."""
    pairs: int
    """The others."""
    singles: int
    """Those of which it knows one card."""

    @property
    def margin(self) -> float:
        """By how much it will win, if both play their best."""
        return self.lead + self.sure + float(worth(self.pairs, self.singles).mean)

    @property
    def chances(self) -> float:
        """From -1, surely lost, to 1, surely won."""
        return chances(self.lead + self.sure, self.pairs, self.singles)

    @property
    def decided(self) -> bool:
        """Whether all that is left can be taken on this turn."""
        return self.singles == self.pairs


def chances(lead: int, pairs: int, singles: int) -> float:
    """How likely a lead is to become a win, less how likely a loss."""
    return likely(lead, float(worth(pairs, singles).mean), pairs, singles)


def likely(lead: int, gain: float, pairs: int, singles: int, sure: int = 0) -> float:
    """The same where so much is expected to be gained: as if gains were spread normally."""
    here, margin = worth(pairs, singles), lead + gain
    deviation = sqrt(max(here.square - float(here.mean) ** 2, 0.0))
    if abs(lead) > pairs + sure:
        return float((lead > 0) - (lead < 0))
    if deviation < ROUNDING:
        return float((margin > 0) - (margin < 0))
    return erf(margin / (deviation * sqrt(2)))


@cache
def chances_after_showing(lead: int, pairs: int, singles: int, shown: int) -> float:
    """The chances once so many unknown cards have been shown to both."""
    whole = pairs - singles
    """Pairs of which neither card is known."""
    total = 0.0
    for partners in range(min(singles, shown) + 1):
        for both in range(min(whole, (shown - partners) // 2) + 1):
            one = shown - partners - 2 * both
            if one <= whole - both:
                ways = comb(singles, partners) * comb(whole, both) * comb(whole - both, one) << one
                gained = partners + both
                then = chances(lead + gained, pairs - gained, singles - partners + one)
                total += ways * then
    return total / comb(2 * pairs - singles, shown)
