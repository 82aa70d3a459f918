"""A real Chromium before a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from parlour.net.pages import built_app
from tests import chromium
from tests.browser.visitor import Visitor
from tests.servers.parlour import Served, serving

Visit = Callable[..., Awaitable[Visitor]]

PATIENCE_MS = 15_000
"""How long a page may take to show what it should: what is promised is that it does, not when."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests; each visitor has a profile of its own."""
    if built_app() is None:
        pytest.fail("the web app is not built: npm --prefix web run build")
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(
            executable_path=chromium.find(), args=["--disable-gpu"]
        )
        yield launched
        await launched.close()


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    """The server."""
    with serving() as served:
        yield served


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, house: Served) -> AsyncIterator[Visit]:
    """Lets somebody in: `await visit(token, viewport=…)`. None may leave with a complaint.

    They have played before, and need no tips, unless it is their `first_time`.
    """
    visitors: list[Visitor] = []

    async def come(
        token: str | None = None,
        *,
        url: str = house.url,
        first_time: bool = False,
        **profile: Any,
    ) -> Visitor:
        context = await browser.new_context(
            **({"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | profile)
        )
        visitor = Visitor(await context.new_page(), url)
        if token is not None:
            await visitor.remember(token)
        if not first_time:
            await visitor.know_the_games()
        visitors.append(visitor)
        return visitor

    yield come
    for visitor in visitors:
        await visitor.page.context.close()
    assert [each for visitor in visitors for each in visitor.complaints] == []
