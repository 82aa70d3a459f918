"""A game that can be staked is played for nothing over `/ws/play`."""

from __future__ import annotations

from parlour.games.connect_five.board import SIZE
from parlour.money.wallets import balance
from tests.host.conftest import Client, Enter, Message
from tests.servers.parlour import Served

GAME = "connect_five"


async def bought(player: Client, table: Message, version: int, special: str) -> Message:
    action = {"type": "purchase", "special_type": special, "quantity": 1}
    return await player.asks("act", match=table["match"], version=version, action=action)


async def test_specials_are_bought_and_used_and_no_wallet_is_touched(
    enter: Enter, house: Served
) -> None:
    host, guest = await enter(), await enter()
    options = {"time_limit_seconds": 60, "max_spend": 20}
    waiting = await host.asks("open", game=GAME, options=options)
    table = await guest.asks("join", game=GAME, code=waiting["code"])
    assert table["view"]["state"]["clocks"]["left_ms"] == [60_000, 60_000]
    before = [house.run(balance(house.services.store, who.user["id"])) for who in (host, guest)]
    assert (await bought(host, table, table["version"], "H2"))["type"] == "done"
    assert (await bought(guest, table, table["version"] + 1, "BOMB"))["type"] == "done"
    mover, move_type = (host, "H2") if table["turn"] == 0 else (guest, "SINGLE")
    action = {"type": "move", "move_type": move_type, "x": 3, "y": 3}
    version = table["version"] + 2
    assert (await mover.asks("act", match=table["match"], version=version, action=action))[
        "type"
    ] == "done"
    shown = await guest.asks("watch", match=table["match"])
    assert shown["view"]["state"]["spent"] == [4, 3]
    assert [
        house.run(balance(house.services.store, who.user["id"])) for who in (host, guest)
    ] == before
    # To those who play for money there is no such match.
    bearer = {"Authorization": f"Bearer {host.token}"}
    listed = house.ask("GET", "/api/connect-five/matches", headers=bearer)
    assert (listed.status_code, listed.json()["results"]) == (200, [])
    answer = house.ask("GET", f"/api/connect-five/matches/{table['match']}", headers=bearer)
    assert answer.status_code == 404


async def test_anybody_is_found_for_it(enter: Enter) -> None:
    one, two = await enter(), await enter()
    assert (await one.asks("seek", game=GAME))["type"] == "seeking"
    assert (await two.asks("seek", game=GAME))["type"] == "seeking"
    for who in (one, two):
        assert (await who.hears("table"))["game"] == GAME


async def test_a_game_for_stakes_is_gone_on_with_by_a_challenge_alone(
    enter: Enter, house: Served
) -> None:
    """A rematch would be one without a pot that names a stake."""
    one, two = await enter(), await enter()
    wish = {"opponent_id": two.user["id"], "stake_amount": 0, "max_spend_amount": 0}
    path = "/api/connect-five/challenges"
    bearers = [{"Authorization": f"Bearer {who.token}"} for who in (one, two)]
    made = house.ask("POST", path, json=wish | {"time_limit_seconds": 300}, headers=bearers[0])
    match = house.ask("POST", f"{path}/{made.json()['id']}/accept", headers=bearers[1]).json()
    table = await one.asks("join", match=match["uuid"])
    assert (await two.asks("join", match=match["uuid"]))["seat"] == 1
    players, turn, version = (one, two), table["turn"], table["version"]
    for number in range(9):
        mover = players[(turn + number) % 2]
        move = {"type": "move", "move_type": "SINGLE", "x": number // 2, "y": number % 2 * 5}
        done = await mover.asks("act", match=match["uuid"], version=version, action=move)
        assert done["type"] == "done", done
        version = done["version"]
    assert (await one.asks("watch", match=match["uuid"]))["status"] == "finished"
    assert await one.refused("rematch", match=match["uuid"]) == "PLAYED_FOR_STAKES"


async def test_the_computer_plays_it_and_spends_only_what_the_match_gives_it(
    enter: Enter, house: Served
) -> None:
    me = await enter()
    before = house.run(balance(house.services.store, me.user["id"]))
    options = {"max_spend": 20}
    table = await me.asks("play_bot", game=GAME, bot="medium", seat=0, options=options)
    match, version, turn, status = (table[each] for each in ("match", "version", "turn", "status"))
    cells = table["view"]["cells"]
    for _ in range(3):
        while turn == 1:
            step = await me.hears("step")
            version, turn, status = step["version"], step["turn"], step["status"]
            cells = step["view"]["cells"]
            assert step["view"]["state"]["spent"][0] == 0
            assert step["view"]["state"]["spent"][1] <= 20
        if status != "active":
            break
        y, x = divmod([*zip(*cells, strict=True)].index(("0", "0")), SIZE)
        move = {"type": "move", "move_type": "SINGLE", "x": x, "y": y}
        done = await me.asks("act", match=match, version=version, action=move)
        assert done["type"] == "done", done
        turn = 1
    assert house.run(balance(house.services.store, me.user["id"])) == before


async def test_there_is_no_stake_against_the_computer(enter: Enter) -> None:
    me = await enter()
    wish = {"game": GAME, "bot": "easy", "seat": 0}
    assert await me.refused("play_bot", **wish, options={"stake": 10}) == "INVALID_OPTIONS"
    assert await me.refused("play_bot", **wish, options={"max_spend": 10**6}) == "INVALID_OPTIONS"
