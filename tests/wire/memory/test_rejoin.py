"""Going and coming back: windows, tokens, other devices."""

from __future__ import annotations

import asyncio

import pytest

from parlour.play.player import Player
from parlour.store import queries
from tests.wire.memory.conftest import Client, Message, Parlour, mismatch

WINDOW_MS = 10_000_000


async def gone(parlour: Parlour, leaver: Client, stayer: Client) -> Message:
    """One's connection is lost; what the other hears first."""
    await leaver.line.close()
    message = await stayer.hears("opponent_reconnecting")
    assert set(message) == {"type", "reconnectionDeadlineUnixMs"}
    return message


@pytest.mark.spec("B23", "B92")
async def test_who_goes_is_waited_for_and_the_turns_clock_stands(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    before = (await parlour.match(mover)).state
    message = await gone(parlour, other, mover)
    match = await parlour.match(mover)
    assert message["reconnectionDeadlineUnixMs"] == match.updated_at + WINDOW_MS
    state = await mover.hears("game_state")
    assert "turnEndsAtUnixMs" not in state
    assert state["turnCountdownShowSec"] == 30
    assert match.state.turn_left_ms == before.turn_ends_at - match.updated_at

    deck = await parlour.deck(mover)
    for index in mismatch(deck):
        await mover.flip(index)
        await mover.hears("game_state")
    assert (await mover.hears("game_state"))["yourTurn"] is False, "one may play on alone"
    await mover.refused("flip_card", index=0)


@pytest.mark.spec("B46", "B49", "B94")
async def test_back_by_user(parlour: Parlour) -> None:
    mover, other = await parlour.pair("Ann", "Bob")
    await gone(parlour, other, mover)
    await mover.hears("game_state")
    left_ms = (await parlour.match(mover)).state.turn_left_ms
    back = await parlour.again(other)
    await back.say("rejoin_my_game")
    await back.hears("match_found")
    assert back.found == other.found, "the same seat, token and all"
    state = await back.hears("game_state")
    assert await mover.hears("opponent_reconnected") == {"type": "opponent_reconnected"}
    seen = await mover.hears("game_state")
    now = (await parlour.match(mover)).updated_at
    assert seen["turnEndsAtUnixMs"] == state["turnEndsAtUnixMs"] == now + left_ms
    await back.hears_nothing()
    await mover.flip(0)
    for each in (mover, back):
        await each.hears("game_state")


@pytest.mark.spec("B45", "B49", "B91", "B94")
async def test_back_by_token(parlour: Parlour) -> None:
    mover, other = await parlour.pair("Ann", "Bob")
    await mover.flip(3)
    for each in (mover, other):
        before = await each.hears("game_state")
    await gone(parlour, other, mover)
    await mover.hears("game_state")
    back = await parlour.again(other)
    game_id, token = other.found["gameId"], other.found["rejoinToken"]
    await back.say("rejoin", gameId=game_id, rejoinToken=token, name="Whoever")
    await back.hears("match_found")
    assert back.found == other.found
    state = await back.hears("game_state")
    assert {**state, "turnEndsAtUnixMs": 0} == {**before, "turnEndsAtUnixMs": 0}
    await mover.hears("opponent_reconnected", "game_state")
    for each in (mover, back):
        await each.hears_nothing()


@pytest.mark.spec("B45", "B91")
async def test_a_token_is_good_for_its_owner_at_its_game_only(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    stranger = await parlour.client()
    game_id, token = other.found["gameId"], other.found["rejoinToken"]
    tries = [
        (stranger, game_id, token),
        (stranger, game_id, mover.found["rejoinToken"]),
        (await parlour.again(other), game_id, mover.found["rejoinToken"]),
        (await parlour.again(other), game_id, token.upper()),
        (await parlour.again(other), game_id, ""),
        (await parlour.again(other), game_id, "\u20ac\u0000"),
        (await parlour.again(other), "00000000-0000-0000-0000-000000000000", token),
        (await parlour.again(other), "no id at all \u0000", token),
        (await parlour.again(other), "", token),
    ]
    for client, which, with_what in tries:
        text = await client.refused("rejoin", gameId=which, rejoinToken=with_what, name="Eve")
        assert ("Invalid rejoin token" if which == game_id else "Game not found") in text
    assert await stranger.refused("rejoin_my_game") == "No active game for this user."
    for each in (mover, other):
        await each.hears_nothing()


async def test_another_device_takes_over_and_the_old_one_is_told(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    phone = await parlour.again(mover)
    await phone.say("rejoin_my_game")
    await phone.hears("match_found", "game_state")
    assert "another window or device" in (await mover.hears("error"))["message"]
    assert await mover.closed() == 4409
    await other.hears_nothing()
    await phone.flip(0)
    await phone.hears("game_state")
    await other.hears("game_state")

    tablet = await parlour.again(mover)
    token = phone.found["rejoinToken"]
    await tablet.say("rejoin", gameId=phone.found["gameId"], rejoinToken=token, name="")
    await tablet.hears("match_found", "game_state")
    await phone.hears("error")
    assert await phone.closed() == 4409
    await other.hears_nothing()


@pytest.mark.spec("B23", "B55", "B92")
async def test_who_does_not_come_back_in_time_loses(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    await gone(parlour, mover, other)
    await other.hears("game_state")
    await parlour.pass_sec(WINDOW_MS / 1000)
    assert await other.hears("opponent_disconnected") == {"type": "opponent_disconnected"}
    await other.hears_nothing()
    match = await parlour.match(other)
    assert (match.winner, match.reason) == (other.seat, "opponent_disconnected")
    assert [seat.rating_delta for seat in match.seats] == [None, None]
    late = await parlour.again(mover)
    assert await late.refused("rejoin_my_game") == "No active game for this user."
    game_id, token = mover.found["gameId"], mover.found["rejoinToken"]
    text = await late.refused("rejoin", gameId=game_id, rejoinToken=token, name="Ann")
    assert text == "Game not found. It may be over."
    for each in (late, other):
        await each.say("set_name", name="Again")
        await each.hears("waiting_for_match")


@pytest.mark.spec("B92")
async def test_who_comes_as_the_window_closes_comes_too_late(parlour: Parlour) -> None:
    """Nobody has noticed yet that it closed: it is stepped before the return."""
    mover, other = await parlour.pair()
    await gone(parlour, mover, other)
    await other.hears("game_state")
    late = await parlour.again(mover)
    await late.hears_nothing()
    parlour.clock.shift += WINDOW_MS
    assert await late.refused("rejoin_my_game") in (
        "Game not found. It may be over.",
        "No active game for this user.",
    )
    await other.hears("opponent_disconnected")
    match = await parlour.match(other)
    assert (match.winner, match.reason) == (other.seat, "opponent_disconnected")


async def test_if_both_are_gone_the_one_whose_window_ends_first_loses(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    await gone(parlour, mover, other)
    await parlour.pass_sec(10)
    await other.line.close()
    while None in (await parlour.match(other)).state.away_until:
        pass
    await parlour.pass_sec(WINDOW_MS / 1000 - 10)
    match = await parlour.match(other)
    assert (match.winner, match.reason) == (other.seat, "opponent_disconnected")


async def test_who_comes_back_to_an_empty_table_hears_that_it_is(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    message = await gone(parlour, mover, other)
    await other.line.close()
    back = await parlour.again(other)
    await back.say("rejoin_my_game")
    await back.hears("match_found", "game_state")
    assert await back.hears("opponent_reconnecting") == message
    await back.hears_nothing()


async def test_a_table_that_waits_for_a_friend_is_come_back_to(parlour: Parlour) -> None:
    """It was opened elsewhere, and is the one game of its player; nobody has come to it yet."""
    ann, eve = await parlour.client(), await parlour.client()
    seating = parlour.served.services.kernel.seating
    for each, name in ((ann, "Ann"), (eve, "Eve")):
        player = Player(name=name, user_id=each.user["id"])
        opened = await asyncio.to_thread(parlour.served.run, seating.open("memory", player))
        each.found = {"gameId": opened.id}
        assert "rejoin_my_game" in await each.refused("set_name", name=name)
        await each.say("rejoin_my_game")
        await each.hears("waiting_for_match")
        await each.refused("flip_card", index=0)
    bob = Player(name="Bob")
    await asyncio.to_thread(parlour.served.run, seating.join(ann.found["gameId"], bob))
    await ann.hears("match_found", "game_state")
    assert ann.found["opponentName"] == "Bob"
    await eve.say("leave_game")
    assert (await eve.hears("error"))["message"] == "This game was called off."
    await eve.hears_nothing()
    assert await eve.refused("flip_card", index=0) == "You are not in a game."


async def test_a_game_the_last_one_left_is_over_for_who_is_away(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    await gone(parlour, mover, other)
    await other.say("leave_game")
    await other.hears("game_state")
    await other.hears_nothing()
    match = await parlour.match(other)
    assert (match.winner, match.reason) == (mover.seat, "opponent_disconnected")


async def test_a_late_goodbye_of_a_replaced_socket_changes_nothing(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    phone = await parlour.again(mover)
    await phone.say("rejoin_my_game")
    await phone.hears("match_found", "game_state")
    await mover.line.close()
    await phone.hears_nothing()
    await other.hears_nothing()
    match = await parlour.match(other)
    assert match.state.away_until == (None, None)
    store = parlour.served.services.store
    rows = await asyncio.to_thread(parlour.served.run, queries.presence(store, match.id))
    assert all(row.connection for row in rows)


@pytest.mark.spec("B22")
async def test_a_finished_game_holds_no_seat(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    await other.say("leave_game")
    await mover.hears("opponent_disconnected")
    store = parlour.served.services.store
    while any(
        row.connection
        for row in await asyncio.to_thread(
            parlour.served.run, queries.presence(store, mover.found["gameId"])
        )
    ):
        pass


async def test_a_game_that_is_called_off_is_told_so(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    seating = parlour.served.services.kernel.seating
    await asyncio.to_thread(parlour.served.run, seating.call_off(mover.found["gameId"]))
    for each in (mover, other):
        assert (await each.hears("error"))["message"] == "This game was called off."
        assert await each.refused("flip_card", index=0) == "You are not in a game."
    await mover.say("play_again")
    await mover.hears("waiting_for_match")
