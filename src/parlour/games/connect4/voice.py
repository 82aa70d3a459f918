"""What those at a game of Connect 4 hear of it: the same for all, but who of the others is away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from parlour.games.api import SEATS, Seat
from parlour.games.connect4.answers import (
    NUMBERS,
    Game,
    end_reason,
    game_of,
    move_ends_at,
    seated,
)
from parlour.games.connect4.events import (
    Coming,
    EventType,
    GameEnded,
    LiveBoard,
    MoveMade,
    NextGame,
    RematchOffer,
    TurnChanged,
    Withdrawn,
    event,
)
from parlour.games.connect4.notation import cells_as_json, open_columns
from parlour.games.connect4.rules import View, heights
from parlour.host.audience import Voice
from parlour.host.sight import Facts, Sight, StepSeen
from parlour.timekeeping import iso

GameSight = Sight[View]

BY_A_DISC = frozenset({"CONNECT4", "BOARD_FULL"})
"""How a game ends with a disc; in any other way it ends without."""


class GameVoice(Voice[View]):
    """One for each game, as it remembers how the players are called now."""

    alike = frozenset({"act", "expire", "rematch"})
    """At the beginning each hears who of the others is away."""
    name = "connect4"

    def __init__(self, now: Callable[[], str]) -> None:
        self._now = now
        self.names: dict[str, str] = {}

    def step(self, step: StepSeen[View]) -> Iterable[bytes]:
        """That a game is no more is told when it lets everybody go."""
        at = iso(step.at)
        if step.kind in ("act", "expire"):
            return self._act(step, at)
        if step.kind == "takeback":
            return self.arrived(step.after)
        if step.kind == "start":
            return (event("game_started", self._shown(step.after), at), *self.absence(step.after))
        if step.kind == "rematch" and step.by is None:
            return (event("rematch_withdrawn", Withdrawn(), at),)
        if step.kind == "rematch":
            return (event("rematch_requested", RematchOffer(NUMBERS[step.by or 0]), at),)
        return ()

    def presence(self, sight: GameSight, before: tuple[bool, bool]) -> Iterator[bytes]:
        """Somebody else came or went, while the game is on or after it."""
        for seat in SEATS:
            if sight.here[seat] != before[seat] and sight.begun:
                yield from self._coming(sight, seat)

    def next_game(self, sight: GameSight, following: Facts) -> Iterator[bytes]:
        """Both wanted another game; each goes there by itself."""
        told = NextGame(following.id, following.public_id)
        yield event("rematch_accepted", told, iso(sight.match.updated_at))

    def arrived(self, sight: GameSight, rematch_public_id: str | None = None) -> Iterator[bytes]:
        """What is heard first."""
        yield event("game", self._shown(sight, rematch_public_id), self._now())
        if sight.begun:
            yield from self.absence(sight)

    def absence(self, sight: GameSight) -> Iterator[bytes]:
        """Who is not told of anybody's absence may take it that everybody is here."""
        for seat in SEATS:
            if not sight.here[seat]:
                yield from self._coming(sight, seat)

    def _coming(self, sight: GameSight, seat: Seat) -> Iterator[bytes]:
        if seat not in sight.seats:
            kind: EventType = "opponent_back" if sight.here[seat] else "opponent_away"
            yield event(kind, Coming(NUMBERS[seat]), self._now())

    def _shown(self, sight: GameSight, rematch_public_id: str | None = None) -> Game:
        return game_of(sight, seated(sight.match, self.names), rematch_public_id)

    def _act(self, step: StepSeen[View], at: str) -> list[bytes]:
        """A disc and what follows from it; a claim, giving up, or time that was up."""
        sight, match = step.after, step.after.match
        state, told = sight.view.state, []
        turn = NUMBERS[state.turn] if match.status == "active" else None
        if step.kind == "act" and (state.outcome is None or state.outcome.reason in BY_A_DISC):
            column, height = state.moves[-1][0], heights(state)
            move = MoveMade(
                game_id=match.id,
                player=NUMBERS[step.by or 0],
                column=column,
                row=height[column] - 1,
                board=LiveBoard(cells_as_json(state), height),
                next_turn=turn,
                move_count=len(state.moves),
            )
            told.append(event("move_made", move, at))
        if turn is not None:
            changed = TurnChanged(
                current_turn=turn,
                legal_columns=open_columns(state),
                move_ends_at=move_ends_at(state),
            )
            told.append(event("turn_changed", changed, at))
        else:
            winner = None if match.winner is None else NUMBERS[match.winner]
            ended = GameEnded(winner=winner, reason=end_reason(sight), game=self._shown(sight))
            told.append(event("game_ended", ended, at))
        return told
