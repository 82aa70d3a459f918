"""Being away, for rules that give a seat some time to come back: each seat has a window of its own.

`until` says for each seat when it has been away for too long, or None while it is here.
"""

from __future__ import annotations

from typing import Any, Final, Protocol, TypeVar

from msgspec.structs import replace

from parlour.games.api import SEATS, Env, Millis, Outcome, Seat, Step, other, with_seat

Until = tuple[Millis | None, Millis | None]

NOBODY: Until = (None, None)

FOREVER: Final[Millis] = 100 * 365 * 24 * 60 * 60 * 1000

_WINDOWS: Final = ("reconnect_ms", "abandon_ms")
"""What rules call the time that one may be away, or silent."""


def patient(options: Any) -> Any:
    """A game's options for a match against the computer: nobody who is away loses to it."""
    windows = {name: FOREVER for name in _WINDOWS if name in options.__struct_fields__}
    return replace(options, **windows)


class Left(Protocol):
    """A state that knows who is away, and how long one may be."""

    @property
    def away_until(self) -> Until: ...
    @property
    def reconnect_ms(self) -> Millis: ...
    @property
    def outcome(self) -> Outcome | None: ...


S = TypeVar("S", bound=Left)


def presence(state: S, seat: Seat, here: bool, env: Env) -> Step[S]:
    """Going opens a seat's window, coming back closes it; after the end nobody cares."""
    until = changed(state.away_until, seat, here, env.now, state.reconnect_ms)
    if state.outcome is not None or until is state.away_until:
        return Step(state)
    return Step(replace(state, away_until=until))  # type: ignore[type-var]  # states are structs


def changed(until: Until, seat: Seat, here: bool, now: Millis, allowed_ms: Millis) -> Until:
    """A seat went or came back; the very same windows if it had already.

    >>> changed((None, None), 1, False, now=5_000, allowed_ms=60_000)
    (None, 65000)
    """
    if here == (until[seat] is None):
        return until
    return with_seat(until, seat, None if here else now + allowed_ms)


def first_due(until: Until) -> Millis | None:
    """When the first window closes.

    >>> first_due((None, 65_000))
    65000
    """
    return min((at for at in until if at is not None), default=None)


def forfeited(until: Until, due: Millis, reason: str) -> Outcome:
    """What it decides that a window closed: who stayed away loses, two at once draw."""
    missing = [seat for seat in SEATS if until[seat] == due]
    return Outcome(other(missing[0]) if len(missing) == 1 else None, reason)
