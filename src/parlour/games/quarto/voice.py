"""What those in a Quarto room hear of a step, in the document's messages and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from parlour.games.api import SEATS, Millis, Seat, other
from parlour.games.quarto.messages import (
    GameOver,
    PlayerJoined,
    PlayerLeft,
    Presence,
    RematchRequested,
    RematchWithdrawn,
    StateUpdate,
    deadlines_of,
    error,
    frame,
    game_of,
    winner_of,
)
from parlour.games.quarto.rules import View, winning_line
from parlour.host.audience import Voice
from parlour.host.sight import Facts, Sight, StepSeen

RoomSight = Sight[View]


class RoomVoice(Voice[View]):
    """Everybody in the room hears everything; who asked for it, also what time is running out."""

    def __init__(self, clock: Callable[[], Millis], *, attentive: bool) -> None:
        self._clock = clock
        self._attentive = attentive

    def step(self, step: StepSeen[View]) -> Iterator[bytes]:
        """Why, then how the game looks, then the end."""
        after = step.after
        match step.kind:
            case "start":
                if 0 in after.seats:
                    yield joined(after)
                yield state(after)
            case "gone":
                yield from left(after, step.by, "disconnect")
            case "rematch" if step.by is None:
                yield frame(RematchWithdrawn())
            case "rematch":
                yield frame(RematchRequested(step.by or 0))
            case "cancel" | "lapse" if after.match.status != "finished":
                yield frame(error("ROOM_NOT_FOUND"))
            case "act" | "expire" | "back" | "takeback":
                if step.ends:
                    yield from _forfeited(after)
                yield state(after)
                if step.ends:
                    yield _over(after)
            case _:
                pass
        yield from self.deadlines(step.before, after)

    def presence(self, sight: RoomSight, before: tuple[bool, bool]) -> Iterable[bytes]:
        """Where it matters to the game it is a step; after the end it matters for a rematch."""
        del before
        return self.company(sight)

    def company(self, sight: RoomSight) -> Iterator[bytes]:
        """Who is still there when a game is over."""
        if self._attentive and sight.match.over:
            yield frame(Presence(sight.here))

    def next_game(self, sight: RoomSight, following: Facts) -> Iterable[bytes]:
        """It is shown to each who comes along."""
        del sight, following
        return ()

    def arrived(self, sight: RoomSight) -> Iterator[bytes]:
        """The next game in this room, to one who was there for the last."""
        yield state(sight)
        for seat in SEATS:
            if sight.view.state.away_until[seat] is not None:
                yield from left(sight, seat, "disconnect")
        yield from self.deadlines(None, sight)

    def waited_for(self, sight: RoomSight) -> bytes:
        """Until when, if at all."""
        return frame(deadlines_of(sight, self._clock()))

    def deadlines(self, before: RoomSight | None, after: RoomSight) -> Iterator[bytes]:
        """What is waited for, where that has changed."""
        if not self._attentive:
            return
        now = self._clock()
        deadlines = deadlines_of(after, now)
        waited = any((deadlines.final_call, *deadlines.away))
        if waited if before is None else deadlines != deadlines_of(before, now):
            yield frame(deadlines)


def state(sight: RoomSight) -> bytes:
    """The game as it stands."""
    return frame(StateUpdate(game_of(sight)))


def joined(sight: RoomSight) -> bytes:
    """To the host: somebody came."""
    return frame(PlayerJoined(sight.match.seats[1].name, game_of(sight)))


def left(
    sight: RoomSight, gone: Seat | None, reason: Literal["disconnect", "forfeit", "timeout"]
) -> Iterator[bytes]:
    """To the others: somebody is gone."""
    if gone not in sight.seats:
        yield frame(PlayerLeft(reason))


def _forfeited(sight: RoomSight) -> Iterator[bytes]:
    winner = sight.match.winner
    loser = None if winner is None else other(winner)
    if sight.match.reason == "forfeit":
        yield from left(sight, loser, "forfeit")
    elif sight.match.reason == "timeout":
        yield from left(sight, loser, "timeout")


def _over(sight: RoomSight) -> bytes:
    ended, winner = sight.view.state, sight.match.winner
    winner_id = None if winner is None else sight.key_of(winner)
    return frame(GameOver(winner_of(ended), game_of(sight), winner_id, winning_line(ended)))
