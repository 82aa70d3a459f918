"""The rules in the app: a question mark on every box and at every table, and a coach at first."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from parlour.games.registry import all_rules
from tests.browser.conftest import Visit
from tests.browser.games import two_at_a_game
from tests.servers.parlour import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")

SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True}


@pytest.mark.parametrize("key", all_rules())
async def test_every_box_and_every_page_of_a_game_explains_it(visit: Visit, key: str) -> None:
    visitor = await visit(**SMALL)
    await visitor.open("/")
    box = visitor.page.locator(f"[data-game='{key}']")
    title = str(await box.get_by_role("heading").text_content())
    await box.get_by_role("button", name=f"Rules of {title}").click()
    sheet = visitor.dialog()
    await expect(sheet.get_by_role("heading", name=f"How to play {title}")).to_be_visible()
    panels = sheet.get_by_role("listitem")
    await expect(panels).to_have_count(4)
    for place in range(4):
        panel = panels.nth(place)
        await expect(panel.get_by_role("heading")).not_to_be_empty()
        width, height = await visitor.size_of(panel.locator("[role=grid]"))
        assert min(width, height) > 150, "its own board is drawn, and large enough to be read"
    await visitor.need_not_scroll_sideways()
    await visitor.finds_no_barrier()
    await sheet.get_by_role("button", name="Close").click()
    await expect(sheet).to_have_count(0)


async def test_the_rules_open_at_a_table_and_change_nothing_there(
    visit: Visit, house: Served
) -> None:
    two = two_at_a_game(house, "44")
    player = await visit(two.mover)
    await player.open(two.path)
    await player.must_move()
    await player.press("Rules of Connect 4")
    await expect(player.dialog()).to_contain_text("Four in a row win")
    await player.page.keyboard.press("1")
    await player.page.keyboard.press("Escape")
    await expect(player.dialog()).to_have_count(0)
    await player.must_move()
    await expect(player.cell("Column 1, row 1")).to_have_accessible_name("Column 1, row 1, empty")


async def test_the_first_game_says_what_to_do_until_it_is_enough(
    visit: Visit, house: Served
) -> None:
    two = two_at_a_game(house)
    player = await visit(two.mover, first_time=True)
    other = await visit(two.other)
    await other.open(two.path)
    await player.open(two.path)
    coach = player.page.get_by_role("note")
    await expect(coach).to_contain_text("Your chip falls to the lowest free hole.")
    await player.finds_no_barrier()
    await player.cell("Column 4, row 6").click()
    await expect(coach).to_have_count(0)
    await other.must_move()
    await other.cell("Column 4, row 6").click()
    await expect(coach).to_contain_text("Line up four of yours")
    await player.press("No more tips")
    await expect(coach).to_have_count(0)
    await player.page.reload()
    await player.must_move()
    await expect(player.page.get_by_text("press 1 to 7")).to_be_visible()
    await expect(coach).to_have_count(0)
