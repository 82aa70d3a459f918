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
from parlour.games.memory import solver
from parlour.games.memory.board import View
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.powerups.api import PowerUp, Prospect
from parlour.games.memory.powerups.clairvoyance import around
from parlour.games.memory.recall import Mind, known_pair, observed, shows_nothing_new, standing
from parlour.games.memory.rules import Action, Flip, UsePowerUp

Percent = Annotated[int, Meta(ge=0, le=100)]
WORTH_IT = 0.02
"""By how much a power-up must better one's chances, as it may better them more later on."""
Delay = Annotated[int, Meta(ge=0, le=60_000)]


class Profile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What makes one opponent different from another."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9 _-]{0,23}$")]
    delay_min_ms: Delay
    delay_max_ms: Delay
    use_known_pair_chance: Percent
    forget_chance: Percent
    misplace_chance: Percent = 0
    """How often one reaches for a neighbour of the card it remembers."""
    plays_best: bool = False
    """Weighs what to open, and power-ups, by what they will bring."""
    stand_in: bool = False
    """Takes the seat of an opponent who does not come."""
    character: str = "Plays as it was told to."

    def __post_init__(self) -> None:
        if self.delay_min_ms > self.delay_max_ms:
            raise ValueError("delay_min_ms is above delay_max_ms")


class Profiles(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of profiles holds."""

    profile: tuple[Profile, ...]


class MemoryBot(Bot[View, Action, Mind]):
    """One opponent."""

    searches = False

    def __init__(self, profile: Profile, power_ups: Sequence[PowerUp] = POWER_UPS) -> None:
        self.name = profile.name
        self.persona = Persona(title=profile.name, character=profile.character)
        self.profile = profile
        self._power_ups = {power_up.id: power_up for power_up in power_ups}

    def begin(self) -> Mind:
        """Nothing seen yet."""
        return Mind()

    def observe(self, mind: Mind, view: View, dice: Dice) -> Mind:
        """Open cards are remembered; with every turn that passes some are forgotten."""
        return observed(mind, view, lambda: not dice.chance(self.profile.forget_chance))

    def delay(self, view: View, dice: Dice) -> Millis:
        """Some time between the profile's bounds, after any cards shown for a while are hidden."""
        shown = sum(card.state == "revealed" for card in view.cards) > len(view.flipped)
        wait = view.options.clairvoyance_ms if shown else 0
        return wait + dice.between(self.profile.delay_min_ms, self.profile.delay_max_ms)

    def choose(
        self,
        mind: Mind,
        view: View,
        legal: Sequence[Action],
        dice: Dice,
        time_left: Callable[[], float],
    ) -> Action:
        """A power-up that appeals, a pair it knows, or a card it does not."""
        return self.at_once(mind, view, legal, dice)

    def at_once(self, mind: Mind, view: View, legal: Sequence[Action], dice: Dice) -> Action:
        """The same: nobody searches here."""
        hidden = {action.index for action in legal if isinstance(action, Flip)}
        remembered = {
            index: pair_id
            for index, pair_id in enumerate(mind.seen)
            if index in hidden and pair_id is not None
        }
        if view.phase == "first_flip":
            pair = known_pair(remembered)
            use = self._power_up(mind, view, remembered, pair, legal, dice)
            if use is not None:
                return use
            if not hidden:
                return dice.choice(legal)  # all that is left lies open for a while
            if pair is not None and dice.chance(self.profile.use_known_pair_chance):
                return Flip(self._reached(dice.choice(pair), view, hidden, dice))
        else:
            wanted = view.cards[view.flipped[0]].pair_id
            partners = [index for index, pair_id in remembered.items() if pair_id == wanted]
            sure = mind.recalled or dice.chance(self.profile.use_known_pair_chance)
            if partners and sure:
                return Flip(self._reached(partners[0], view, hidden, dice))
        if self.profile.plays_best and shows_nothing_new(mind, view):
            known = sorted(remembered)
            if known:
                return Flip(dice.choice(known))
        return Flip(dice.choice(_unknown(hidden, remembered, view.highlight)))

    def _reached(self, card: int, view: View, hidden: set[int], dice: Dice) -> int:
        """The card itself, or one beside it that was taken for it."""
        if dice.chance(self.profile.misplace_chance):
            beside = sorted(hidden.intersection(around(view.options, card)).difference({card}))
            if beside:
                return dice.choice(beside)
        return card

    def _power_up(
        self,
        mind: Mind,
        view: View,
        remembered: Mapping[int, int],
        pair: tuple[int, int] | None,
        legal: Sequence[Action],
        dice: Dice,
    ) -> UsePowerUp | None:
        """The use that helps or appeals most, if the bot feels like it."""
        uses = [action for action in legal if isinstance(action, UsePowerUp)]
        if not uses:
            return None
        dice.shuffle(uses)
        prospects = [(use, Prospect(view, remembered, pair, use.card_index)) for use in uses]
        if self.profile.plays_best:
            now = standing(mind, view)
            chosen, most = None, now.chances + WORTH_IT
            untold = []
            for use, prospect in prospects:
                chances = self._power_ups[use.power_up_id].chances(prospect, now)
                if chances is None:
                    untold.append((use, prospect))
                elif chances > most:
                    chosen, most = use, chances
            if chosen is not None:
                return chosen
            prospects = untold
        tempting, appeal = None, 0
        for use, prospect in prospects:
            percent = self._power_ups[use.power_up_id].appeal(prospect)
            if percent > appeal:
                tempting, appeal = use, percent
        return tempting if dice.chance(appeal) else None


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
STAND_INS = tuple(name for name, bot in BOTS.items() if bot.profile.stand_in)
"""Who takes the seat of an opponent who does not come."""


def prepare() -> None:
    """Work out beforehand how the boards that players may choose are played best."""
    solver.worth(solver.EXACT_UP_TO, 0)
