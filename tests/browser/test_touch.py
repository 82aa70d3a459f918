"""By finger: every game answers a tap in vain, and what the page has to say covers no game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from parlour.games.registry import all_rules
from tests.browser.conftest import Visit
from tests.browser.games import two_at_a_game
from tests.browser.test_fits import SMALL, at_a_table
from tests.browser.visitor import Visitor
from tests.servers.parlour import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def is_told(player: Visitor, words: str) -> None:
    """Over the header, and over nothing of the game."""
    said = player.page.locator("li, [role=status] p").filter(has_text=words).first
    await expect(said).to_be_visible()
    await player.settled()
    await covers_nothing(player, said)


async def covers_nothing(player: Visitor, said: Locator) -> None:
    box, top = await said.bounding_box(), await player.page.locator(".table-top").bounding_box()
    assert box is not None
    assert top is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= top["y"] + 4, "it hides neither players nor board"


async def test_a_full_column_and_a_wrong_turn_say_why(visit: Visit, house: Served) -> None:
    two = two_at_a_game(house, "111111")
    player, other = await visit(two.mover, **SMALL), await visit(two.other, **SMALL)
    for each in (player, other):
        await each.open(two.path)
        await each.sees_board()
    await player.cell("Column 1, row 6").tap()
    await is_told(player, "Column 1 is full.")
    await other.cell("Column 2, row 6").tap()
    await is_told(other, "It is not your turn yet.")


async def test_quarto_says_what_is_to_be_done_first(visit: Visit, house: Served) -> None:
    both = await visit(**SMALL)
    await both.open("/quarto")
    await both.press("Two at this device")
    await both.sees_board()
    await both.page.locator("[data-position='0']").tap()
    await is_told(both, "First give your opponent a piece from the tray.")
    await both.page.locator("[data-in-tray='8']").tap()
    await expect(both.page.get_by_text("Has to place:")).to_have_count(1)
    await both.page.locator("[data-in-tray='0']").tap(force=True)
    await is_told(both, "First place the piece that you were given.")
    await both.page.locator("[data-position='0']").tap()
    await expect(both.page.get_by_text("Has to place:")).to_have_count(0)
    await both.page.locator("[data-in-tray='0']").tap()
    await expect(both.page.get_by_text("Has to place:")).to_have_count(1)
    await both.page.locator("[data-position='0']").tap()
    await is_told(both, "A piece stands there.")


async def test_connect_five_places_by_a_second_tap_where_cells_are_small(
    visit: Visit, house: Served
) -> None:
    five = await at_a_table(visit, house, "connect_five", **SMALL)
    again = five.page.get_by_text("tap again to place")
    await five.cell("G7,").tap()
    await expect(again).to_have_text("G7: tap again to place")
    await five.cell("E4,").tap()
    await expect(again).to_have_text("E4: tap again to place")
    await expect(five.cell("G7,")).to_have_accessible_name("G7, empty")
    # What was aimed at is as large as a finger.
    box = await five.cell("E4,").bounding_box()
    assert box is not None
    await five.page.touchscreen.tap(box["x"] + box["width"] + 4, box["y"] + box["height"] / 2)
    await expect(five.cell("E4,")).to_have_accessible_name(re.compile("last move"))
    await expect(again).to_have_count(0)
    await five.cell("H8,").tap()
    await is_told(five, "It is not your turn yet.")


async def test_connect_five_places_at_once_where_a_finger_is_sure(
    visit: Visit, house: Served
) -> None:
    tablet = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
    five = await at_a_table(visit, house, "connect_five", **tablet)
    await five.cell("G7,").tap()
    await expect(five.cell("G7,")).to_have_accessible_name(re.compile("last move"))


async def test_memory_says_why_not(visit: Visit, house: Served) -> None:
    player = await at_a_table(visit, house, "memory", **SMALL)
    # Whoever began may have a pair already.
    down = player.page.locator("[data-card][data-up='false']").first
    card = player.page.locator(f"[data-card='{await down.get_attribute('data-card')}']")
    await card.tap(force=True)
    await expect(card).to_have_attribute("data-up", "true")
    await card.tap(force=True)
    told = player.page.get_by_role("listitem").filter(has_text="That card is open already.")
    await expect(told.first).to_be_visible()
    await covers_nothing(player, told.first)


async def test_a_touch_screen_is_not_told_of_keys(visit: Visit, house: Served) -> None:
    profile: dict[str, Any] = SMALL
    for key in all_rules():
        player = await at_a_table(visit, house, key, **profile)
        shown = await player.page.locator("main").inner_text()
        for word in ("Escape", "press 1", "Keys 1", "click"):
            assert word not in shown, key


async def test_a_line_that_is_down_is_told_over_the_header(visit: Visit, house: Served) -> None:
    player = await at_a_table(visit, house, "connect4", **SMALL)
    player.forgive("ERR_INTERNET_DISCONNECTED")
    await player.page.context.set_offline(True)
    await is_told(player, "You are offline.")
    await player.page.context.set_offline(False)
