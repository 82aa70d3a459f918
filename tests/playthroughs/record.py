"""Records games of every kind, with each step's outcome, for the tests to play again.

    python -m tests.playthroughs.record            every game
    python -m tests.playthroughs.record quarto     one of them

Run it when rules have changed on purpose, and read the difference before committing it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from parlour.games.api import SEATS, Millis, Outcome, Refused, Step
from parlour.games.registry import AnyRules, all_rules
from tests.laws.game import Game, Script, Try, game_of
from tests.laws.walk import Entry, Table, acting, attempt, wander

FOLDER = Path(__file__).parent

encode = msgspec.json.encode

Happenings = Callable[[Table], Iterable[Entry]]


class Shown(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a step made of the game."""

    refused: str | None = None
    step: Step[Any] | None = None
    deadline: Millis | None = None
    outcome: Outcome | None = None
    sight: str | None = None
    """Fingerprint of what each seat and a spectator see, and of what they may do."""


class Playthrough(Struct, frozen=True):
    """As much of a record as is needed to play it again."""

    game: str
    options: msgspec.Raw
    seed: int
    steps: list[Entry]


def record(rules: AnyRules, options: Any, seed: int, happenings: Happenings) -> bytes:
    """The whole game as JSON, a step a line."""
    table = Table(rules, options, seed.to_bytes(8, "big"))
    head = {"game": rules.key, "options": options, "seed": seed}
    lines = [f'"{name}":{encode(value).decode()},' for name, value in head.items()]
    lines.append(f'"start":{encode(_shown(table, Step(table.state))).decode()},')
    steps = [_line(entry, attempt(table, entry), table) for entry in happenings(table)]
    return "\n".join(("{", *lines, '"steps":[', ",\n".join(steps), "]}", "")).encode()


def _line(entry: Entry, result: Step[Any] | Refused, table: Table) -> str:
    shown = Shown(refused=result.code) if isinstance(result, Refused) else _shown(table, result)
    return encode(msgspec.to_builtins(entry) | msgspec.to_builtins(shown)).decode()


def _shown(table: Table, step: Step[Any]) -> Shown:
    rules, state = table.rules, table.state
    seen = [(rules.view(state, viewer), table.legal(viewer)) for viewer in (*SEATS, None)]
    return Shown(
        step=step,
        deadline=rules.deadline(state),
        outcome=rules.outcome(state),
        sight=blake2b(encode(seen), digest_size=8).hexdigest(),
    )


def replayed(text: bytes) -> bytes:
    """The record of playing a record again."""
    played = msgspec.json.decode(text, type=Playthrough)
    rules = all_rules()[played.game]
    options = msgspec.json.decode(played.options, type=rules.options_type)
    return record(rules, options, played.seed, lambda _: played.steps)


def scripted(rules: AnyRules, game: Game, script: Script) -> bytes:
    """The record of a game's script."""

    def happenings(table: Table) -> Iterator[Entry]:
        if not script.tries:
            yield from wander(table, game, Random(script.seed))
        for each in script.tries:
            yield _entry(table, each)

    return record(rules, script.options, script.seed, happenings)


def _entry(table: Table, each: Try) -> Entry:
    at = table.now + each.after_ms
    seen = tuple(None if unseen is None else at - unseen for unseen in each.unseen_ms)
    assert len(seen) == 2
    if each.here is not None:
        return Entry("back" if each.here else "gone", at, each.seat, None, seen)
    if each.action is None:
        due = table.rules.deadline(table.state)
        assert due is not None
        return Entry("expire", max(at, due), None, None, seen)
    seat = each.seat
    if seat is None:
        seat = next(seat for seat in SEATS if table.legal(seat))
    return acting(seat, each.action, at, seen)


def paths(key: str) -> dict[str, Path]:
    """Where a game's records are, by the name of the script."""
    return {name: FOLDER / key / f"{name}.json" for name in game_of(key).scripts}


def main() -> None:
    """Write the records of the games named, or of all."""
    for key in sys.argv[1:] or all_rules():
        game = game_of(key)
        wanted = paths(key)
        for stale in set(FOLDER.glob(f"{key}/*.json")) - set(wanted.values()):
            stale.unlink()
        for name, path in wanted.items():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(scripted(all_rules()[key], game, game.scripts[name]))


if __name__ == "__main__":
    main()
