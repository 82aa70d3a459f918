"""Opponents for Memory. They remember what they saw, forget some of it, and see only views.

Who they are is data: profiles.toml. What they think of a power-up is told by the power-up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from parlour.games.api import Dice, Millis
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.powerups.api import PowerUp, Prospect
from parlour.games.memory.rules import Action, Flip, UsePowerUp
from parlour.games.memory.table import View

Percent = Annotated[int, Meta(ge=0, le=100)]
Delay = Annotated[int, Meta(ge=0, le=60_000)]


class Profile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What makes one opponent different from another."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9 _-]{0,23}$")]
    delay_min_ms: Delay
    delay_max_ms: Delay
    use_known_pair_chance: Percent
    forget_chance: Percent

    def __post_init__(self) -> None:
        if self.delay_min_ms > self.delay_max_ms:
            raise ValueError("delay_min_ms is above delay_max_ms")


class Profiles(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of profiles holds."""

    profile: tuple[Profile, ...]


class Mind(Struct, frozen=True):
    """What a bot remembers between views."""

    seen: tuple[int | None, ...] = ()
    """Per position the pair it remembers there; None: none, or not to be flipped any more."""
    turn: int | None = None
    shuffles: int = 0
    recalled: bool = False
    """The card flipped first this turn was one it remembered, so it came for the other."""


class MemoryBot:
    """One opponent."""

    def __init__(self, profile: Profile, power_ups: Sequence[PowerUp] = POWER_UPS) -> None:
        self.name = profile.name
        self._profile = profile
        self._power_ups = {power_up.id: power_up for power_up in power_ups}

    def begin(self) -> Mind:
        """Nothing seen yet."""
        return Mind()

    def observe(self, mind: Mind, view: View, dice: Dice) -> Mind:
        """Open cards are remembered; with every turn that passes some are forgotten."""
        seen = list(mind.seen or (None for _ in view.cards))
        if view.shuffles != mind.shuffles:
            seen = [None for _ in view.cards]
        if view.turn != mind.turn:
            forget = self._profile.forget_chance
            seen = [None if dice.chance(forget) else pair_id for pair_id in seen]
        recalled = mind.recalled
        if len(view.flipped) == 1:
            recalled = recalled or mind.seen[view.flipped[0]] is not None
        else:
            recalled = False
        for card in view.cards:
            if card.state == "revealed":
                seen[card.index] = card.pair_id
            elif card.state == "matched":
                seen[card.index] = None
        return Mind(tuple(seen), view.turn, view.shuffles, recalled)

    def delay(self, view: View, dice: Dice) -> Millis:
        """Some time between the profile's bounds."""
        return dice.between(self._profile.delay_min_ms, self._profile.delay_max_ms)

    def choose(
        self,
        mind: Mind,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> Action:
        """A power-up that appeals, a pair it knows, or a card it does not."""
        hidden = {action.index for action in legal if isinstance(action, Flip)}
        remembered = {
            index: pair_id
            for index, pair_id in enumerate(mind.seen)
            if index in hidden and pair_id is not None
        }
        if view.phase == "first_flip":
            pair = _known_pair(remembered)
            if pair is not None and dice.chance(self._profile.use_known_pair_chance):
                return Flip(dice.choice(pair))
            wish = self._power_up(view, remembered, legal, dice)
            if wish is not None:
                return wish
        else:
            wanted = view.cards[view.flipped[0]].pair_id
            partners = [index for index, pair_id in remembered.items() if pair_id == wanted]
            certain = mind.recalled or dice.chance(self._profile.use_known_pair_chance)
            if partners and certain:
                return Flip(partners[0])
        return Flip(dice.choice(_unknown(hidden, remembered, view.highlight)))

    def _power_up(
        self, view: View, remembered: Mapping[int, int], legal: Sequence[Action], dice: Dice
    ) -> UsePowerUp | None:
        """The use that appeals most, if the bot feels like it."""
        uses = [action for action in legal if isinstance(action, UsePowerUp)]
        dice.shuffle(uses)
        best, most = None, 0
        for action in uses:
            prospect = Prospect(view, remembered, action.card_index)
            appeal = self._power_ups[action.power_up_id].appeal(prospect)
            if appeal > most:
                best, most = action, appeal
        return best if best is not None and dice.chance(most) else None


def _known_pair(remembered: Mapping[int, int]) -> tuple[int, int] | None:
    """Two hidden cards remembered to match, if there are any."""
    first_at: dict[int, int] = {}
    for index, pair_id in remembered.items():
        if pair_id in first_at:
            return first_at[pair_id], index
        first_at[pair_id] = index
    return None


def _unknown(
    hidden: set[int], remembered: Mapping[int, int], highlight: Sequence[int]
) -> list[int]:
    """The cards to try one's luck with: nobody's first, then those one does not remember."""
    fresh = sorted(hidden.intersection(highlight)) or sorted(hidden.difference(remembered))
    return fresh or sorted(hidden)


def bots(profiles: bytes) -> Mapping[str, MemoryBot]:
    """The opponents of a file of profiles, by name."""
    told = msgspec.toml.decode(profiles, type=Profiles)
    return MappingProxyType({profile.name: MemoryBot(profile) for profile in told.profile})


BOTS = bots(files(__package__).joinpath("profiles.toml").read_bytes())
