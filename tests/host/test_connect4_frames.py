"""Connect 4 hides nothing; still its live socket and its answers are made of views alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from parlour.games.api import SEATS, Outcome, Seat
from parlour.games.connect4.answers import game_of
from parlour.games.connect4.rules import RULES, State, View
from parlour.games.connect4.voice import GameVoice
from parlour.host.sight import Seats, Sight, StepSeen
from parlour.play.match import Match, Update
from parlour.store.change import JournalRow, SeatRow
from tests.laws.game import game_of as laws_of
from tests.laws.walk import START, Table, walk

VIEWERS: tuple[Seats, ...] = ((0,), (1,), ())
NOW = "2023-11-14T22:13:20.000Z"


class Sealed:
    """A state that nobody can read but who made it."""

    __slots__ = ("__inside",)

    def __init__(self, state: State) -> None:
        self.__inside = state

    def opened(self) -> State:
        return self.__inside


class SealedRules:
    """Connect 4 whose states are sealed: what is to be known of one has to be asked for."""

    action_type = RULES.action_type
    tell = RULES.tell

    def view(self, state: Sealed, seat: Seat | None) -> View:
        return RULES.view(state.opened(), seat)

    def legal(self, view: View) -> Any:
        return RULES.legal(view)

    def turn(self, state: Sealed) -> Seat | None:
        return RULES.turn(state.opened())

    def outcome(self, state: Sealed) -> Outcome | None:
        return RULES.outcome(state.opened())


def match_of(state: State, version: int) -> Match:
    over = state.outcome
    seats = [
        SeatRow(seat=seat, user_id=f"u{seat}", name=f"n{seat}", rating_before=1000)
        for seat in SEATS
    ]
    return Match(
        id="m",
        game=RULES.key,
        public_id="ABCDEFGH",
        status="finished" if over else "active",
        version=version,
        state=state,
        options=b"{}",
        seed=b"secret",
        seats=tuple(seats),
        created_at=START,
        updated_at=START,
        winner=over.winner if over else None,
        reason=over.reason if over else None,
    )


def steps(seed: int) -> Iterator[tuple[Match, Match, JournalRow]]:
    """A game by what happened in it."""
    before: State | None = None
    for table, _ in walk(RULES, laws_of(RULES.key), seed):
        if before is not None and before is not table.state:
            yield _step(before, table)
        before = table.state


def _step(before: State, table: Table) -> tuple[Match, Match, JournalRow]:
    mover = before.turn
    entry = JournalRow(match_id="m", version=table.number, at=table.now, kind="act", seat=mover)
    return match_of(before, table.number - 1), match_of(table.state, table.number), entry


def told(rules: Any, before: Match, after: Match, entry: JournalRow, seats: Seats) -> list[bytes]:
    """All that somebody gets to see of a step, on the socket and over HTTP."""
    sights = [Sight[View](rules, match, seats, (True, False)) for match in (before, after)]
    voice = GameVoice(lambda: NOW)
    step = StepSeen(rules, Update(before, after, entry), *reversed(sights))
    return [
        *voice.step(step),
        *voice.arrived(sights[1], None),
        *voice.presence(sights[1], (True, True)),
        msgspec.json.encode(game_of(sights[1], {})),
    ]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_told_is_made_of_what_is_seen(seed: int) -> None:
    compared = 0
    for before, after, entry in steps(seed):
        sealed = [
            msgspec.structs.replace(each, state=Sealed(each.state)) for each in (before, after)
        ]
        for seats in VIEWERS:
            plain = told(RULES, before, after, entry, seats)
            assert told(SealedRules(), sealed[0], sealed[1], entry, seats) == plain
            compared += len(plain)
    assert compared


@pytest.mark.parametrize("seed", range(4))
def test_of_a_step_all_are_told_the_same_where_the_voice_says_so(seed: int) -> None:
    """So that it is made once, however many listen."""
    voice = GameVoice(lambda: NOW)
    assert "act" in voice.alike
    assert "start" not in voice.alike
    for before, after, entry in steps(seed):
        frames = {
            tuple(
                voice.step(
                    StepSeen(
                        RULES,
                        Update(before, after, entry),
                        Sight[View](RULES, after, seats, (True, True)),
                    )
                )
            )
            for seats in VIEWERS
        }
        assert len(frames) == 1
