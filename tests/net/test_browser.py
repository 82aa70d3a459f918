"""What a real browser makes of our sockets: it must learn the code of every goodbye."""

from __future__ import annotations

import asyncio
from typing import Any

from playwright.async_api import async_playwright

from tests import chromium
from tests.net.conftest import routes
from tests.servers import plain
from tests.servers.parlour import Served, serving

TALK = """
    async ([address, sends]) => {
        const socket = new WebSocket(address);
        await new Promise((opened) => { socket.onopen = opened; });
        const heard = [];
        socket.onmessage = (event) => heard.push(event.data);
        for (const { text, times } of sends)
            for (let n = 0; n < times; n++) socket.send(text);
        const closed = await new Promise((closed) => { socket.onclose = closed; });
        return { code: closed.code, clean: closed.wasClean, heard: heard.length };
    }
"""


async def metrics(served: Served) -> str:
    async with plain.AsyncClient() as client:
        return (await client.get(f"{served.url}/metrics")).text


async def test_a_browser_learns_why_it_was_closed() -> None:
    with serving(more=routes) as served:
        address = f"{served.ws}/ws/test/echo"
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium.find())
            page = await browser.new_page()
            await page.goto(served.url)

            async def talk(*sends: tuple[str, int]) -> Any:
                said = [{"text": text, "times": times} for text, times in sends]
                return await asyncio.wait_for(page.evaluate(TALK, [address, said]), 60)

            for size in (65_537, 3_000_000) * 2:
                assert (await talk(("x" * size, 1)))["code"] == 1009
            # What a browser could not send any more it calls unclean, so only the others are.
            ended = await talk(("leave", 1))
            assert (ended["code"], ended["clean"]) == (4409, True)
            waiting = asyncio.create_task(talk())
            while 'parlour_sockets{surface="/ws/test/echo"} 1.0' not in await metrics(served):
                pass
            served.stop()
            assert await waiting == {"code": 1012, "clean": True, "heard": 0}
            await browser.close()
