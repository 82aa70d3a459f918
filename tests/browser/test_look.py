"""Looking back at a game, playing on from it, and help against the computer, as a visitor does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.async_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.games import two_at_a_game
from tests.browser.visitor import Visitor, title
from tests.host.test_afterwards import here
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.play.analyst import FirstOfAll, OneAhead, analysing
from tests.servers.parlour import Served, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

WON = "121232171"
"""Who begins misses to block, the other to win; then who began wins."""
SMALL = {"width": 360, "height": 640}
GAME = WITHOUT_A_DOCUMENT[0]


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    """Positions are weighed in its own process, by the tests' analysts."""
    any_game = dict.fromkeys((GAME, "quarto", "memory"), FirstOfAll())
    with analysing(connect4=OneAhead(), **any_game), serving(alter=here) as served:
        yield served


def panel(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("region", name="Look at the game")


async def gives_up(visitor: Visitor) -> None:
    await visitor.press("Give up")
    await visitor.dialog().get_by_role("button", name="Give up").click()


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_game_is_looked_at_move_by_move(visit: Visit, house: Served, theme: str) -> None:
    two = two_at_a_game(house, WON)
    small = {"viewport": SMALL, "has_touch": True} if theme == "dark" else {}
    visitor = await visit(two.mover, color_scheme=theme, **small)
    page = visitor.page
    await visitor.open(two.path)
    await visitor.press("Look at the game")
    look = panel(visitor)
    slider = look.get_by_role("slider")
    await expect(slider).to_be_focused()
    await expect(look.get_by_role("heading")).to_have_text("Move 9 of 9")
    await expect(look.get_by_test_id("mistake")).to_have_count(2)
    await expect(look).to_contain_text("Accuracy of You50 %")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    await expect(look).to_contain_text("gave the draw away, by estimate")
    await expect(look).to_contain_text("Best now: column 2 (wins in 1).")
    await expect(page.locator("[data-chip]")).to_have_count(7)
    await visitor.settled()
    board, sheet = await page.get_by_role("grid").bounding_box(), await look.bounding_box()
    assert board is not None
    assert sheet is not None
    size = page.viewport_size
    assert size is not None
    assert sheet["y"] + sheet["height"] <= size["height"] + 1
    below, beside = sheet["y"] >= board["y"] + board["height"], sheet["x"] >= board["x"]
    assert below or beside, "the board is seen while one goes through the moves"
    await visitor.finds_no_barrier()
    box = await slider.bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    await expect(look.get_by_role("heading")).to_have_text("Move 0 of 9")
    await expect(page.locator("[data-chip]")).to_have_count(0)
    await visitor.press("Mistake")
    await expect(look.get_by_role("heading")).to_have_text("Move 7 of 9")
    await visitor.press("Back to the result")
    await expect(visitor.result()).to_be_visible()
    await expect(page.locator("[data-chip]")).to_have_count(9)


async def test_help_against_the_computer_and_playing_on_after_it(
    visit: Visit, house: Served
) -> None:
    visitor = await visit(house.guest()[0], viewport=SMALL)
    page = visitor.page
    await visitor.open(f"/{GAME}")
    await visitor.plays(GAME)
    await visitor.sees_board()
    may = page.get_by_role("gridcell", name="you may place here")
    await expect(may.first).to_be_visible()
    await expect(visitor.button("Take back")).to_be_visible()
    before = await page.get_by_role("gridcell", name="empty").count()
    await visitor.press("Hint")
    advised = page.locator(".rv-advised")
    await expect(advised).to_have_count(1)
    await expect(page.get_by_text("Try ")).to_be_visible()
    await visitor.finds_no_barrier()
    await advised.click()
    await expect(page.get_by_role("gridcell", name="empty")).not_to_have_count(before)
    await visitor.press("Take back")
    await expect(page.get_by_role("gridcell", name="empty")).to_have_count(before)
    await expect(page.get_by_text("You took a move back.", exact=True)).to_be_visible()
    await may.first.click()
    await expect(page.get_by_role("gridcell", name="empty")).to_have_count(before - 2)
    await gives_up(visitor)
    await visitor.press("Look at the game")
    await expect(panel(visitor).get_by_role("slider")).to_be_focused()
    await page.keyboard.press("Home")
    finished = page.url
    await panel(visitor).get_by_role("combobox", name="Opponent").select_option("medium")
    await visitor.press("Play on from here")
    await page.wait_for_url(lambda url: url != finished)
    await expect(visitor.strip_of(title(GAME, "medium"))).to_be_visible()
    await expect(visitor.result()).to_have_count(0)


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)])
async def test_help_at_quarto_for_who_is_nobody_yet(
    visit: Visit, house: Served, size: tuple[int, int]
) -> None:
    del house
    visitor = await visit(viewport={"width": size[0], "height": size[1]})
    page = visitor.page
    await visitor.open("/quarto")
    await visitor.plays("quarto")
    await visitor.sees_board()
    await expect(page).to_have_url(re.compile("/quarto/game/"))
    await visitor.must_move()
    tray = page.get_by_role("group", name="Pieces left").get_by_role("button")
    before = await tray.count(), await visitor.cell("empty").count()
    await visitor.press("Hint")
    advised = page.locator(".q-advised")
    await expect(advised).to_have_count(1)
    await expect(page.get_by_text("Try ")).to_be_visible()
    await visitor.finds_no_barrier()
    await visitor.need_not_scroll_sideways()
    await advised.click()
    await expect(advised).to_have_count(0)
    # Whether or not the computer has answered by now. Who takes back at that very moment is
    # refused, as the game has moved on, and does so again.
    await visitor.press("Take back")
    with suppress(AssertionError):
        await expect(tray).to_have_count(before[0], timeout=3000)
    if await tray.count() != before[0]:
        await visitor.press("Take back")
    await expect(tray).to_have_count(before[0])
    await expect(visitor.cell("empty")).to_have_count(before[1])
    await visitor.must_move()
    await visitor.press("Hint")
    await advised.click()
    await expect(advised).to_have_count(0)
    await gives_up(visitor)
    await expect(visitor.result()).to_contain_text("You left the table.")
    await visitor.press("Look at the game")
    await expect(panel(visitor).get_by_role("slider")).to_be_focused()
    await page.keyboard.press("Home")
    finished = page.url
    await visitor.press("Play on from here")
    await page.wait_for_url(lambda url: url != finished)
    await expect(visitor.strip_of(title("quarto", "master"))).to_be_visible()
    await expect(visitor.result()).to_have_count(0)


async def test_in_memory_one_is_told_what_to_turn_and_nothing_is_taken_back(
    visit: Visit, house: Served
) -> None:
    visitor = await visit(house.guest()[0], viewport=SMALL)
    page = visitor.page
    await visitor.open("/memory")
    await visitor.plays("memory", "Lethe")
    await visitor.sees_board()
    await expect(page).to_have_url(re.compile("/memory/game/"))
    hint = page.get_by_role("button", name="Hint")
    while not await hint.is_visible():
        # It is the computer's turn, which passes when it finds no pair.
        await page.wait_for_timeout(100)
    await expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    await hint.click()
    advised = page.locator("[data-advised=true]")
    await expect(advised).to_have_count(1)
    # The first that lies face down: whoever began may have a pair already.
    place, _, state = (await advised.get_attribute("aria-label") or "").partition(": ")
    assert state == "face down"
    await expect(page.get_by_text(f"Try {place.lower()}.")).to_be_visible()
    await visitor.finds_no_barrier()
    await visitor.need_not_scroll_sideways()
    await advised.click()
    await expect(page.get_by_text("And its twin?").first).to_be_visible()
    await page.reload()
    await visitor.sees_board()
    await gives_up(visitor)
    await expect(visitor.result()).to_contain_text("You left the game.")
    await visitor.press("Look at the game")
    await expect(panel(visitor).get_by_role("slider")).to_be_focused()
    await expect(page.get_by_role("button", name="Play on from here")).to_have_count(0)
