"""What play needs to know of a game beside its rules: what may lie idle how long, who may queue."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

from msgspec import Struct

from parlour.games.api import Millis
from parlour.money.ledger import CURRENCY
from parlour.play.match import Match
from parlour.store.change import ChallengeRow

WAITING_TTL_MS: Final = 15 * 60 * 1000
"""How long a table waits for its second player after the first was last seen."""
ACTIVE_TTL_MS: Final = 24 * 60 * 60 * 1000
"""How long a game that nobody touches is kept open."""


def _as_it_is(options: Any) -> Any:
    return options


class Stakes(Struct, frozen=True, kw_only=True):
    """How a game is played for money, by challenge."""

    options: Callable[[ChallengeRow], Any]
    """What the rules are told of a challenge's terms."""
    currency: str = CURRENCY


class StandIns(Struct, frozen=True, kw_only=True):
    """Bots that take the place of an opponent who does not come."""

    names: tuple[str, ...]
    """Each as likely."""
    after_ms: Millis
    rated: bool = False
    """They play under an account of their own and are rated."""


class Policy(Struct, frozen=True, kw_only=True):
    """How play treats the matches of one game. None: never."""

    options: Any
    """What the rules are told when a match is set up without words of its own."""
    agreed: Callable[[Any], Any] = _as_it_is
    """What the rules are told when players chose some of it."""
    stakes: Stakes | None = None
    """None: it is not played for money."""
    sole: bool = False
    """A user has at most one open match of this game."""
    held: bool = False
    """Seats are held by connections: a match that starts without one has that seat gone."""
    names_chosen: bool = False
    """Players choose a name as they sit down; else they go by their accounts'."""
    silence_ms: Millis | None = None
    """After which silence of a player the rules may decide something when they are asked."""
    kept_by_anyone: bool = False
    """A match does not lapse while anybody looks on; else only those who sit there count."""
    waiting_ttl_ms: Millis | None = None
    active_ttl_ms: Millis | None = None
    finished_ttl_ms: Millis | None = None
    """How long a finished match keeps its room."""
    order: Literal["first", "uniform"] = "first"
    """Who among those waiting is paired: the one who came first, or any."""
    ticket_ttl_ms: Millis = 30_000
    """How long a ticket without a connection stays without a heartbeat."""
    stand_ins: StandIns | None = None
    """None: whoever waits waits for people."""

    def ttl(self, match: Match) -> Millis | None:
        """How long a match of that status may lie idle."""
        if match.status == "waiting":
            return self.waiting_ttl_ms
        if match.status == "active":
            return self.active_ttl_ms
        return self.finished_ttl_ms if match.code is not None else None


def shortest_silence(policies: Iterable[Policy]) -> Millis | None:
    """After how short a silence something may be decided in any of the games."""
    silences = (policy.silence_ms for policy in policies)
    return min((each for each in silences if each is not None), default=None)


def hosted(options: Any) -> Policy:
    """For a game that says nothing of its own: as a player of any game would expect it."""
    return Policy(
        options=options, held=True, waiting_ttl_ms=WAITING_TTL_MS, active_ttl_ms=ACTIVE_TTL_MS
    )
