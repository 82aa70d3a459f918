"""Serves a game that stands in a folder of its own, and plays it against its hardest bot.

python -m tests.host.newcomer FOLDER KEY
"""

from __future__ import annotations

import asyncio
import sys

from websockets.asyncio.client import connect

from parlour import games
from parlour.games.registry import all_rules, bots
from parlour.settings import Settings
from tests.host.conftest import Client, Message
from tests.servers.parlour import Served, serving

games.__path__.append(sys.argv[1])


async def play(served: Served, key: str) -> Message:
    """A game to its end, by nothing but what the server says; the last step."""
    token, user = served.guest()
    async with connect(served.ws + "/ws/play", compression=None) as line:
        me = Client(line, token, user)
        await me.asks("auth", token=token)
        standing = await me.asks("play_bot", game=key, bot=list(bots(key))[-1], seat=0)
        while standing["status"] == "active":
            if standing["turn"] == 0:
                await me.say(
                    "act",
                    match=standing["match"],
                    version=standing["version"],
                    action=standing["legal"][0],
                )
            standing = await me.hears("step")
        return standing


def main() -> None:
    key = sys.argv[2]
    assert key in all_rules()
    with serving(Settings(database_url="sqlite://")) as served:
        last = asyncio.run(play(served, key))
    sys.stdout.write(f"{last['status']} {last['result']['reason']} {last['result']['winner']}\n")


if __name__ == "__main__":
    main()
