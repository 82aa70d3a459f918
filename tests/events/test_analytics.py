"""What events add up to, from the events themselves and from Kafka's topic."""

from __future__ import annotations

from io import StringIO
from itertools import count
from typing import Any

import msgspec
import pytest
from confluent_kafka import Producer
from rich.console import Console

from parlour.events.analytics import DAY, HOUR, MINUTE, Analytics, Figures
from parlour.events.kafka import Kafka
from parlour.events.outbox import Event, EventType
from parlour.events.reader import read
from parlour.events.relay import Outgoing
from parlour.tally import summaries, table
from parlour.timekeeping import iso
from tests.servers.kafka import MockKafka

NOW = 1_800_000_000_000  # 2027-01-15T08:00:00Z


def event(kind: EventType, game_id: str, player: str | None, ago: int, **metadata: Any) -> Event:
    return Event(kind, game_id, player, iso(NOW - ago), {"game": "quarto", **metadata})


class Feed:
    """Events in the order of the outbox, counted as they come."""

    def __init__(self) -> None:
        self.counted = Analytics()
        self.positions = count(1)

    def tell(self, *events: Event) -> None:
        for each in events:
            self.counted.take(each, next(self.positions))

    def game(self, game_id: str, ago: int, took: int, winner: str | None, game: str) -> None:
        self.tell(
            event("player_joined", game_id, "ann", ago, game=game),
            event("player_joined", game_id, "bob", ago, game=game),
            event("game_started", game_id, None, ago, game=game),
            event("move_made", game_id, "ann", ago - took // 2, game=game),
            event("move_made", game_id, "bob", ago - took, game=game),
            event("game_completed", game_id, winner, ago - took, game=game, durationMs=took),
        )


def test_a_day_of_games_adds_up() -> None:
    feed = Feed()
    feed.game("g1", 20 * HOUR, 300_000, "ann", "quarto")
    feed.game("g2", 10 * HOUR, 100_000, "bob", "memory")
    feed.game("g3", 30 * MINUTE, 60_000, "ann", "quarto")
    feed.game("g4", 10 * MINUTE, 20_000, None, "quarto")
    feed.tell(event("game_started", "g5", None, MINUTE), event("move_made", "g5", "cleo", 0))
    counted = feed.counted
    assert counted.figures(DAY, NOW) == Figures(
        started=5,
        completed=4,
        moves=9,
        players=3,
        shortest_ms=20_000,
        average_ms=120_000,
        longest_ms=300_000,
        wins=(("ann", 2), ("bob", 1)),
    )
    assert counted.figures(HOUR, NOW, "quarto") == Figures(
        started=3,
        completed=2,
        moves=5,
        players=3,
        shortest_ms=20_000,
        average_ms=40_000,
        longest_ms=60_000,
        wins=(("ann", 1),),
    )
    assert (counted.active(), counted.active("quarto"), counted.active("memory")) == (1, 1, 0)
    nothing = Figures(0, 0, 0, 0, None, None, None, ())
    assert counted.figures(HOUR, NOW, "memory") == nothing
    assert counted.figures(HOUR, NOW + 2 * HOUR) == nothing


def test_what_comes_twice_counts_once() -> None:
    counted = Analytics()
    told = [
        event("game_started", "g1", None, 2_000),
        event("move_made", "g1", "ann", 1_000),
        event("game_completed", "g1", "ann", 0, durationMs=2_000),
    ]
    for _ in range(3):
        for position, each in enumerate(told):
            counted.take(each, position)
    figures = counted.figures(HOUR, NOW)
    assert (figures.started, figures.moves, figures.completed) == (1, 1, 1)
    assert counted.active() == 0


def test_yesterday_is_forgotten() -> None:
    feed = Feed()
    feed.game("old", 3 * DAY, 1_000, "ann", "quarto")
    feed.tell(event("game_started", "never-ended", None, 2 * DAY))
    feed.game("new", MINUTE, 1_000, "bob", "quarto")
    assert feed.counted.active() == 0
    assert len(feed.counted._minutes) == 1
    assert feed.counted.figures(5 * DAY, NOW).wins == (("bob", 1),)


async def test_events_are_read_back_from_the_topic(kafka: MockKafka) -> None:
    stranger = Producer({"bootstrap.servers": kafka.bootstrap_servers})
    for junk in (b"not ours", b"{}", b"\xff"):
        stranger.produce("game-events", junk)
    stranger.flush()
    sink = Kafka(kafka.bootstrap_servers, "game-events")
    told = [event("game_started", "g1", None, 1_000), event("move_made", "g1", "ann", 0)]
    for position, each in enumerate(told):
        await sink.publish([Outgoing(position, "g1", msgspec.json.encode(each), NOW)])
    await sink.close()
    events = read(kafka.bootstrap_servers, "game-events")
    found = [next(events), next(events), next(events)]
    events.close()  # type: ignore[attr-defined]  # it is a generator
    assert found == [(told[0], 0), (told[1], 1), None]


@pytest.mark.parametrize("busy", [False, True])
def test_the_screen_shows_every_game(busy: bool) -> None:
    feed = Feed()
    if busy:
        feed.game("g1", 20 * HOUR, 300_000, "ann", "quarto")
    screen = StringIO()
    Console(width=160, file=screen).print(table(summaries(feed.counted, NOW)))
    shown = screen.getvalue()
    assert "connect_five" in shown
    assert ("ann: 1" in shown) is busy
