"""What is left of a game: history, ratings, leaderboard."""

from __future__ import annotations

import asyncio

import pytest

from parlour.store.change import Change, ChangeRating
from tests.wire.memory.conftest import Client, Parlour, find_pair, places


async def won(parlour: Parlour) -> tuple[Client, Client]:
    """A game in which the mover found everything: winner and loser."""
    mover, other = await parlour.pair("Ann", "Bob")
    deck = await parlour.deck(mover)
    for pair_id in range(8):
        await find_pair(mover, other, deck, pair_id)
    for each in (mover, other):
        await each.hears("game_over")
    return mover, other


async def rate(parlour: Parlour, client: Client, delta: int) -> None:
    """As if earlier games had moved its rating."""
    change = ChangeRating(
        user_id=client.user["id"], game="memory", delta=delta, result="loss", at=0
    )
    store = parlour.served.services.store
    await asyncio.to_thread(parlour.served.run, store.commit(Change((change,))))


@pytest.mark.spec("B87", "B88", "B89")
async def test_a_finished_game_is_in_the_history_of_both(parlour: Parlour) -> None:
    winner, loser = await won(parlour)
    match = await parlour.match(winner)
    for client in (winner, loser):
        (entry,) = await parlour.get("/api/history", client)
        assert entry.pop("played_at").endswith("Z")
        seats = {winner.seat: (winner, "Ann" if winner.seat == 0 else "Bob", 8, 1016)}
        seats[loser.seat] = (loser, "Ann" if loser.seat == 0 else "Bob", 0, 984)
        expected = {
            "id": match.id,
            "game_id": winner.found["gameId"],
            "game": "memory",
            "winner_index": winner.seat,
            "your_index": client.seat,
            "end_reason": "completed",
            "left": False,
        }
        for seat, (player, name, score, elo) in seats.items():
            expected |= {
                f"player{seat}_user_id": player.user["id"],
                f"player{seat}_name": name,
                f"player{seat}_score": score,
                f"player{seat}_elo_before": 1000,
                f"player{seat}_elo_after": elo,
            }
        assert entry == expected


@pytest.mark.spec("B88", "B89")
async def test_history_is_newest_first(parlour: Parlour) -> None:
    winner, loser = await won(parlour)
    await loser.say("play_again")
    await loser.hears("waiting_for_match")
    await winner.say("play_again")
    await winner.hears("waiting_for_match", "match_found", "game_state")
    await loser.hears("match_found", "game_state")
    await loser.say("leave_game")
    await winner.hears("opponent_disconnected")
    left, completed = await parlour.get("/api/history", winner)
    assert (left["end_reason"], completed["end_reason"]) == ("opponent_disconnected", "completed")
    assert (left["left"], completed["left"]) == (True, False)
    assert left["game_id"] == winner.found["gameId"]
    assert left["winner_index"] == left["your_index"]
    for seat, elo in ((winner.seat, 1016), (loser.seat, 984)):
        assert completed[f"player{seat}_elo_after"] == elo
    left_at = {loser.user["id"]: 984, winner.user["id"]: 1016}
    for seat in (0, 1):
        assert left[f"player{seat}_elo_before"] == left_at[left[f"player{seat}_user_id"]]
        assert left[f"player{seat}_elo_after"] is None, "only completed games move ratings"
    board = await parlour.get("/api/leaderboard?limit=200")
    elos = {entry["user_id"]: entry["elo"] for entry in board["entries"]}
    assert {user_id: elos[user_id] for user_id in left_at} == left_at


@pytest.mark.spec("B88")
async def test_no_rating_falls_below_zero(parlour: Parlour) -> None:
    ann, bob = await parlour.client(), await parlour.client()
    for each in (ann, bob):
        await rate(parlour, each, -995)
        await each.say("set_name", name="Ann or Bob")
    for each in (ann, bob):
        await each.hears("waiting_for_match", "match_found", "game_state")
    mover, other = (ann, bob) if ann.found["yourTurn"] else (bob, ann)
    deck = await parlour.deck(mover)
    for pair_id in range(8):
        await find_pair(mover, other, deck, pair_id)
    (entry,) = await parlour.get("/api/history", mover)
    elos = {entry[f"player{seat}_elo_after"] for seat in (0, 1)}
    assert elos == {21, 0}


@pytest.mark.spec("B90")
async def test_the_leaderboard_shows_oneself_beyond_its_end(parlour: Parlour) -> None:
    winner, loser = await won(parlour)
    await rate(parlour, winner, 500)
    top = await parlour.get("/api/leaderboard?limit=1", winner)
    (first,) = top["entries"]
    assert first == {
        "user_id": winner.user["id"],
        "display_name": "Ann" if winner.seat == 0 else "Bob",
        "elo": 1516,
        "wins": 1,
        "losses": 1,
        "draws": 0,
        "is_bot": False,
        "is_current_user": True,
    }
    assert top["current_user_entry"] is None
    beyond = await parlour.get("/api/leaderboard?limit=1", loser)
    assert not beyond["entries"][0]["is_current_user"]
    assert beyond["current_user_entry"]["user_id"] == loser.user["id"]
    assert beyond["current_user_entry"]["elo"] == 984


async def test_a_draw_between_equals_moves_nothing(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    for pair_id in range(4):
        await find_pair(mover, other, deck, pair_id)
    for pair_id in (4, 5):
        await mover.flip(places(deck, pair_id)[0])
        for each in (mover, other):
            await each.hears("game_state")
    for each in (mover, other):
        await each.hears("game_state")
    for pair_id in range(4, 8):
        await find_pair(other, mover, deck, pair_id)
    (entry,) = await parlour.get("/api/history", mover)
    assert entry["winner_index"] is None
    assert {entry[f"player{seat}_score"] for seat in (0, 1)} == {4}
    assert {entry[f"player{seat}_elo_after"] for seat in (0, 1)} == {1000}
