"""What a player hears of a match: the one place that turns matches and steps into messages.

Everything is made out of the view of the one who hears it, so what that view lacks cannot be said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from parlour.games.api import Millis, Seat, other
from parlour.games.memory.messages import (
    Card,
    Error,
    GameOver,
    GameState,
    Holding,
    MatchFound,
    OpponentDisconnected,
    OpponentReconnected,
    OpponentReconnecting,
    Player,
    PowerUpUsed,
    Result,
    TurnTimeout,
    frame,
)
from parlour.games.memory.rules import RULES, TurnTimedOut
from parlour.games.memory.rules import PowerUpUsed as Used
from parlour.games.memory.table import MAX_SIDE, CardView, State
from parlour.play.match import Match, Update

TURN_TIMEOUT: Final = frame(TurnTimeout())
OPPONENT_RECONNECTED: Final = frame(OpponentReconnected())
OPPONENT_DISCONNECTED: Final = frame(OpponentDisconnected())
CALLED_OFF: Final = frame(Error("This game was called off."))


def arrival(match: Match, seat: Seat) -> Iterator[bytes]:
    """For one who sits down, at the start or again: all there is to know."""
    yield _match_found(match, seat)
    yield game_state(match, seat)
    away_until = match.state.away_until[other(seat)]
    if away_until is not None:
        yield _reconnecting(away_until)
    if match.over:
        yield from _ending(match, seat)


def news(update: Update, seat: Seat) -> Iterator[bytes]:
    """What a step means to one who sits there: why, then how the table looks, then the end."""
    match = update.after
    for event in update.events:
        if isinstance(event, Used):
            yield frame(PowerUpUsed(match.seats[event.seat].name, event.name))
        elif isinstance(event, TurnTimedOut):
            yield TURN_TIMEOUT
    before: State = update.before.state
    if match.state.away_until != before.away_until and not match.over:
        yield from _comings(before.away_until[other(seat)], match.state.away_until[other(seat)])
    if not match.over or match.reason == "completed":
        yield game_state(match, seat)
    if match.over:
        yield from _ending(match, seat)


def _comings(was: Millis | None, now: Millis | None) -> Iterator[bytes]:
    """The opponent's connection went or came back."""
    if was is None and now is not None:
        yield _reconnecting(now)
    elif was is not None and now is None:
        yield OPPONENT_RECONNECTED


def _ending(match: Match, seat: Seat) -> Iterator[bytes]:
    """Found to the last pair, or won because the opponent is gone, or called off."""
    if match.status != "finished":
        yield CALLED_OFF
    elif match.reason == "completed":
        yield _game_over(match, seat)
    elif match.winner == seat:
        yield OPPONENT_DISCONNECTED


def _match_found(match: Match, seat: Seat) -> bytes:
    state: State = match.state
    own, opponent = match.seats[seat], match.seats[other(seat)]
    return frame(
        MatchFound(
            opponent_name=opponent.name,
            opponent_user_id=opponent.user_id,
            board_rows=state.options.rows,
            board_cols=state.options.cols,
            your_turn=state.turn == seat,
            game_id=match.id,
            rejoin_token=own.secret or "",
        )
    )


def _reconnecting(until: Millis) -> bytes:
    return frame(OpponentReconnecting(until))


def _game_over(match: Match, seat: Seat) -> bytes:
    you, opponent = _players(match, seat)
    result: Result = "lose"
    if match.winner in (None, seat):
        result = "draw" if match.winner is None else "win"
    return frame(GameOver(result=result, you=you, opponent=opponent))


def _players(match: Match, seat: Seat) -> tuple[Player, Player]:
    scores, seats = match.state.scores, match.seats
    first, second = (Player(seats[each].name, scores[each]) for each in (seat, other(seat)))
    return first, second


# --- the table --------------------------------------------------------------------------------


def game_state(match: Match, seat: Seat) -> bytes:
    """The table as that seat sees it."""
    view = RULES.view(match.state, seat)
    options = view.options
    you, opponent = _players(match, seat)
    return frame(
        GameState(
            cards=tuple([_card(card, seat) for card in view.cards]),
            you=you,
            opponent=opponent,
            your_turn=view.turn == seat,
            hand=tuple(Holding(held.power_up_id, held.count) for held in view.hand),
            flipped_indices=view.flipped,
            phase=view.phase,
            highlight_indices=view.highlight or UNSET,
            turn_ends_at_unix_ms=UNSET if view.turn_ends_at is None else view.turn_ends_at,
            turn_countdown_show_sec=_seconds(options.countdown_show_ms)
            if options.turn_limit_ms
            else UNSET,
        )
    )


HIDDEN: Final = tuple(Card(index=index, state="hidden") for index in range(MAX_SIDE**2))
"""Most cards of most frames."""


def _card(card: CardView, seat: Seat) -> Card:
    if card.pair_id is None:
        return HIDDEN[card.index]
    if card.matched_by is None:
        return Card(index=card.index, pair_id=card.pair_id, state=card.state)
    return Card(
        index=card.index,
        pair_id=card.pair_id,
        state=card.state,
        matched_by="you" if card.matched_by == seat else "opponent",
    )


def _seconds(span: Millis) -> int | float:
    """Whole seconds as whole numbers."""
    return span // 1000 if span % 1000 == 0 else span / 1000
