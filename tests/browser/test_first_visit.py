"""Somebody comes for the first time: at play within two clicks, without filling in anything."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor, title
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.servers.parlour import Served

HOSTED = WITHOUT_A_DOCUMENT[0]

pytestmark = pytest.mark.asyncio(loop_scope="session")


def play(visitor: Visitor, title: str) -> Locator:
    return visitor.page.get_by_role("link", name=f"Play {title}")


@pytest.mark.parametrize(
    ("game", "name"),
    [("quarto", "Quarto"), ("connect4", "Connect 4"), (HOSTED, HOSTED.capitalize())],
)
async def test_two_clicks_from_the_shelf_to_a_game(visit: Visit, game: str, name: str) -> None:
    visitor = await visit(viewport={"width": 390, "height": 844}, has_touch=True)
    await visitor.open("/")
    await play(visitor, name).tap()
    await visitor.page.get_by_role("button", name=title(game)).tap()
    await visitor.sees_board()
    await expect(visitor.page.get_by_role("textbox")).to_have_count(0)


async def test_two_clicks_each_and_strangers_meet_under_made_up_names(
    visit: Visit, house: Served
) -> None:
    one, other = await visit(), await visit()
    for each in (one, other):
        await each.open("/")
        await play(each, "Connect 4").click()
        await each.press("Quick match")
    for each in (one, other):
        await each.sees_board()
    account = one.page.get_by_role("button", name=", your account")
    await expect(account).to_have_accessible_name(re.compile(r"[A-Z][a-z]+[A-Z][a-z]+\d+"))


async def test_the_name_can_be_changed_later(visit: Visit) -> None:
    visitor = await visit()
    await visitor.open("/")
    await play(visitor, HOSTED.capitalize()).click()
    await expect(visitor.page.get_by_text("Your name is yours to change").first).to_be_visible()
    await visitor.page.get_by_role("button", name=", your account").click()
    await visitor.page.get_by_role("menuitem", name="Change your name").click()
    await visitor.page.get_by_role("textbox", name="Name").fill("Somebody_else")
    await visitor.press("Save name")
    await expect(visitor.page.get_by_role("button", name="Somebody_else")).to_be_visible()


async def test_who_is_quicker_than_the_settings_is_a_guest_all_the_same(visit: Visit) -> None:
    visitor = await visit()
    await visitor.comes_late("/api/config")
    await visitor.open("/")
    await play(visitor, HOSTED.capitalize()).click()
    await expect(visitor.page.get_by_text("Your name is yours to change").first).to_be_visible()


async def test_a_link_opens_after_one_click(visit: Visit, house: Served) -> None:
    host = await visit(house.guest()[0])
    await host.open(f"/{HOSTED}")
    await host.press("Play a friend")
    code = str(await host.page.get_by_test_id("code").text_content())
    friend = await visit()
    await friend.open(f"/{HOSTED}/{code}")
    await friend.finds_no_barrier()
    await expect(friend.page.get_by_role("textbox")).to_have_count(0)
    await friend.sit_down()
    for each in (host, friend):
        await each.sees_board()


async def test_something_is_to_be_read_before_any_code_has_come(visit: Visit) -> None:
    visitor = await visit(viewport={"width": 360, "height": 640}, java_script_enabled=False)
    for path, heading in {
        "/": "What shall we play?",
        "/memory/leaderboard": "Memory",
        f"/{HOSTED}": HOSTED.capitalize(),
        "/history?game=quarto": "Games you played",
        "/wallet": "Wallet",
        "/sign-in": "Take a seat",
    }.items():
        await visitor.open(path)
        await expect(visitor.page.get_by_role("heading", name=heading)).to_be_visible()
        await visitor.need_not_scroll_sideways()


async def test_all_that_a_page_needs_is_asked_for_at_once(visit: Visit) -> None:
    """No file of code names another one that would have to be fetched before anything is seen."""
    visitor = await visit()
    await visitor.open("/connect4")
    await expect(visitor.page.get_by_role("heading", name="Take a seat")).to_be_visible()
    named = "JSON.stringify([...document.querySelectorAll('script,link')].map(e => e.outerHTML))"
    document: str = await visitor.page.evaluate(named)
    fetched: list[str] = await visitor.page.evaluate(
        "performance.getEntriesByType('resource').map(each => new URL(each.name).pathname)"
    )
    code = [path for path in fetched if path.endswith(".js")]
    assert [path for path in code if path not in document] == []
    assert len(fetched) <= 12, fetched
