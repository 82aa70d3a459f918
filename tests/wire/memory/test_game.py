"""A game as both players hear it: flips, pairs, power-ups and the end."""

from __future__ import annotations

import asyncio

import pytest

from parlour.games.memory.powerups import POWER_UPS
from tests.wire.memory.conftest import (
    Client,
    Message,
    Parlour,
    find_pair,
    mismatch,
    parlour_of,
    places,
)

FIELDS = {
    "type",
    "cards",
    "you",
    "opponent",
    "yourTurn",
    "hand",
    "flippedIndices",
    "phase",
    "turnEndsAtUnixMs",
    "turnCountdownShowSec",
}


def open_cards(state: Message) -> list[Message]:
    return [card for card in state["cards"] if card["state"] != "hidden"]


async def told(mover: Client, other: Client) -> tuple[Message, Message]:
    """The next state, as each of the two sees it."""
    return await mover.hears("game_state"), await other.hears("game_state")


@pytest.mark.spec("B14", "B38", "B39", "B50", "B52", "B58", "B59")
async def test_the_first_state_shows_nothing(parlour: Parlour) -> None:
    ann, bob = await parlour.client(), await parlour.client()
    for each, name in ((ann, "Ann"), (bob, "Bob")):
        await each.say("set_name", name=name)
    state = await ann.hears("waiting_for_match", "match_found", "game_state")
    assert set(state) == FIELDS
    assert state["cards"] == [{"index": index, "state": "hidden"} for index in range(16)]
    assert state["you"] == {"name": "Ann", "score": 0}
    assert state["opponent"] == {"name": "Bob", "score": 0}
    assert state["hand"] == []
    assert state["flippedIndices"] == []
    assert state["phase"] == "first_flip"


@pytest.mark.spec("B12", "B60", "B61", "B79")
async def test_the_board_is_as_large_as_the_settings_say() -> None:
    async with parlour_of(board_rows=2, board_cols=3, turn_limit_sec=0) as parlour:
        mover, _ = await parlour.pair()
        assert (mover.found["boardRows"], mover.found["boardCols"]) == (2, 3)
        deck = await parlour.deck(mover)
        assert sorted(deck) == [0, 0, 1, 1, 2, 2]
        await mover.flip(0)
        state = await mover.hears("game_state")
        assert len(state["cards"]) == 6
        assert set(state) == FIELDS - {"turnEndsAtUnixMs", "turnCountdownShowSec"}


@pytest.mark.spec("B16", "B17", "B41", "B51", "B52", "B53")
async def test_the_first_flip_is_shown_to_both(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    await mover.flip(5)
    seen, shown = await told(mover, other)
    for state in (seen, shown):
        assert open_cards(state) == [{"index": 5, "pairId": deck[5], "state": "revealed"}]
        assert state["flippedIndices"] == [5]
        assert state["phase"] == "second_flip"
    assert (seen["yourTurn"], shown["yourTurn"]) == (True, False)
    assert (seen["you"], seen["opponent"]) == (shown["opponent"], shown["you"])


@pytest.mark.spec("B3", "B18", "B24", "B50", "B51", "B52")
async def test_a_pair_scores_stays_open_and_keeps_the_turn(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    for index in places(deck, 5):
        await mover.flip(index)
        seen, shown = await told(mover, other)
    for state, owner in ((seen, "you"), (shown, "opponent")):
        assert open_cards(state) == [
            {"index": index, "pairId": 5, "state": "matched", "matchedBy": owner}
            for index in places(deck, 5)
        ]
        assert (state["phase"], state["flippedIndices"]) == ("first_flip", [])
    assert (seen["yourTurn"], shown["yourTurn"]) == (True, False)
    assert (seen["you"]["score"], seen["opponent"]["score"]) == (1, 0)
    assert (shown["you"]["score"], shown["opponent"]["score"]) == (0, 1)


@pytest.mark.spec("B3", "B19", "B53")
async def test_a_mismatch_is_shown_hidden_again_and_passes_the_turn(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    first, second = mismatch(deck)
    await mover.flip(first)
    await told(mover, other)
    await mover.flip(second)
    for state in await told(mover, other):
        assert [card["index"] for card in open_cards(state)] == sorted((first, second))
        assert (state["phase"], state["flippedIndices"]) == ("resolve", [first, second])
        assert "turnEndsAtUnixMs" not in state
        assert state["turnCountdownShowSec"] == 30
    seen, shown = await told(mover, other)
    assert open_cards(seen) == open_cards(shown) == []
    assert (seen["yourTurn"], shown["yourTurn"]) == (False, True)
    assert (seen["phase"], seen["flippedIndices"]) == ("first_flip", [])


@pytest.mark.spec("B4", "B21", "B22", "B24", "B43", "B54", "B56")
async def test_the_last_pair_ends_the_game_and_one_may_play_again(parlour: Parlour) -> None:
    mover, other = await parlour.pair("Ann", "Bob")
    deck = await parlour.deck(mover)
    for pair_id in range(7):
        await find_pair(mover, other, deck, pair_id)
    first, second = places(deck, 7)
    await mover.flip(first)
    await told(mover, other)
    await mover.flip(second)
    for client, result, scores in ((mover, "win", (8, 0)), (other, "lose", (0, 8))):
        state = await client.hears("game_state")
        assert all(card["state"] == "matched" for card in state["cards"])
        over = await client.hears("game_over")
        assert over == {
            "type": "game_over",
            "result": result,
            "you": {"name": state["you"]["name"], "score": scores[0]},
            "opponent": {"name": state["opponent"]["name"], "score": scores[1]},
        }
        assert "turnEndsAtUnixMs" not in state
    assert await mover.refused("flip_card", index=0) == "You are not in a game."
    old = mover.found["gameId"]
    await mover.say("play_again")
    await mover.hears("waiting_for_match")
    await other.say("play_again")
    await other.hears("waiting_for_match", "match_found", "game_state")
    await mover.hears("match_found", "game_state")
    assert mover.found["gameId"] == other.found["gameId"] != old
    assert mover.found["opponentName"] == over["you"]["name"], "names are kept"


@pytest.mark.spec("B21", "B24")
async def test_as_many_points_are_a_draw(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    for pair_id in range(4):
        await find_pair(mover, other, deck, pair_id)
    for pair_id in (4, 5):
        await mover.flip(places(deck, pair_id)[0])
        await told(mover, other)
    await told(mover, other)
    for pair_id in range(4, 8):
        await find_pair(other, mover, deck, pair_id)
    for each in (mover, other):
        over = await each.hears("game_over")
        assert over["result"] == "draw"
        assert over["you"]["score"] == over["opponent"]["score"] == 4


@pytest.mark.spec("B9")
async def test_games_do_not_hear_of_each_other(parlour: Parlour) -> None:
    ann, bob = await parlour.pair()
    cleo, dan = await parlour.pair()
    assert ann.found["gameId"] != cleo.found["gameId"]
    await ann.flip(0)
    await told(ann, bob)
    for each in (cleo, dan):
        await each.hears_nothing()
    await cleo.flip(0)
    state, _ = await told(cleo, dan)
    assert [card["index"] for card in open_cards(state)] == [0]


async def test_leaving_loses_at_once(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    await other.say("leave_game")
    assert await mover.hears("opponent_disconnected") == {"type": "opponent_disconnected"}
    for each in (mover, other):
        await each.hears_nothing()
        assert await each.refused("flip_card", index=0) == "You are not in a game."
    match = await parlour.match(mover)
    assert (match.winner, match.reason) == (mover.seat, "opponent_disconnected")
    await other.say("play_again")
    await other.hears("waiting_for_match")


@pytest.mark.spec("B38")
async def test_what_is_said_at_once_is_done_in_order(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    flips = [index for pair_id in range(8) for index in places(deck, pair_id)]
    await asyncio.gather(*(mover.flip(index) for index in flips))
    for client in (mover, other):
        await client.hears(*["game_state"] * 16, "game_over")


# --- power-ups --------------------------------------------------------------------------------


async def with_all(parlour: Parlour) -> tuple[Client, Client, list[int]]:
    """A game whose mover has found the four pairs that grant power-ups."""
    mover, other = await parlour.pair("Ann", "Bob")
    deck = await parlour.deck(mover)
    for pair_id in range(4):
        state = await find_pair(mover, other, deck, pair_id)
    assert state["hand"] == [
        {"powerUpId": each.id, "count": 1, "usableCount": 1} for each in POWER_UPS
    ]
    return mover, other, deck


async def used(mover: Client, other: Client, label: str) -> tuple[Message, Message]:
    """Both hear who used what, then how the table looks."""
    name = other.found["opponentName"]
    for each in (mover, other):
        assert await each.hears("powerup_used") == {
            "type": "powerup_used",
            "playerName": name,
            "powerUpLabel": label,
        }
    return await told(mover, other)


@pytest.mark.spec("B25", "B28", "B29", "B50")
async def test_pairs_put_power_ups_into_the_finders_hand_only(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    for pair_id, power_up in enumerate(POWER_UPS):
        for index in places(deck, pair_id):
            await mover.flip(index)
            seen, shown = await told(mover, other)
        assert seen["hand"][-1] == {"powerUpId": power_up.id, "count": 1, "usableCount": 1}
        assert shown["hand"] == []
    seen = await find_pair(mover, other, deck, 4)
    assert len(seen["hand"]) == 4


@pytest.mark.spec("B26", "B30", "B32", "B42")
async def test_chaos_shuffles_what_is_hidden(parlour: Parlour) -> None:
    mover, other, deck = await with_all(parlour)
    await mover.say("use_power_up", powerUpId="chaos")
    seen, shown = await used(mover, other, "Chaos")
    assert [held["powerUpId"] for held in seen["hand"]] == [
        "clairvoyance",
        "necromancy",
        "unveiling",
    ]
    assert (seen["yourTurn"], seen["phase"]) == (True, "first_flip")
    assert (seen["you"]["score"], shown["you"]["score"]) == (4, 0)
    assert len(open_cards(seen)) == 8
    after = await parlour.deck(mover)
    matched = {card["index"] for card in open_cards(seen)}
    assert {index for index in range(16) if after[index] != deck[index]}.isdisjoint(matched)
    assert sorted(after) == sorted(deck)


@pytest.mark.spec("B33", "B42", "B73")
async def test_clairvoyance_shows_an_area_to_both_and_play_goes_on(parlour: Parlour) -> None:
    mover, other, deck = await with_all(parlour)
    hidden = [index for index in range(16) if deck[index] > 3]
    target = hidden[0]
    row, col = divmod(target, 4)
    area = [i for i in hidden if abs(i // 4 - row) <= 1 and abs(i % 4 - col) <= 1]
    assert await mover.refused("use_power_up", powerUpId="clairvoyance")
    matched = places(deck, 0)[0]
    await mover.refused("use_power_up", powerUpId="clairvoyance", cardIndex=matched)
    await mover.say("use_power_up", powerUpId="clairvoyance", cardIndex=target)
    for state in await used(mover, other, "Clairvoyance"):
        revealed = [card for card in state["cards"] if card["state"] == "revealed"]
        assert revealed == [
            {"index": index, "pairId": deck[index], "state": "revealed"} for index in area
        ]
        assert (state["phase"], state["flippedIndices"]) == ("first_flip", [])
    await mover.refused("flip_card", index=target)


@pytest.mark.spec("B34", "B42")
async def test_necromancy_brings_matched_cards_back(parlour: Parlour) -> None:
    mover, other, deck = await with_all(parlour)
    await mover.say("use_power_up", powerUpId="necromancy")
    seen, shown = await used(mover, other, "Necromancy")
    assert open_cards(seen) == open_cards(shown) == []
    assert (seen["you"]["score"], len(seen["hand"])) == (4, 3)
    after = await parlour.deck(mover)
    assert [each for each in after if each > 3] == [each for each in deck if each > 3]


@pytest.mark.spec("B35")
async def test_unveiling_highlights_for_its_user_until_the_turn_passes(parlour: Parlour) -> None:
    mover, other, deck = await with_all(parlour)
    await mover.say("use_power_up", powerUpId="unveiling")
    seen, shown = await used(mover, other, "Unveiling")
    hidden = [index for index in range(16) if deck[index] > 3]
    assert seen["highlightIndices"] == hidden
    assert "highlightIndices" not in shown
    assert all("pairId" not in seen["cards"][index] for index in hidden)
    await mover.flip(hidden[0])
    seen, shown = await told(mover, other)
    assert seen["highlightIndices"] == hidden[1:]
    assert "highlightIndices" not in shown
    wrong = next(index for index in hidden if deck[index] != deck[hidden[0]])
    await mover.flip(wrong)
    await told(mover, other)
    for state in await told(mover, other):
        assert "highlightIndices" not in state


@pytest.mark.spec("B30")
async def test_power_ups_are_for_ones_own_turn_before_the_first_flip(parlour: Parlour) -> None:
    mover, other, deck = await with_all(parlour)
    await other.refused("use_power_up", powerUpId="chaos")
    await mover.flip(places(deck, 5)[0])
    await told(mover, other)
    assert "before the first flip" in await mover.refused("use_power_up", powerUpId="chaos")
    await mover.flip(places(deck, 5)[1])
    seen, _ = await told(mover, other)
    assert len(seen["hand"]) == 4
    await mover.say("use_power_up", powerUpId="chaos")
    await used(mover, other, "Chaos")
    assert await mover.refused("use_power_up", powerUpId="chaos") == "You have no Chaos."
    await other.hears_nothing()
