"""The computer as an opponent: marked as one, and in no hurry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from parlour.settings import Settings
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.servers.parlour import Served, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAMES = ("memory", "quarto", "connect4", *WITHOUT_A_DOCUMENT)


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    """One whose time is moved, and where a robot comes at once."""
    with serving(Settings.given(database_url="sqlite://", ai_pair_timeout_sec=0)) as served:
        yield served


async def plays_the_computer(visitor: Visitor, game: str) -> None:
    if game == "memory":
        await visitor.open("/memory/play")
    else:
        await visitor.open(f"/{game}")
        await visitor.plays(game)
    await visitor.sees_board()


@pytest.mark.parametrize("game", GAMES)
async def test_a_robot_is_marked_and_who_leaves_it_loses_nothing(
    visit: Visit, house: Served, game: str
) -> None:
    player = await visit(house.guest()[0])
    await plays_the_computer(player, game)
    await expect(player.page.get_by_text("computer", exact=True)).to_be_visible()

    await player.page.get_by_role("link", name="Parlour").click()
    resume = player.button("Resume " + ("Connect 4" if game == "connect4" else game.capitalize()))
    await expect(resume).to_be_visible()
    # Longer than anybody waits for a person.
    runtime = house.services.kernel.runtime
    before = runtime.clock
    runtime.clock = lambda: before() + 4 * 60_000
    house.run(house.services.kernel.keeper.sweep())
    await resume.click()
    await player.sees_board()
    await expect(player.result()).to_have_count(0)


async def test_a_game_of_memory_in_the_history_opens_with_its_cards(
    visit: Visit, house: Served
) -> None:
    player = await visit(house.guest()[0])
    await plays_the_computer(player, "memory")
    await player.press("Give up")
    await player.dialog().get_by_role("button", name="Give up").click()
    await player.open("/history?game=memory")
    await player.page.get_by_role("listitem").get_by_text("against").click()
    await player.sees_board()
    await expect(player.result()).to_contain_text("You lost")
    await expect(player.result()).to_contain_text("You left the game.")
    await player.finds_no_barrier()
