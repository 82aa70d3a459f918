"""What stands in for a game's rules at a match that was played by another version of them.

Laws: its state is bytes that nobody reads and nobody changes; it cannot be acted on; nothing of it
is seen but what its rows tell.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw

from parlour.games.api import Env, Loaded, Outcome, Refused, Rules, Seat, Step
from parlour.games.registry import AnyRules

CODE: Final = "OTHER_RULES"
WORDS: Final = "This match was played by other rules than those of today, and cannot go on."


class OtherRules(Rules[Raw, Any, None]):
    """Keeps a match as it is."""

    def __init__(self, rules: AnyRules, version: int) -> None:
        self.key = rules.key
        self.version = version
        self.options_type = Raw
        self.state_type = Raw
        self.action_type = Any
        self.view_type = type(None)
        self.longest = 0
        self.rating = rules.rating
        self.asides = rules.asides
        self.words = {CODE: WORDS}

    def setup(self, options: Any, env: Env) -> Raw:
        """Nothing begins by rules that are not there."""
        raise refusal()

    def load(self, stored: bytes) -> Loaded[Raw]:
        """As it is."""
        return Loaded(Raw(stored))

    def act(self, state: Raw, seat: Seat, action: Any, env: Env) -> Step[Raw]:
        """Never."""
        raise refusal()

    def outcome(self, state: Raw) -> Outcome | None:
        """Only its rows tell."""
        return None

    def view(self, state: Raw, seat: Seat | None) -> None:
        """Nothing."""

    def legal(self, view: None) -> tuple[Any, ...]:
        """Nothing."""
        return ()


def refusal() -> Refused:
    """Why nothing can be done with such a match."""
    return Refused(CODE, WORDS)


def governing(rules: AnyRules, version: int) -> AnyRules:
    """What a match of that version of a game's rules goes by."""
    return rules if version == rules.version else OtherRules(rules, version)
