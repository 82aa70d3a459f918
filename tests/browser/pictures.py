"""Takes the pictures in docs/screenshots of a built app: `python -m tests.browser.pictures`."""

from __future__ import annotations

import asyncio
from pathlib import Path

from playwright.async_api import Browser, ViewportSize, async_playwright

from tests import chromium
from tests.browser.games import post, two_at_a_game
from tests.browser.visitor import Visitor
from tests.generated import ROOT
from tests.servers.parlour import Served, serving

PICTURES = ROOT / "docs" / "screenshots"
WIDE = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
OPENING = "43355343562"


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
    asyncio.run(main())
