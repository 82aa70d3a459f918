"""A table whose game was played by other rules than those of today, over `/ws/play`."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from websockets.asyncio.client import connect

from parlour.settings import Settings
from tests.host.conftest import Client, Message
from tests.servers.parlour import Served, serving


async def entered(served: Served, token: str, user: Message) -> Client:
    line = await connect(served.ws + "/ws/play", compression=None)
    client = Client(line, token, user)
    assert (await client.asks("auth", token=token))["type"] == "welcome"
    return client


async def resigned(served: Served, token: str, user: Message) -> tuple[str, str]:
    """A game that is over, and one that is not, at one device."""
    player = await entered(served, token, user)
    over = await player.asks("open", game="quarto", local=True)
    await player.asks("resign", match=over["match"])
    going = await player.asks("open", game="quarto", local=True)
    await player.hang_up()
    return over["match"], going["match"]


async def looked_at(served: Served, token: str, user: Message, over: str, going: str) -> None:
    player = await entered(served, token, user)
    table = await player.asks("watch", match=over)
    assert (table["type"], table["view"], table["legal"]) == ("table", None, [])
    assert table["result"]["reason"] == "forfeit"
    action = {"type": "select", "piece": 0}
    for match in (over, going):
        assert await player.refused("join", match=match) == "OTHER_RULES"
    assert await player.refused("resign", match=over) == "OTHER_RULES"
    assert await player.refused("rematch", match=over) == "OTHER_RULES"
    acted = {"match": over, "version": table["version"], "action": action}
    assert await player.refused("act", **acted) == "OTHER_RULES"
    await served_until_called_off(player, going)
    await player.hang_up()


async def served_until_called_off(player: Client, match: str) -> None:
    """The keeper ends it, and whoever looks on is told."""
    table = await player.asks("watch", match=match)
    if table["status"] == "active":
        step = await player.hears("step")
        assert (step["kind"], step["status"], step["view"]) == ("cancel", "cancelled", None)
        assert (await player.hears("left"))["why"] == "closed"
    else:
        assert table["status"] == "cancelled"


def test_it_is_shown_and_cannot_be_acted_on(tmp_path: Path) -> None:
    database = tmp_path / "parlour.db"
    settings = Settings(database_url=f"sqlite:///{database}")
    with serving(settings) as served:
        token, user = served.guest()
        over, going = asyncio.run(resigned(served, token, user))
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE match SET rules_version = 0, state = '{}'")
    with serving(settings) as served:
        asyncio.run(looked_at(served, token, user, over, going))
