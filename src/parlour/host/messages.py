"""What is said on `/ws/play`, in both directions.

Laws:

* Decoding is validation: a field too many, too few or of another kind is `INVALID_MESSAGE`.
* Whatever a client says may carry a `ref`, and what it is answered with repeats it.
* A viewer is told views and what `Rules.tell` lets it know, never a state.
* Instants are the server's, in milliseconds; `now` stands beside every one that is still to come.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from parlour.games.api import Millis, Seat
from parlour.store.change import Status

Ref = Annotated[str, Meta(max_length=64)] | int
Id = Annotated[str, Meta(min_length=1, max_length=64)]

# --- what clients say -------------------------------------------------------------------------


class Ask(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anything a client says."""

    ref: Ref | None = None


class Auth(Ask, frozen=True, tag="auth"):
    """Who one is. Only watching needs none of it."""

    token: str


class Seek(Ask, frozen=True, tag="seek"):
    """Play anybody who seeks this game, too."""

    game: Id


class Open(Ask, frozen=True, tag="open"):
    """A table of one's own, for whoever has its code; or for two at one device."""

    game: Id
    options: Raw | UnsetType = UNSET
    local: bool = False
    """Both seats are one's own: two people before one screen."""


class Invite(Ask, frozen=True, tag="invite"):
    """A table of one's own, and word of it to somebody by name or id."""

    game: Id
    user: Id
    options: Raw | UnsetType = UNSET


class PlayBot(Ask, frozen=True, tag="play_bot"):
    """Play the computer, at once."""

    game: Id
    bot: Id
    seat: Literal[0, 1] | None = None
    """Which side one wants; None: drawn by lot."""
    options: Raw | UnsetType = UNSET


class Join(Ask, frozen=True, tag="join"):
    """Sit down: at the table of this code, at one that waits, or again at one's own."""

    match: Id | None = None
    game: Id | None = None
    code: Id | None = None
    take: bool = False
    """Without a code: take the free seat there, if one has none yet."""


class Withdraw(Ask, frozen=True, tag="withdraw"):
    """No longer seek this game, or wait at this table; or decline the invitation to it.

    At a table where the game is over: no longer want another one.
    """

    game: Id | None = None
    match: Id | None = None


class Watch(Ask, frozen=True, tag="watch"):
    """Be told of a table as somebody who does not sit there."""

    match: Id


class Unwatch(Ask, frozen=True, tag="unwatch"):
    """Be told no more of a table. Who sat there has gone from it."""

    match: Id


class Act(Ask, frozen=True, tag="act"):
    """Do something in a game, decided on the version one saw."""

    match: Id
    version: int
    action: Raw


class Resign(Ask, frozen=True, tag="resign"):
    """Give up."""

    match: Id


class Hint(Ask, frozen=True, tag="hint"):
    """What could be done now: in a game of practice against the computer."""

    match: Id


class Takeback(Ask, frozen=True, tag="takeback"):
    """Back to before one's own last move: in a game of practice against the computer."""

    match: Id


class PlayOn(Ask, frozen=True, tag="play_on"):
    """Play the computer from a position of a finished game."""

    match: Id
    version: int
    """At which version the game stood there."""
    bot: Id | None = None
    """None: the strongest."""
    seat: Literal[0, 1] | None = None
    """Which side one wants; None: whoever is to move."""


class Rematch(Ask, frozen=True, tag="rematch"):
    """Another game with the same opponent, once both want it."""

    match: Id


class Ping(Ask, frozen=True, tag="ping"):
    """Is anybody there?"""


Said = (
    Auth
    | Seek
    | Open
    | Invite
    | PlayBot
    | Join
    | Withdraw
    | Watch
    | Unwatch
    | Act
    | Resign
    | Hint
    | Takeback
    | PlayOn
    | Rematch
    | Ping
)

# --- what they are told -----------------------------------------------------------------------


class User(Struct, frozen=True):
    """Somebody with an account, which a guest has too."""

    id: str
    username: str


class PlayerShown(Struct, frozen=True, kw_only=True):
    """Who sits where."""

    name: str
    user_id: str | None = None
    bot: str | None = None
    """Which of the game's computer players this is; None: a person."""
    rating: int | None = None
    """As the game began."""
    here: bool = False


class Result(Struct, frozen=True, kw_only=True):
    """How a game ended."""

    winner: Seat | None
    reason: str
    scores: tuple[int, int] | None = None
    rating_changes: tuple[int | None, int | None] = (None, None)


class ClaimShown(Struct, frozen=True):
    """An action by which one may claim something, and from which instant on; None: at once."""

    action: Any
    at: Millis | None = None


class Standing(Struct, frozen=True, kw_only=True):
    """Where a game stands, for one viewer; the same in a table and in a step."""

    match: str
    version: int
    status: Status
    view: Any = None
    """None while there is no second player."""
    legal: tuple[Any, ...] = ()
    claims: tuple[ClaimShown, ...] = ()
    """What one may claim beside one's moves."""
    turn: Seat | None = None
    deadline_at: Millis | None = None
    """When the game moves on by itself."""
    now: Millis
    result: Result | None = None


Help = Literal["hint", "takeback"]


class Table(Standing, frozen=True, kw_only=True, tag="table"):
    """All that is needed to draw a table."""

    ref: Ref | UnsetType | None = UNSET
    game: str
    public_id: str
    code: str | None = None
    """By which a friend finds it; only who sits there is told."""
    mode: str
    options: Raw
    seat: Seat | None = None
    """One's own; None: one watches."""
    seats: tuple[Seat, ...] = ()
    """All that are one's own: both at one device."""
    players: tuple[PlayerShown, ...] = ()
    rematch_by: Seat | None = None
    next_match: str | None = None
    help: tuple[Help, ...] = ()
    """How one may be helped while it is played, in a game of practice against the computer."""


class Stepped(Standing, frozen=True, kw_only=True, tag="step"):
    """A game moved on."""

    kind: str
    by: Seat | None = None
    action: Any = None
    events: tuple[Any, ...] = ()


class Presence(Struct, frozen=True, kw_only=True, tag="presence"):
    """Somebody came or went."""

    match: str
    here: tuple[bool, bool]
    claims: tuple[ClaimShown, ...] = ()
    """What one may claim from now on."""
    now: Millis


class RematchOffer(Struct, frozen=True, kw_only=True, tag="rematch"):
    """Somebody wants another game; with `next` both do, and its table follows."""

    match: str
    by: Seat | None = None
    next: str | None = None


class HintGiven(Struct, frozen=True, kw_only=True, tag="hint"):
    """What one could do, at a version."""

    match: str
    version: int
    action: Any
    value: float
    """What the position is worth to oneself, from -1 (lost) to 1 (won)."""
    exact: bool
    """It is known, not estimated."""
    note: str
    ref: Ref | UnsetType | None = UNSET


class Analysed(Struct, frozen=True, kw_only=True, tag="analysis"):
    """How far the analysis of a finished game is; once it is ready it can be read."""

    match: str
    done: int
    total: int
    ready: bool


class Left(Struct, frozen=True, kw_only=True, tag="left"):
    """One is told no more of this table."""

    match: str
    why: Literal["taken_over", "closed", "declined", "answered", "unwatched"]
    ref: Ref | UnsetType | None = UNSET


class Welcome(Struct, frozen=True, kw_only=True, tag="welcome"):
    """The token was good."""

    user: User
    ref: Ref | UnsetType | None = UNSET


class Seeking(Struct, frozen=True, kw_only=True, tag="seeking"):
    """One waits for an opponent; the table follows."""

    game: str
    bot_at: Millis | None = None
    """When the computer steps in if nobody comes."""
    now: Millis
    ref: Ref | UnsetType | None = UNSET


class Invitation(Struct, frozen=True, kw_only=True, tag="invitation"):
    """Somebody wants to play: `join` it, or `withdraw` from it."""

    match: str
    game: str
    code: str
    by: User


class Done(Struct, frozen=True, kw_only=True, tag="done"):
    """What was asked for has happened, and everybody concerned was told."""

    ref: Ref | None = None
    match: str | UnsetType = UNSET
    version: int | UnsetType = UNSET


class Pong(Struct, frozen=True, kw_only=True, tag="pong"):
    """Yes."""

    now: Millis
    ref: Ref | UnsetType | None = UNSET


class Error(Struct, frozen=True, kw_only=True, tag="error"):
    """What one said was not done."""

    code: str
    message: str
    ref: Ref | UnsetType | None = UNSET
    match: str | UnsetType | None = UNSET
    """The table it is about; with `BUSY` the one to finish first."""
    field: str | UnsetType = UNSET
    """Which part of what one said is at fault, where it is one part."""


Told = (
    Table
    | Stepped
    | Presence
    | RematchOffer
    | HintGiven
    | Analysed
    | Left
    | Welcome
    | Seeking
    | Invitation
    | Done
    | Pong
    | Error
)

DECODER = msgspec.json.Decoder(Said)
_ENCODER = msgspec.json.Encoder()


def encoded(message: Told) -> bytes:
    """A message as it goes out."""
    return _ENCODER.encode(message)


def limited(words: str) -> bytes:
    """That something was too much at once."""
    return encoded(Error(code="RATE_LIMITED", message=words))
