"""What an analyst is asked: all that it gets to see, and how its answer is told.

It is asked here or in a worker process, in the same words. Of actions the answer tells the place
among those that were offered, so what comes back from another process is checked.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from parlour.games.api import Weighed
from parlour.games.registry import analyst

BUDGET_S: Final = 0.5
"""How long a position is weighed by who asks here."""

Value = Annotated[float, Meta(ge=-1, le=1)]


class Answer(Struct, frozen=True):
    """What is told of a position: of each action, its place and what it is worth."""

    value: Value
    exact: bool
    moves: tuple[tuple[int, Value], ...]
    note: Annotated[str, Meta(max_length=200)]


class Weighing(Struct, frozen=True):
    """All an analyst gets to see: what the seat to move was sent."""

    game: str
    mind: Any
    view: Any
    legal: tuple[Any, ...]

    def run(self, time_left: Callable[[], float]) -> Any:
        """Where the thinking is done: an answer that JSON can tell."""
        found = analyst(self.game)
        assert found is not None, "nobody weighs positions of this game"
        weighed = found.weigh(self.mind, self.view, self.legal, time_left)
        places = tuple((self.legal.index(action), value) for action, value in weighed.moves)
        return msgspec.to_builtins(Answer(weighed.value, weighed.exact, places, weighed.note))

    def read(self, answer: object) -> Weighed[Any]:
        """What it means; `ValueError` if it makes no sense."""
        told = msgspec.convert(answer, Answer)
        if any(not 0 <= place < len(self.legal) for place, _ in told.moves):
            raise ValueError("there is no such action")
        moves = tuple((self.legal[place], value) for place, value in told.moves)
        return Weighed(told.value, told.exact, moves, told.note)


Weigh = Callable[[Weighing, str], Awaitable[Weighed[Any]]]
"""Has a position weighed, in turn between those for whom it is asked."""


async def weigh_here(job: Weighing, whose: str) -> Weighed[Any]:
    """In this very process, for who has no workers."""
    del whose
    ends = time.monotonic() + BUDGET_S
    return job.read(job.run(lambda: ends - time.monotonic()))
