"""Games played for the tests, step by step, with all that is needed to play them again."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Literal

import msgspec
from msgspec import Struct

from parlour.games.api import SEATS, Dice, Env, Millis, Refused, Seat, Step
from parlour.games.registry import AnyRules
from tests.laws.game import Game, Seen

START: Millis = 1_700_000_000_000
WALK_LIMIT = 400

Kind = Literal["act", "expire", "gone", "back"]


class Entry(Struct, frozen=True, omit_defaults=True):
    """One thing that happened, as a journal would keep it."""

    kind: Kind
    at: Millis
    seat: Seat | None = None
    action: Any = None
    """Spelt as in JSON."""
    seen: Seen = (None, None)


class Table:
    """One game in progress. Steps are numbered as the journal numbers them, the start being 1."""

    def __init__(self, rules: AnyRules, options: Any, seed: bytes) -> None:
        self.rules = rules
        self.seed = seed
        self.number = 1
        self.now = START
        self.state = rules.setup(options, self.env())

    def env(self, seen: Seen = (None, None)) -> Env:
        """What a step taken now would be given."""
        return Env(self.now, Dice(self.seed, self.number), seen)

    def take(self, entry: Entry) -> Step[Any]:
        """Let it happen; `Refused` leaves everything as it was but the time."""
        self.now = entry.at
        rules = self.rules
        env = Env(self.now, Dice(self.seed, self.number + 1), entry.seen)
        if entry.kind == "act":
            assert entry.seat is not None
            action = msgspec.convert(entry.action, rules.action_type)
            step = rules.act(self.state, entry.seat, action, env)
        elif entry.kind == "expire":
            step = rules.expire(self.state, env)
        else:
            assert entry.seat is not None
            step = rules.presence(self.state, entry.seat, entry.kind == "back", env)
        self.state = step.state
        self.number += 1
        return step

    @property
    def over(self) -> bool:
        return self.rules.outcome(self.state) is not None

    def legal(self, seat: Seat | None) -> tuple[Any, ...]:
        """What that viewer may do."""
        return tuple(self.rules.legal(self.rules.view(self.state, seat)))


def acting(seat: Seat, action: Any, at: Millis, seen: Seen = (None, None)) -> Entry:
    """The entry for an action."""
    return Entry("act", at, seat, msgspec.to_builtins(action), seen)


def wander(table: Table, game: Game, random: Random) -> Iterator[Entry]:
    """What might happen next, again and again until the game is over: mostly sensible moves."""
    here = [True, True]
    last_seen = [table.now, table.now]
    for _ in range(WALK_LIMIT):
        if table.over:
            return
        now = table.now + random.choice((0, 1, 700, 5_000))
        due = table.rules.deadline(table.state)
        for seat in SEATS:
            last_seen[seat] = now if here[seat] else last_seen[seat]
        seen = (last_seen[0], last_seen[1])
        movers = [seat for seat in SEATS if table.legal(seat)]
        if due is not None and (now >= due or not movers or random.random() < 0.02):
            yield Entry("expire", max(now, due), None, None, seen)
        elif random.random() < 0.05:
            seat = random.choice(SEATS)
            here[seat] = not here[seat]
            yield Entry("back" if here[seat] else "gone", now, seat, None, seen)
        elif random.random() < 0.1:
            yield acting(random.choice(SEATS), game.wild(random), now, seen)
        elif movers:
            seat = random.choice(movers)
            yield acting(seat, random.choice(table.legal(seat)), now, seen)


def hurry(table: Table, random: Random) -> Iterator[Entry]:
    """Only legal actions and deadlines, until the game is over."""
    while not table.over:
        movers = [seat for seat in SEATS if table.legal(seat)]
        due = table.rules.deadline(table.state)
        if due is not None and (not movers or random.random() < 0.02):
            yield Entry("expire", max(table.now, due))
        else:
            seat = random.choice(movers)
            yield acting(seat, random.choice(table.legal(seat)), table.now + 1)


def attempt(table: Table, entry: Entry) -> Step[Any] | Refused:
    """Let it happen, or say why not."""
    try:
        return table.take(entry)
    except Refused as refused:
        return refused


def walk(rules: AnyRules, game: Game, seed: int) -> Iterator[tuple[Table, Random]]:
    """A table at every state of a random game, the first and the last included."""
    random = Random(seed)
    table = Table(rules, game.options[seed % len(game.options)], seed.to_bytes(8, "big"))
    yield table, random
    for entry in wander(table, game, random):
        if isinstance(attempt(table, entry), Step):
            yield table, random
