"""The way to a free seat: by the address of a game that waits, past a sign-in that says whose."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.browser.games import post
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.servers.parlour import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_address_of_a_waiting_game_of_connect_4_offers_its_seat(
    visit: Visit, house: Served
) -> None:
    token, host = house.guest()
    game = post(house, token, "/api/games")
    friend = await visit(house.guest()[0])
    await friend.open(f"/connect4/game/{game['publicId']}")
    await expect(
        friend.page.get_by_role("heading", name=f"{host['username']} waits for you")
    ).to_be_visible()
    await friend.finds_no_barrier()
    await friend.press("Sit down")
    await friend.sees_board()


@pytest.mark.parametrize("game", WITHOUT_A_DOCUMENT)
async def test_the_address_of_a_waiting_table_offers_its_seat(
    visit: Visit, house: Served, game: str
) -> None:
    host, friend = await visit(house.guest()[0]), await visit(house.guest()[0])
    await host.open(f"/{game}")
    await host.press("Play a friend")
    await host.page.get_by_test_id("code").wait_for()
    await friend.page.goto(host.page.url)
    await friend.press("Sit down")
    for each in (host, friend):
        await each.sees_board()


async def test_signing_in_for_an_invitation_says_who_invites_to_what(
    visit: Visit, house: Served
) -> None:
    token, host = house.guest()
    game = post(house, token, "/api/games")
    words = f"{host['username']} invites you to Connect 4."
    for path in (f"/connect4/join/{game['code']}", f"/connect4/game/{game['publicId']}"):
        stranger = await visit()
        await stranger.open(path)
        await expect(stranger.page).to_have_url(re.compile("sign-in"))
        await expect(stranger.page.get_by_text(words)).to_be_visible()
    await stranger.sit_down()
    await stranger.press("Sit down")
    await stranger.sees_board()
    nobody = await visit()
    await nobody.open("/connect4/join/ABCDEF")
    await expect(nobody.page.get_by_text("One click, and you are in.")).to_be_visible()
