"""From a move on a real server to Kafka, by every step's own word."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from parlour.events import relay
from parlour.games.connect4.rules import Drop, Options
from parlour.play.player import Player
from parlour.settings import Settings
from parlour.store.change import Change, OutboxRow
from tests.servers.kafka import MockKafka
from tests.servers.parlour import Served, serving


def play(served: Served) -> str:
    """Four in a column for the first player."""
    users = [served.guest()[1] for _ in range(2)]
    ann, bob = (Player(name=user["username"], user_id=user["id"]) for user in users)
    kernel = served.services.kernel
    match = served.run(kernel.seating.start("connect4", (ann, bob), options=Options(starter=0)))
    for column in (0, 1, 0, 1, 0, 1, 0):
        served.run(kernel.steps.act(match.id, column, Drop(column)))
    return match.id


@pytest.mark.spec("E41", "E42", "E43", "E44")
def test_what_is_played_arrives_on_the_topic(kafka: MockKafka) -> None:
    settings = Settings(
        database_url="sqlite://",
        kafka_bootstrap_servers=kafka.bootstrap_servers,
        kafka_topic="game-events",
    )
    with serving(settings) as served:
        games = [play(served) for _ in range(3)]
        served.run(_emptied(served))
    events = [msgspec.json.decode(message.value() or b"") for message in kafka.read("game-events")]
    for game in games:
        told = [event["eventType"] for event in events if event["gameId"] == game]
        assert told == [
            "player_joined",
            "player_joined",
            "game_started",
            *["move_made"] * 7,
            "game_completed",
        ]


async def _emptied(served: Served) -> None:
    while await served.services.store.rows(relay.OLDEST, count=1):  # noqa: ASYNC110 -- a database does not call back
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_without_kafka_nothing_is_written_and_what_is_left_goes(database: str) -> None:
    left = OutboxRow(key="old-game", type="game_started", payload=b"{}", at=1)
    with serving(Settings(database_url=database)) as served:
        served.run(served.services.store.commit(Change((left,))))
    with serving(Settings(database_url=database)) as served:
        play(served)
        assert served.run(served.services.store.rows(relay.OLDEST, count=1)) == []
