"""Bots at the table: seated like anyone, and fed with the views of their seat.

A bot's move is part of the match's deadline (`bot_at`), so it survives a restart; what the bot
remembers is rebuilt from the journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from parlour.games.api import Dice, Millis, Seat
from parlour.games.registry import AnyBot, AnyRules
from parlour.games.registry import bots as registered_bots
from parlour.play.match import Match, Update
from parlour.play.replay import replay
from parlour.store.api import Store


class Mover(Struct, frozen=True):
    """A bot that is to move, and what it may do."""

    seat: Seat
    bot: str
    view: Any
    legal: tuple[Any, ...]


class Robots:
    """When bots move, what they remember, and which of them are thinking."""

    def __init__(self, bots: Callable[[str], Mapping[str, AnyBot]] = registered_bots) -> None:
        self._bots = bots
        self._minds: dict[str, dict[Seat, tuple[int, Any]]] = {}
        self._movers: dict[str, tuple[Any, Mover | None]] = {}
        """Of matches in a state: who is to move, which is asked more than once."""
        self._thinking: set[str] = set()
        self._ahead: dict[str, tuple[int, asyncio.Task[Any]]] = {}
        """Of matches at a version: what will be done when its time comes."""

    # --- thinking ---------------------------------------------------------------------------

    def thinking(self, match_id: str) -> bool:
        """Whether its bot's move is being thought about here."""
        return match_id in self._thinking

    def begin(self, match_id: str) -> None:
        """From now on it is."""
        self._thinking.add(match_id)

    def end(self, match_id: str) -> None:
        """Now it is not."""
        self._thinking.discard(match_id)

    def mover(self, rules: AnyRules, match: Match) -> Mover | None:
        """The bot that is to move, if one is."""
        of, mover = self._movers.get(match.id, (None, None))
        if of is not match.state:
            mover = _mover(rules, match)
            self._movers[match.id] = (match.state, mover)
        return mover

    def due(self, rules: AnyRules, match: Match, now: Millis) -> Millis | None:
        """When the bot to move will move; None if none is."""
        mover = self.mover(rules, match)
        if mover is None:
            return None
        bot = self._bots(match.game)[mover.bot]
        return now + bot.delay(mover.view, Dice(match.seed, match.version, b"delay"))

    def searches(self, match: Match, mover: Mover) -> bool:
        """Whether that bot takes its time to choose."""
        return self._bots(match.game)[mover.bot].searches

    # --- thinking ahead ---------------------------------------------------------------------

    def thinks_ahead(self, match: Match) -> bool:
        """Whether its next move is thought about, or known, before its time."""
        version, _ = self._ahead.get(match.id, (0, None))
        return version == match.version

    def think_ahead(self, match: Match, thought: asyncio.Task[Any]) -> None:
        """This will be done when the time comes, if the match is still as it is."""
        self._drop(match.id)
        self._ahead[match.id] = (match.version, thought)

    def foreseen(self, match: Match) -> Any:
        """What the bot to move will do, as far as that is known; else None."""
        version, thought = self._ahead.get(match.id, (0, None))
        if version != match.version or thought is None or not thought.done():
            return None
        return None if thought.cancelled() or thought.exception() else thought.result()

    def thought(self, match: Match) -> asyncio.Task[Any] | None:
        """What was thought ahead of the match as it is: now it is the caller's."""
        if not self.thinks_ahead(match):
            return None
        _, thought = self._ahead.pop(match.id)
        return thought

    def _drop(self, match_id: str) -> None:
        """Nobody needs what was thought of it."""
        if (ahead := self._ahead.pop(match_id, None)) is not None:
            ahead[1].cancel()

    # --- remembering ------------------------------------------------------------------------

    def hear(self, rules: AnyRules, update: Update) -> None:
        """Bots see what their seat sees, step by step."""
        match = update.after
        self._drop(match.id)
        if match.status != "active":
            self._minds.pop(match.id, None)
            self._movers.pop(match.id, None)
            return
        minds = self._minds.setdefault(match.id, {})
        for seat in match.seats:
            if seat.bot is None:
                continue
            bot = self._bots(match.game)[seat.bot]
            version, mind = minds.get(seat.seat, (-1, None))
            if update.entry.kind == "start":
                mind = bot.begin()
            elif version != update.before.version:
                minds.pop(seat.seat, None)
                continue
            minds[seat.seat] = (match.version, _observed(bot, rules, match, seat.seat, mind))

    def known_mind(self, match: Match, seat: Seat) -> tuple[Any] | None:
        """What the bot remembers, if this process saw it all."""
        version, mind = self._minds.get(match.id, {}).get(seat, (-1, None))
        return (mind,) if version == match.version else None

    async def mind(self, store: Store, rules: AnyRules, match: Match, seat: Seat) -> Any:
        """What the bot remembers, from the journal if this process did not see it all."""
        if (known := self.known_mind(match, seat)) is not None:
            return known[0]
        bot_name = match.seats[seat].bot
        assert bot_name is not None
        bot = self._bots(match.game)[bot_name]
        mind = bot.begin()
        if not bot.remembers:
            return mind
        for update in await replay(store, rules, match.id):
            if update.after.version > match.version:
                break
            if update.after.status == "active":
                mind = _observed(bot, rules, update.after, seat, mind)
        self._minds.setdefault(match.id, {})[seat] = (match.version, mind)
        return mind

    def forget(self, match_id: str) -> None:
        """The match left this process's memory."""
        self._drop(match_id)
        self._minds.pop(match_id, None)
        self._movers.pop(match_id, None)


def _mover(rules: AnyRules, match: Match) -> Mover | None:
    for seat in match.seats:
        if seat.bot is not None and may_move(rules, match.state, seat.seat):
            view = rules.view(match.state, seat.seat)
            if legal := tuple(rules.legal(view)):
                return Mover(seat.seat, seat.bot, view, legal)
    return None


def may_move(rules: AnyRules, state: Any, seat: Seat) -> bool:
    """Whether a bot there is waited for: what can be done on the other's turn never has to be."""
    return rules.turn(state) in (None, seat)


def _observed(bot: AnyBot, rules: AnyRules, match: Match, seat: Seat, mind: Any) -> Any:
    if not bot.remembers:
        return mind
    dice = Dice(match.seed, match.version, b"observe")
    return bot.observe(mind, rules.view(match.state, seat), dice)
