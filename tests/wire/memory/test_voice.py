"""What is put together of parts is the message that it stands for."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from parlour.games.api import SEATS, Seat, other
from parlour.games.memory.board import MAX_SIDE, Options, View
from parlour.games.memory.messages import Card, GameState, Holding, Player, ServerMessage
from parlour.games.memory.rules import RULES
from parlour.games.memory.voice import TableVoice
from parlour.host.sight import Sight
from parlour.play.match import Match
from parlour.store.change import SeatRow
from tests.laws.game import game_of
from tests.laws.walk import START, walk
from tests.rules.pairs import laid

NAMES = ("Ann", 'B"öb\\ 100%d')


def sight_of(state: object, seat: Seat) -> Sight[View]:
    match = Match(
        id="m",
        game=RULES.key,
        public_id="p",
        status="active",
        version=1,
        state=state,
        options=b"{}",
        seed=b"seed",
        seats=tuple(SeatRow(seat=each, name=NAMES[each], secret="s") for each in SEATS),
        created_at=START,
        updated_at=START,
    )
    return Sight(RULES, match, (seat,), (True, True))


def spelt_out(view: View, seat: Seat) -> GameState:
    """The message as its type has it."""
    seats = (seat, other(seat))
    you, opponent = (Player(NAMES[each], view.scores[each]) for each in seats)
    shows_ms = view.options.countdown_show_ms
    return GameState(
        cards=tuple(
            Card(
                index=card.index,
                pair_id=UNSET if card.pair_id is None else card.pair_id,
                state=card.state,
                matched_by=UNSET
                if card.matched_by is None
                else ("you" if card.matched_by == seat else "opponent"),
            )
            for card in view.cards
        ),
        you=you,
        opponent=opponent,
        your_turn=view.turn == seat,
        hand=tuple(Holding(held.power_up_id, held.count, held.count) for held in view.hand),
        flipped_indices=view.flipped,
        phase=view.phase,
        highlight_indices=view.highlight or UNSET,
        turn_ends_at_unix_ms=UNSET if view.turn_ends_at is None else view.turn_ends_at,
        turn_countdown_show_sec=(shows_ms / 1000 if shows_ms % 1000 else shows_ms // 1000)
        if view.options.turn_limit_ms
        else UNSET,
    )


def told(sight: Sight[View]) -> bytes:
    _, state, *_ = TableVoice().arrived(sight)
    msgspec.json.decode(state, type=ServerMessage)
    return state


@pytest.mark.parametrize("seed", range(6))
def test_states_of_whole_games(seed: int) -> None:
    for table, _ in walk(RULES, game_of(RULES.key), seed):
        for seat in SEATS:
            sight = sight_of(table.state, seat)
            assert told(sight) == msgspec.json.encode(spelt_out(sight.view, seat))


@pytest.mark.parametrize(
    "options",
    [
        Options(turn_limit_ms=0),
        Options(countdown_show_ms=2_500),
        Options(rows=MAX_SIDE, cols=MAX_SIDE),
    ],
)
def test_states_of_other_tables(options: Options) -> None:
    pairs = options.rows * options.cols // 2
    layout = " ".join(f"{pair} {pair}" for pair in range(pairs))
    state = laid(layout, options, unveiled=True, known=(0,), flipped=(0,))
    last = RULES.view(state, 0).cards[-1].index
    state = replace(
        state, cards=(*state.cards[:last], replace(state.cards[last], state="revealed"))
    )
    for seat in SEATS:
        sight = sight_of(state, seat)
        assert (sight.view.highlight != ()) == (seat == 0)
        assert told(sight) == msgspec.json.encode(spelt_out(sight.view, seat))
