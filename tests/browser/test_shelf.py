"""The shelf and what belongs to no game: signing in, the header, the way out of a dead end."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import expect
from websockets.sync.client import connect

from parlour.games.registry import all_rules, bots
from tests.browser.conftest import Visit
from tests.browser.games import played, two_at_a_game
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.servers.parlour import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAMES = ("Connect 4", "Memory", "Quarto", "Connect Five")
WARNING = (
    "Guest accounts are stored in this browser only. "
    "Clearing browser data will lose your account and history."
)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.mark.spec("A4")
async def test_four_boxes_stand_on_the_shelf(visit: Visit) -> None:
    visitor = await visit()
    await visitor.open()
    for title in GAMES:
        await expect(visitor.page.get_by_role("heading", name=title, exact=True)).to_be_attached()
    await visitor.finds_no_barrier()
    # Plastic: moulded, lit from above, on a lip that it is pressed onto.
    for title in GAMES:
        knob = visitor.button(f"Play {title}")
        looks = await knob.evaluate("knob => ({...getComputedStyle(knob)})")
        assert looks["boxShadow"].count("inset") == 3, title
        assert looks["marginBottom"] != "0px", title
        assert looks["fontFamily"].startswith("Fredoka"), title


@pytest.mark.spec("A140", "A142")
async def test_a_guest_is_in_with_one_click_and_was_warned(visit: Visit) -> None:
    visitor = await visit()
    await visitor.open("/history")
    await expect(visitor.page.get_by_text(WARNING, exact=True)).to_be_visible()
    await visitor.finds_no_barrier()
    await visitor.sit_down()
    await expect(visitor.page.get_by_role("heading", name="Games you played")).to_be_visible()
    await visitor.page.reload()
    await expect(visitor.page.get_by_role("heading", name="Games you played")).to_be_visible()


async def test_a_name_can_be_chosen_and_changed(visit: Visit, house: Served) -> None:
    house.guest("Taken_name")
    visitor = await visit()
    await visitor.open("/sign-in")
    await visitor.press("Choose a name first")
    await visitor.page.get_by_role("textbox", name="Name").fill("taken_NAME")
    await visitor.sit_down()
    await expect(visitor.page.get_by_text("Someone already has that name.")).to_be_visible()
    await visitor.page.get_by_role("textbox", name="Name").fill("Anna_1")
    await visitor.sit_down()
    await expect(visitor.page.get_by_text("Good to see you, Anna_1.")).to_be_visible()
    await visitor.press("Anna_1")
    await visitor.finds_no_barrier()
    await visitor.page.get_by_role("menuitem", name="Change your name").click()
    await visitor.page.get_by_role("textbox", name="Name").fill("Anna_2")
    await visitor.page.keyboard.press("Enter")
    await expect(visitor.page.get_by_text("Good to see you, Anna_2.")).to_be_visible()
    visitor.forgive("409")


async def test_a_refused_token_leads_back_to_the_door(visit: Visit) -> None:
    visitor = await visit("no.such.token")
    await visitor.open("/connect4")
    await expect(visitor.page.get_by_text("Your last session has ended.")).to_be_visible()
    visitor.forgive("401")


async def test_light_and_sound_are_remembered(visit: Visit) -> None:
    visitor = await visit(color_scheme="light")
    await visitor.open()
    root = visitor.page.locator("html")
    await expect(root).to_have_attribute("data-theme", "light")
    await visitor.press("Light and motion")
    await visitor.finds_no_barrier()
    await visitor.page.get_by_role("menuitemradio", name="Night").click()
    await expect(root).to_have_attribute("data-theme", "dark")
    await visitor.page.get_by_role("switch", name="Sound").click()
    await visitor.page.reload()
    await expect(root).to_have_attribute("data-theme", "dark")
    await expect(visitor.page.get_by_role("switch", name="Sound")).not_to_be_checked()
    await visitor.finds_no_barrier()


@pytest.mark.spec("A140")
async def test_a_game_that_was_played_is_listed_and_can_be_looked_at(
    visit: Visit, house: Served
) -> None:
    two = two_at_a_game(house, "1212121")
    visitor = await visit(two.mover)
    await visitor.open("/history")
    entry = visitor.page.get_by_role("listitem").filter(has_text="Won against")
    await expect(entry).to_contain_text("7 moves")
    await expect(entry).to_contain_text("+16")
    await visitor.finds_no_barrier()
    await entry.click()
    await expect(visitor.cell("Column 1, row 4")).to_have_accessible_name(
        "Column 1, row 4, red, last move, winning four"
        if two.game["currentTurn"] == 1
        else "Column 1, row 4, yellow, last move, winning four"
    )


async def test_every_game_in_the_list_opens_by_mouse(visit: Visit, house: Served) -> None:
    host, guest = house.guest()[0], house.guest()[0]
    games = [played(house, host, guest, "1212121") for _ in range(3)]
    visitor = await visit(host)
    for place, game in enumerate(reversed(games)):
        await visitor.open("/history")
        row = visitor.page.get_by_role("listitem").nth(place)
        await row.get_by_text("against").click()
        await expect(visitor.page).to_have_url(f"{house.url}/connect4/game/{game['publicId']}")


async def test_the_header_shows_the_rating_of_the_game_at_hand(visit: Visit, house: Served) -> None:
    two = two_at_a_game(house, "1212121")
    visitor = await visit(two.mover)
    account = visitor.page.get_by_role("button", name=", your account")
    await visitor.open("/connect4")
    await expect(account).to_contain_text("1016")
    for elsewhere in ("/", "/memory", "/quarto"):
        await visitor.open(elsewhere)
        await expect(account).to_be_visible()
        await expect(account).not_to_contain_text("1016")
    await visitor.open("/history?game=connect4")
    await account.click()
    await expect(visitor.page.get_by_text("Connect 4: rating 1016")).to_be_visible()
    await expect(visitor.page.get_by_text("1 won · 0 lost · 0 drawn")).to_be_visible()
    await visitor.finds_no_barrier()


async def test_an_address_that_leads_nowhere_shows_a_way_on(visit: Visit, house: Served) -> None:
    token, _ = house.guest()
    visitor = await visit(token)
    await visitor.open("/nowhere/at/all")
    await expect(visitor.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    await visitor.finds_no_barrier()
    await visitor.open("/connect4/game/ZZZZZZZZ")
    await expect(visitor.page.get_by_role("heading", name="This game is gone")).to_be_visible()
    await visitor.press("Back to the shelf")
    await expect(visitor.page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    visitor.forgive("404")


@pytest.mark.spec("A141")
async def test_the_shelf_fits_a_phone(visit: Visit) -> None:
    visitor = await visit(**PHONE, color_scheme="dark")
    await visitor.open()
    await expect(visitor.page.get_by_role("heading", name="What shall we play?")).to_be_visible()
    await visitor.need_not_scroll_sideways()
    await visitor.finds_no_barrier()


@pytest.mark.parametrize("key", all_rules())
async def test_every_game_is_on_the_shelf_and_opens(visit: Visit, house: Served, key: str) -> None:
    token, _ = house.guest()
    visitor = await visit(token, viewport={"width": 360, "height": 640})
    await visitor.open("/")
    boxes = visitor.page.locator(f"[data-game='{key}']")
    await expect(boxes).to_have_count(1)
    await boxes.get_by_role("link", name="Play").click()
    await expect(visitor.page.locator("main h1").first).to_be_visible()
    wide = await visitor.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360, "nothing goes off sideways"
    await visitor.finds_no_barrier()


async def test_the_shelf_resumes_a_game_that_was_begun_elsewhere(
    visit: Visit, house: Served
) -> None:
    token, _ = house.guest()
    who = {"Authorization": f"Bearer {token}"}
    wish = {"type": "play_bot", "game": "memory", "bot": next(iter(bots("memory")))}
    with connect(f"{house.ws}/ws/play", additional_headers=who) as line:
        line.send(json.dumps(wish))
        while json.loads(line.recv(timeout=10))["type"] != "table":
            pass
        visitor = await visit(token)
        await visitor.open("/")
        await visitor.press("Resume Memory")
        await visitor.sees_board()


@pytest.mark.parametrize("game", WITHOUT_A_DOCUMENT)
async def test_the_shelf_counts_who_waits(visit: Visit, house: Served, game: str) -> None:
    visitor, looking = await visit(), await visit(house.guest()[0])
    await looking.open(f"/{game}")
    await looking.press("Play anyone")
    await expect(looking.dialog()).to_contain_text("Looking for an opponent")
    await visitor.open()
    box = visitor.page.locator(f"[data-game='{game}']")
    await expect(box).to_contain_text("1 waiting")


async def test_quarto_asks_nobody_who_has_a_name_for_it(visit: Visit, house: Served) -> None:
    stranger, known = await visit(), await visit(house.guest()[0])
    await stranger.open("/quarto")
    await expect(stranger.page.get_by_label("Your name")).to_be_visible()
    await known.open("/quarto")
    await expect(known.button("Play a friend")).to_be_visible()
    await expect(known.page.get_by_label("Your name")).to_have_count(0)
    await known.press("Two at this device")
    await known.sees_board()


async def test_a_menu_is_gone_through_by_keys(visit: Visit, house: Served) -> None:
    token, me = house.guest()
    visitor = await visit(token)
    await visitor.open()
    account = visitor.page.get_by_role("button", name="your account")
    await account.focus()
    for key in ("Enter", "ArrowDown"):
        await visitor.page.keyboard.press(key)
        rows = visitor.page.get_by_role("menuitem")
        await expect(rows.first).to_be_focused()
        await expect(account).to_have_attribute("aria-expanded", "true")
        await visitor.finds_no_barrier()
        await visitor.page.keyboard.press("ArrowDown")
        await expect(rows.nth(1)).to_be_focused()
        await visitor.page.keyboard.press("Escape")
        await expect(rows).to_have_count(0)
        await expect(account).to_be_focused()
    # What opened it closes it, and so does a press anywhere else.
    for place in (account, visitor.page.get_by_role("heading", name="What shall we play?")):
        await account.click()
        await expect(visitor.page.get_by_role("menu")).to_be_visible()
        await place.click()
        await expect(visitor.page.get_by_role("menu")).to_have_count(0)
    await account.click()
    await visitor.page.get_by_role("menuitem", name="Change your name").click()
    await expect(visitor.dialog().get_by_label("Name")).to_have_value(me["username"])


async def test_what_shows_only_an_icon_says_what_it_is_to_mouse_and_keys(visit: Visit) -> None:
    visitor = await visit()
    await visitor.open()
    label = visitor.page.get_by_role("tooltip")
    await visitor.button("Rules of Quarto").hover()
    await expect(label).to_have_text("Rules of Quarto")
    await visitor.need_not_scroll_sideways()
    await visitor.finds_no_barrier()
    await visitor.page.get_by_role("heading", name="What shall we play?").hover()
    await expect(label).to_have_count(0)
    await visitor.tab_to("Rules of Connect 4")
    await expect(label).to_have_text("Rules of Connect 4")
    await visitor.page.keyboard.press("Escape")
    await expect(label).to_have_count(0)


async def test_menus_and_dialogs_open_without_a_line(visit: Visit) -> None:
    """Their code comes after the page, and before anybody asks for it."""
    visitor = await visit()
    await visitor.open()
    await visitor.page.wait_for_load_state("networkidle")
    visitor.forgive("ERR_INTERNET_DISCONNECTED")
    await visitor.page.context.set_offline(True)
    await visitor.press("Light and motion, sound")
    await expect(visitor.page.get_by_role("menuitemradio", name="Night")).to_be_visible()
    await visitor.page.context.set_offline(False)
