"""Connect Five as two people play it, each on a screen of their own, for play money."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Route, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.servers.parlour import Served
from tests.wire.connect_five.people import C5, Person, audited, pair, playing

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def at(challenge_id: int | str) -> str:
    """Where a challenge and its match are."""
    return f"/connect-five/games/{challenge_id}"


async def place(visitor: Visitor, cell: str, tool: str = "1") -> None:
    """With a tool, by its key, on a cell, by mouse; until the server has taken it."""
    await visitor.must_move()
    await visitor.page.keyboard.press(tool)
    await visitor.cell(f"{cell},").click()
    await expect(visitor.page).not_to_have_title("Your turn · Parlour")


def tool(visitor: Visitor, label: str) -> Locator:
    """In the toolbar."""
    return visitor.page.get_by_role("group", name="Tools").get_by_role(
        "button", name=re.compile(f"^{label} ")
    )


async def buy(visitor: Visitor, special: str) -> None:
    """One of it."""
    await visitor.press("Buy tools")
    await visitor.dialog().locator("label").filter(has_text=re.compile(f"^{special}")).click()
    await visitor.dialog().get_by_role("button", name="Buy 1 for").click()
    await expect(visitor.dialog()).to_have_count(0)


async def has(visitor: Visitor, cell: str, what: str) -> None:
    """The cell's name tells what lies there."""
    await expect(visitor.cell(f"{cell},")).to_have_accessible_name(re.compile(what))


@pytest.mark.spec("C86", "C91", "C92", "C93", "C94", "C95", "C96", "C97", "C98", "C99")
async def test_from_the_challenge_to_the_payout_with_every_special_once(
    visit: Visit, house: Served
) -> None:
    ann, bob = Person(house, "Ann_five"), Person(house, "Bob_five")
    first, second = await visit(ann.token), await visit(bob.token)
    await second.open("/connect-five")
    await expect(second.page.get_by_text("Nobody challenges you right now.")).to_be_visible()
    await first.open()
    await first.page.get_by_role("navigation", name="Games").get_by_text("Connect Five").click()
    await first.finds_no_barrier()

    await first.press("New challenge")
    await first.page.get_by_role("combobox", name="Opponent").fill("bob_f")
    await first.page.get_by_role("option", name="Bob_five").click()
    await expect(first.dialog()).to_contain_text("You pay now100 TNB")
    await first.finds_no_barrier()
    await first.press("Challenge Bob_five")
    await expect(first.page.get_by_role("heading", name="Waiting for Bob_five")).to_be_visible()
    await expect(first.page.get_by_role("timer")).to_have_text(re.compile(r"[45]:\d\d"))
    await first.finds_no_barrier()

    # Bob's list has it without being asked for, and so has the bell.
    await expect(second.button("Notifications, 1 new")).to_be_visible()
    incoming = second.page.get_by_role("region", name="Challenges for you")
    await expect(incoming).to_contain_text("Ann_five")
    await second.finds_no_barrier()
    await incoming.get_by_role("button", name="Accept").click()
    for each in (first, second):
        await each.sees_board()
        await expect(each.page.get_by_test_id("pot")).to_contain_text("200 TNB")
    await expect(first.page).to_have_url(second.page.url)

    await expect(first.page).to_have_title(re.compile("Your turn|to move"))
    begins = (await first.page.title()).startswith("Your turn")
    mover, other = (first, second) if begins else (second, first)
    for special in ("H2", "V2", "CROSS4", "BOMB"):
        key = {"CROSS4": "Cross4", "BOMB": "Bomb"}.get(special, special)
        await expect(tool(mover, key)).to_be_disabled()
        await buy(mover, key)
        await expect(mover.page.get_by_test_id(f"stock-{special}")).to_have_text("1")
        await expect(tool(mover, key)).to_be_enabled()
    for each in (mover, other):
        await expect(each.page.get_by_test_id("pot")).to_contain_text("219 TNB")
    await expect(other.page.get_by_role("list", name=re.compile("^Tools of"))).to_contain_text(
        "Bomb: 1"
    )
    await mover.finds_no_barrier()

    await place(mover, "C3", "2")  # two side by side: C3, D3
    await has(other, "D3", "last move")
    await place(other, "H8")
    await place(mover, "E3", "3")  # two downwards: E3, E4
    await has(other, "E4", "last move")
    await place(other, "H9")
    await place(mover, "H8", "5")  # the bomb
    await expect(other.page.get_by_test_id("shatter")).to_be_attached()
    await has(other, "H8", "empty, stone broken")
    await place(other, "H10")

    # Before the click the board shows whether it fits: around C4 there is a stone already.
    await mover.must_move()
    await mover.page.keyboard.press("4")
    await mover.cell("C4,").hover()
    preview = mover.page.get_by_test_id("preview")
    await expect(preview).to_have_attribute("data-fits", "false")
    await mover.cell("C4,").click()
    await mover.cell("G4,").hover()
    await expect(preview).to_have_attribute("data-fits", "true")
    await place(mover, "G4", "4")  # four around it: G3, F4, H4, G5
    await place(other, "H11")
    await place(mover, "F3")

    for each, gain in ((mover, "+100 TNB"), (other, "\N{MINUS SIGN}100 TNB")):
        await expect(each.result()).to_contain_text("Five in a row")
        await expect(each.result()).to_contain_text(gain)
        await expect(each.page.get_by_test_id("winning-cell")).to_have_count(5)
        await each.sees_all_of(each.page.get_by_test_id("board"))
        await each.finds_no_barrier()
    await expect(mover.result()).to_contain_text("You win")

    await mover.press("What happened")
    for words in ("challenged", "accepted", "for 3 TNB", "four around G4", "got 219 TNB"):
        await expect(mover.dialog()).to_contain_text(words)
    await mover.finds_no_barrier()
    audited(house)


@pytest.mark.spec("C86", "C94", "C105")
async def test_the_wallet_tells_what_moved_while_one_looks(visit: Visit, house: Served) -> None:
    ann, bob = pair(house)
    visitor = await visit(ann.token)
    await visitor.open("/wallet")
    balance = visitor.page.get_by_test_id("balance")
    await expect(balance).to_have_text("1,000 TNB")
    challenge = ann.challenge(bob, stake_amount=250)
    await expect(balance).to_have_text("750 TNB")
    entries = visitor.page.get_by_role("region", name="Entries").get_by_role("listitem")
    await expect(entries.first).to_contain_text("Stake for your challenge")
    ann.cancel(challenge)
    await expect(balance).to_have_text("1,000 TNB")
    await expect(entries.first).to_contain_text("Back from a challenge")
    await expect(entries).to_have_count(3)
    await expect(
        visitor.page.get_by_role("img", name=re.compile("between 750 TNB and 1,000 TNB"))
    ).to_be_visible()
    await visitor.finds_no_barrier()


@pytest.mark.spec("C36", "C94", "C96")
async def test_a_challenge_can_be_taken_back_and_sent_again(visit: Visit, house: Served) -> None:
    ann, bob = pair(house)
    visitor, other = await visit(ann.token), await visit(bob.token)
    challenge = ann.challenge(bob)
    await visitor.open(at(challenge["id"]))
    await other.open(at(challenge["uuid"]))  # an address from another surface
    await expect(other.button("Accept and pay 100 TNB")).to_be_visible()
    await visitor.press("Cancel challenge")
    for each in (visitor, other):
        await expect(each.page.get_by_text("This challenge was called off")).to_be_visible()
    assert ann.balance == 1000
    await visitor.press("Challenge again")
    await visitor.press(f"Challenge {bob.name}")
    await expect(visitor.page.get_by_role("heading", name="Waiting for")).to_be_visible()
    assert ann.balance == 900


@pytest.mark.spec("C68")
async def test_too_little_money_is_said_and_nothing_moves(visit: Visit, house: Served) -> None:
    ann, bob = pair(house)
    visitor = await visit(ann.token)
    await visitor.open("/connect-five")
    await visitor.press("New challenge")
    await visitor.page.get_by_role("combobox", name="Opponent").fill(bob.name)
    await visitor.page.get_by_role("option").click()
    await visitor.page.get_by_label("Stake").fill("1001")
    await visitor.press(f"Challenge {bob.name}")
    refusal = visitor.page.get_by_text("You do not have enough TNB for this.")
    await expect(refusal).to_be_visible()
    await visitor.finds_no_barrier()
    assert ann.balance == 1000
    visitor.forgive("422")


@pytest.mark.spec("C46")
async def test_a_purchase_whose_answer_is_lost_is_paid_once(visit: Visit, house: Served) -> None:
    ann, bob = pair(house)
    match, _, _ = playing(ann, bob)
    visitor = await visit(ann.token)
    await visitor.open(at(match["challenge"]))
    lost: list[str] = []

    async def lose_the_first(route: Route) -> None:
        answer = await route.fetch()
        if lost:
            await route.fulfill(response=answer)
        else:
            lost.append(route.request.headers["idempotency-key"])
            await route.abort()

    await visitor.page.route("**/purchase", lose_the_first)
    await buy(visitor, "H2")
    await expect(visitor.page.get_by_test_id("stock-H2")).to_have_text("1")
    assert lost
    assert ann.balance == 896
    visitor.forgive("ERR_FAILED")


@pytest.mark.spec("C86", "C105")
async def test_what_happened_while_the_line_was_down_is_there_afterwards(
    visit: Visit, house: Served
) -> None:
    ann, bob = pair(house)
    match, first, second = playing(ann, bob)
    visitor = await visit(second.token)
    await visitor.open(at(match["challenge"]))
    await visitor.sees_board()
    await visitor.page.context.set_offline(True)
    first.move(match, 0, 0)
    await visitor.page.context.set_offline(False)
    await has(visitor, "A1", "last move")
    await visitor.must_move()
    visitor.forgive("ERR_INTERNET_DISCONNECTED")


@pytest.mark.spec("C96", "C97")
async def test_a_phone_is_enough(visit: Visit, house: Served) -> None:
    ann, bob = pair(house)
    match, first, second = playing(ann, bob)
    first.buy(match, "CROSS4")
    phone, other = await visit(first.token, **PHONE), await visit(second.token)
    await phone.open(at(match["challenge"]))
    await other.open(at(match["challenge"]))
    await phone.must_move()
    await phone.need_not_scroll_sideways()
    width, _ = await phone.size_of(phone.page.get_by_test_id("board"))
    assert width > 390 * 0.95, "the board takes the width there is"
    for button in await phone.page.get_by_role("button").all():
        if await button.is_visible():
            assert min(await phone.size_of(button)) >= 43.5, await button.inner_text()
    await phone.button("Cross4").tap()
    await phone.cell("A1,").tap()
    await expect(phone.page.get_by_text("Cross4 does not fit on A1.").first).to_be_visible()
    await has(phone, "G6", "empty")
    await phone.finds_no_barrier()
    for _ in ("aim", "place"):
        await phone.cell("G7,").tap()
    await other.must_move()
    for cell in ("G6", "F7", "H7", "G8"):
        await has(other, cell, "last move")
    await phone.press("Games and wallet")
    await phone.page.get_by_role("menuitem", name="Connect Five").tap()
    await expect(phone.page.get_by_role("region", name="Games on the table")).to_be_visible()
    await phone.need_not_scroll_sideways()
    await phone.finds_no_barrier()


@pytest.mark.parametrize("names", [("Al_", "Bo_"), ("W" * 20, "M" * 20)])
async def test_the_five_that_won_stay_in_sight_on_a_phone(
    visit: Visit, house: Served, names: tuple[str, str]
) -> None:
    ann, bob = (Person(house, name) for name in names)
    match, first, second = playing(ann, bob)
    for x in range(4):
        first.move(match, x, 13)
        second.move(match, x, 0)
    phones = [await visit(each.token, **PHONE) for each in (first, second)]
    for phone in phones:
        await phone.open(at(match["challenge"]))
        await phone.sees_board()
    first.move(match, 4, 13)
    for phone in phones:
        await expect(phone.result()).to_contain_text("Five in a row")
        await phone.sees_all_of(phone.page.get_by_test_id("board"))
        await phone.need_not_scroll_sideways()
        for name in ("Challenge again", "All games", "What happened"):
            assert min(await phone.size_of(phone.button(name))) >= 43.5
    await phones[0].press("What happened")
    await expect(phones[0].dialog()).to_contain_text("a stone on E14")
    await phones[0].page.keyboard.press("Escape")
    await phones[0].press("Challenge again")
    await expect(phones[0].button(f"Challenge {second.name}")).to_be_visible()


async def test_a_finger_sees_what_it_hides(visit: Visit, house: Served) -> None:
    ann, bob = pair(house)
    match, first, _ = playing(ann, bob)
    phone = await visit(first.token, **PHONE)
    await phone.open(at(match["challenge"]))
    await phone.must_move()
    box = await phone.cell("G7,").bounding_box()
    assert box is not None
    touches = await phone.page.context.new_cdp_session(phone.page)
    spot = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    await touches.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    await expect(phone.page.get_by_test_id("loupe")).to_have_text("G7")
    moved = spot | {"x": spot["x"] + 2 * box["width"]}
    await touches.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [moved]})
    await expect(phone.page.get_by_test_id("loupe")).to_have_text("I7")
    await touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await expect(phone.page.get_by_test_id("loupe")).to_have_count(0)
    await phone.cell("I7,").tap()
    await has(phone, "I7", "last move")
    await has(phone, "G7", "empty")


async def test_everything_works_by_keyboard_alone(visit: Visit, house: Served) -> None:
    ann, bob = pair(house)
    visitor = await visit(ann.token)
    press = visitor.page.keyboard.press
    await visitor.open("/connect-five")
    await visitor.tab_to("New challenge")
    await press("Enter")
    await expect(visitor.page.get_by_role("combobox")).to_be_focused()
    await visitor.page.keyboard.type(bob.name)
    await expect(visitor.page.get_by_role("option")).to_have_count(1)
    await press("Enter")
    await visitor.tab_to(f"Challenge {bob.name}")
    await press("Enter")
    await expect(visitor.page.get_by_role("heading", name="Waiting for")).to_be_visible()
    challenge = ann.get(f"{C5}/challenges?mine=sent")["results"][0]
    match = bob.accept(challenge)
    await visitor.sees_board()
    if match["active_player"]["id"] == bob.id:
        bob.move(match, 0, 0)
    await visitor.must_move()
    await visitor.tab_to("Buy tools")
    await press("Enter")
    await visitor.dialog().get_by_role("radio", name=re.compile("^V2")).focus()
    await press("Space")
    await visitor.tab_to("Buy 1 for 4 TNB")
    await press("Enter")
    await expect(visitor.page.get_by_test_id("stock-V2")).to_have_text("1")
    await press("3")
    await expect(tool(visitor, "V2")).to_have_attribute("aria-pressed", "true")
    await visitor.cell("G7,").focus()
    await press("ArrowRight")
    await press("ArrowDown")
    await press("Enter")
    for cell in ("H8", "H9"):
        await has(visitor, cell, "last move")
    bob.move(match, 1, 0)
    heard = visitor.page.locator("[aria-live=polite]").filter(
        has_text=f"{bob.name}: a stone on B1. Your turn."
    )
    await expect(heard).to_be_attached()


async def test_the_shelf_leads_back_to_a_game_that_is_on(visit: Visit, house: Served) -> None:
    ann, bob = pair(house)
    match, _, _ = playing(ann, bob)
    visitor = await visit(ann.token)
    await visitor.open()
    await visitor.press("Resume Connect Five")
    await visitor.sees_board()
    await expect(visitor.page).to_have_url(house.url + at(match["challenge"]))


async def test_strangers_see_nothing(visit: Visit, house: Served) -> None:
    ann, bob = pair(house)
    challenge = ann.challenge(bob)
    stranger = await visit(Person(house).token)
    await stranger.open(at(challenge["id"]))
    await expect(stranger.page.get_by_role("heading", name="There is no such game")).to_be_visible()
    stranger.forgive("404")
