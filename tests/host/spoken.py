"""Everything that surfaces say of a match, made from states that a test chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from parlour.games.api import SEATS, Millis
from parlour.games.registry import AnyRules, all_rules
from parlour.host import routes as host_surface
from parlour.host.audience import Voice
from parlour.host.sight import Seats, Sight, StepSeen
from parlour.play.match import Match, Update
from parlour.store.change import JournalRow, SeatRow
from tests.laws.walk import START

SECRETS = ("the secret of seat 0", "the secret of seat 1")
SEED = b"the seed of the match"

VIEWERS: tuple[Seats, ...] = ((0,), (1,), ())

UNTOLD = {"connect4", "connect_five"}
"""Games whose surface does not say by what voices it speaks."""


def surface_of(key: str) -> ModuleType | None:
    """A game's own surface, if it has one."""
    name = f"parlour.games.{key}.wire"
    return import_module(name) if find_spec(name) else None


def voices() -> Iterator[tuple[str, Voice[Any]]]:
    """Every game, with each voice in which a match of it is told of."""
    for key in all_rules():
        for surface in (host_surface, surface_of(key)):
            speak: Callable[[Callable[[], Millis]], Any] | None = getattr(surface, "voices", None)
            for voice in speak(lambda: START) if speak else ():
                yield key, voice


def match_of(rules: AnyRules, state: Any, version: int) -> Match:
    """A match in that state."""
    outcome = rules.outcome(state)
    return Match(
        id="m",
        game=rules.key,
        public_id="p",
        code="ABCDEF",
        status="finished" if outcome else "active",
        version=version,
        state=state,
        options=b"{}",
        seed=SEED,
        seats=tuple(
            SeatRow(seat=seat, name=f"Player {seat}", secret=SECRETS[seat], sole=False)
            for seat in SEATS
        ),
        winner=outcome.winner if outcome else None,
        reason=outcome.reason if outcome else None,
        created_at=START,
        updated_at=START,
    )


def sight_of(rules: AnyRules, match: Match, seats: Seats) -> Sight[Any]:
    """What is seen of it by whoever has these seats."""
    return Sight(rules, match, seats, (True, True))


def standing(voice: Voice[Any], rules: AnyRules, match: Match, seats: Seats) -> list[bytes]:
    """What is said of a match as it stands, and by steps that leave its state as it is."""
    sight = sight_of(rules, match, seats)
    said = [*voice.arrived(sight), *voice.presence(sight, (True, False))]
    said += voice.next_game(sight, match)
    for kind in ("start", "gone", "back", "rematch", "rematched"):
        entry = JournalRow(match_id="m", version=match.version + 1, at=START, kind=kind, seat=1)
        said += step(voice, rules, Update(match, match, entry), seats)
    return said


def step(voice: Voice[Any], rules: AnyRules, update: Update, seats: Seats) -> list[bytes]:
    """What is said of a step."""
    before, after = (sight_of(rules, match, seats) for match in (update.before, update.after))
    return list(voice.step(StepSeen(rules, update, after, before)))
