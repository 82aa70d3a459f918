"""What the laws must be told about a game beyond its rules: `tests/laws/games/<key>.py` says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from random import Random
from typing import Any

from msgspec import Struct

from parlour.games.api import Millis, Seat

Seen = tuple[Millis | None, Millis | None]


class Try(Struct, frozen=True, kw_only=True):
    """Something that is tried in a scripted game; refused or not, the record shows it."""

    seat: Seat | None = None
    """None: whoever has legal actions."""
    action: Any = None
    """None: the deadline passes, or `here` says who comes and goes."""
    here: bool | None = None
    after_ms: Millis = 1000
    """How long after what came before; a deadline is waited for in any case."""
    unseen_ms: Seen = (0, 0)
    """How long ago each seat was last heard of."""


class Script(Struct, frozen=True):
    """A game to be recorded: these tries, or a random walk if there are none."""

    options: Any
    tries: tuple[Try, ...] = ()
    seed: int = 0


class Game(Struct, frozen=True, kw_only=True):
    """Each game's file holds one of these, named `GAME`."""

    options: tuple[Any, ...]
    """Settings to walk under, in turn. Small boards and short clocks keep the tests quick."""
    wild: Callable[[Random], Any]
    """Any action at all: well formed, seldom sensible, often out of range."""
    undecided: Callable[[Any], bool] = lambda _: False
    """Actions `legal` leaves open, because time, money or the player's will decides about them."""
    disguise: Callable[[Any, Seat | None, Random], Any] | None = None
    """Another state that must look the same to that viewer. None: the game hides nothing."""
    scripts: Mapping[str, Script]
    """The games recorded in `tests/playthroughs/<key>/<name>.json`."""


def game_of(key: str) -> Game:
    """What a game's file declares."""
    game = import_module(f"tests.laws.games.{key}").GAME
    assert isinstance(game, Game)
    return game
