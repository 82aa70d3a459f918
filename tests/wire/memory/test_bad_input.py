"""Whatever a client says: an error it can make sense of, nothing changed, nobody else bothered."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from parlour.games.memory.messages import NotUnderstood, understood
from tests.wire.memory.conftest import Client, Parlour, mismatch, places

DEEP = '{"type":"ping","a":' + "[" * 20_000 + "]" * 20_000 + "}"

NOT_UNDERSTOOD: list[Any] = [
    "",
    "flip",
    "nonsense{",
    "null",
    "7",
    "[]",
    '"flip_card"',
    DEEP,
    {},
    {"index": 0},
    {"type": None},
    {"type": 7},
    {"type": "unknown"},
    {"type": "x" * 50_000},
    {"type": "FLIP_CARD", "index": 0},
    {"type": "flip_card"},
    {"type": "flip_card", "index": None},
    {"type": "flip_card", "index": True},
    {"type": "flip_card", "index": "0"},
    {"type": "flip_card", "index": 0.0},
    {"type": "flip_card", "index": 1.5},
    {"type": "flip_card", "index": [0]},
    '{"type":"flip_card","index":1e2}',
    '{"type":"flip_card","index":NaN}',
    '{"type":"flip_card","index":' + "9" * 5_000 + "}",
    {"type": "use_power_up"},
    {"type": "use_power_up", "powerUpId": 0},
    {"type": "use_power_up", "powerUpId": "clairvoyance", "cardIndex": "3"},
    {"type": "use_power_up", "powerUpId": "clairvoyance", "cardIndex": False},
    {"type": "set_name"},
    {"type": "set_name", "name": 7},
    {"type": "set_name", "name": None},
    '{"type":"set_name","name":"\\ud800"}',
    {"type": "rejoin"},
    {"type": "rejoin", "gameId": "x", "rejoinToken": 7},
    {"type": "game_state", "cards": []},
    b"\x00\x01binary",
    b'{"type":"flip_card","index":0}',
]

REFUSED: list[Any] = [
    {"type": "flip_card", "index": -1},
    {"type": "flip_card", "index": 16},
    {"type": "flip_card", "index": 10**30},
    {"type": "use_power_up", "powerUpId": "chaos"},
    {"type": "use_power_up", "powerUpId": "clairvoyance", "cardIndex": 3},
    {"type": "use_power_up", "powerUpId": "nothing"},
    {"type": "use_power_up", "powerUpId": ""},
    {"type": "set_name", "name": "Ann"},
    {"type": "set_name", "name": ""},
    {"type": "set_name", "name": "x" * 25},
    {"type": "auth", "token": "again"},
    {"type": "play_again"},
    {"type": "leave_queue"},
    {"type": "rejoin_my_game"},
]


def short(said: Any) -> str:
    return str(said)[:60]


async def said(client: Client, message: Any) -> str:
    """The error that this is answered with."""
    if not isinstance(message, str | bytes):
        message = json.dumps(message)
    await client.line.send(message)
    error = await client.hears("error")
    assert set(error) == {"type", "message", "code"}
    return str(error["message"])


@pytest.mark.spec("B47")
async def test_nonsense_is_answered_and_changes_nothing(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    before = await parlour.match(mover)
    for each in NOT_UNDERSTOOD:
        text = await said(mover, each)
        assert text.startswith(("Not understood: ", "Messages are JSON text")), text
        assert len(text) < 200
        await said(other, each)
    assert await parlour.match(mover) == before
    await mover.flip(0)
    for client in (mover, other):
        await client.hears("game_state")
        await client.hears_nothing()


@pytest.mark.spec("B20", "B30", "B47")
async def test_what_the_rules_refuse_changes_nothing(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    before = await parlour.match(mover)
    for each in REFUSED:
        assert await said(mover, each)
        assert await said(other, each)
    assert await said(other, {"type": "flip_card", "index": 0}) == "It is not your turn."
    assert await parlour.match(mover) == before
    for client in (mover, other):
        await client.hears_nothing()


@pytest.mark.spec("B20", "B47")
async def test_open_cards_cannot_be_flipped(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    first, second = places(deck, 6)
    await mover.flip(first)
    await mover.hears("game_state")
    assert await mover.refused("flip_card", index=first) == "That card is already face up."
    await mover.flip(second)
    await mover.hears("game_state")
    text = await mover.refused("flip_card", index=first)
    assert text == "That card has already been matched."
    await other.hears("game_state", "game_state")
    await other.hears_nothing()
    assert await mover.refused("flip_card", index=16) == "Cards go from 0 to 15."


async def test_words_nobody_knows_beside_a_message_are_passed_over(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    await mover.say("flip_card", index=0, since="version 9", cheat=True)
    await mover.hears("game_state")
    await other.hears("game_state")


# --- abuse ------------------------------------------------------------------------------------


async def test_a_megabyte_ends_the_conversation_and_only_that_one(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    await other.line.send("x" * 1_000_000)
    assert await other.closed() == 1009
    await mover.hears("opponent_reconnecting", "game_state")
    back = await parlour.again(other)
    await back.say("rejoin_my_game")
    await back.hears("match_found", "game_state")


async def test_a_flood_ends_the_conversation_and_nobody_else_waits(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    flip = Frame(Opcode.TEXT, b'{"type":"flip_card","index":99}').serialize(mask=True)
    other.line.transport.write(flip * 20_000)
    for index in mismatch(await parlour.deck(mover)):
        await mover.flip(index)
        while index not in (await mover.hear()).get("flippedIndices", ()):
            pass
    assert await other.closed() == 1008


# --- anything ---------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)
KINDS = st.sampled_from(
    ["flip_card", "use_power_up", "set_name", "rejoin", "auth", "ping", "play_again", "x"]
)
FIELDS = st.sampled_from(
    ["index", "powerUpId", "cardIndex", "name", "gameId", "rejoinToken", "token"]
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.text() | st.binary() | st.dictionaries(FIELDS, JSON).map(json.dumps))
def test_whatever_is_said_is_understood_or_not(anything: str | bytes) -> None:
    with suppress(NotUnderstood):
        understood(anything)


@given(KINDS, st.dictionaries(FIELDS, JSON))
def test_what_is_understood_has_the_types_it_should(kind: str, fields: dict[str, Any]) -> None:
    try:
        message = understood(json.dumps({**fields, "type": kind}))
    except NotUnderstood:
        return
    for name, value in msgspec.to_builtins(message).items():
        if name in ("index", "cardIndex"):
            assert type(value) is int or (value is None and name == "cardIndex")
        else:
            assert isinstance(value, str)
