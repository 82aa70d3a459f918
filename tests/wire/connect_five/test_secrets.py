"""What players are told is made of their views: the state, the seed and secrets reach nothing."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from parlour.games.api import SEATS, Millis, Outcome, Seat
from parlour.games.connect_five.answers import snapshot
from parlour.games.connect_five.events import events_of
from parlour.games.connect_five.news import MatchVoice
from parlour.games.connect_five.numbers import MatchNumbers
from parlour.games.connect_five.rules import RULES, ConnectFive
from parlour.games.connect_five.said import moved, purchased
from parlour.games.connect_five.table import State, View
from parlour.host.sight import Sight, StepSeen
from parlour.net.paging import Cut
from parlour.play.match import Match, Update
from parlour.store.change import JournalRow, SeatRow
from tests.laws.game import game_of
from tests.laws.walk import START, Table, walk
from tests.servers.parlour import Served
from tests.wire.connect_five.people import Person, playing, win

HERE = (False, False)


class Sealed:
    """A state of which nothing can be read."""

    __slots__ = ()


class Custodian(ConnectFive):
    """The rules, which alone know what lies under the seal."""

    def __init__(self, state: State) -> None:
        self._state = state

    def view(self, state: State | Sealed, seat: Seat | None) -> View:
        return super().view(self._opened(state), seat)

    def turn(self, state: State | Sealed) -> Seat | None:
        return super().turn(self._opened(state))

    def outcome(self, state: State | Sealed) -> Outcome | None:
        return super().outcome(self._opened(state))

    def deadline(self, state: State | Sealed) -> Millis | None:
        return super().deadline(self._opened(state))

    def _opened(self, state: State | Sealed) -> State:
        assert isinstance(state, Sealed)
        return self._state


def sealed(match: Match) -> Match:
    """The same match to all who may not look beneath."""
    seats = tuple(msgspec.structs.replace(row, secret="another secret") for row in match.seats)
    return msgspec.structs.replace(match, state=Sealed(), seed=b"another seed", seats=seats)


NUMBERS = MatchNumbers(1, 2, (3, 4))


def match_of(table: Table) -> Match:
    ended = RULES.outcome(table.state)
    return Match(
        id="m",
        game=RULES.key,
        public_id="p",
        status="active" if ended is None else "finished",
        version=table.number,
        state=table.state,
        options=b"{}",
        seed=table.seed,
        seats=tuple(
            SeatRow(seat=seat, user_id=f"u{seat}", name="?", sole=False, secret=f"s{seat}")
            for seat in SEATS
        ),
        created_at=START,
        updated_at=table.now,
        ended_at=table.now if ended else None,
        winner=ended.winner if ended else None,
        reason=ended.reason if ended else None,
        escrow_id="e",
    )


def told(rules: ConnectFive, match: Match, seat: Seat, voice: MatchVoice) -> Iterator[bytes]:
    """Every answer and every frame by which that seat hears of a match."""
    sight: Sight[View] = Sight(rules, match, (seat,), HERE)
    for shown in (snapshot, moved, purchased):
        yield msgspec.json.encode(shown(sight, NUMBERS, START, "TNB"))
    entry = JournalRow(match_id=match.id, version=match.version, at=START, kind="act", seat=0)
    step: StepSeen[View] = StepSeen.of(rules, Update(match, match, entry), (seat,), HERE)
    voice.numbers[match.id] = NUMBERS
    yield from voice.step(step)
    yield from voice.presence(sight, HERE)


@pytest.mark.parametrize("seed", range(4))
def test_answers_and_frames_are_made_of_views(seed: int) -> None:
    voice = MatchVoice(lambda: START, "TNB")
    ended = False
    for table, _ in walk(RULES, game_of(RULES.key), seed):
        match, custodian = match_of(table), Custodian(table.state)
        ended |= match.over
        for seat in SEATS:
            plain = list(told(RULES, match, seat, voice))
            assert list(told(custodian, sealed(match), seat, voice)) == plain
            assert len(plain) == 4
    assert ended


def test_the_audit_log_is_made_of_what_players_may_know(
    served: Served, ann_and_bob: tuple[Person, Person]
) -> None:
    shown, first, second = playing(*ann_and_bob)
    second.buy(shown, "H2")
    win(shown, first, second)
    store = served.services.store
    match = served.run(served.services.kernel.finder.find(shown["uuid"]))
    assert match is not None
    plain, hidden = (
        served.run(events_of(store, Sight(rules, each, (0,), HERE), NUMBERS, Cut(1, 100)))
        for rules, each in ((RULES, match), (Custodian(match.state), sealed(match)))
    )
    assert hidden == plain
    (started,) = (each for each in plain[0] if each.event_type == "match_started")
    assert started.payload["active_player"].uuid == first.uuid
