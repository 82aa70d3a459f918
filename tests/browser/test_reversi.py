"""Reversi at the host's table: with a friend by code, against the computer, two at one device."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.async_api import WebSocketRoute, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor, title
from tests.servers.parlour import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")

CALM: dict[str, Any] = {"reduced_motion": "reduce"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
SHORTEST = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
"""Black takes all in nine moves."""


async def sit_down(visit: Visit, house: Served, **profile: Any) -> tuple[Visitor, Visitor]:
    """Two at a table by its code; the one who opened it is black."""
    host, guest = [await visit(house.guest()[0], **CALM, **profile) for _ in range(2)]
    await host.open("/reversi")
    await host.press("Play a friend")
    code = str(await host.page.get_by_test_id("code").text_content())
    await guest.open(f"/reversi/{code.lower()}")
    for each in (host, guest):
        await each.sees_board()
    return host, guest


async def place(mover: Visitor, other: Visitor, cell: str) -> None:
    """A disc, until both screens show it."""
    await mover.must_move()
    await mover.cell(f"{cell}, empty, you may place here").click()
    for each in (mover, other):
        await expect(each.cell(f"{cell}, ")).to_have_accessible_name(re.compile("placed last"))


async def test_a_game_by_code_to_its_end_and_a_rematch(visit: Visit, house: Served) -> None:
    black, cream = await sit_down(visit, house)
    for turn, cell in enumerate(SHORTEST):
        mover, other = (black, cream) if turn % 2 == 0 else (cream, black)
        await place(mover, other, cell)
        if turn == 1:
            await mover.finds_no_barrier()
    await expect(black.result()).to_contain_text("You win")
    await expect(black.result()).to_contain_text("13 discs to 0.")
    await expect(black.result().get_by_test_id("rating")).to_contain_text("+16")
    await expect(cream.result().get_by_test_id("rating")).to_contain_text("16")
    await expect(black.dialog()).to_have_count(0)
    await black.finds_no_barrier()

    await cream.press("Rematch")
    await expect(cream.button("Withdraw the rematch")).to_be_visible()
    await black.press("Accept rematch")
    await expect(cream.cell("d3, empty, you may place here")).to_be_visible()
    await expect(black.page.get_by_test_id("score")).to_have_text(["2", "2"])
    await place(cream, black, "d3")
    for each, score in ((black, "13 to 0"), (cream, "0 to 13")):
        await each.open("/history?game=reversi")
        entry = each.page.get_by_role("listitem").first
        await expect(entry).to_contain_text(f"{score} · by counting")


async def test_a_table_is_given_up_taken_over_resumed_and_watched(
    visit: Visit, house: Served
) -> None:
    black, cream = await sit_down(visit, house)
    watcher = await visit(**CALM)
    await watcher.page.goto(black.page.url)
    await expect(watcher.page.get_by_text("You are watching this game.")).to_be_visible()

    window = await black.page.context.new_page()
    kept = await black.page.evaluate("localStorage.getItem('parlour.session')")
    await window.add_init_script(f"localStorage.setItem('parlour.session', {kept!r})")
    await window.goto(black.url)
    await window.get_by_role("link", name="Resume Reversi").click()
    await expect(window.get_by_role("grid")).to_be_visible()
    moved = black.page.get_by_role("heading", name="You play in another window")
    await expect(moved).to_be_visible()
    await black.press("Play here")
    await place(black, cream, "d3")
    await expect(watcher.cell("d3, black, placed last")).to_be_visible()

    await cream.press("Give up")
    await cream.finds_no_barrier()
    await cream.dialog().get_by_role("button", name="Give up").click()
    await expect(cream.result()).to_contain_text("You gave up.")
    await expect(watcher.result()).to_contain_text("wins")
    await black.open("/history?game=reversi")
    entry = black.page.get_by_role("listitem").first
    await expect(entry).to_contain_text("by giving up")
    await entry.get_by_text("against").click()
    await expect(black.cell("d3, black, placed last")).to_be_visible()


async def test_a_cut_line_loses_no_move(visit: Visit, house: Served) -> None:
    black, cream = await sit_down(visit, house)
    lines: list[WebSocketRoute] = []
    said: list[dict[str, Any]] = []

    def listen(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        lines.append(line)

        async def pass_on(message: str | bytes) -> None:
            said.append(json.loads(message))
            if len(lines) == 1 and said[-1]["type"] == "act":
                # The line is cut before the move has come through.
                await line.close(code=1012)
            else:
                server.send(message)

        line.on_message(pass_on)

    await black.page.route_web_socket(re.compile("/ws/play"), listen)
    await black.page.reload()
    await place(black, cream, "d3")
    assert len(lines) == 2
    assert [each["type"] for each in said].count("join") == 2


async def test_the_computer_answers(visit: Visit, house: Served) -> None:
    player = await visit(house.guest()[0], **CALM)
    await player.open("/reversi")
    await player.finds_no_barrier()
    await player.plays("reversi")
    await player.sees_board()
    await expect(player.page.get_by_text("computer", exact=True)).to_be_visible()
    await player.must_move()
    before = await player.page.get_by_role("gridcell", name=re.compile("black|cream")).count()
    await player.cell("you may place here").first.click()
    discs = player.page.get_by_role("gridcell", name=re.compile("black|cream"))
    await expect(discs).to_have_count(before + 2)

    await player.press("Give up")
    await player.dialog().get_by_role("button", name="Give up").click()
    await expect(player.result()).to_contain_text(f"{title('reversi')} wins")
    await player.open("/history?game=reversi")
    entry = player.page.get_by_role("listitem").first
    await expect(entry).to_contain_text(f"Lost against {title('reversi')}")
    await expect(entry).to_contain_text("by giving up")


async def test_two_who_look_for_anyone_find_each_other(visit: Visit, house: Served) -> None:
    one, other = [await visit(house.guest()[0], **CALM) for _ in range(2)]
    await one.open("/reversi")
    await one.press("Play anyone")
    await expect(one.dialog()).to_contain_text("Looking for an opponent")
    await one.finds_no_barrier()
    await one.press("Cancel")
    await expect(one.dialog()).to_have_count(0)
    await one.press("Play anyone")
    await other.open("/reversi")
    await other.press("Play anyone")
    for each in (one, other):
        await each.sees_board()


async def invited(visit: Visit, house: Served, to: str) -> tuple[Visitor, Visitor, str]:
    """Somebody at the shelf is invited by name; the one who did it waits."""
    host = await visit(house.guest()[0])
    guest = await visit(house.guest(to)[0])
    await guest.open()
    await expect(guest.button("Notifications")).to_be_visible()
    await host.open("/reversi")
    await host.page.get_by_label("Invite by name").fill(to[:-1])
    await host.page.get_by_role("option", name=to).click()
    await host.finds_no_barrier()
    await host.press("Invite")
    await expect(host.page.get_by_role("heading", name="Waiting for your friend")).to_be_visible()
    words = "invites you to Reversi."
    await expect(guest.page.get_by_text(words).first).to_be_visible()
    await guest.press("Notifications, 1 new")
    await guest.page.get_by_role("menuitem", name=words).click()
    name = (
        await guest.page.get_by_role("list", name="Invitations")
        .locator("span")
        .first.text_content()
    )
    return host, guest, str(name)


async def test_somebody_is_invited_by_name_and_sits_down(visit: Visit, house: Served) -> None:
    host, guest, name = await invited(visit, house, "Cleo_the_first")
    await guest.finds_no_barrier()
    await guest.press(f"Play with {name}")
    for each in (host, guest):
        await each.sees_board()
    await place(host, guest, "d3")


async def test_an_invitation_is_declined(visit: Visit, house: Served) -> None:
    _, guest, name = await invited(visit, house, "Dora_the_first")
    await guest.press(f"Decline the invitation of {name}")
    invitations = guest.page.get_by_role("list", name="Invitations")
    await expect(invitations).to_have_count(0)
    await guest.open("/reversi")
    await expect(guest.button("Play anyone")).to_be_enabled()
    await expect(invitations).to_have_count(0)
    await expect(guest.page.get_by_role("button", name="Notifications", exact=True)).to_be_visible()


async def test_two_at_one_device_on_a_phone_by_touch(visit: Visit, house: Served) -> None:
    both = await visit(house.guest()[0], color_scheme="dark", **CALM, **PHONE)
    await both.open("/reversi")
    await both.need_not_scroll_sideways()
    await both.finds_no_barrier()
    await both.press("Two at this device")
    await both.sees_board()
    await both.cell("a1, empty").tap()
    await expect(
        both.page.get_by_text("A disc on a1 would enclose none of theirs.", exact=True)
    ).to_be_visible()
    for cell in SHORTEST:
        await both.cell(f"{cell}, empty, you may place here").tap()
        await expect(both.cell(f"{cell}, ")).to_have_accessible_name(re.compile("placed last"))
    await expect(both.result()).to_contain_text("13 discs to 0.")
    await both.need_not_scroll_sideways()
    await both.finds_no_barrier()
    board = both.page.locator(".rv-board")
    width, _ = await both.size_of(board)
    assert width >= 380, "the board goes from edge to edge"
    await both.sees_all_of(board)


async def test_a_code_that_leads_nowhere_says_so(visit: Visit, house: Served) -> None:
    visitor = await visit(house.guest()[0], **CALM)
    await visitor.open("/reversi/NOSUCH")
    await expect(visitor.page.get_by_role("heading", name="Nobody waits here")).to_be_visible()
    await visitor.open("/reversi/game/nosuch")
    await expect(visitor.page.get_by_role("heading", name="This table is closed")).to_be_visible()
    await visitor.finds_no_barrier()
