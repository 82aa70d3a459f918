"""Memory's deadlines: turns, absences, and what happens when several are due."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.games.api import Outcome
from parlour.games.memory.board import Options, State
from parlour.games.memory.rules import RULES, Flip, TurnTimedOut
from tests.rules.pairs import (
    NOBODY_AWAY,
    env,
    expired,
    flips,
    holding,
    laid,
    open_cards,
    use,
)


def gone(state: State, seat: int, now: int) -> State:
    return RULES.presence(state, seat, False, env(now)).state


def back(state: State, seat: int, now: int) -> State:
    return RULES.presence(state, seat, True, env(now)).state


# --- turns ------------------------------------------------------------------------------------


@pytest.mark.spec("B70", "B93")
def test_a_turn_that_takes_too_long_passes_with_open_cards_hidden() -> None:
    for state in (laid(), flips(laid(), 3)):
        assert RULES.deadline(state) == 60_000
        step = expired(state)
        assert step.events == (TurnTimedOut(0),)
        after = step.state
        assert (after.turn, after.phase, after.flipped) == (1, "first_flip", ())
        assert open_cards(after) == set()
        assert RULES.deadline(after) == 120_000


@pytest.mark.spec("B70")
def test_without_a_limit_a_turn_takes_as_long_as_it_likes() -> None:
    options = Options(turn_limit_ms=0)
    state = RULES.setup(options, env(5))
    assert RULES.deadline(state) is None
    state = flips(laid(options=options), 8, 9, 0, 2, now=7)
    assert RULES.deadline(state) == 1_007
    state = expired(state).state
    assert RULES.deadline(state) is None
    assert RULES.deadline(back(gone(state, 0, 2_000), 0, 3_000)) is None


@pytest.mark.spec("B93")
def test_the_clock_starts_again_with_a_pair_and_with_the_turn_but_not_between_flips() -> None:
    state = flips(laid(), 0, now=10_000)
    assert state.turn_ends_at == 60_000
    state = flips(state, 1, now=20_000)
    assert state.turn_ends_at == 80_000
    state = flips(state, 2, 4, now=30_000)
    assert (state.turn_ends_at, state.turn_left_ms) == (None, None)
    state = RULES.expire(state, env(31_234)).state
    assert (state.turn, state.turn_ends_at) == (1, 91_234)


@pytest.mark.spec("B93")
def test_a_view_tells_when_the_turn_ends() -> None:
    view = RULES.view(laid(), 0)
    assert view.turn_ends_at == 60_000
    assert (view.options.turn_limit_ms, view.options.countdown_show_ms) == (60_000, 30_000)


@pytest.mark.spec("B62", "B70", "B72", "B73", "B74", "B75", "B79")
def test_every_span_of_time_is_an_option() -> None:
    options = Options(turn_limit_ms=7, reveal_ms=2, clairvoyance_ms=3, reconnect_ms=5)
    state = RULES.setup(options, env(100))
    assert RULES.deadline(state) == 107
    state = holding("clairvoyance", state=laid(options=options))
    assert RULES.deadline(use(state, "clairvoyance", 0, now=100)) == 7
    assert use(state, "clairvoyance", 0, now=100).glimpses[0].until == 103
    assert RULES.deadline(flips(state, 0, 2, now=100)) == 102
    assert RULES.deadline(gone(state, 0, now=1)) == 6


def test_a_flip_just_before_the_end_of_a_turn_does_not_prolong_it() -> None:
    state = flips(laid(), 0, now=59_999)
    assert RULES.deadline(state) == 60_000


def test_nothing_expires_early() -> None:
    with pytest.raises(ValueError, match="nothing is due"):
        RULES.expire(laid(), env(59_999))


# --- absences ---------------------------------------------------------------------------------


@pytest.mark.spec("B23", "B72", "B92")
@pytest.mark.parametrize("seat", [0, 1])
def test_who_does_not_return_in_time_loses_unrated(seat: int) -> None:
    state = gone(laid(), seat, 10_000)
    assert state.away_until[seat] == 130_000
    assert RULES.deadline(state) == 130_000
    assert RULES.view(state, 1 - seat).away_until[seat] == 130_000
    after = expired(state).state
    assert RULES.outcome(after) == Outcome(
        1 - seat, "opponent_disconnected", rated=False, scores=(0, 0)
    )
    assert RULES.deadline(after) is None


@pytest.mark.spec("B92")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_turns_clock_stands_still_meanwhile(seat: int) -> None:
    state = gone(laid(), seat, 10_000)
    assert (state.turn_ends_at, state.turn_left_ms) == (None, 50_000)
    state = back(state, seat, 100_000)
    assert (state.turn_ends_at, state.turn_left_ms) == (150_000, None)
    assert state.away_until == NOBODY_AWAY
    assert RULES.deadline(state) == 150_000


def test_the_one_who_is_here_may_play_its_turn_meanwhile() -> None:
    state = flips(gone(laid(), 1, 10_000), 0, 1, now=20_000)
    assert (state.scores, state.turn_left_ms) == ((1, 0), 60_000)
    state = flips(state, 2, 4, now=30_000)
    assert RULES.deadline(state) == 31_000
    state = expired(state).state
    assert (state.turn, state.turn_ends_at, state.turn_left_ms) == (1, None, 60_000)
    assert RULES.deadline(state) == 130_000
    state = back(state, 1, 40_000)
    assert state.turn_ends_at == 100_000


def test_cards_shown_for_a_while_are_hidden_on_time_even_if_somebody_is_away() -> None:
    state = gone(use(holding("clairvoyance"), "clairvoyance", 0), 0, 500)
    assert RULES.deadline(state) == 2_000
    assert open_cards(expired(state).state) == set()


def test_going_while_two_cards_are_showing_lets_them_be_hidden() -> None:
    state = gone(flips(laid(), 0, 2, now=1_000), 0, 1_500)
    assert RULES.deadline(state) == 2_000
    state = expired(state).state
    assert (state.turn, state.turn_left_ms) == (1, 60_000)
    assert back(state, 0, 9_000).turn_ends_at == 69_000


@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0)])
def test_if_both_are_gone_the_one_whose_window_ends_first_loses(first: int, second: int) -> None:
    state = gone(gone(laid(), first, 10_000), second, 11_000)
    assert state.turn_left_ms == 50_000
    assert RULES.deadline(state) == 130_000
    after = expired(state).state
    assert RULES.outcome(after) == Outcome(
        second, "opponent_disconnected", rated=False, scores=(0, 0)
    )


def test_the_clock_waits_for_both() -> None:
    state = gone(gone(laid(), 0, 10_000), 1, 11_000)
    state = back(state, 0, 20_000)
    assert (state.turn_ends_at, state.turn_left_ms) == (None, 50_000)
    assert RULES.deadline(state) == 131_000
    state = back(state, 1, 30_000)
    assert (state.turn_ends_at, state.turn_left_ms) == (80_000, None)


def test_going_twice_or_coming_back_without_having_gone_changes_nothing() -> None:
    state = laid()
    assert back(state, 0, 5) is state
    away = gone(state, 0, 10)
    assert gone(away, 0, 20) is away
    assert back(away, 1, 20) is away


def test_each_absence_has_a_window_of_its_own() -> None:
    state = back(gone(laid(), 0, 10_000), 0, 20_000)
    state = gone(state, 0, 30_000)
    assert state.away_until[0] == 150_000


# --- several at once --------------------------------------------------------------------------


def test_what_is_due_first_happens_first_however_late_it_is_noticed() -> None:
    state = use(holding("clairvoyance"), "clairvoyance", 0, now=0)
    late = env(500_000)
    step = RULES.expire(state, late)
    assert step.events == ()
    assert (open_cards(step.state), step.state.turn) == (set(), 0)
    step = RULES.expire(step.state, late)
    assert step.events == (TurnTimedOut(0),)
    assert RULES.deadline(step.state) == 560_000


def test_at_the_same_time_cards_are_hidden_before_a_turn_ends() -> None:
    options = Options(clairvoyance_ms=60_000)
    state = use(holding("clairvoyance", state=laid(options=options)), "clairvoyance", 0)
    assert RULES.deadline(state) == state.turn_ends_at == 60_000
    step = expired(state)
    assert (step.events, step.state.turn, open_cards(step.state)) == ((), 0, set())
    assert RULES.deadline(step.state) == 60_000


def test_after_a_late_hiding_the_next_turn_is_whole() -> None:
    state = expired(flips(laid(), 0, 2), late_ms=7_000).state
    assert state.turn_ends_at == 8_000 + 60_000


def test_an_action_at_the_very_end_of_a_turn_is_judged_by_the_turn_alone() -> None:
    # Play steps what is due before it hears an action: the rules themselves know no lateness.
    state = replace(laid(), turn_ends_at=100)
    assert RULES.act(state, 0, Flip(0), env(100)).state.flipped == (0,)
