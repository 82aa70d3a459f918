"""Connect Five against the computer: for nothing, at the host's table, to the end."""

from __future__ import annotations

import json
import re
from functools import partial

import msgspec
import pytest
from playwright.async_api import expect
from websockets.sync.client import connect

from parlour.games.api import Dice
from parlour.games.connect_five.bot import BOTS
from parlour.games.connect_five.rules import RULES
from parlour.games.connect_five.table import Move, View
from tests.browser.conftest import Visit
from tests.browser.test_connect_five import buy, has, place
from tests.browser.visitor import Visitor
from tests.bus.ears import until
from tests.servers.parlour import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")

LETTERS = "ABCDEFGHIJKLMN"
KEYS = {"SINGLE": "1", "H2": "2", "V2": "3", "CROSS4": "4", "BOMB": "5"}
LABELS = {"H2": "H2", "V2": "V2", "CROSS4": "Cross4", "BOMB": "Bomb"}
MOST_MOVES = 40


def against_the_computer(house: Served, token: str) -> str:
    """A table with the weakest opponent, one's own seat to move first or second."""
    wish = {"type": "play_bot", "game": "connect_five", "bot": "first", "seat": 0}
    who = {"Authorization": f"Bearer {token}"}
    with connect(f"{house.ws}/ws/play", additional_headers=who) as line:
        line.send(json.dumps(wish))
        while (heard := json.loads(line.recv(timeout=10)))["type"] != "table":
            pass
    match: str = heard["match"]
    return match


def seen(house: Served, token: str, match: str) -> View | None:
    """The match as the one to move sees it; None once it is over."""
    answer = house.ask(
        "GET", f"/api/play/tables/{match}", headers={"Authorization": f"Bearer {token}"}
    ).json()
    return msgspec.convert(answer["view"], View) if answer["status"] == "active" else None


def moved_on(house: Served, token: str, match: str, before: View) -> bool:
    """Whether what was seen before is no longer so."""
    now = seen(house, token, match)
    return now is None or now.state.turn_number > before.state.turn_number


async def test_a_guest_plays_the_computer_with_tools_and_clock_to_the_end(
    visit: Visit, house: Served
) -> None:
    token, _ = house.guest()
    match = against_the_computer(house, token)
    player = await visit(token)
    await player.open(f"/connect-five/game/{match}")
    await player.sees_board()
    await expect(player.page.get_by_text("computer", exact=True)).to_be_visible()
    await expect(player.page.get_by_role("timer")).to_have_count(2)
    left = player.page.get_by_test_id("left-to-spend").first
    await expect(left).to_contain_text("40 coins")
    await player.must_move()
    await buy(player, "H2")
    await expect(left).to_contain_text("36 coins")
    await place(player, "B14", KEYS["H2"])
    await has(player, "C14", "sapphire")
    await plays_on(player, house, token, match)
    await expect(player.result()).to_contain_text(re.compile("Five in a row"))
    await player.finds_no_barrier()
    await expect(player.button("Play again").or_(player.button("Rematch")).first).to_be_visible()


async def plays_on(player: Visitor, house: Served, token: str, match: str) -> None:
    """By the hand of somebody who knows all tools, until one of them has won."""
    hand = BOTS["medium"]
    for number in range(MOST_MOVES):
        await expect(player.page).not_to_have_title(re.compile(" to move"))
        view = seen(house, token, match)
        if view is None:
            return
        legal = RULES.legal(view)
        action = hand.choose(None, view, legal, Dice(b"hand", number), lambda: 1.0)
        if isinstance(action, Move):
            await player.page.keyboard.press(KEYS[action.move_type])
            await player.cell(f"{LETTERS[action.x]}{action.y + 1},").click()
            # Its answer may come at once, so that the page never says whose turn it is meanwhile.
            await until(partial(moved_on, house, token, match, view))
        else:
            await buy(player, LABELS[action.special_type])
    raise AssertionError("nobody won")
