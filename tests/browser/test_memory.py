"""Memory as it is played on two screens, against a bot, by keyboard, on a phone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Locator, expect

from parlour.settings import Settings
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.servers.parlour import Served, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
FACE_DOWN = "face down"
PATIENCE = 30

# Keeps every name that a card ever had, however short: face down, its symbol, face down again.
WATCH = """
    window.faces = {};
    new MutationObserver(() => {
        for (const card of document.querySelectorAll("[data-card]")) {
            const name = card.getAttribute("aria-label").split(": ")[1];
            const names = (window.faces[card.dataset.card] ??= []);
            if (names.at(-1) !== name) names.push(name);
        }
    }).observe(document, { subtree: true, childList: true, attributeFilter: ["aria-label"] });
"""
TURNED = """
    async ([index, before]) => {
        while (window.faces[index].length <= before) await new Promise(requestAnimationFrame);
    }
"""
# Keeps the page's connections, so that a test can cut them.
LINES = """
    window.lines = [];
    const Line = WebSocket;
    window.WebSocket = class extends Line {
        constructor(...address) {
            super(...address);
            window.lines.push(this);
        }
    };
"""
CUT = """
    async () => {
        const before = window.lines.length;
        for (const line of window.lines) line.close();
        const back = () => window.lines.slice(before).some((line) => line.readyState === 1);
        while (!back()) await new Promise(requestAnimationFrame);
    }
"""


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    """A small board, so that a game is soon over; all its pairs bring a power-up."""
    settings = Settings.given(
        database_url="sqlite://",
        board_rows=2,
        board_cols=4,
        reveal_duration_ms=1500,
        ai_pair_timeout_sec=60,
    )
    with serving(settings) as served:
        yield served


class Hand:
    """A player who remembers every card that was ever seen."""

    known: dict[int, str]

    def __init__(self, visitor: Visitor, known: dict[int, str]) -> None:
        self.visitor = visitor
        self.known = known

    def card(self, index: int) -> Locator:
        return self.visitor.page.locator(f'[data-card="{index}"]')

    async def hidden(self) -> list[int]:
        """The cards that lie face down; whatever was ever seen of any is remembered."""
        faces: dict[str, list[str]] = await self.visitor.page.evaluate("window.faces")
        for index, names in faces.items():
            for name in names:
                if not name.startswith(FACE_DOWN):
                    self.known[int(index)] = name.partition(",")[0]
        return sorted(
            int(index) for index, names in faces.items() if names[-1].startswith(FACE_DOWN)
        )

    async def may_turn(self) -> bool:
        """Whether some card answers to a click."""
        open_to_choice = self.visitor.page.locator('[data-card][aria-disabled="false"]')
        return await open_to_choice.count() > 0

    async def flip(self, index: int) -> None:
        page = self.visitor.page
        before = await page.evaluate(f"window.faces[{index}].length")
        await self.card(index).click()
        async with asyncio.timeout(PATIENCE):
            await page.evaluate(TURNED, [index, before])
        await self.hidden()

    async def turn(self) -> None:
        """Two cards: a pair if one is known, else whatever comes first."""
        hidden = await self.hidden()
        first = self._best(hidden)
        await self.flip(first)
        left = [index for index in hidden if index != first]
        twins = [index for index in left if self.known.get(index) == self.known[first]]
        unseen = [index for index in left if index not in self.known]
        await self.flip((twins or unseen or left)[0])

    def _best(self, hidden: list[int]) -> int:
        for index in hidden:
            twin = [other for other in hidden if other != index]
            if index in self.known and self.known[index] in {self.known.get(o) for o in twin}:
                return index
        return next((index for index in hidden if index not in self.known), hidden[0])


async def table(visit: Visit, house: Served, **second: object) -> tuple[Hand, Hand]:
    """Two guests who found each other."""
    known: dict[int, str] = {}
    hands = []
    for profile in ({}, second):
        visitor = await visit(house.guest()[0], **({"url": house.url} | profile))
        await visitor.page.add_init_script(WATCH)
        await visitor.page.add_init_script(LINES)
        await visitor.open("/memory")
        await visitor.press("Play")
        hands.append(Hand(visitor, known))
    for hand in hands:
        await hand.visitor.sees_board()
    return hands[0], hands[1]


async def mover(first: Hand, second: Hand) -> Hand:
    """Who may turn a card; nobody may while two that differ lie open."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while asyncio.get_running_loop().time() < deadline:
        for hand in (first, second):
            if await hand.may_turn():
                return hand
        await asyncio.sleep(0.05)
    raise AssertionError("nobody can turn a card")


async def play_on(first: Hand, second: Hand) -> None:
    """Until every card is taken."""
    for _ in range(60):
        hand = await mover(first, second)
        await hand.turn()
        if not await hand.hidden():
            return
    raise AssertionError("the game does not end")


@pytest.mark.spec("B1", "B2", "B21", "B22", "B37", "B59", "B78")
async def test_two_people_play_a_whole_game(visit: Visit, house: Served) -> None:
    first, second = await table(visit, house)
    await expect(first.visitor.page.locator("html")).to_have_attribute("lang", "en")
    await first.visitor.finds_no_barrier()
    await play_on(first, second)
    results = set()
    for hand in (first, second):
        await expect(hand.visitor.result()).to_contain_text(re.compile("You won|You lost|A draw"))
        await expect(hand.visitor.result()).to_contain_text(
            re.compile("Rating [0-9]+ [+±\N{MINUS SIGN}][0-9]+")
        )
        results.add(await hand.visitor.result().get_by_role("heading").inner_text())
        await hand.visitor.finds_no_barrier()
    assert results in ({"You won", "You lost"}, {"A draw"})

    await first.visitor.press("New opponent")
    await expect(first.visitor.page.get_by_role("timer")).to_be_visible()
    await expect(first.visitor.page.get_by_text("the computer sits down in")).to_be_visible()
    await first.visitor.finds_no_barrier()
    await first.visitor.press("Cancel")

    await second.visitor.open("/memory/leaderboard")
    await expect(second.visitor.page.get_by_role("listitem")).to_have_count(2)
    await second.visitor.finds_no_barrier()
    await second.visitor.open("/history?game=memory")
    await expect(second.visitor.page.get_by_text(re.compile("Won|Lost|Draw")).first).to_be_visible()
    await second.visitor.finds_no_barrier()


@pytest.mark.spec("B22")
async def test_a_result_stays_until_another_game_is_asked_for(visit: Visit, house: Served) -> None:
    first, second = await table(visit, house, **PHONE)
    await play_on(first, second)
    for hand in (first, second):
        page = hand.visitor.page
        await expect(hand.visitor.result()).to_be_visible()
        hand.visitor.forgive("closed before the connection is established")  # on its way
        async with asyncio.timeout(PATIENCE):
            await page.evaluate(CUT)
        await hand.visitor.sees_all_of(page.get_by_role("grid"))
        ended = hand.visitor.result()
        await expect(
            ended.get_by_role("heading", name=re.compile("You won|You lost|A draw"))
        ).to_be_visible()
        for way in ("Leaderboard", "History", "Back to the shelf"):
            await expect(ended.get_by_role("link", name=way)).to_be_visible()
        await hand.visitor.need_not_scroll_sideways()
        await hand.visitor.finds_no_barrier()
    for hand in (first, second):
        await hand.visitor.press("New opponent")
    for hand in (first, second):
        await expect(hand.visitor.button("Give up")).to_be_visible()


@pytest.mark.spec("B22", "B94")
async def test_who_stayed_away_for_too_long_is_told_so_and_not_queued(visit: Visit) -> None:
    settings = Settings.given(database_url="sqlite://", reconnect_timeout_sec=0.5)
    with serving(settings) as hasty:
        stays, leaves = await table(visit, hasty, **PHONE)
        await leaves.visitor.open("/")
        await expect(stays.visitor.result()).to_contain_text("You won")
        await leaves.visitor.open("/memory/play")
        page = leaves.visitor.page
        await expect(page.get_by_role("heading", name="You lost")).to_be_visible()
        await expect(page.get_by_text("You were away for too long.")).to_be_visible()
        await leaves.visitor.need_not_scroll_sideways()
        await leaves.visitor.finds_no_barrier()
        await leaves.visitor.press("Play again")
        await expect(page.get_by_role("heading", name="Looking for an opponent")).to_be_visible()
        for hand in (stays, leaves):
            await hand.visitor.page.close()


@pytest.mark.spec("B45", "B46", "B91", "B94")
async def test_a_refresh_in_the_middle_comes_back_to_the_game(visit: Visit, house: Served) -> None:
    first, second = await table(visit, house)
    hand = await mover(first, second)
    other = second if hand is first else first
    await hand.turn()
    await hand.visitor.page.reload()
    await hand.visitor.sees_board()
    await other.visitor.sees_board()
    await expect(other.visitor.page.get_by_text("is here")).to_have_count(1)
    await play_on(first, second)
    await expect(other.visitor.result()).to_contain_text(re.compile("You won|You lost|A draw"))


@pytest.mark.spec("B20", "B41")
async def test_a_phone_and_a_keyboard_suffice(visit: Visit, house: Served) -> None:
    first, phone = await table(visit, house, **PHONE)
    await phone.visitor.need_not_scroll_sideways()
    for card in await phone.visitor.page.locator("[data-card]").all():
        width, height = await phone.visitor.size_of(card)
        assert min(width, height) >= 44
    await phone.visitor.finds_no_barrier()

    hand = await mover(first, phone)
    keyboard = hand.visitor.page.keyboard
    await hand.card(0).focus()
    await keyboard.press("ArrowRight")
    await expect(hand.card(1)).to_be_focused()
    await keyboard.press("ArrowDown")
    await expect(hand.card(5)).to_be_focused()
    await keyboard.press("Enter")
    await expect(hand.card(5)).not_to_have_accessible_name(re.compile(FACE_DOWN))
    await hand.flip(0)
    await play_on(first, phone)
    for each in (first, phone):
        await expect(each.visitor.result()).to_contain_text(re.compile("You won|You lost|A draw"))


@pytest.mark.spec("B10", "B83")
async def test_a_bot_sits_down_if_nobody_comes(visit: Visit) -> None:
    settings = Settings.given(
        database_url="sqlite://",
        board_rows=2,
        board_cols=2,
        reveal_duration_ms=1500,
        ai_pair_timeout_sec=0.3,
    )
    with serving(settings) as quick:
        visitor = await visit(quick.guest()[0], url=quick.url)
        await visitor.page.add_init_script(WATCH)
        await visitor.open("/memory/play")
        await visitor.sees_board()
        bot = visitor.page.get_by_text(re.compile("Mnemosyne|Calliope|Thalia")).first
        await expect(bot).to_be_visible()
        hand = Hand(visitor, {})
        deadline = asyncio.get_running_loop().time() + 2 * PATIENCE
        while not await visitor.result().count():
            assert asyncio.get_running_loop().time() < deadline, "the game does not end"
            if await hand.may_turn():
                await hand.turn()
            await asyncio.sleep(0.05)
        await expect(visitor.result()).to_contain_text(re.compile("You won|You lost|A draw"))
        await visitor.page.close()
