"""Small screens and large letters: what a turn needs is in sight, and no word is cut off."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import ViewportSize, expect

from parlour.games.registry import all_rules
from tests.browser.conftest import Visit
from tests.browser.games import played, post
from tests.browser.visitor import Visitor
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.servers.parlour import Served
from tests.wire.connect_five.people import pair, playing

pytestmark = pytest.mark.asyncio(loop_scope="session")

WIDE: ViewportSize = {"width": 1280, "height": 800}
LARGE: ViewportSize = {"width": 640, "height": 400}
"""What of `WIDE` is left at 200 %."""
PHONE: ViewportSize = {"width": 390, "height": 844}
SHORT: ViewportSize = {"width": 360, "height": 640}
SMALL: dict[str, Any] = {"viewport": SHORT, "has_touch": True, "is_mobile": True}
LOOKED_AT_LARGE = ("connect4", "quarto", *WITHOUT_A_DOCUMENT)
STRIPS = "main section p > .text-display"
LONGEST = ("CleverFalcon999", "BrightWalrus888")
"""The longest that are made up."""
CUT_OFF = """
    (places) => [...document.querySelectorAll(places)]
        .filter((each) => !each.closest(".sr-only") && each.clientWidth > 0)
        .filter((each) => each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.textContent)
"""
BROKEN = """
    (places) => [...document.querySelectorAll(places)]
        .filter((each) => !each.closest(".sr-only"))
        .flatMap((each) => {
            const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode();
            return [...(text?.data ?? "").matchAll(/\\S+/g)].filter((word) => {
                const range = document.createRange();
                range.setStart(text, word.index);
                range.setEnd(text, word.index + word[0].length);
                return range.getClientRects().length > 1;
            });
        })
        .map(([word]) => word)
"""
"""Words that go on in the next line."""
OUT_OF_SIGHT = """
    () => [...document.querySelectorAll("main button, main a, main [role=grid], header *")]
        .filter((each) => each.checkVisibility() && !each.closest(".sr-only"))
        .filter((each) => {
            const { left, right, top, bottom } = each.getBoundingClientRect();
            return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
        })
        .map((each) => each.textContent || each.getAttribute("aria-label") || each.outerHTML)
"""

SHIFTS = """
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
        for (const each of list.getEntries()) shifted += each.value;
    }).observe({ type: "layout-shift", buffered: true });
"""
"""How much of what was seen has jumped, as browsers count it."""
BEYOND_THE_EDGE = """
    () => [...document.querySelectorAll("a, button, input, h1, h2, p, [role^=menuitem]")]
        .filter((each) => each.checkVisibility() && !each.closest(".sr-only"))
        .filter((each) => {
            const { left, right, width } = each.getBoundingClientRect();
            return width > 1 && (left < -1 || right > document.documentElement.clientWidth + 1);
        })
        .map((each) => each.textContent || each.getAttribute("aria-label") || each.outerHTML)
"""


async def at_a_table(visit: Visit, house: Served, key: str, **profile: Any) -> Visitor:
    """Somebody on the first turn of a game, against one with a name as long."""
    if key == "connect_five":
        match, first, _ = playing(*pair(house))
        player = await visit(first.token, **profile)
        await player.open(f"/connect-five/games/{match['challenge']}")
    elif key == "connect4":
        host, guest = house.guest()[0], house.guest()[0]
        created = post(house, host, "/api/games")
        game = post(house, guest, f"/api/games/join/{created['code']}")["game"]
        player = await visit((host, guest)[game["currentTurn"] - 1], **profile)
        await player.open(f"/connect4/game/{game['publicId']}")
    else:
        token, _ = house.guest()
        player = await visit(token, **profile)
        await player.open(f"/{key}")
        await player.plays(key, "Lethe" if key == "memory" else "easy")
        # Nothing moves any more, and all that helps is there.
        await player.must_move()
    await player.sees_board()
    await player.settled()
    return player


@pytest.mark.parametrize("key", all_rules())
async def test_a_table_has_room_for_all_it_needs(visit: Visit, house: Served, key: str) -> None:
    player = await at_a_table(visit, house, key, **SMALL)
    await _all_that_a_turn_needs_is_on_a_short_screen(player, key)
    if key in LOOKED_AT_LARGE:
        await player.resize(LARGE)
        await _twice_as_large_it_can_still_be_played(player)
    await player.resize(WIDE)
    await _a_made_up_name_fits_its_strip(player)


async def _all_that_a_turn_needs_is_on_a_short_screen(player: Visitor, key: str) -> None:
    await player.need_not_scroll_sideways()
    assert await player.page.evaluate(OUT_OF_SIGHT) == []
    width, _ = await player.size_of(player.page.get_by_role("grid"))
    assert width >= 200, "the board is still one to play on"
    if key != "connect_five":  # There a finger aims first.
        cell, _ = await player.size_of(player.page.get_by_role("gridcell").first)
        assert cell >= 36, "a finger is sure of what it touches"
    assert await player.page.evaluate(CUT_OFF, STRIPS) == []
    for button in await player.page.locator("main button:not([data-card], .q-pick)").all():
        if await button.is_visible():
            assert min(await player.size_of(button)) >= 43.5, await button.inner_text()


async def _twice_as_large_it_can_still_be_played(player: Visitor) -> None:
    """Such a window has room for half as much."""
    await player.need_not_scroll_sideways()
    for button in await player.page.locator("main button").all():
        if await button.is_visible():
            await button.scroll_into_view_if_needed()
            box = await button.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= LARGE["width"]
    await player.finds_no_barrier()


async def _a_made_up_name_fits_its_strip(player: Visitor) -> None:
    """As long as they are made, beside a rating and whatever a game has there."""
    name = player.page.locator("main section p > .text-display", has_text=re.compile(r"\d$"))
    await name.first.evaluate("(each, longest) => { each.textContent = longest; }", LONGEST[0])
    await player.settled()
    assert await player.page.evaluate(CUT_OFF, STRIPS) == []


@pytest.mark.parametrize("first_time", [False, True])
async def test_no_word_at_quartos_table_is_cut_off(
    visit: Visit, house: Served, first_time: bool
) -> None:
    host = await visit(first_time=first_time)
    await host.open("/quarto")
    await host.page.get_by_label("Your name").fill(LONGEST[0])
    await host.press("Play a friend")
    await expect(host.page.get_by_test_id("code")).to_be_visible()
    guest = await visit(first_time=first_time)
    await guest.page.goto(host.page.url)
    await guest.page.get_by_label("Your name").fill(LONGEST[1])
    await guest.press("Sit down")
    for each in (host, guest):
        await each.sees_board()
        for size in (WIDE, PHONE, SHORT):
            await each.resize(size)
            strips = "main section p, main section p *, main .table-actions p"
            assert await each.page.evaluate(CUT_OFF, strips) == [], size


async def test_a_challenge_says_who_in_full_on_a_phone(visit: Visit, house: Served) -> None:
    ann, bob = house.guest(LONGEST[0]), house.guest(LONGEST[1])
    challenge = post(
        house,
        ann[0],
        "/api/connect-five/challenges",
        opponent_id=bob[1]["id"],
        stake_amount=100,
        max_spend_amount=0,
        time_limit_seconds=300,
    )
    for token in (ann[0], bob[0]):
        visitor = await visit(token, viewport=PHONE)
        await visitor.open(f"/connect-five/games/{challenge['id']}")
        heading = visitor.page.get_by_role("heading", level=1)
        await expect(heading).to_contain_text("Waiting for" if token == ann[0] else "challenges")
        assert await visitor.page.evaluate(CUT_OFF, "main h1, main span, main p") == []


PAGES = ("/", "/history", "/wallet", "/recover", "/memory/leaderboard", "/nowhere")


@pytest.mark.parametrize(
    "profile",
    [
        {**SMALL, "color_scheme": "dark"},
        {"viewport": LARGE, "device_scale_factor": 2, "color_scheme": "light"},
    ],
    ids=["small", "large"],
)
async def test_no_page_goes_off_sideways(
    visit: Visit, house: Served, profile: dict[str, Any]
) -> None:
    """Neither does what its header opens, and nothing jumps while a page is being set up."""
    token, me = house.guest()
    visitor = await visit(token, **profile)
    await visitor.page.add_init_script(SHIFTS)
    for path in (*PAGES, *(f"/{key.replace('_', '-')}" for key in all_rules())):
        await visitor.open(path)
        await expect(visitor.page.locator("header").get_by_text(me["username"])).to_be_attached()
        await expect(visitor.page.locator("main h1").first).to_be_attached()
        await visitor.settled()
        await visitor.need_not_scroll_sideways()
        assert await visitor.page.evaluate(BEYOND_THE_EDGE) == [], path
        assert await visitor.page.evaluate("shifted") < 0.1, path
    await visitor.page.get_by_role("button", name="your account").click()
    await expect(visitor.page.get_by_role("menu")).to_be_visible()
    await visitor.settled()
    assert await visitor.page.evaluate(BEYOND_THE_EDGE) == []


async def test_names_and_sums_are_said_in_full(visit: Visit, house: Served) -> None:
    ann, bob = house.guest("CleverFalcon998")[0], house.guest("BrightWalrus887")[0]
    played(house, ann, bob, "1212121")
    waiting = post(house, bob, "/api/games")
    match, first, _ = playing(*pair(house))
    for token, path in (
        (ann, "/history"),
        (ann, f"/connect4/game/{waiting['publicId']}"),
        (first.token, "/connect-five"),
        (first.token, f"/connect-five/games/{match['challenge']}"),
        (first.token, "/history?game=connect_five"),
    ):
        visitor = await visit(token, **SMALL)
        await visitor.open(path)
        await visitor.page.wait_for_load_state("networkidle")
        for size in (SHORT, LARGE):
            await visitor.resize(size)
            words = "main h1, main h2, main p, main p *, main li span"
            assert await visitor.page.evaluate(CUT_OFF, words) == [], (path, size)
            assert await visitor.page.evaluate(BROKEN, "main h1") == [], (path, size)
        await visitor.page.context.close()
