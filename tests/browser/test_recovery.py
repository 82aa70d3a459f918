"""A guest goes on playing on another device: by a code that is typed, or a link that is scanned."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.servers.parlour import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}


async def make_code(visitor: Visitor) -> str:
    await visitor.page.get_by_role("button", name=", your account").click()
    await visitor.page.get_by_role("menuitem", name="Play on another device").click()
    await visitor.press("Make a code")
    code = visitor.page.get_by_test_id("recovery-code")
    await expect(code).to_be_visible()
    return str(await code.text_content())


async def plays_as(visitor: Visitor, name: str) -> None:
    account = visitor.page.get_by_role("button", name=f"{name} , your account")
    await expect(account).to_be_visible()


async def test_a_guest_comes_back_by_a_typed_code(visit: Visit, house: Served) -> None:
    token, me = house.guest()
    old = await visit(token, **PHONE)
    await old.open("/")
    code = await make_code(old)
    await expect(old.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    await old.finds_no_barrier()
    await old.need_not_scroll_sideways()

    new = await visit(**PHONE)
    await new.open("/sign-in")
    await new.press("I have a code from another device")
    await new.page.get_by_role("textbox", name="Code").fill(code.replace("-", " ").lower())
    await new.finds_no_barrier()
    await new.press("Come back")
    await expect(new.page.get_by_text(f"Welcome back, {me['username']}.").first).to_be_visible()
    await plays_as(new, me["username"])
    await new.page.reload()
    await plays_as(new, me["username"])


async def test_a_scanned_link_brings_the_code_and_leaves_it_nowhere(
    visit: Visit, house: Served
) -> None:
    token, me = house.guest()
    old = await visit(token)
    await old.open("/")
    code = await make_code(old)
    new = await visit()
    asked: list[str] = []
    new.page.on("request", lambda request: asked.append(request.url))
    await new.open(f"/recover#{code}")
    await expect(new.page.get_by_role("textbox", name="Code")).to_have_value(code)
    await expect(new.page).to_have_url(f"{house.url}/recover")
    await new.press("Come back")
    await plays_as(new, me["username"])
    assert not any(code in each for each in asked)


async def test_a_code_that_was_replaced_says_so(visit: Visit, house: Served) -> None:
    old = await visit(house.guest()[0])
    await old.open("/")
    code = await make_code(old)
    await old.page.keyboard.press("Escape")
    await make_code(old)
    new = await visit()
    await new.open(f"/recover#{code}")
    await new.press("Come back")
    await expect(new.page.get_by_text("No account has this code.")).to_be_visible()
    await expect(new.button("Sign in")).to_be_visible()
    new.forgive("404")
