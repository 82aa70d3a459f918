"""What a bot is asked: all that it gets to see, and how its answer is told.

It is asked here or in a worker process, in the same words. The answer is the place of an action
among those that were offered, so what comes back from another process is a number to be checked.
"""

from __future__ import annotations

import copyreg
import time
from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from parlour.games.api import Dice
from parlour.games.registry import all_rules, bots

BUDGET_S: Final = 0.35
"""How long a bot thinks when nobody else waits."""


class Job(Struct, frozen=True):
    """All a bot gets to see when it is asked to choose."""

    game: str
    bot: str
    mind: Any
    view: Any
    legal: tuple[Any, ...]
    seed: bytes
    version: int
    whose: str = ""
    """For whom it is asked: those with the same take turns as one."""

    def __reduce__(self) -> tuple[Callable[..., Job], tuple[Any, ...]]:
        """As it goes to a worker: what is legal follows from the view, and is longest to tell."""
        about = (self.game, self.bot, self.mind, self.view)
        return heard, (type(self), *about, self.seed, self.version, self.whose)

    def run(self, time_left: Callable[[], float]) -> int:
        """Where the thinking is done: which of the legal actions it chooses."""
        bot = bots(self.game)[self.bot]
        dice = Dice(self.seed, self.version, b"choose")
        return self.legal.index(bot.choose(self.mind, self.view, self.legal, dice, time_left))

    def read(self, answer: object) -> Any:
        """The action that was chosen; `ValueError` if none was."""
        if not isinstance(answer, int) or not 0 <= answer < len(self.legal):
            raise ValueError(f"no action is number {answer!r}")
        return self.legal[answer]

    def at_once(self) -> Any:
        """A move without search, in no time; any, should the bot fail even at that."""
        dice = Dice(self.seed, self.version, b"stumble")
        bot = bots(self.game)[self.bot]
        try:
            action = bot.at_once(self.mind, self.view, self.legal, dice)
        except Exception:  # noqa: BLE001 (whatever is wrong with it, the game goes on)
            return dice.choice(self.legal)
        return action if action in self.legal else dice.choice(self.legal)


def heard(kind: type[Job], game: str, bot: str, mind: Any, view: Any, *chance: Any) -> Job:
    """A job as it was before it was told to a worker."""
    return kind(game, bot, mind, view, tuple(all_rules()[game].legal(view)), *chance)


def unset() -> UnsetType:
    """What a field is that has no value."""
    return UNSET


def _by_name(_: UnsetType) -> tuple[Callable[[], UnsetType], tuple[()]]:
    return unset, ()


# It does not say where it is from, so for each one pickle would look through every module there is.
copyreg.pickle(UnsetType, _by_name)


def choose(job: Job, budget_s: float = BUDGET_S) -> Any:
    """What a bot chooses, thinking here and now."""
    ends = time.monotonic() + budget_s
    return job.read(job.run(lambda: ends - time.monotonic()))
