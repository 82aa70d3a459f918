"""What a player hears of a match, in the document's messages and their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from operator import getitem
from typing import Any, Final, Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from parlour.games.api import SEATS, Millis, Seat, other
from parlour.games.memory.board import MAX_SIDE, CardView, Hand, Phase, View, is_common
from parlour.games.memory.messages import (
    Card,
    GameOver,
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
)
from parlour.games.memory.problems import error
from parlour.games.memory.rules import PowerUpUsed as Used
from parlour.games.memory.rules import TurnTimedOut
from parlour.host.audience import Voice
from parlour.host.sight import Facts, Sight, StepSeen

TableSight = Sight[View]

TURN_TIMEOUT: Final = frame(TurnTimeout())
OPPONENT_RECONNECTED: Final = frame(OpponentReconnected())
OPPONENT_DISCONNECTED: Final = frame(OpponentDisconnected())
CALLED_OFF: Final = frame(error("CALLED_OFF"))


class Spelt(Struct, frozen=True):
    """What the states of a match at one version are made of, as both seats are told, or each."""

    cards: tuple[bytes, ...] = ()
    players: tuple[bytes, bytes] = (b"", b"")
    flipped: bytes = b""
    clock: bytes = b""


class TableVoice(Voice[View]):
    """How the two at a table are told what happens there."""

    def __init__(self) -> None:
        self._last: tuple[Facts | None, Spelt] = None, Spelt()
        """The match last told of, and what both hear of it: mostly one after the other."""

    def arrived(self, sight: TableSight) -> Iterator[bytes]:
        """All there is to know, to one who sits down, at the start or again."""
        if not sight.begun:
            yield frame(WaitingForMatch())
            return
        yield _match_found(sight)
        yield self._state(sight)
        away_until = sight.view.away_until[other(_side(sight))]
        if away_until is not None:
            yield frame(OpponentReconnecting(away_until))
        if sight.match.over:
            yield from _ending(sight)

    def step(self, step: StepSeen[View]) -> Iterable[bytes]:
        """Why, then how the table looks, then the end."""
        after, kind = step.after, step.kind
        if kind == "start":
            return self.arrived(after)
        events = step.events
        if after.match.over or kind in ("gone", "back"):
            return self._turning_point(step, events)
        state = self._state(after)
        return (*_causes(after, events), state) if events else (state,)

    def _turning_point(self, step: StepSeen[View], events: Iterable[Any]) -> Iterator[bytes]:
        after = step.after
        over = after.match.over
        yield from _causes(after, events)
        if not over:
            yield from _comings(step)
        if not over or after.match.reason == "completed":
            yield self._state(after)
        if over:
            yield from _ending(after)

    def _state(self, sight: TableSight) -> bytes:
        """A `GameState`, put together of what was spelt before: at every step both get one."""
        view, seats = sight.view, sight.seats
        seat = seats[0] if seats else 0
        told_of, spelt = self._last
        if told_of is not sight.match:
            spelt = _spelt(view, sight.match)
            self._last = sight.match, spelt
        return b"".join(
            (
                spelt.cards[seat],
                spelt.players[seat],
                b',"yourTurn":true,"hand":' if view.turn == seat else b',"yourTurn":false,"hand":',
                _hand(view.hand) if view.hand else b"[]",
                spelt.flipped,
                b',"highlightIndices":' + spell(view.highlight) if view.highlight else b"",
                spelt.clock,
            )
        )

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


def _causes(sight: TableSight, events: Iterable[Any]) -> Iterator[bytes]:
    for event in events:
        if isinstance(event, Used):
            yield frame(PowerUpUsed(sight.match.seats[event.seat].name, event.name))
        elif isinstance(event, TurnTimedOut):
            yield TURN_TIMEOUT


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


def _spelt(view: View, match: Facts) -> Spelt:
    first, second = match.seats
    (one, two), (mine, yours) = view.scores, _named(first.name, second.name)
    flipped, options, ends_at = view.flipped, view.options, view.turn_ends_at
    return Spelt(
        _cards(view.cards),
        (mine % (one, two), yours % (two, one)),
        _FLIPPED[len(flipped)] % flipped + _PHASES[view.phase],
        (b"" if ends_at is None else b',"turnEndsAtUnixMs":%d' % ends_at)
        + (_countdown(options.countdown_show_ms) if options.turn_limit_ms else b"}"),
    )


def _cards(cards: tuple[CardView, ...]) -> tuple[bytes, ...]:
    """All of them, as each seat is told."""
    try:
        return tuple([_STATE + b",".join(map(getitem, told, cards)) for told in _TOLD])
    except KeyError:
        return tuple([_STATE + b",".join([_card(card, seat) for card in cards]) for seat in SEATS])


def _card(card: CardView, seat: Seat) -> bytes:
    """How a card is told of to a seat; found the next time if it is one of a common board."""
    by: Literal["you", "opponent"] | UnsetType = UNSET
    if card.matched_by is not None:
        by = "you" if card.matched_by == seat else "opponent"
    pair_id = UNSET if card.pair_id is None else card.pair_id
    told = spell(Card(index=card.index, pair_id=pair_id, state=card.state, matched_by=by))
    if is_common(card.index, card.pair_id or 0):
        _TOLD[seat][card.index][card] = told
    return told


_STATE: Final = b'{"type":"game_state","cards":['
_TOLD: Final[tuple[tuple[dict[CardView, bytes], ...], ...]] = tuple(
    tuple({} for _ in range(MAX_SIDE**2)) for _ in SEATS
)
"""How each card in its place is told of to each seat."""
_PHASES: Final = {phase: b',"phase":' + spell(phase) for phase in get_args(Phase)}
_FLIPPED: Final = tuple(b',"flippedIndices":' + each for each in (b"[]", b"[%d]", b"[%d,%d]"))
"""By how many cards are flipped."""


@lru_cache(8192)
def _named(first: str, second: str) -> tuple[bytes, bytes]:
    """Both players as each seat is told of them, with places for their scores: first one's own."""
    players = [spell(Player(name, 0)).replace(b"%", b"%%") for name in (first, second)]
    one, two = (each.removesuffix(b"0}") + b"%d}" for each in players)
    words = b'],"you":%b,"opponent":%b'
    return words % (one, two), words % (two, one)


@lru_cache(8192)
def _hand(hand: Hand) -> bytes:
    return spell([Holding(held.power_up_id, held.count, held.count) for held in hand])


@cache
def _countdown(span: Millis) -> bytes:
    return b',"turnCountdownShowSec":' + spell(_seconds(span)) + b"}"


def _seconds(span: Millis) -> int | float:
    """Whole seconds as whole numbers."""
    return span // 1000 if span % 1000 == 0 else span / 1000
