"""A time for each move at Connect 4: in a quick match, and with a friend where it is chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.browser.games import post
from tests.servers.parlour import Served, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def house() -> Iterator[Served]:
    """One whose time is moved by each test."""
    with serving() as served:
        yield served


def pass_sec(house: Served, seconds: int) -> None:
    """Let time pass for what is played, and have the server notice."""
    runtime = house.services.kernel.runtime
    before = runtime.clock
    runtime.clock = lambda: before() + seconds * 1000
    house.run(house.services.kernel.keeper.sweep())


async def test_a_quick_match_is_played_with_one_and_nobody_is_locked_in(
    visit: Visit, house: Served
) -> None:
    both = [await visit(house.guest()[0]) for _ in range(2)]
    for each in both:
        await each.open("/connect4")
        await expect(each.page.get_by_text("60 seconds for each move.")).to_be_visible()
        await each.press("Quick match")
    for each in both:
        await each.sees_board()
    await expect(both[0].page).to_have_title(re.compile("Your turn|to move"))
    begins = "Your turn" in await both[0].page.title()
    mover, other = both if begins else reversed(both)
    await mover.must_move()
    # The ring is for the last half minute.
    await expect(mover.page.get_by_role("timer")).to_have_count(0)
    pass_sec(house, 61)
    await expect(other.result()).to_contain_text("You win")
    await expect(other.result()).to_contain_text("took too long to move.")
    await expect(mover.result()).to_contain_text("The time for a move ran out.")


async def test_a_friend_is_invited_to_a_game_with_a_time_for_each_move(
    visit: Visit, house: Served
) -> None:
    host = await visit(house.guest()[0], viewport={"width": 390, "height": 844})
    await host.open("/connect4")
    await host.page.get_by_label("Time for a move").select_option("half a minute")
    await host.finds_no_barrier()
    await host.press("Play a friend")
    code = await host.page.get_by_test_id("code").inner_text()
    token, _ = house.guest()
    post(house, token, f"/api/games/join/{code}")
    await host.sees_board()
    ring = host.page.get_by_role("timer", name="seconds left")
    await expect(ring).to_be_visible()
    await host.finds_no_barrier()


async def test_a_game_without_one_shows_none(visit: Visit, house: Served) -> None:
    host = await visit(house.guest()[0])
    await host.open("/connect4")
    await host.press("Play a friend")
    code = await host.page.get_by_test_id("code").inner_text()
    post(house, house.guest()[0], f"/api/games/join/{code}")
    await host.sees_board()
    await expect(host.page.get_by_role("timer")).to_have_count(0)
