"""The protocol's page is true: the game it shows is played on a real server."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.generated import ROOT
from tests.host.conftest import Client, Enter, Message
from tests.servers.parlour import Served

PAGE = ROOT / "docs" / "protocol" / "play.md"
LINE = re.compile(r"^(ann|bob) ([<>]) (.+)$")
ANY = "…"


def script() -> list[tuple[str, str, Message]]:
    """Who says (`>`) or hears (`<`) what."""
    text = PAGE.read_text("utf-8")
    shown = text.partition("```play\n")[2].partition("```")[0]
    found = [LINE.match(line) for line in shown.splitlines() if line]
    return [(each[1], each[2], json.loads(each[3])) for each in found if each is not None]


def fits(told: Any, shown: Any) -> bool:
    """Whether a message is what the page shows of it."""
    if shown == ANY:
        return told is not None
    if isinstance(shown, dict):
        return isinstance(told, dict) and all(
            key in told and fits(told[key], value) for key, value in shown.items()
        )
    return bool(told == shown)


async def hears(client: Client, shown: Message) -> Message:
    """The next message like that, past those that the page leaves out."""
    while not fits(message := await client.hear(), shown):
        assert message["type"] != "error", (message, shown)
    return message


async def test_the_game_on_the_page_is_played_as_it_stands(enter: Enter, house: Served) -> None:
    lines = script()
    assert len(lines) > 30
    clients = {name: await enter(None) for name in ("ann", "bob")}
    known: Message = {}
    for name, direction, message in lines:
        if direction == ">":
            if message["type"] == "auth":
                known["token"], _ = house.guest()
            filled = {key: known[key] if value == ANY else value for key, value in message.items()}
            await clients[name].say(**{"kind": filled.pop("type"), **filled})
            continue
        told = await hears(clients[name], message)
        if told["type"] == "table":
            known |= {"match": told["match"]} | ({"code": told["code"]} if told["code"] else {})


def test_every_message_is_on_the_page() -> None:
    text = PAGE.read_text("utf-8")
    schemas = json.loads((ROOT / "web" / "sockets.json").read_text("utf-8"))["components"][
        "schemas"
    ]
    names = {
        schemas[each["$ref"].rpartition("/")[2]]["properties"]["type"]["enum"][0]
        for side in ("PlaySaid", "PlayHeard")
        for each in schemas[side]["anyOf"]
    }
    assert len(names) > 15
    assert {name for name in names if f"`{name}`" not in text} <= {"pong"}
