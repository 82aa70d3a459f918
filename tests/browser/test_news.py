"""What happens while one is elsewhere on the site: said at once, one click away, and said once."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.browser.games import post
from tests.browser.visitor import Visitor
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.servers.parlour import Served
from tests.wire.connect_five.people import C5, Person, pair

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def follows_the_news(visitor: Visitor, words: str) -> None:
    """A toast says it, the bell counts it, and one click leads there; then it is dealt with."""
    page = visitor.page
    said = page.get_by_role("listitem").filter(has_text=words)
    await expect(said).to_be_visible()
    await expect(page.get_by_role("button", name="Notifications, 1 new")).to_be_visible()
    await said.get_by_role("link", name="Go there").click()
    await visitor.sees_board()
    await expect(page.get_by_role("button", name="Notifications", exact=True)).to_be_visible()


async def test_somebody_sat_down_at_connect_4_while_one_looked_elsewhere(
    visit: Visit, house: Served
) -> None:
    host = await visit(house.guest()[0])
    await host.open("/connect4")
    await host.press("Play a friend")
    code = await host.page.get_by_test_id("code").inner_text()
    await host.page.get_by_role("link", name="Parlour").click()
    await expect(host.button("Resume Connect 4")).to_be_visible()
    await expect(host.button("Notifications")).to_be_visible()
    token, friend = house.guest()
    post(house, token, f"/api/games/join/{code}")
    await follows_the_news(host, f"{friend['username']} is at the table.")


@pytest.mark.parametrize("game", [*WITHOUT_A_DOCUMENT, "quarto"])
async def test_somebody_sat_down_at_a_table_while_one_looked_elsewhere(
    visit: Visit, house: Served, game: str
) -> None:
    host, guest = await visit(house.guest()[0]), await visit(house.guest()[0])
    await host.open(f"/{game}")
    await host.press("Play a friend")
    code = await host.page.get_by_test_id("code").inner_text()
    await host.page.get_by_role("link", name="Parlour").click()
    await expect(host.button(f"Resume {game.capitalize()}")).to_be_visible()
    await expect(host.button("Notifications")).to_be_visible()
    await guest.open(f"/{game}/{code}")
    if game == "quarto":
        await guest.press("Sit down")
    await guest.sees_board()
    await follows_the_news(host, "is at the table.")


async def test_a_challenge_was_accepted_while_one_looked_elsewhere(
    visit: Visit, house: Served
) -> None:
    ann, bob = pair(house)
    challenger, challenged = await visit(ann.token), await visit(bob.token)
    await challenger.open()
    await expect(challenger.button("Notifications")).to_be_visible()
    await challenged.open("/connect-five")
    await expect(challenged.page.get_by_text("Nobody challenges you right now.")).to_be_visible()
    ann.challenge(bob)
    bell = challenged.page.get_by_role("button", name="Notifications, 1 new")
    await expect(bell).to_be_visible()
    await challenged.press(f"Accept the challenge of {ann.name}")
    await challenged.sees_board()
    quiet = challenged.page.get_by_role("button", name="Notifications", exact=True)
    await expect(quiet).to_be_visible()
    await expect(challenger.button("Resume Connect Five")).to_be_visible()
    await follows_the_news(challenger, f"{bob.name} is at the table.")


async def test_a_challenge_is_declined_and_both_know_where_they_are(
    visit: Visit, house: Served
) -> None:
    ann, bob = pair(house)
    challenger, challenged = await visit(ann.token), await visit(bob.token)
    made = ann.challenge(bob)
    await challenger.open("/wallet")
    await expect(challenger.button("Notifications")).to_be_visible()
    await challenged.open("/connect-five")
    await expect(challenged.page.get_by_role("button", name="Notifications, 1 new")).to_be_visible()
    await challenged.press(f"Decline the challenge of {ann.name}")
    await expect(challenged.page.get_by_text("Nobody challenges you right now.")).to_be_visible()
    quiet = challenged.page.get_by_role("button", name="Notifications", exact=True)
    await expect(quiet).to_be_visible()
    await challenged.finds_no_barrier()
    said = challenger.page.get_by_role("listitem").filter(has_text=f"{bob.name} declined")
    await said.get_by_role("link", name="Go there").click()
    await expect(
        challenger.page.get_by_role("heading", name="This challenge was called off")
    ).to_be_visible()
    assert ann.get(f"{C5}/challenges/{made['id']}")["status"] == "cancelled"
    assert ann.balance == 1000


async def test_a_challenge_can_be_declined_where_it_is_shown(visit: Visit, house: Served) -> None:
    ann, bob = Person(house), Person(house)
    made = ann.challenge(bob)
    challenged = await visit(bob.token, viewport={"width": 390, "height": 844})
    await challenged.open(f"/connect-five/games/{made['id']}")
    await challenged.finds_no_barrier()
    await challenged.press("Decline")
    await expect(
        challenged.page.get_by_role("heading", name="This challenge was called off")
    ).to_be_visible()


async def test_the_shelf_resumes_a_game_of_memory_that_one_walked_away_from(
    visit: Visit, house: Served
) -> None:
    one, other = [await visit(house.guest()[0]) for _ in range(2)]
    for each in (one, other):
        await each.open("/memory/play")
    for each in (one, other):
        await each.sees_board()
    await one.page.get_by_role("link", name="Parlour").click()
    await one.press("Resume Memory")
    await one.sees_board()
