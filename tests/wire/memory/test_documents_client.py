"""Memory as a client of the document plays it: by texts it looks for, codes, names and its hand."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from parlour.games.memory import problems
from parlour.games.memory.rules import WORDS
from tests.servers.keys import KeyServer
from tests.wire.memory.conftest import (
    Client,
    Message,
    Parlour,
    find_pair,
    issued,
    parlour_of,
)

PROTOCOL = Path(__file__).parents[3] / "docs/protocol/memory.md"


async def finished(parlour: Parlour, mover: Client, other: Client) -> None:
    """The one to move finds everything."""
    deck = await parlour.deck(mover)
    for pair_id in range(8):
        await find_pair(mover, other, deck, pair_id)
    for each in (mover, other):
        await each.hears("game_over")


async def play_again(mover: Client, other: Client, name: str = "") -> tuple[Client, Client]:
    """Another game of the same two, the first of them under another name if that is given."""
    for client in (mover, other):
        if name and client is mover:
            await client.say("set_name", name=name)
        else:
            await client.say("play_again")
        await client.hears("waiting_for_match")
    for client in (other, mover):
        await client.hears("match_found", "game_state")
    return (mover, other) if mover.found["yourTurn"] else (other, mover)


# --- what went wrong --------------------------------------------------------------------------


@pytest.mark.spec("B45", "B46", "B47")
async def test_a_client_finds_out_why_it_cannot_go_back(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    game_id, token = mover.found["gameId"], mover.found["rejoinToken"]
    back = await parlour.again(mover)
    nobody = await parlour.client()
    asked: list[tuple[Client, Message, str, str]] = [
        (nobody, {"type": "rejoin_my_game"}, "No active game for this user", "NO_ACTIVE_GAME"),
        (
            back,
            {"type": "rejoin", "gameId": "gone", "rejoinToken": token, "name": "Ann"},
            "Game not found",
            "GAME_NOT_FOUND",
        ),
        (
            back,
            {"type": "rejoin", "gameId": game_id, "rejoinToken": "no", "name": "Ann"},
            "Invalid rejoin token",
            "INVALID_REJOIN_TOKEN",
        ),
    ]
    for client, question, text, code in asked:
        await client.say(question.pop("type"), **question)
        answer = await client.hears("error")
        assert text in answer["message"]
        assert answer["code"] == code
        await client.hears_nothing()
    await back.say("rejoin", gameId=game_id, rejoinToken=token, name="Ann")
    await back.hears("match_found", "game_state")
    await finished(parlour, back, other)
    await back.say("rejoin", gameId=game_id, rejoinToken=token, name="Ann")
    answer = await back.hears("error")
    assert (answer["code"], "Game not found" in answer["message"]) == ("GAME_NOT_FOUND", True)


def test_every_code_is_in_the_protocol() -> None:
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", PROTOCOL.read_text(), re.MULTILINE))
    own = set(problems.WORDS) | {code.upper() for code in WORDS}
    general = {
        "INVALID_MESSAGE", "INVALID_NAME", "UNAUTHORIZED", "RATE_LIMITED", "UNAVAILABLE",
        "USER_NOT_FOUND", "OTHER_RULES",
    }  # fmt: skip
    assert listed == own | general


# --- names ------------------------------------------------------------------------------------


async def names_of(parlour: Parlour, client: Client) -> set[str]:
    """All names by which a player is shown anywhere."""
    me = client.user["id"]
    history: list[Any] = await parlour.get("/api/history", client)
    past = {entry[f"player{entry['your_index']}_name"] for entry in history}
    board = await parlour.get("/api/leaderboard?limit=200", client)
    return past | {entry["display_name"] for entry in board["entries"] if entry["user_id"] == me}


@pytest.mark.spec("B81", "B87", "B90")
async def test_a_guest_has_one_name_everywhere_also_after_it_changed(parlour: Parlour) -> None:
    mover, other = await parlour.pair("Zoë K.", "Bob")
    first, second = ("Zoë K.", "Bob") if mover.seat == 0 else ("Bob", "Zoë K.")
    await finished(parlour, mover, other)
    assert await names_of(parlour, mover) == {first}
    assert await names_of(parlour, other) == {second}

    one, two = await play_again(mover, other, "Renamed")
    assert (await names_of(parlour, mover), await names_of(parlour, other)) == (
        {"Renamed"},
        {second},
    ), "from the moment that it is played under"
    await finished(parlour, one, two)
    assert await names_of(parlour, mover) == {"Renamed"}
    theirs = await parlour.get("/api/history", other)
    shown = {entry[f"player{1 - entry['your_index']}_name"] for entry in theirs}
    assert shown == {"Renamed"}, "to the opponent, too"


@pytest.mark.spec("B81")
async def test_the_tokens_first_word_is_the_one_name_also_after_it_changed(neon: KeyServer) -> None:
    async with parlour_of(neon_auth_base_url=neon.origin) as parlour:
        token = issued(neon, sub="u-ann", name="Ann Example")
        ann, bob = (
            await parlour.client(token, await user_of(parlour, token)),
            await parlour.client(),
        )
        for client, name in ((ann, "ignored"), (bob, "Bob")):
            await client.say("set_name", name=name)
            await client.hears("waiting_for_match")
        for client in (bob, ann):
            await client.hears("match_found", "game_state")
        assert bob.found["opponentName"] == "Ann"
        await finished(parlour, *((ann, bob) if ann.found["yourTurn"] else (bob, ann)))
        assert await names_of(parlour, ann) == {"Ann"}

        await play_again(ann, bob)
        renamed = issued(neon, sub="u-ann", name="Anna Example")
        again = await parlour.client(renamed, ann.user)
        await again.say("rejoin_my_game")
        state = await again.hears("match_found", "game_state")
        assert state["you"]["name"] == "Ann", "a game that is on keeps its names"
        assert await names_of(parlour, again) == {"Ann"}
        await again.say("leave_game")
        await bob.hears("opponent_disconnected")
        await play_again(again, bob)
        assert bob.found["opponentName"] == "Anna"
        assert await names_of(parlour, again) == {"Anna"}


async def user_of(parlour: Parlour, token: str) -> Message:
    """Whose token it is."""
    headers = {"Authorization": f"Bearer {token}"}
    answer = await asyncio.to_thread(parlour.served.ask, "GET", "/api/users/me", headers=headers)
    user: Message = answer.json()
    return user


async def test_the_computer_has_one_name_too() -> None:
    async with parlour_of(ai_pair_timeout_sec=0.01) as quick:
        ann = await quick.client()
        await ann.say("set_name", name="Ann")
        await ann.hears("waiting_for_match", "match_found", "game_state")
        await ann.say("leave_game")
        while not (history := await quick.get("/api/history", ann)):
            pass
    shown = history[0][f"player{1 - history[0]['your_index']}_name"]
    assert shown == ann.found["opponentName"].removeprefix("ai:")


# --- leaving, and what is in hand -------------------------------------------------------------


@pytest.mark.spec("B23", "B55")
@pytest.mark.parametrize("left", [True, False])
async def test_who_left_and_who_stayed_away_lost_by_absence(parlour: Parlour, left: bool) -> None:
    mover, other = await parlour.pair()
    if left:
        await mover.say("leave_game")
    else:
        await mover.line.close()
        await other.hears("opponent_reconnecting", "game_state")
        await parlour.pass_sec(10_000)
    await other.hears("opponent_disconnected")
    for client in (mover, other):
        (entry,) = await parlour.get("/api/history", client)
        assert (entry["end_reason"], entry["left"]) == ("opponent_disconnected", left)
        assert entry["winner_index"] == other.seat
        assert (entry["player0_elo_after"], entry["player1_elo_after"]) == (None, None)


@pytest.mark.spec("B25", "B50")
async def test_all_copies_in_hand_are_usable(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    state = await find_pair(mover, other, deck, 0)
    assert state["hand"] == [{"powerUpId": "chaos", "count": 1, "usableCount": 1}]
    assert (state["yourTurn"], state["phase"]) == (True, "first_flip")
    await mover.say("use_power_up", powerUpId="chaos")
    state = await mover.hears("powerup_used", "game_state")
    assert state["hand"] == []
