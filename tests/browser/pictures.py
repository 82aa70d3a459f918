"""Takes the pictures in docs/screenshots of a built app, and those that links to its pages are
shown with: `python -m tests.browser.pictures`, or `… cards` for the latter alone.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from playwright.async_api import Browser, ViewportSize, async_playwright

from parlour.games.registry import all_rules
from tests import chromium
from tests.browser.games import post, two_at_a_game
from tests.browser.visitor import Visitor
from tests.generated import ROOT
from tests.servers.parlour import Served, serving

PICTURES = ROOT / "docs" / "screenshots"
WIDE = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
OPENING = "43355343562"
CARDS = ROOT / "web" / "public" / "cards"
CARD = ViewportSize(width=1200, height=630)
LAID_OUT = """
    (wanted) => {
        const named = [...document.querySelectorAll("[data-game]")];
        const shown = named.filter((each) => wanted === null || each.dataset.game === wanted);
        const boxes = shown.map((each) => each.querySelector(".box"));
        const text = (of) => shown[0].querySelector(of).textContent;
        const words = shown.length === 1
            ? [text("h2"), text("p.text-soft")]
            : ["Parlour", "Board games for two, on one shelf"];
        const card = document.createElement("div");
        card.style = "position:fixed;inset:0;z-index:99;display:flex;align-items:center;gap:56px;"
            + "padding:0 64px;background:var(--shelf-light),var(--shelf)";
        const side = document.createElement("div");
        const heading = document.createElement("p");
        heading.className = "text-display";
        heading.style = "font-size:84px;line-height:1";
        heading.textContent = words[0];
        const below = document.createElement("p");
        below.className = "text-soft";
        below.style = "font-size:38px;line-height:1.25;margin-top:24px;text-wrap:balance";
        below.textContent = words[1];
        side.append(heading, below);
        const lids = document.createElement("div");
        lids.style = boxes.length === 1
            ? "width:480px;flex:none"
            : "width:620px;flex:none;display:grid;gap:18px;grid-template-columns:repeat(3,1fr)";
        lids.append(...boxes.map((each) => each.cloneNode(true)));
        card.append(lids, side);
        document.body.append(card);
    }
"""


async def visitor(
    browser: Browser, house: Served, token: str, size: ViewportSize, dark: bool
) -> Visitor:
    context = await browser.new_context(
        viewport=size, color_scheme="dark" if dark else "light", reduced_motion="reduce"
    )
    come = Visitor(await context.new_page(), house.url)
    await come.remember(token)
    return come


async def take(seen: Visitor, name: str) -> None:
    await seen.page.wait_for_load_state("networkidle")
    await seen.settled()
    path: Path = PICTURES / f"{name}.jpg"
    await seen.page.screenshot(path=path, type="jpeg", quality=84)


async def cards() -> None:
    """Of the shelf and of each box: what a messenger shows of a link."""
    CARDS.mkdir(exist_ok=True)
    with serving() as house:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium.find())
            for game in (None, *all_rules()):
                seen = await visitor(browser, house, house.guest()[0], CARD, dark=False)
                await seen.open()
                await seen.page.wait_for_load_state("networkidle")
                await seen.page.evaluate(LAID_OUT, game)
                await seen.settled()
                path = CARDS / f"{game or 'shelf'}.jpg"
                await seen.page.screenshot(path=path, type="jpeg", quality=80)
                await seen.page.context.close()
            await browser.close()


async def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with serving() as house:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium.find())
            for size, screen in ((WIDE, "wide"), (PHONE, "phone")):
                for dark, light in ((False, "day"), (True, "night")):
                    two = two_at_a_game(house, OPENING)
                    mine = await visitor(browser, house, two.other, size, dark)
                    theirs = await visitor(browser, house, two.mover, size, dark)
                    await theirs.open(two.path)
                    await mine.open(two.path)
                    await mine.must_move()
                    await take(mine, f"connect4-{screen}-{light}")
                    await mine.open()
                    await take(mine, f"shelf-{screen}-{light}")
                    await theirs.page.context.close()
                    await mine.page.context.close()
            host, _ = house.guest()
            code = post(house, host, "/api/games")["publicId"]
            waiting = await visitor(browser, house, host, WIDE, dark=False)
            await waiting.open(f"/connect4/game/{code}")
            await take(waiting, "connect4-waiting")
            await browser.close()


if __name__ == "__main__":
    asyncio.run(cards() if "cards" in sys.argv else main())
