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

from parlour.games.api import Bot, Dice, Millis, Persona
from parlour.games.memory.board import CardView, View
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.powerups.api import PowerUp, Prospect
from parlour.games.memory.rules import Action, Flip, UsePowerUp

Percent = Annotated[int, Meta(ge=0, le=100)]
Delay = Annotated[int, Meta(ge=0, le=60_000)]


class Profile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What makes one opponent different from another."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9 _-]{0,23}$")]
    delay_min_ms: Delay
    delay_max_ms: Delay
    use_known_pair_chance: Percent
    forget_chance: Percent
    character: str = "Plays as it was told to."

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
    opened: int | None = None
    """The card flipped first this turn."""
    recalled: bool = False
    """It was one that the bot remembered: it was flipped for the sake of its partner."""


class MemoryBot(Bot[View, Action, Mind]):
    """One opponent."""

    def __init__(self, profile: Profile, power_ups: Sequence[PowerUp] = POWER_UPS) -> None:
        self.name = profile.name
        self.persona = Persona(title=profile.name, character=profile.character)
        self._profile = profile
        self._power_ups = {power_up.id: power_up for power_up in power_ups}

    def begin(self) -> Mind:
        """Nothing seen yet."""
        return Mind()

    def observe(self, mind: Mind, view: View, dice: Dice) -> Mind:
        """Open cards are remembered; with every turn that passes some are forgotten."""
        before = mind.seen or tuple(None for _ in view.cards)
        opened = view.flipped[0] if view.flipped else None
        recalled = mind.recalled
        if opened != mind.opened:
            recalled = opened is not None and before[opened] is not None
        if view.shuffles != mind.shuffles:
            before = tuple(None for _ in view.cards)
        forget = self._profile.forget_chance if view.turn != mind.turn else 0
        seen = (None if pair_id is None or dice.chance(forget) else pair_id for pair_id in before)
        return Mind(
            tuple(map(_noted, view.cards, seen)), view.turn, view.shuffles, opened, recalled
        )

    def delay(self, view: View, dice: Dice) -> Millis:
        """Some time between the profile's bounds, after any cards shown for a while are hidden."""
        shown = sum(card.state == "revealed" for card in view.cards) > len(view.flipped)
        wait = view.options.clairvoyance_ms if shown else 0
        return wait + dice.between(self._profile.delay_min_ms, self._profile.delay_max_ms)

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
            use = self._power_up(view, remembered, pair, legal, dice)
            if use is not None:
                return use
            if pair is not None and dice.chance(self._profile.use_known_pair_chance):
                return Flip(dice.choice(pair))
        else:
            wanted = view.cards[view.flipped[0]].pair_id
            partners = [index for index, pair_id in remembered.items() if pair_id == wanted]
            sure = mind.recalled or dice.chance(self._profile.use_known_pair_chance)
            if partners and sure:
                return Flip(partners[0])
        return Flip(dice.choice(_unknown(hidden, remembered, view.highlight)))

    def _power_up(
        self,
        view: View,
        remembered: Mapping[int, int],
        pair: tuple[int, int] | None,
        legal: Sequence[Action],
        dice: Dice,
    ) -> UsePowerUp | None:
        """The use that appeals most, if the bot feels like it."""
        uses = [action for action in legal if isinstance(action, UsePowerUp)]
        dice.shuffle(uses)
        best, most = None, 0
        for use in uses:
            prospect = Prospect(view, remembered, pair, use.card_index)
            appeal = self._power_ups[use.power_up_id].appeal(prospect)
            if appeal > most:
                best, most = use, appeal
        return best if dice.chance(most) else None


def _noted(card: CardView, remembered: int | None) -> int | None:
    """What a bot remembers of a card after it has looked at it."""
    if card.state == "revealed":
        return card.pair_id
    return None if card.state == "matched" else remembered


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
