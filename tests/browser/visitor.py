"""Somebody with a browser: opens pages, plays, and notices whatever goes wrong on them."""

from __future__ import annotations

import asyncio
import json

from playwright.async_api import ConsoleMessage, Locator, Page, Route, ViewportSize, expect

from parlour.games.registry import all_rules, bots
from tests.generated import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
BARRIERS = """axe.run({resultTypes: ["violations"]}).then(({violations}) =>
    violations.map(({id, nodes}) => `${id}: ${nodes.map(({target}) => target)}`))"""
"""What it finds, and where; all that is well stays in the page, as there is much of it."""

GAMES = tuple(
    key.replace("_", " ").title() if key != "connect4" else "Connect 4" for key in all_rules()
)
"""As the shelf calls them."""

# Everything that ends has ended, and the fonts are there.
SETTLED = """
    async () => {
        await document.fonts.ready;
        const moves = (each) =>
            each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity;
        const moving = () => document.getAnimations().filter(moves);
        while (moving().length > 0)
            await Promise.all(moving().map((each) => each.finished.catch(() => undefined)));
    }
"""


def title(game: str, name: str = "easy") -> str:
    """What an opponent is called there."""
    return bots(game)[name].persona.title


class Visitor:
    """A page, and what its console complained about."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self._heard: list[str] = []
        self._forgiven: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._heard.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._heard.append(message.text)

    def forgive(self, words: str) -> None:
        """What a test brought about on purpose is no complaint, whenever it is heard."""
        self._forgiven.append(words)

    @property
    def complaints(self) -> list[str]:
        """All that nobody has forgiven."""
        return [each for each in self._heard if not any(words in each for words in self._forgiven)]

    # --- going about

    async def remember(self, token: str) -> None:
        """As if this guest had signed in here before."""
        kept = json.dumps(json.dumps({"kind": "guest", "token": token}))
        await self.page.add_init_script(f"localStorage.setItem('parlour.session', {kept})")

    async def know_the_games(self) -> None:
        """As if each had been played here before."""
        kept = json.dumps(json.dumps(GAMES))
        known = f"localStorage.setItem('parlour.taught', {kept})"
        # Pages that are none yet have nowhere to keep it.
        await self.page.add_init_script(f"try {{ {known} }} catch {{}}")

    async def open(self, path: str = "/") -> None:
        """Go to an address of the server."""
        await self.page.goto(self.url + path)

    async def comes_late(self, path: str) -> None:
        """From now on what is asked for there comes after a second."""

        async def later(route: Route) -> None:
            await asyncio.sleep(1)
            await route.continue_()

        await self.page.route(f"**{path}", later)

    async def resize(self, size: ViewportSize) -> None:
        """As a window is, or a phone when it is turned."""
        await self.page.set_viewport_size(size)
        await self.settled()

    async def press(self, name: str) -> None:
        """A button or link of that name."""
        await self.button(name).click()

    async def sit_down(self) -> None:
        """From the sign-in page, as a guest, in one click."""
        await self.press("Play as guest")

    async def plays(self, game: str, name: str = "easy") -> None:
        """Choose an opponent on the start page of a game that one is at."""
        them = self.page.get_by_role("group", name="Play the computer")
        await them.get_by_role("button", name=title(game, name)).click()

    async def tab_to(self, name: str) -> None:
        """Walk there with the Tab key, as somebody without a mouse does."""
        wanted = self.button(name)
        for _ in range(40):
            await self.page.keyboard.press("Tab")
            if await wanted.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"Tab does not lead to {name}")

    # --- looking

    def button(self, name: str) -> Locator:
        """By its accessible name."""
        page = self.page
        return page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first

    def dialog(self) -> Locator:
        """The one that is open."""
        return self.page.get_by_role("dialog")

    def strip_of(self, name: str) -> Locator:
        """The strip of a player of just that name: others may have it in theirs."""
        return self.page.get_by_role("region", name=name, exact=True)

    def result(self) -> Locator:
        """How the game ended, beside the board or below it."""
        return self.page.get_by_role("region", name="Result")

    async def sees_all_of(self, board: Locator) -> None:
        """No part of it lies off the screen or under the result, once that has come to rest."""
        for _ in range(20):
            await self.settled()
            hidden = await self._hidden(board)
            if hidden is None:
                return
            await self.page.wait_for_timeout(100)
        raise AssertionError(hidden)

    async def _hidden(self, board: Locator) -> str | None:
        """Why not all of it is seen; None: it is."""
        seen, sheet = await board.bounding_box(), await self.result().bounding_box()
        size = self.page.viewport_size
        assert seen is not None
        assert sheet is not None
        assert size is not None
        if seen["y"] < 0 or seen["y"] + seen["height"] > size["height"]:
            return "a part of it is off the screen"
        below = sheet["y"] >= seen["y"] + seen["height"]
        beside = sheet["x"] >= seen["x"] + seen["width"]
        return None if below or beside else "the result hides a part of the board"

    def cell(self, name: str) -> Locator:
        """A cell of the board, by how its name begins."""
        return self.page.get_by_role("gridcell", name=name)

    async def sees_board(self) -> None:
        """The game is on the table."""
        await expect(self.page.get_by_role("grid")).to_be_visible()

    async def must_move(self) -> None:
        """The tab says so."""
        await expect(self.page).to_have_title("Your turn · Parlour")

    async def settled(self) -> None:
        """Until nothing moves any more."""
        await self.page.evaluate(SETTLED)

    async def size_of(self, seen: Locator) -> tuple[float, float]:
        """Width and height on the screen."""
        box = await seen.bounding_box()
        assert box is not None, "it is not to be seen"
        return box["width"], box["height"]

    async def finds_no_barrier(self) -> None:
        """What axe knows of accessibility, on the page as it stands."""
        await self.settled()
        if not await self.page.evaluate("'axe' in window"):
            await self.page.evaluate(AXE.read_text("utf-8"))
        barriers: list[str] = []
        for _ in range(20):
            # A page whose code is still on its way has nothing on it that could be judged.
            await self.page.locator("main h1").first.wait_for(state="attached")
            barriers = await self.page.evaluate(BARRIERS)
            if not any(each.startswith("landmark-one-main:") for each in barriers):
                break
        assert not barriers, f"{self.page.url}: {barriers}"

    async def need_not_scroll(self) -> None:
        """All of the page is on the screen."""
        out = "document.documentElement.scrollHeight - document.documentElement.clientHeight"
        assert await self.page.evaluate(out) <= 0

    async def need_not_scroll_sideways(self) -> None:
        """Nothing sticks out to the right."""
        out = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await self.page.evaluate(out) <= 0
