"""What a game is: pure rules over frozen data, with time, dice and sightings handed in.

Laws every game keeps (tests/laws runs them over the whole registry):

* `act` either returns a `Step` or raises `Refused`; a refusal changes nothing.
* The same state, action and `Env` give the same `Step`, byte for byte.
* `view(state, seat)` is all a seat may know; `legal(view)` is decided from it alone.
* Once `outcome` is not None it never changes, and `deadline` is None.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableSequence, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec import Struct

Seat = int
"""0 or 1: which side of the table."""

Millis = int
"""Milliseconds since the Unix epoch, or a span of them."""

Seen = tuple[Millis | None, Millis | None]
"""When each seat was last heard of."""

T = TypeVar("T")
S = TypeVar("S")
A = TypeVar("A")
V = TypeVar("V")
M = TypeVar("M")
Seen_contra = TypeVar("Seen_contra", contravariant=True)

SEATS: tuple[Seat, Seat] = (0, 1)


def other(seat: Seat) -> Seat:
    """The seat across the table."""
    return 1 - seat


def with_seat(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    """What belongs to both seats, with one seat's part changed.

    >>> with_seat((3, 4), 1, 5)
    (3, 5)
    """
    return (value, pair[1]) if seat == 0 else (pair[0], value)


class Refused(Exception):
    """The rules say no. `code` is stable and becomes the wire's error code; `detail` is for people.

    `field` names the part of the action that is at fault, where it is one part.
    """

    def __init__(self, code: str, detail: str = "", field: str | None = None) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.field = field


class Dice(Struct, eq=False, gc=False):
    """A stream of chance that depends only on a secret seed, a step's number and a purpose.

    >>> Dice(b"seed", 1).below(6) == Dice(b"seed", 1).below(6)
    True
    """

    _seed: bytes
    _step: int
    _purpose: bytes = b"rules"
    _block: int = 0
    _pool: int = 0
    _held: int = 0

    def __repr__(self) -> str:
        """Without the seed, which nobody may read in a log."""
        return f"Dice(step {self._step})"

    def bits(self, count: int) -> int:
        """A uniform integer of `count` bits."""
        if self._held < count:
            self._fill(count)
        value = self._pool & ((1 << count) - 1)
        self._pool >>= count
        self._held -= count
        return value

    def _fill(self, count: int) -> None:
        """Have so many bits in the pool at least."""
        while self._held < count:
            place = self._step.to_bytes(8, "big") + self._block.to_bytes(8, "big")
            block = blake2b(place, key=self._seed, person=self._purpose).digest()
            self._pool |= int.from_bytes(block, "big") << self._held
            self._held += 512
            self._block += 1

    def below(self, limit: int) -> int:
        """A uniform integer in [0, limit)."""
        if limit < 1:
            raise ValueError("there is nothing to choose from")
        width = (limit - 1).bit_length()
        while (value := self.bits(width)) >= limit:
            pass
        return value

    def between(self, low: int, high: int) -> int:
        """A uniform integer in [low, high], both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True `percent` times out of a hundred."""
        return self.below(100) < percent

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each as likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put the items in a uniformly random order, in place."""
        # As with `below` for each; written out, as a game may begin with many draws.
        pool, held, last = self._pool, self._held, len(items) - 1
        while last > 0:
            width = last.bit_length()
            if held < width:
                self._pool, self._held = pool, held
                self._fill(width)
                pool, held = self._pool, self._held
            pick = pool & ((1 << width) - 1)
            pool >>= width
            held -= width
            if pick <= last:
                items[last], items[pick] = items[pick], items[last]
                last -= 1
        self._pool, self._held = pool, held


class Env(Struct, frozen=True, gc=False):
    """All the impurity a step may use. The journal keeps enough of it to replay the step."""

    now: Millis
    dice: Dice
    seen: Seen = (None, None)
    """When each seat was last heard of: `now` while it is connected, None if never."""


class Charge(Struct, frozen=True, gc=False):
    """A seat must pay `amount` into the pot; the step stands only if it can.

    In a match that was not staked there is no pot, and nobody pays.
    """

    seat: Seat
    amount: int


class Step(Struct, Generic[S], frozen=True, gc=False):
    """What an action, a deadline or a coming and going made of a state.

    `events` tell the game's wire what happened where the states alone do not.
    """

    state: S
    events: tuple[Any, ...] = ()
    charges: tuple[Charge, ...] = ()


class Claim(Struct, Generic[A], frozen=True, gc=False):
    """What a seat may claim, and from which instant on; None: at once."""

    action: A
    at: Millis | None = None


class Loaded(Struct, Generic[S], frozen=True, gc=False):
    """A state read from its bytes."""

    state: S
    lost: str | None = None
    """What of it could not be read and is taken to be empty, in words; None: nothing."""


class Outcome(Struct, frozen=True, gc=False):
    """How a game ended: who won (None: a draw), why, and whether it counts for ratings."""

    winner: Seat | None
    reason: str
    rated: bool = True
    scores: tuple[int, int] | None = None
    """Points of each seat, in games that count them."""


Rating = Literal["zero_sum", "floor_zero"]
"""Elo with K=32 from snapshots: exact opposites, or each rounded and never below 0."""


class Rules(Protocol[S, A, V]):
    """A game. Files keep one order: laws, types, setup, act, time, view, outcome.

    What has a default here suits a game without clocks, chance or secrets: such a game says only
    how it is set up, what its actions do, what is seen of it and when it is over.
    """

    key: str
    """Names the game in the store, the settings and the wire: "quarto"."""
    version: int = 1
    """Counted up when states, options or journals of before would be misread; kept with a match."""
    options_type: type[Any]
    """Struct with defaults for all that `setup` may be told; a state keeps what it needs of it."""
    state_type: type[S]
    action_type: Any
    """A struct, or a union of structs tagged by `type`: decoding is validation."""
    view_type: type[V]
    """The struct that `view` gives, which is what clients get."""
    longest: int
    """No game takes more steps than this when each step is a random legal one, or the deadline."""
    rating: Rating | None = None
    """How finished games move ratings; None: not at all."""
    asides: Collection[str] = ()
    """Actions that are no moves, by their tags: a claim, a purchase, giving up."""
    resignation: Any = None
    """The action by which a seat gives up at any time; None: this game cannot be given up."""
    words: Mapping[str, str]
    """Every code that `act` refuses with, in words for people; a refusal's own detail says more."""
    offered: Collection[str] = ()
    """What players may choose of the options; `games/options.py` says how it is offered."""
    asks_seen: bool = True
    """Whether `Env.seen` can decide anything; if not, nobody is asked about it before a step."""
    hidden: bool = False
    """Whether a seat sees less than all: then nobody goes back to a position, having seen more."""

    def setup(self, options: Any, env: Env) -> S:
        """The first state, both seats taken."""
        ...

    def load(self, stored: bytes) -> Loaded[S]:
        """A state from its bytes; `ValueError` for one that the rules cannot have made."""
        try:
            return Loaded(msgspec.json.decode(stored, type=self.state_type))
        except msgspec.DecodeError as error:
            raise ValueError(error) from None

    @cached_property
    def actions(self) -> msgspec.json.Decoder[A]:
        """Reads actions; made once, as that takes longer than reading many."""
        return msgspec.json.Decoder(self.action_type)

    def act(self, state: S, seat: Seat, action: A, env: Env) -> Step[S]:
        """A seat's action, or `Refused`."""
        ...

    def deadline(self, state: S) -> Millis | None:
        """When `expire` must be called unless something else happens first."""
        return None

    def horizon(self, state: S, now: Millis) -> Millis | None:
        """Before when nothing will be due, whatever is done from `now` on; at most the deadline.

        As time passes it comes no nearer, and a step brings it no nearer than the deadline is then.
        Rules with deadlines that come nearer again and again, as uneven clocks do, can foresee so.
        """
        return self.deadline(state)

    def expire(self, state: S, env: Env) -> Step[S]:
        """The deadline passed; `env.now` is at or after it."""
        raise AssertionError("this game has no deadline")

    def presence(self, state: S, seat: Seat, here: bool, env: Env) -> Step[S]:
        """A seat went or came back. The very same state: this game does not care."""
        return Step(state)

    def resume(self, position: S, options: Any, env: Env) -> S:
        """A position of before, or of another game, to be played on from now under these options.

        It is played as before; but nobody is away, and whatever time it gives begins anew.
        """
        return position

    def outcome(self, state: S) -> Outcome | None:
        """None while the game goes on."""
        ...

    def view(self, state: S, seat: Seat | None) -> V:
        """What a seat sees; None: a spectator."""
        ...

    def legal(self, view: V) -> Collection[A]:
        """What that viewer may do now, as far as its view tells.

        Time, money and claims are decided in `act`; amounts are listed as one unit.
        """
        ...

    def claims(self, view: V, seen: Seen) -> tuple[Claim[A], ...]:
        """What that viewer may claim beside its moves, as far as its view and `seen` tell.

        `seen` is when each seat was last heard of; None for one that is here. That something may be
        claimed does not say that it is true.
        """
        return ()

    def turn(self, state: S) -> Seat | None:
        """Whose move it is; None: nobody's, or both may move."""
        movers = [seat for seat in SEATS if self.legal(self.view(state, seat))]
        return movers[0] if len(movers) == 1 else None

    def tell(self, what: Any, by: Seat | None, viewer: Seat | None) -> Any:
        """An action or event, done by that seat, as far as a viewer may know it; None: not at all.

        Most games are played in the open.
        """
        return what


class Persona(Struct, frozen=True, kw_only=True):
    """Who an opponent is to people."""

    title: str
    """What it is called: short enough for a player's plate."""
    character: str
    """How it plays, in one sentence."""


class Bot(Protocol[Seen_contra, A, M]):
    """An opponent. It sees what its seat is sent, and acts through the same door as a person.

    A game names its opponents from the weakest to the strongest.
    """

    name: str
    """Names it in the store and on the wire, for good."""
    persona: Persona
    remembers: bool = True
    """Whether it is shown what happens while it is not to move; else its mind stays as it began."""
    searches: bool = True
    """Whether it is asked to `choose` where it has time; else it always acts `at_once`."""

    def begin(self) -> M:
        """What it knows before the first view. A mind is a frozen struct or a plain value."""
        ...

    def observe(self, mind: M, view: Seen_contra, dice: Dice) -> M:
        """What it remembers after one more view, the first one included."""
        ...

    def delay(self, view: Seen_contra, dice: Dice) -> Millis:
        """How long it ponders before acting on a view in which it may act."""
        ...

    def choose(
        self,
        mind: M,
        view: Seen_contra,
        legal: Sequence[A],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> A:
        """One action. `time_left` counts down in seconds; it should be back before zero."""
        ...

    def at_once(self, mind: M, view: Seen_contra, legal: Sequence[A], dice: Dice) -> A:
        """One action without any search, when there is no time to think: well under 1 ms."""
        return dice.choice(legal)


class Weighed(Struct, Generic[A], frozen=True):
    """What a position is worth to the seat that is to move there."""

    value: float
    """From -1 (lost) to 1 (won)."""
    exact: bool
    """It is known, not estimated."""
    moves: tuple[tuple[A, float], ...]
    """What the position is worth after each action, best first, as seen by that seat."""
    note: str = ""
    """The verdict in words, where the game has some: "wins in 5"."""


class Analyst(Protocol[Seen_contra, A, M]):
    """Weighs the positions of a game. It sees what the seat to move is sent, as bots do."""

    def begin(self) -> M:
        """What it knows before the first view."""
        ...

    def observe(self, mind: M, view: Seen_contra) -> M:
        """What it remembers after one more view, the first one included."""
        ...

    def weigh(
        self, mind: M, view: Seen_contra, legal: Sequence[A], time_left: Callable[[], float]
    ) -> Weighed[A]:
        """What each of these actions is worth. `time_left` counts down in seconds."""
        ...
