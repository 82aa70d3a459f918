"""The server dies in the middle of a game; the players go on where they were."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.servers import plain

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVE = "from parlour.cli import main; main()"


def free_port() -> int:
    """One that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


@contextmanager
def a_process(port: int, database: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`parlour serve`, until it is killed."""
    env = os.environ | {"PORT": str(port), "DATABASE_URL": f"sqlite:///{database}"}
    with subprocess.Popen(  # noqa: S603 - our own words
        [sys.executable, "-c", SERVE, "serve"],
        env=env,
        cwd=database.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            while not _answers(port):
                assert process.poll() is None, "the server did not start"
                time.sleep(0.05)
            assert process.poll() is None, "another server answers there"
            yield process
        finally:
            process.kill()


def _answers(port: int) -> bool:
    try:
        return plain.get(f"http://127.0.0.1:{port}/api/health").is_success
    except httpx.TransportError:
        return False


async def test_a_game_survives_the_death_of_its_server(visit: Visit, tmp_path: Path) -> None:
    port, database = free_port(), tmp_path / "parlour.db"
    url = f"http://127.0.0.1:{port}"
    with a_process(port, database):
        host, guest = await visit(url=url), await visit(url=url)
        await host.open("/connect4")
        await host.sit_down()
        await host.press("Play a friend")
        code = await host.page.get_by_test_id("code").inner_text()
        await guest.open(f"/connect4/join/{code}")
        await guest.sit_down()
        await guest.sees_board()
        await expect(host.page).to_have_title(re.compile("Your turn|to move"))
        begins = (await host.page.title()).startswith("Your turn")
        first, second = (host, guest) if begins else (guest, host)
        await first.must_move()
        await first.page.keyboard.press("4")
        await second.must_move()
    for each in (first, second):
        await expect(each.page.get_by_text("Reconnecting.")).to_be_visible()
    with a_process(port, database):
        for each in (first, second):
            await expect(each.page.get_by_text("Reconnecting.")).to_have_count(0, timeout=20_000)
            await expect(each.cell("Column 4, row 1")).to_have_accessible_name(
                re.compile("red|yellow")
            )
        await second.must_move()
        await second.page.keyboard.press("4")
        await first.must_move()
        await expect(first.cell("Column 4, row 2")).to_have_accessible_name(re.compile("last move"))
        for each in (first, second):
            each.forgive("ERR_")
            each.forgive("WebSocket connection")
