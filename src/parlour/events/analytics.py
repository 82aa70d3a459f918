"""What the events add up to: games, moves, players and durations over a span of time up to now.

Events may come twice, and those of different games in any order; each counts once, at the time it
tells. Nothing older than a day is kept.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct, field

from parlour.events.outbox import Event
from parlour.games.api import Millis

MINUTE: Millis = 60_000
HOUR: Millis = 60 * MINUTE
DAY: Millis = 24 * HOUR

GAMES_REMEMBERED = 200_000
"""Of how many games it is known what was counted already, the latest ones."""


class Figures(Struct, frozen=True):
    """What happened within a span of time."""

    started: int
    completed: int
    moves: int
    players: int
    """How many different ones did anything."""
    shortest_ms: Millis | None
    average_ms: Millis | None
    longest_ms: Millis | None
    """Durations of the games that were completed."""
    wins: tuple[tuple[str, int], ...]
    """Who won how often, the most successful first."""


class Minute(Struct):
    """What happened within a minute to games of one kind."""

    started: int = 0
    moves: int = 0
    players: set[str] = field(default_factory=set)
    durations: list[Millis] = field(default_factory=list)
    wins: Counter[str] = field(default_factory=Counter)


class Analytics:
    """Counts events as they come."""

    def __init__(self) -> None:
        self._minutes: dict[tuple[int, str], Minute] = {}
        self._newest = 0
        self._counted: OrderedDict[str, int] = OrderedDict()
        """The number of the last event of each game."""
        self._playing: dict[str, tuple[str, Millis]] = {}
        """Games under way: which kind, since when."""

    def take(self, event: Event, position: int) -> None:
        """Counts an event; `position` is its number in the outbox, by which it is known again."""
        if position <= self._counted.get(event.game_id, -1):
            return
        self._counted[event.game_id] = position
        self._counted.move_to_end(event.game_id)
        if len(self._counted) > GAMES_REMEMBERED:
            self._counted.popitem(last=False)
        at = _millis(event.timestamp)
        game = str(event.metadata.get("game"))
        minute = self._minutes.setdefault((at // MINUTE, game), Minute())
        if event.player_id is not None:
            minute.players.add(event.player_id)
        match event.event_type:
            case "game_started":
                minute.started += 1
                self._playing[event.game_id] = (game, at)
            case "move_made":
                minute.moves += 1
            case "game_completed":
                minute.durations.append(int(event.metadata.get("durationMs", 0)))
                if event.player_id is not None:
                    minute.wins[event.player_id] += 1
                self._playing.pop(event.game_id, None)
            case _:
                pass
        if at // MINUTE > self._newest:
            self._newest = at // MINUTE
            self._forget(at - DAY)

    def active(self, game: str | None = None) -> int:
        """How many games are under way."""
        return sum(game in (None, kind) for kind, _ in self._playing.values())

    def figures(self, span: Millis, now: Millis, game: str | None = None) -> Figures:
        """What happened in the last `span`, to the minute; of one kind of game, or of all."""
        minutes = list(self._within(now - span, now, game))
        durations = [duration for minute in minutes for duration in minute.durations]
        wins: Counter[str] = Counter()
        players: set[str] = set()
        for minute in minutes:
            wins.update(minute.wins)
            players |= minute.players
        return Figures(
            started=sum(minute.started for minute in minutes),
            completed=len(durations),
            moves=sum(minute.moves for minute in minutes),
            players=len(players),
            shortest_ms=min(durations, default=None),
            average_ms=sum(durations) // len(durations) if durations else None,
            longest_ms=max(durations, default=None),
            wins=tuple(wins.most_common()),
        )

    def _within(self, since: Millis, until: Millis, game: str | None) -> Iterator[Minute]:
        for (minute, kind), counted in self._minutes.items():
            if since // MINUTE < minute <= until // MINUTE and game in (None, kind):
                yield counted

    def _forget(self, before: Millis) -> None:
        for key in [key for key in self._minutes if key[0] < before // MINUTE]:
            del self._minutes[key]
        for game_id in [each for each, (_, at) in self._playing.items() if at < before]:
            del self._playing[game_id]


def _millis(timestamp: str) -> Millis:
    return round(datetime.fromisoformat(timestamp).timestamp() * 1000)
