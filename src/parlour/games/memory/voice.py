"""What a player hears of a match, in the document's messages and their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal

from msgspec import UNSET, UnsetType

from parlour.games.api import Millis, Seat, other
from parlour.games.memory.board import MAX_SIDE, CardView, View
from parlour.games.memory.messages import (
    Card,
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
    WaitingForMatch,
    frame,
    spell,
    spelt,
)
from parlour.games.memory.problems import error
from parlour.games.memory.rules import PowerUpUsed as Used
from parlour.games.memory.rules import TurnTimedOut
from parlour.host.audience import Voice
from parlour.host.sight import Facts, Sight, StepSeen

TableSight = Sight[View]
Seen = tuple[CardView, ...]
Told = tuple[Card, ...]

TURN_TIMEOUT: Final = frame(TurnTimeout())
OPPONENT_RECONNECTED: Final = frame(OpponentReconnected())
OPPONENT_DISCONNECTED: Final = frame(OpponentDisconnected())
CALLED_OFF: Final = frame(error("CALLED_OFF"))


class TableVoice(Voice[View]):
    """How the two at a table are told what happens there."""

    def __init__(self) -> None:
        self._last_told: tuple[Seen, tuple[Told, Told]] = ((), ((), ()))
        """The cards last told of, and how each seat is told: mostly one after the other."""

    def arrived(self, sight: TableSight) -> Iterator[bytes]:
        """All there is to know, to one who sits down, at the start or again."""
        if not sight.begun:
            yield frame(WaitingForMatch())
            return
        yield _match_found(sight)
        yield self._game_state(sight)
        away_until = sight.view.away_until[other(_side(sight))]
        if away_until is not None:
            yield frame(OpponentReconnecting(away_until))
        if sight.match.over:
            yield from _ending(sight)

    def step(self, step: StepSeen[View]) -> Iterator[bytes]:
        """Why, then how the table looks, then the end."""
        after, match = step.after, step.after.match
        over = match.over
        if step.kind == "start":
            yield from self.arrived(after)
            return
        for event in step.events:
            if isinstance(event, Used):
                yield frame(PowerUpUsed(match.seats[event.seat].name, event.name))
            elif isinstance(event, TurnTimedOut):
                yield TURN_TIMEOUT
        if step.kind in ("gone", "back") and not over:
            yield from _comings(step)
        if not over or match.reason == "completed":
            yield self._game_state(after)
        if over:
            yield from _ending(after)

    def _game_state(self, sight: TableSight) -> bytes:
        view, seat = sight.view, _side(sight)
        options = view.options
        you, opponent = _players(sight)
        return frame(
            GameState(
                cards=self._told(view.cards)[seat],
                you=you,
                opponent=opponent,
                your_turn=view.turn == seat,
                hand=tuple(
                    [Holding(held.power_up_id, held.count, held.count) for held in view.hand]
                ),
                flipped_indices=view.flipped,
                phase=view.phase,
                highlight_indices=view.highlight or UNSET,
                turn_ends_at_unix_ms=UNSET if view.turn_ends_at is None else view.turn_ends_at,
                turn_countdown_show_sec=_seconds(options.countdown_show_ms)
                if options.turn_limit_ms
                else UNSET,
            )
        )

    def _told(self, cards: Seen) -> tuple[Told, Told]:
        """Cards as each seat is told of them."""
        last, told = self._last_told
        if last is not cards:
            each = [HIDDEN[card.index] if card.pair_id is None else _told(card) for card in cards]
            first, second = zip(*each, strict=True)
            told = (spelt(first), spelt(second))
            self._last_told = cards, told
        return told

    def presence(self, sight: TableSight, before: tuple[bool, bool]) -> Iterable[bytes]:
        """Comings and goings that matter are steps, and told as such."""
        del sight, before
        return ()

    def next_game(self, sight: TableSight, following: Facts) -> Iterable[bytes]:
        """Nobody stays for one."""
        del sight, following
        return ()


def _side(sight: TableSight) -> Seat:
    """Who is told of as `you`."""
    return sight.seat or 0


def _comings(step: StepSeen[View]) -> Iterator[bytes]:
    """The opponent's connection went or came back."""
    opponent = other(_side(step.after))
    was, now = step.before.view.away_until[opponent], step.after.view.away_until[opponent]
    if was is None and now is not None:
        yield frame(OpponentReconnecting(now))
    elif was is not None and now is None:
        yield OPPONENT_RECONNECTED


def _ending(sight: TableSight) -> Iterator[bytes]:
    """Found to the last pair, or won because the opponent is gone, or called off."""
    match, seat = sight.match, _side(sight)
    if match.status != "finished":
        yield CALLED_OFF
    elif match.reason == "completed":
        you, opponent = _players(sight)
        result: Result = "lose"
        if match.winner in (None, seat):
            result = "draw" if match.winner is None else "win"
        yield frame(GameOver(result=result, you=you, opponent=opponent))
    elif match.winner == seat:
        yield OPPONENT_DISCONNECTED


def _match_found(sight: TableSight) -> bytes:
    view, seat = sight.view, _side(sight)
    opponent = sight.match.seats[other(seat)]
    return frame(
        MatchFound(
            opponent_name=opponent.name,
            # A robot that plays unrated has no account.
            opponent_user_id=opponent.user_id or (opponent.bot and f"ai:{opponent.bot}"),
            board_rows=view.options.rows,
            board_cols=view.options.cols,
            your_turn=view.turn == seat,
            game_id=sight.match.id,
            rejoin_token=sight.key_of(seat) or "",
        )
    )


def _players(sight: TableSight) -> tuple[Player, Player]:
    """Oneself and the opponent."""
    scores, seats, you = sight.view.scores, sight.match.seats, _side(sight)
    opponent = other(you)
    return Player(seats[you].name, scores[you]), Player(seats[opponent].name, scores[opponent])


# --- the table --------------------------------------------------------------------------------


@lru_cache(8192)
def _told(card: CardView) -> tuple[bytes, bytes]:
    """A card as each seat is told of it; the same one lies there in many frames."""
    pair_id = UNSET if card.pair_id is None else card.pair_id

    def to(seat: Seat) -> bytes:
        by: Literal["you", "opponent"] | UnsetType = UNSET
        if card.matched_by is not None:
            by = "you" if card.matched_by == seat else "opponent"
        return spell(Card(index=card.index, pair_id=pair_id, state=card.state, matched_by=by))

    return to(0), to(1)


HIDDEN: Final = tuple(_told(CardView(index, "hidden")) for index in range(MAX_SIDE**2))
"""Most cards of most frames."""


def _seconds(span: Millis) -> int | float:
    """Whole seconds as whole numbers."""
    return span // 1000 if span % 1000 == 0 else span / 1000
