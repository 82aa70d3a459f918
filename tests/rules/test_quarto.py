"""Quarto, case by case: giving and placing, calling, full boards, leaving and staying away."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from parlour.games.api import Dice, Env, Millis, Outcome, Seat
from parlour.games.quarto import RULES
from parlour.games.quarto.rules import (
    Action,
    Call,
    Entry,
    Leave,
    Options,
    Place,
    Select,
    State,
    available,
    winning_line,
)
from tests.rules.refusals import refusal

NOW = 1_700_000_000_000
IN_ORDER = [(piece, piece) for piece in range(16)]
"""Piece n on position n: full of lines from the first row on."""
WITHOUT_A_LINE = list(
    zip([12, 8, 2, 7, 5, 0, 10, 4, 11, 14, 9, 3, 1, 13, 6, 15], range(16), strict=True)
)
TALL_ROW = [(8, 0), (9, 1), (10, 2), (13, 3)]


def env(now: Millis = NOW) -> Env:
    return Env(now, Dice(b"lots", 1))


def start(first: Seat | None = 0) -> State:
    return RULES.setup(Options(first=first), env())


def play(placings: Iterable[tuple[int, int]], first: Seat = 0) -> State:
    """Each (piece, position) selected by the one and placed by the other, nothing called."""
    state = start(first)
    for piece, position in placings:
        state = RULES.act(state, state.turn, Select(piece), env()).state
        state = RULES.act(state, state.turn, Place(position), env()).state
    return state


def act(state: State, action: Action, now: Millis = NOW) -> State:
    """By whoever's turn it is."""
    return RULES.act(state, state.turn, action, env(now)).state


@pytest.mark.spec("D28", "D36")
@pytest.mark.parametrize("first", [0, 1])
def test_selecting_passes_the_turn_and_placing_keeps_it(first: Seat) -> None:
    state = start(first)
    assert (state.turn, state.phase, state.selected) == (first, "selecting", None)
    state = act(state, Select(5))
    assert (state.turn, state.phase, state.selected) == (1 - first, "placing", 5)
    state = act(state, Place(10))
    assert (state.turn, state.phase, state.selected) == (1 - first, "selecting", None)
    assert state.board == (None,) * 10 + (5,) + (None,) * 5


def test_who_selects_first_is_drawn_by_lot() -> None:
    firsts = [RULES.setup(Options(), Env(NOW, Dice(b"lots", n))).turn for n in range(200)]
    assert 60 < sum(firsts) < 140


@pytest.mark.spec("D26", "D27")
def test_a_piece_is_available_until_it_is_placed() -> None:
    state = start()
    assert available(state) == tuple(range(16))
    state = act(state, Select(0))
    assert available(state) == tuple(range(16))
    state = act(state, Place(0))
    assert available(state) == tuple(range(1, 16))
    assert len(state.board) == 16


@pytest.mark.spec("D30")
def test_history_tells_what_was_done_and_when() -> None:
    state = start()
    for number, (piece, position) in enumerate(TALL_ROW):
        state = act(state, Select(piece), NOW + 10 * number)
        state = act(state, Place(position), NOW + 10 * number + 5)
    state = act(state, Call(), NOW + 99)
    assert state.history[:2] == (
        Entry("select", 0, 8, None, NOW),
        Entry("place", 1, 8, 0, NOW + 5),
    )
    assert state.history[-1] == Entry("quarto", 0, None, None, NOW + 99)
    assert len(state.history) == 9


@pytest.mark.spec("D29", "D43")
def test_a_line_wins_when_it_is_called() -> None:
    state = play(TALL_ROW)
    assert RULES.outcome(state) is None
    assert winning_line(state) is None
    won = act(state, Call())
    assert RULES.outcome(won) == Outcome(0, "quarto")
    assert winning_line(won) == (0, 1, 2, 3)


@pytest.mark.spec("D43")
def test_an_uncalled_line_may_be_called_on_any_later_turn_by_either() -> None:
    state = play(TALL_ROW)
    given = act(state, Select(0))
    assert act(given, Call()).outcome == Outcome(1, "quarto")
    placed = act(given, Place(4))
    assert act(placed, Call()).outcome == Outcome(1, "quarto")
    assert act(act(placed, Select(1)), Call()).outcome == Outcome(0, "quarto")


@pytest.mark.spec("D35")
@pytest.mark.parametrize("placings", [[], TALL_ROW[:3], [(8, 0), (9, 1), (10, 2), (7, 3)]])
def test_a_false_call_is_refused_and_costs_nothing(placings: list[tuple[int, int]]) -> None:
    state = play(placings)
    assert refusal(RULES, state, state.turn, Call(), env()) == "NO_QUARTO"
    assert act(state, Select(15)).history[-1].type == "select"


@pytest.mark.spec("D29")
@pytest.mark.parametrize(
    ("placings", "line"),
    [
        # The last piece completes two lines at once, or one beside an older one.
        ([(8, 0), (9, 1), (10, 2), (11, 7), (12, 11), (13, 15), (14, 3)], (0, 1, 2, 3)),
        ([(8, 12), (9, 9), (10, 6), (11, 7), (12, 11), (13, 15), (14, 3)], (3, 7, 11, 15)),
        ([(8, 0), (9, 4), (10, 8), (11, 12), (12, 13), (13, 14), (14, 15)], (12, 13, 14, 15)),
        ([(8, 0), (9, 5), (10, 10), (11, 15)], (0, 5, 10, 15)),
        ([(8, 3), (9, 6), (10, 9), (11, 12)], (3, 6, 9, 12)),
    ],
)
def test_of_several_lines_the_first_counts(
    placings: list[tuple[int, int]], line: tuple[int, int, int, int]
) -> None:
    assert winning_line(act(play(placings), Call())) == line


@pytest.mark.parametrize("trait", [1, 2, 4, 8])
@pytest.mark.parametrize("has", [True, False])
def test_every_trait_makes_a_line_by_being_there_or_not(trait: int, has: bool) -> None:
    pieces = [piece for piece in range(16) if bool(piece & trait) == has]
    state = play(zip(pieces[::2], range(4), strict=True))
    assert state.line == (0, 1, 2, 3)


@pytest.mark.spec("D22")
def test_a_full_board_without_a_line_is_a_draw_at_once() -> None:
    before = play(WITHOUT_A_LINE[:-1])
    assert RULES.outcome(before) is None
    drawn = play(WITHOUT_A_LINE)
    assert RULES.outcome(drawn) == Outcome(None, "board_full")
    assert RULES.deadline(drawn) is None


def test_a_line_on_a_full_board_may_still_be_called_for_a_while() -> None:
    state = play(IN_ORDER)
    placer = state.turn
    assert RULES.outcome(state) is None
    assert RULES.deadline(state) == NOW + 30_000
    assert RULES.legal(RULES.view(state, placer)) == (Call(),)
    assert RULES.legal(RULES.view(state, 1 - placer)) == ()
    assert refusal(RULES, state, placer, Select(0), env()) == "INVALID_PIECE"
    assert refusal(RULES, state, 1 - placer, Call(), env()) == "NOT_YOUR_TURN"
    called = act(state, Call(), NOW + 29_999)
    assert RULES.outcome(called) == Outcome(placer, "quarto")
    assert RULES.deadline(called) is None


@pytest.mark.spec("D22", "D29")
def test_left_uncalled_on_a_full_board_it_is_a_draw() -> None:
    drawn = RULES.expire(play(IN_ORDER), env(NOW + 30_000)).state
    assert RULES.outcome(drawn) == Outcome(None, "uncalled")
    assert winning_line(drawn) is None
    assert RULES.deadline(drawn) is None


@pytest.mark.spec("D15")
@pytest.mark.parametrize("leaver", [0, 1])
@pytest.mark.parametrize("placings", [[], TALL_ROW, IN_ORDER])
def test_leaving_loses_whoever_s_turn_it_is(leaver: Seat, placings: list[tuple[int, int]]) -> None:
    left = RULES.act(play(placings), leaver, Leave(), env()).state
    assert RULES.outcome(left) == Outcome(1 - leaver, "forfeit")
    assert left.outcome is not None
    assert left.outcome.rated
    assert winning_line(left) is None


@pytest.mark.spec("D31", "D32", "D33", "D34", "D35", "D36", "D41", "D42", "D43")
@pytest.mark.parametrize(
    ("setting", "seat", "action", "code"),
    [
        # Each row is also wrong in all that is looked at later.
        ("ended", 1, Select(99), "GAME_ENDED"),
        ("ended", 1, Place(99), "GAME_ENDED"),
        ("ended", 1, Call(), "GAME_ENDED"),
        ("ended", 1, Leave(), "GAME_ENDED"),
        ("selecting", 0, Select(99), "NOT_YOUR_TURN"),
        ("selecting", 0, Place(99), "NOT_YOUR_TURN"),
        ("selecting", 0, Call(), "NOT_YOUR_TURN"),
        ("selecting", 1, Place(99), "WRONG_PHASE"),
        ("selecting", 1, Place(0), "WRONG_PHASE"),
        ("selecting", 1, Select(3), "INVALID_PIECE"),
        ("selecting", 1, Select(16), "INVALID_PIECE"),
        ("selecting", 1, Select(-1), "INVALID_PIECE"),
        ("selecting", 1, Select(10**30), "INVALID_PIECE"),
        ("selecting", 1, Call(), "NO_QUARTO"),
        ("placing", 1, Place(99), "NOT_YOUR_TURN"),
        ("placing", 0, Select(99), "WRONG_PHASE"),
        ("placing", 0, Select(7), "WRONG_PHASE"),
        ("placing", 0, Place(5), "INVALID_POSITION"),
        ("placing", 0, Place(16), "INVALID_POSITION"),
        ("placing", 0, Place(-1), "INVALID_POSITION"),
        ("placing", 0, Place(-(10**30)), "INVALID_POSITION"),
        ("placing", 0, Call(), "NO_QUARTO"),
    ],
)
def test_refusals_and_their_order(setting: str, seat: Seat, action: Action, code: str) -> None:
    settings = {
        "ended": act(play(TALL_ROW), Call()),
        "selecting": play([(3, 5)]),
        "placing": act(play([(3, 5)]), Select(7)),
    }
    assert refusal(RULES, settings[setting], seat, action, env()) == code


@pytest.mark.spec("D45")
def test_players_may_take_their_time() -> None:
    assert RULES.deadline(start()) is None
    assert RULES.deadline(play(TALL_ROW)) is None


@pytest.mark.spec("D46", "D47", "D51")
@pytest.mark.parametrize("seat", [0, 1])
def test_staying_away_for_the_whole_window_loses(seat: Seat) -> None:
    state = play(TALL_ROW)
    away = RULES.presence(state, seat, False, env(NOW + 500)).state
    assert RULES.deadline(away) == NOW + 500 + 120_000
    lost = RULES.expire(away, env(NOW + 500 + 120_000)).state
    assert RULES.outcome(lost) == Outcome(1 - seat, "timeout")
    assert lost.outcome is not None
    assert lost.outcome.rated
    assert RULES.deadline(lost) is None


@pytest.mark.spec("D46", "D49")
def test_coming_back_closes_the_window_and_play_goes_on_meanwhile() -> None:
    away = RULES.presence(start(), 0, False, env()).state
    played = RULES.act(away, 0, Select(3), env()).state
    played = RULES.act(played, 1, Place(3), env()).state
    assert RULES.deadline(played) == NOW + 120_000
    back = RULES.presence(played, 0, True, env(NOW + 119_999)).state
    assert RULES.deadline(back) is None
    assert back.board == played.board


def test_news_that_is_no_news_changes_nothing_at_all() -> None:
    state = start()
    assert RULES.presence(state, 0, True, env()).state is state
    away = RULES.presence(state, 0, False, env()).state
    assert RULES.presence(away, 0, False, env(NOW + 5)).state is away
    ended = act(play(TALL_ROW), Call())
    assert RULES.presence(ended, 0, False, env()).state is ended


@pytest.mark.spec("D47")
@pytest.mark.parametrize(("first_to_go", "winner"), [(0, 1), (1, 0)])
def test_if_both_are_away_the_window_that_ends_first_decides(
    first_to_go: Seat, winner: Seat
) -> None:
    state = RULES.presence(start(), first_to_go, False, env()).state
    state = RULES.presence(state, 1 - first_to_go, False, env(NOW + 1)).state
    assert RULES.deadline(state) == NOW + 120_000
    # Even if it is noticed only after both have ended.
    ended = RULES.expire(state, env(NOW + 999_999)).state
    assert RULES.outcome(ended) == Outcome(winner, "timeout")


def test_two_windows_that_end_together_are_a_draw() -> None:
    state = RULES.presence(start(), 0, False, env()).state
    state = RULES.presence(state, 1, False, env()).state
    ended = RULES.expire(state, env(NOW + 120_000)).state
    assert RULES.outcome(ended) == Outcome(None, "timeout")


def test_the_final_call_ends_in_a_draw_whether_or_not_the_placer_is_there() -> None:
    state = play(IN_ORDER)
    away = RULES.presence(state, state.turn, False, env()).state
    assert RULES.deadline(away) == NOW + 30_000
    drawn = RULES.expire(away, env(NOW + 30_000)).state
    assert RULES.outcome(drawn) == Outcome(None, "uncalled")


def test_the_windows_are_options() -> None:
    options = Options(first=0, reconnect_ms=7, final_call_ms=3)
    state = RULES.setup(options, env())
    assert RULES.deadline(RULES.presence(state, 1, False, env()).state) == NOW + 7
    for piece, position in IN_ORDER:
        state = act(act(state, Select(piece)), Place(position))
    assert RULES.deadline(state) == NOW + 3


def test_nothing_expires_before_its_time() -> None:
    with pytest.raises(AssertionError):
        RULES.expire(start(), env())
    away = RULES.presence(start(), 0, False, env()).state
    with pytest.raises(AssertionError):
        RULES.expire(away, env(NOW + 119_999))


@pytest.mark.spec("D12", "D13", "D14", "D15")
def test_actions_decode_from_their_tagged_form() -> None:
    decode = msgspec.json.Decoder(RULES.action_type).decode
    assert decode(b'{"type":"select","piece":15}') == Select(15)
    assert decode(b'{"type":"place","position":-3}') == Place(-3)
    assert decode(b'{"type":"call"}') == Call()
    assert decode(b'{"type":"leave"}') == Leave()
    for junk in (b'{"type":"select","piece":"5"}', b'{"type":"place"}', b'{"type":"resign"}'):
        with pytest.raises(msgspec.ValidationError):
            decode(junk)
