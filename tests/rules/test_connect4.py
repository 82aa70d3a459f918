"""Connect 4, case by case: drops, ends, claims, and the order in which they are refused."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from parlour.games.api import Dice, Env, Loaded, Outcome, Seat
from parlour.games.connect4 import RULES
from parlour.games.connect4.rules import (
    Action,
    Claim,
    Drop,
    Move,
    Options,
    State,
    grid,
    heights,
    history,
    winning_cells,
)
from tests.rules.refusals import refusal

NOW = 1_700_000_000_000
DRAWN = "021502303610232351235414544062346666450151"
WON_BY_THE_LAST_DISC = "123615046113131330226523645522460454406005"


def env(now: int = NOW, seen: tuple[int | None, int | None] = (None, None)) -> Env:
    return Env(now, Dice(b"lots", 1), seen)


def start(starter: Seat | None = 0) -> State:
    return RULES.setup(Options(starter=starter), env())


def play(columns: str, starter: Seat = 0) -> State:
    """The columns in turn, a second apart."""
    state = start(starter)
    for number, column in enumerate(columns, start=1):
        state = RULES.act(state, state.turn, Drop(int(column)), env(NOW + 1000 * number)).state
    return state


@pytest.mark.spec("E8", "E9", "E10", "E11", "E23", "E24", "E27", "A73")
def test_discs_pile_up_and_turns_alternate() -> None:
    state = play("3342")
    assert heights(state) == (0, 0, 1, 2, 1, 0, 0)
    assert grid(state)[0] == (None, None, 1, 0, 0, None, None)
    assert grid(state)[1] == (None, None, None, 1, None, None, None)
    assert state.turn == 0
    assert RULES.outcome(state) is None


@pytest.mark.spec("A28", "A42")
def test_the_state_tells_its_own_history() -> None:
    assert history(play("334", starter=1)) == (
        Move(number=1, seat=1, column=3, row=0, at=NOW + 1000),
        Move(number=2, seat=0, column=3, row=1, at=NOW + 2000),
        Move(number=3, seat=1, column=4, row=0, at=NOW + 3000),
    )


@pytest.mark.spec("E22")
@pytest.mark.parametrize("starter", [0, 1])
def test_the_starter_may_be_named(starter: Seat) -> None:
    state = start(starter)
    assert state.turn == starter
    assert RULES.legal(RULES.view(state, starter)) == tuple(Drop(column) for column in range(7))
    assert RULES.legal(RULES.view(state, 1 - starter)) == ()
    assert RULES.legal(RULES.view(state, None)) == ()


def test_the_starter_is_drawn_by_lot() -> None:
    starters = [RULES.setup(Options(), Env(NOW, Dice(b"lots", n))).turn for n in range(200)]
    assert 60 < sum(starters) < 140


WINS = [
    ("along the bottom", "4626553", 0, ((0, 2), (0, 3), (0, 4), (0, 5))),
    (
        "along the top, from the left edge",
        "202013312312011251024036663063",
        1,
        ((5, 0), (5, 1), (5, 2), (5, 3)),
    ),
    ("up the left edge", "0101010", 0, ((0, 0), (1, 0), (2, 0), (3, 0))),
    ("up into the top right corner", "4666064636", 1, ((2, 6), (3, 6), (4, 6), (5, 6))),
    ("rising from the corner", "01122323363", 0, ((0, 0), (1, 1), (2, 2), (3, 3))),
    ("rising to the corner", "6445556661456634051303", 1, ((2, 3), (3, 4), (4, 5), (5, 6))),
    ("falling to the corner", "65544343303", 0, ((3, 3), (2, 4), (1, 5), (0, 6))),
    ("falling from the corner", "12103240005120210534351", 0, ((5, 0), (4, 1), (3, 2), (2, 3))),
    ("five at once", "502532154", 0, ((0, 1), (0, 2), (0, 3), (0, 4), (0, 5))),
    (
        "two lines at once",
        "40664621552455603",
        0,
        ((0, 2), (0, 3), (0, 4), (1, 4), (0, 5), (2, 5), (0, 6), (3, 6)),
    ),
]


@pytest.mark.spec("E15", "E20", "E25", "E37", "A50", "A66", "A74")
@pytest.mark.parametrize(
    ("columns", "winner", "cells"),
    [pytest.param(*rest, id=name) for name, *rest in WINS],
)
def test_four_in_a_row_wins(columns: str, winner: Seat, cells: tuple[tuple[int, int], ...]) -> None:
    before = play(columns[:-1])
    assert RULES.outcome(before) is None
    assert winning_cells(before) == ()
    won = play(columns)
    assert RULES.outcome(won) == Outcome(winner, "CONNECT4")
    assert winning_cells(won) == cells
    assert won.turn == winner
    assert RULES.legal(RULES.view(won, winner)) == ()


@pytest.mark.spec("E18", "E20", "E26", "E37", "A51", "A67", "A74")
def test_a_full_board_is_a_draw() -> None:
    before = play(DRAWN[:-1])
    assert RULES.outcome(before) is None
    drawn = play(DRAWN)
    assert RULES.outcome(drawn) == Outcome(None, "BOARD_FULL")
    assert drawn.turn == before.turn
    assert heights(drawn) == (6,) * 7


@pytest.mark.spec("A67")
def test_the_last_disc_may_win() -> None:
    won = play(WON_BY_THE_LAST_DISC)
    assert heights(won) == (6,) * 7
    assert RULES.outcome(won) == Outcome(1, "CONNECT4")


@pytest.mark.spec("A54", "A55", "A76", "A78", "A79", "E21")
@pytest.mark.parametrize("claimer", [0, 1])
def test_the_win_is_claimed_from_one_unseen_for_too_long(claimer: Seat) -> None:
    state = play("33")
    unseen: dict[int | None, str] = {
        None: "OPPONENT_NOT_ABANDONED",
        NOW: "OPPONENT_NOT_ABANDONED",
        NOW - 30_000: "OPPONENT_NOT_ABANDONED",
    }
    for seen, code in unseen.items():
        sightings = (NOW, seen) if claimer == 0 else (seen, NOW)
        assert refusal(RULES, state, claimer, Claim(), env(seen=sightings)) == code
    gone = env(seen=(NOW, NOW - 30_001) if claimer == 0 else (NOW - 30_001, NOW))
    claimed = RULES.act(state, claimer, Claim(), gone).state
    assert RULES.outcome(claimed) == Outcome(claimer, "ABANDONED")
    assert (claimed.red, claimed.yellow, claimed.turn) == (state.red, state.yellow, state.turn)


@pytest.mark.parametrize("claimer", [0, 1])
def test_a_claim_is_offered_from_the_instant_on_at_which_it_holds(claimer: Seat) -> None:
    state = start()
    seen = (None, NOW) if claimer == 0 else (NOW, None)
    (claim,) = RULES.claims(RULES.view(state, claimer), seen)
    assert claim.at is not None
    at = env(claim.at, seen)
    assert RULES.outcome(RULES.act(state, claimer, claim.action, at).state) is not None
    early = env(claim.at - 1, seen)
    assert refusal(RULES, state, claimer, claim.action, early) == "OPPONENT_NOT_ABANDONED"
    assert RULES.claims(RULES.view(state, 1 - claimer), seen) == ()


@pytest.mark.spec("A54")
def test_how_long_is_too_long_is_an_option() -> None:
    state = RULES.setup(Options(starter=0, abandon_ms=100), env())
    assert refusal(RULES, state, 0, Claim(), env(seen=(NOW, NOW - 100))) == "OPPONENT_NOT_ABANDONED"
    assert RULES.act(state, 0, Claim(), env(seen=(NOW, NOW - 101))).state.outcome is not None


HERE = (NOW, NOW)
GONE = (NOW - 30_001, NOW - 30_001)
FULL_COLUMN = "333333"


@pytest.mark.spec("A59", "A62", "A63", "A64", "A65", "A77", "A78", "E12", "E13", "E14", "E37")
@pytest.mark.parametrize(
    ("columns", "seat", "action", "seen", "code"),
    [
        # Each row is also wrong in all that is looked at later.
        (DRAWN, 1, Drop(7), GONE, "GAME_NOT_ACTIVE"),
        (DRAWN, 1, Claim(), GONE, "GAME_NOT_ACTIVE"),
        (FULL_COLUMN, 1, Drop(7), GONE, "USE_CLAIM_ABANDONED_ENDPOINT"),
        (FULL_COLUMN, 0, Drop(0), GONE, "USE_CLAIM_ABANDONED_ENDPOINT"),
        (FULL_COLUMN, 1, Drop(7), HERE, "NOT_YOUR_TURN"),
        (FULL_COLUMN, 1, Drop(3), HERE, "NOT_YOUR_TURN"),
        (FULL_COLUMN, 0, Drop(7), HERE, "INVALID_COLUMN"),
        (FULL_COLUMN, 0, Drop(-1), HERE, "INVALID_COLUMN"),
        (FULL_COLUMN, 0, Drop(-7), HERE, "INVALID_COLUMN"),
        (FULL_COLUMN, 0, Drop(10**30), HERE, "INVALID_COLUMN"),
        (FULL_COLUMN, 0, Drop(-(10**30)), HERE, "INVALID_COLUMN"),
        (FULL_COLUMN, 0, Drop(3), HERE, "COLUMN_FULL"),
        (FULL_COLUMN, 0, Claim(), HERE, "OPPONENT_NOT_ABANDONED"),
    ],
)
def test_refusals_and_their_order(
    columns: str, seat: Seat, action: Action, seen: tuple[int, int], code: str
) -> None:
    assert refusal(RULES, play(columns), seat, action, env(seen=seen)) == code


def test_a_second_claim_finds_the_game_over() -> None:
    gone = env(seen=(NOW, NOW - 30_001))
    claimed = RULES.act(play("3"), 0, Claim(), gone).state
    assert refusal(RULES, claimed, 0, Claim(), gone) == "GAME_NOT_ACTIVE"


@pytest.mark.spec("A147")
def test_there_is_no_clock_and_coming_and_going_changes_nothing() -> None:
    state = play("33")
    assert RULES.deadline(state) is None
    assert RULES.presence(state, 0, False, env()).state is state
    assert RULES.presence(state, 0, True, env()).state is state


def test_actions_decode_from_their_tagged_form() -> None:
    decode = msgspec.json.Decoder(RULES.action_type).decode
    assert decode(b'{"type":"drop","column":3}') == Drop(3)
    assert decode(b'{"type":"drop","column":-99999999999999999999}') == Drop(-(10**20) + 1)
    assert decode(b'{"type":"claim"}') == Claim()
    for junk in (b'{"type":"drop","column":3.5}', b'{"type":"drop","column":true}', b"{}"):
        with pytest.raises(msgspec.ValidationError):
            decode(junk)


# --- from the store ---------------------------------------------------------------------------


def stored(**damage: object) -> bytes:
    """A game of four discs as it is kept, but for what something else has written into it."""
    return msgspec.json.encode(msgspec.to_builtins(play("3342")) | damage)


def cell(row: int, column: int) -> int:
    return 1 << 7 * column + row


def test_a_state_is_loaded_as_it_was() -> None:
    for columns in ("", "3342", DRAWN, WON_BY_THE_LAST_DISC):
        assert RULES.load(msgspec.json.encode(play(columns))) == Loaded(play(columns))


@pytest.mark.spec("A41", "A49")
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"yellow": cell(0, 3)}, "a cell is taken twice"),
        ({"yellow": cell(6, 0)}, "a disc lies outside the board"),
        ({"yellow": cell(0, 7)}, "a disc lies outside the board"),
        ({"red": -1}, "a disc lies outside the board"),
        ({"yellow": cell(1, 0)}, "a disc has nothing below it"),
        ({"yellow": cell(5, 3)}, "a disc has nothing below it"),
        ({"turn": 2}, "it is nobody's turn"),
        ({"turn": -1}, "it is nobody's turn"),
        ({"moves": [[0, NOW]]}, "there is no disc for one of the moves"),
        ({"moves": [[3, NOW]] * 3}, "there is no disc for one of the moves"),
        ({"moves": [[-1, NOW]]}, "there is no disc for one of the moves"),
        ({"moves": [[7, NOW]]}, "there is no disc for one of the moves"),
        ({"moves": [["3", NOW]]}, r"Expected `int`, got `str` - at `\$.moves"),
        ({"red": "1"}, r"Expected `int`, got `str` - at `\$.red`"),
        ({"red": "1", "moves": None}, "Expected"),
    ],
    ids=str,
)
def test_a_state_that_cannot_be_is_said_to_be_one(damage: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RULES.load(stored(**damage))


@pytest.mark.spec("A43")
@pytest.mark.parametrize("moves", [None, True, 7, 0.5, "[]", {}, {"0": [3, NOW]}], ids=str)
def test_moves_that_are_no_list_are_lost_and_nothing_else(moves: object) -> None:
    assert RULES.load(stored(moves=moves)) == Loaded(replace(play("3342"), moves=()), "moves")


@pytest.mark.spec("A43")
def test_a_game_whose_moves_were_lost_ends_as_it_would_have() -> None:
    for columns in (DRAWN, WON_BY_THE_LAST_DISC, "3344556"):
        state = replace(play(columns[:-2]), moves=())
        for column in columns[-2:]:
            state = RULES.act(state, state.turn, Drop(int(column)), env()).state
        whole = play(columns)
        assert RULES.outcome(state) == RULES.outcome(whole) is not None
        assert [(move.seat, move.column, move.row) for move in history(state)] == [
            (move.seat, move.column, move.row) for move in history(whole)[-2:]
        ]


def test_who_is_to_move_when_the_time_for_a_move_is_up_loses() -> None:
    state = RULES.setup(Options(starter=0, move_ms=30_000), env())
    assert RULES.deadline(state) == NOW + 30_000
    state = RULES.act(state, 0, Drop(3), env(NOW + 29_999)).state
    assert RULES.deadline(state) == NOW + 29_999 + 30_000
    over = RULES.expire(state, env(NOW + 60_000, (NOW + 60_000, NOW + 60_000))).state
    assert RULES.outcome(over) == Outcome(0, "TIMEOUT")
    assert RULES.deadline(over) is None
    assert refusal(RULES, over, 1, Drop(3), env(NOW + 60_001)) == "GAME_NOT_ACTIVE"


def test_nobody_loses_on_time_to_somebody_who_is_gone() -> None:
    state = RULES.setup(Options(starter=0, move_ms=60_000, abandon_ms=30_000), env())
    over = RULES.expire(state, env(NOW + 60_000, (NOW + 60_000, NOW + 29_999))).state
    assert RULES.outcome(over) == Outcome(0, "ABANDONED")


def test_without_a_time_for_moves_nothing_is_due_or_written_down() -> None:
    for options in (Options(), Options(move_ms=None)):
        state = RULES.setup(options, env())
        assert RULES.deadline(state) is None
        assert b"time" not in msgspec.json.encode(state)
