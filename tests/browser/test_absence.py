"""An opponent who is gone at Connect 4: when the win can be claimed, and when it cannot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from parlour.settings import Settings
from tests.browser.conftest import Visit
from tests.browser.games import two_at_a_game
from tests.servers.parlour import Served, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

CLAIM = "Opponent Disconnected - Claim Win"


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    """A server that has little patience."""
    with serving(Settings.given(database_url="sqlite://", abandon_threshold_sec=3.0)) as served:
        yield served


@pytest.mark.spec("A137", "A138", "A140")
async def test_the_win_can_be_claimed_from_an_opponent_who_vanished(
    visit: Visit, house: Served
) -> None:
    two = two_at_a_game(house, "4")
    phone = {"width": 390, "height": 844}
    stays, leaves = await visit(two.other, viewport=phone), await visit(two.mover)
    await stays.open(two.path)
    await leaves.open(two.path)
    await leaves.sees_board()
    await stays.must_move()
    await expect(stays.page.get_by_text("is here")).to_be_attached()
    await leaves.page.close()
    await expect(stays.page.get_by_text("Your opponent lost the connection.")).to_be_visible()
    board = await stays.page.get_by_role("grid").bounding_box()
    claim = stays.button(CLAIM)
    await expect(claim).to_be_visible()
    assert await stays.page.get_by_role("grid").bounding_box() == board, "it stays where it is"
    glow = "button => getComputedStyle(button, '::before').animationName"
    assert await claim.evaluate(glow) == "glow"
    await stays.finds_no_barrier()
    await claim.click()
    await expect(stays.result()).to_contain_text("You win")
    await expect(stays.result()).to_contain_text("Your opponent left the table.")


async def test_nothing_can_be_claimed_from_one_who_came_back(visit: Visit, house: Served) -> None:
    two = two_at_a_game(house, "4")
    stays, leaves = await visit(two.other), await visit(two.mover)
    await stays.open(two.path)
    await leaves.open(two.path)
    await leaves.sees_board()
    await leaves.open()
    await expect(stays.page.get_by_text("is away")).to_be_attached()
    await expect(leaves.page.get_by_text("Resume", exact=False).first).to_be_visible()
    await leaves.press("Resume Connect 4")
    await leaves.sees_board()
    await expect(stays.page.get_by_text("is here")).to_be_attached()
    await expect(stays.button(CLAIM)).to_have_count(0)
