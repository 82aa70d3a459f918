"""After a game: once more, with somebody else, on another level; or no more, which is told."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import expect

from parlour.games.registry import bots
from tests.browser.conftest import Visit
from tests.browser.games import Two, given_up, two_at_a_game
from tests.browser.visitor import Visitor, title
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.servers.parlour import Served
from tests.wire.connect_five.people import pair, playing, win

pytestmark = pytest.mark.asyncio(loop_scope="session")

WON = "4545454"
TABLES = (*WITHOUT_A_DOCUMENT, "quarto")
WITH_THE_COMPUTER = (*TABLES, "connect4")


async def looking_at(visit: Visit, two: Two, token: str, **profile: Any) -> Visitor:
    """One of two at a game of Connect 4 that is over."""
    visitor = await visit(token, **profile)
    await visitor.open(two.path)
    await expect(visitor.result()).to_be_visible()
    return visitor


async def gives_up(visitor: Visitor) -> None:
    await visitor.press("Give up")
    await visitor.dialog().get_by_role("button", name="Give up").click()
    await expect(visitor.result()).to_be_visible()


async def wants_and_withdraws(one: Visitor, other: Visitor) -> None:
    """A rematch is asked for and withdrawn, both see it; then who is left sees that one left."""
    await one.result().get_by_role("button", name="Rematch").click()
    await expect(other.result()).to_contain_text("wants a rematch")
    await one.press("Withdraw the rematch")
    await expect(one.result().get_by_role("button", name="Rematch")).to_be_enabled()
    await expect(other.result()).not_to_contain_text("wants a rematch")
    await expect(other.result().get_by_role("button", name="Rematch")).to_be_enabled()
    await other.open("/")
    await expect(one.result()).to_contain_text("has left the table.")
    await expect(one.result().get_by_role("button", name="Rematch")).to_be_disabled()
    await one.finds_no_barrier()


async def test_a_rematch_at_connect_4_is_withdrawn_and_nobody_waits_for_who_left(
    visit: Visit, house: Served
) -> None:
    two = two_at_a_game(house, WON)
    winner = await looking_at(visit, two, two.mover)
    await wants_and_withdraws(winner, await looking_at(visit, two, two.other))


@pytest.mark.parametrize("game", TABLES)
async def test_a_rematch_at_a_table_is_withdrawn_and_nobody_waits_for_who_left(
    visit: Visit, house: Served, game: str
) -> None:
    host, guest = await visit(house.guest()[0]), await visit(house.guest()[0])
    await host.open(f"/{game}")
    await host.press("Play a friend")
    code = await host.page.get_by_test_id("code").inner_text()
    await guest.open(f"/{game}/{code}")
    if game == "quarto":
        await guest.press("Sit down")
    for each in (host, guest):
        await each.sees_board()
    await gives_up(guest)
    await expect(host.result()).to_be_visible()
    await wants_and_withdraws(host, guest)


async def test_a_rematch_at_memory_is_withdrawn_then_played_and_nobody_waits_for_who_left(
    visit: Visit, house: Served
) -> None:
    one, other = await visit(house.guest()[0]), await visit(house.guest()[0])
    for each in (one, other):
        await each.open("/memory/play")
    for each in (one, other):
        await each.sees_board()
    await gives_up(other)
    await expect(other.result()).to_contain_text("You left the game.")
    await other.result().get_by_role("button", name="Rematch").click()
    await expect(one.result()).to_contain_text("wants a rematch")
    await one.press("Accept rematch")
    for each in (one, other):
        await expect(each.result()).to_have_count(0)
        await each.sees_board()
        await expect(each.page.get_by_text("is here")).to_have_count(1)
    await gives_up(one)
    await expect(other.result()).to_contain_text("You won")
    await wants_and_withdraws(one, other)


async def test_two_who_want_somebody_else_after_connect_4_find_each_other(
    visit: Visit, house: Served
) -> None:
    games = [two_at_a_game(house, WON) for _ in range(2)]
    one, other = [await looking_at(visit, two, two.mover) for two in games]
    await one.press("New opponent")
    await expect(one.dialog()).to_contain_text("Looking for an opponent")
    await other.press("New opponent")
    for each in (one, other):
        await expect(each.result()).to_have_count(0)
        await each.sees_board()


async def test_another_level_after_the_computer(visit: Visit, house: Served) -> None:
    for game in WITH_THE_COMPUTER:
        player = await visit(house.guest()[0])
        await player.open(f"/{game}")
        await player.plays(game)
        await player.sees_board()
        await gives_up(player)
        await player.finds_no_barrier()
        names = list(bots(game))
        harder = title(game, names[names.index("easy") + 1])
        await player.press(f"Harder: {harder}")
        await expect(player.result()).to_have_count(0)
        await expect(player.strip_of(harder)).to_be_visible()


async def test_another_computer_after_memory(visit: Visit, house: Served) -> None:
    player = await visit(house.guest()[0])
    await player.open("/memory")
    await player.page.get_by_role("button", name="Thalia").click()
    computer = player.strip_of("Thalia")
    await expect(computer).to_contain_text("computer")
    await gives_up(player)
    await player.finds_no_barrier()
    levels = player.page.get_by_role("group", name="Another level")
    await levels.get_by_role("button", name="Harder: Calliope").click()
    await expect(player.result()).to_have_count(0)
    await expect(player.strip_of("Calliope")).to_contain_text("computer")
    await gives_up(player)
    await player.press("Rematch")
    await expect(player.result()).to_have_count(0)
    await gives_up(player)
    for place in range(2):
        await player.open("/history?game=memory")
        await player.page.get_by_role("listitem").nth(place).get_by_text("against").click()
        await expect(player.page).to_have_url(re.compile("/memory/game/"))
        await expect(player.result()).to_contain_text("You left the game.")


async def test_after_connect_five_somebody_else_is_challenged(visit: Visit, house: Served) -> None:
    match, first, second = playing(*pair(house))
    match = win(match, first, second)
    visitor = await visit(second.token)
    await visitor.open(f"/connect-five/games/{match['challenge']}")
    await expect(visitor.result()).to_contain_text("Prize, paid out")
    await expect(visitor.page.get_by_text("Prize pool")).to_have_count(0)
    await visitor.finds_no_barrier()
    await visitor.press("New opponent")
    await expect(visitor.dialog()).to_contain_text("New challenge")


async def test_the_result_stands_beside_the_board_and_on_a_phone_below_it(
    visit: Visit, house: Served
) -> None:
    for size in ((1280, 800), (390, 844), (360, 640)):
        profile = {"viewport": {"width": size[0], "height": size[1]}}
        two = two_at_a_game(house, WON)
        winner = await looking_at(visit, two, two.mover, **profile)
        await expect(winner.dialog()).to_have_count(0)
        await winner.need_not_scroll_sideways()
        if size != (360, 640):
            await winner.sees_all_of(winner.page.get_by_role("grid"))


async def test_rows_of_the_history_open_in_every_game(visit: Visit, house: Served) -> None:
    token, _ = house.guest()
    player = await visit(token)
    for game in WITH_THE_COMPUTER:
        for _ in range(2):
            given_up(house, token, game)
        for place in range(2):
            await player.open(f"/history?game={game}")
            row = player.page.get_by_role("listitem").nth(place)
            await row.get_by_text("against").click()
            await expect(player.page).to_have_url(re.compile(f"/{game}/game/"))
            await expect(player.result()).to_contain_text(f"{title(game)} wins")
            await player.sees_board()
        await player.finds_no_barrier()
