"""Connect 4 as two people play it, each on a screen of their own."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import WebSocketRoute, expect

from tests.browser.conftest import Visit
from tests.browser.games import post, two_at_a_game
from tests.browser.visitor import Visitor
from tests.servers.parlour import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SOME_SECONDS = re.compile(r"^0:(?!00)\d\d$")
# Notes where a chip is in every frame.
WATCH = """
    (place) => {
        window.heights = [];
        const look = () => {
            const chip = document.querySelector(`[data-chip="${place}"]`);
            if (chip) window.heights.push(chip.getBoundingClientRect().top);
            requestAnimationFrame(look);
        };
        look();
    }
"""


async def drop(mover: Visitor, key: str, other: Visitor) -> None:
    """A chip by key, until the other one's screen shows that it is their turn."""
    await mover.must_move()
    await mover.page.keyboard.press(key)
    await other.must_move()


@pytest.mark.spec("A2", "A140", "A149")
async def test_a_private_game_by_code_is_played_to_a_win_on_both_screens(visit: Visit) -> None:
    host, guest = await visit(), await visit()
    await host.open()
    await host.press("Play Connect 4")
    await expect(host.button("Play a friend")).to_be_visible()
    await host.finds_no_barrier()
    await host.press("Play a friend")
    code = await host.page.get_by_test_id("code").inner_text()
    assert re.fullmatch("[A-HJ-NP-Z2-9]{6}", code)
    await expect(host.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    await host.finds_no_barrier()

    await guest.open("/connect4")
    await guest.sit_down()
    await guest.page.get_by_label("Got a code?").fill(code.lower())
    await guest.press("Join your friend")
    await host.sees_board()
    await guest.sees_board()
    await host.finds_no_barrier()

    await expect(host.page).to_have_title(re.compile("Your turn|to move"))
    begins = (await host.page.title()).startswith("Your turn")
    winner, loser = (host, guest) if begins else (guest, host)
    for _ in range(3):
        await drop(winner, "4", loser)
        await drop(loser, "5", winner)
    await winner.must_move()
    await winner.page.keyboard.press("4")
    await expect(winner.result()).to_contain_text("You win")
    await expect(winner.result()).to_contain_text("+16")
    await expect(loser.result()).to_contain_text("\N{MINUS SIGN}16")
    for each in (winner, loser):
        await expect(each.page.get_by_test_id("winning-cell")).to_have_count(4)
        await each.finds_no_barrier()


async def test_a_link_takes_the_seat_and_a_waiting_game_can_be_cancelled(
    visit: Visit, house: Served
) -> None:
    first, second = house.guest()[0], house.guest()[0]
    host = await visit(first)
    await host.open("/connect4")
    await host.press("Play a friend")
    code = await host.page.get_by_test_id("code").inner_text()
    await host.press("Cancel this game")
    await host.press("Play a friend")
    await expect(host.page.get_by_test_id("code")).not_to_have_text(code)
    code = await host.page.get_by_test_id("code").inner_text()
    guest = await visit(second)
    await guest.open(f"/connect4/join/{code}")
    await guest.sees_board()
    await host.sees_board()


@pytest.mark.spec("A2", "A140")
async def test_a_quick_match_finds_whoever_is_looking_too(visit: Visit, house: Served) -> None:
    first, second = await visit(house.guest()[0]), await visit(house.guest()[0])
    await first.open("/connect4")
    await first.press("Quick match")
    await expect(first.dialog()).to_contain_text("Looking for an opponent")
    await expect(first.page.get_by_role("timer")).to_have_text(SOME_SECONDS)
    await first.finds_no_barrier()
    await first.press("Cancel")
    await expect(first.dialog()).to_have_count(0)

    await second.open("/connect4")
    await second.press("Quick match")
    await expect(second.page.get_by_role("timer")).to_have_text(SOME_SECONDS)
    await first.press("Quick match")
    await first.sees_board()
    await second.sees_board()


@pytest.mark.parametrize("height", [720, 800, 900])
async def test_a_result_beside_the_board_is_all_on_the_screen(
    visit: Visit, house: Served, height: int
) -> None:
    two = two_at_a_game(house, "454545")
    winner = await visit(two.mover, viewport={"width": 1280, "height": height})
    await winner.open(two.path)
    await winner.must_move()
    await winner.page.keyboard.press("4")
    await expect(winner.result().get_by_role("button", name="Rematch")).to_be_visible()
    await winner.need_not_scroll()


@pytest.mark.spec("A140")
async def test_both_agree_to_a_rematch_and_meet_again(visit: Visit, house: Served) -> None:
    two = two_at_a_game(house, "454545")
    winner, loser = await visit(two.mover), await visit(two.other)
    await winner.open(two.path)
    await loser.open(two.path)
    await loser.sees_board()
    await winner.must_move()
    await winner.page.keyboard.press("4")
    await winner.result().get_by_role("button", name="Rematch").click()
    await expect(winner.result()).to_contain_text("to agree")
    await expect(loser.result()).to_contain_text("wants a rematch")
    await loser.finds_no_barrier()
    await loser.result().get_by_role("button", name="Accept rematch").click()
    for each in (winner, loser):
        await expect(each.result()).to_have_count(0)
        await expect(each.cell("Column 4, row 1")).to_have_accessible_name("Column 4, row 1, empty")
    await expect(winner.page).not_to_have_url(house.url + two.path)
    await expect(loser.page).to_have_url(winner.page.url)

    # The game before it can be looked at, and leads to the one that followed.
    await loser.open(two.path)
    await expect(loser.page.get_by_test_id("winning-cell")).to_have_count(4)
    await loser.finds_no_barrier()
    await loser.press("To the rematch")
    await expect(loser.page).to_have_url(winner.page.url)
    await expect(loser.cell("Column 4, row 1")).to_have_accessible_name("Column 4, row 1, empty")


@pytest.mark.spec("A7", "A136")
async def test_without_a_socket_the_page_asks_every_two_seconds(
    visit: Visit, house: Served
) -> None:
    two = two_at_a_game(house)
    polls, plays = await visit(two.other), await visit(two.mover)

    async def refuse(socket: WebSocketRoute) -> None:
        await socket.close()

    await polls.page.route_web_socket(re.compile("/ws/"), refuse)
    await polls.open(two.path)
    await plays.open(two.path)
    await polls.sees_board()
    await drop(plays, "1", polls)
    await drop(polls, "2", plays)
    await drop(plays, "1", polls)


@pytest.mark.spec("A141")
async def test_a_phone_is_enough(visit: Visit, house: Served) -> None:
    two = two_at_a_game(house)
    phone, other = await visit(two.mover, **PHONE), await visit(two.other)
    await phone.open(two.path)
    await other.open(two.path)
    await phone.must_move()
    await phone.need_not_scroll_sideways()
    width, _ = await phone.size_of(phone.page.get_by_role("grid"))
    assert width / 7 >= 44, "a thumb hits one column"
    assert width > 390 * 0.88, "the board takes the width there is"
    for button in await phone.page.get_by_role("button").all():
        assert min(await phone.size_of(button)) >= 44, await button.inner_text()
    await phone.finds_no_barrier()
    await phone.cell("Column 3, row 6").tap()
    await other.must_move()
    await expect(phone.cell("Column 3, row 1")).to_have_accessible_name(re.compile("last move"))


async def test_the_result_hides_nothing_of_the_line_that_won(visit: Visit, house: Served) -> None:
    two = two_at_a_game(house, "454545")
    wide, phone = await visit(two.mover), await visit(two.other, **PHONE)
    for each in (wide, phone):
        await each.open(two.path)
        await each.sees_board()
    await wide.must_move()
    await wide.page.keyboard.press("4")
    for each in (wide, phone):
        await expect(each.page.get_by_test_id("winning-cell")).to_have_count(4)
        await expect(each.result()).to_be_visible()
        await expect(each.dialog()).to_have_count(0)
        await each.sees_all_of(each.page.get_by_role("grid"))


async def test_everything_works_by_keyboard_alone(visit: Visit, house: Served) -> None:
    visitor, other = await visit(), await visit(house.guest()[0])
    await visitor.open()
    await visitor.tab_to("Play Connect 4")
    await visitor.page.keyboard.press("Enter")
    await expect(visitor.button("Quick match")).to_be_visible()
    await visitor.tab_to("Quick match")
    await visitor.page.keyboard.press("Enter")
    await expect(visitor.dialog().get_by_role("timer")).to_have_text(SOME_SECONDS)
    await visitor.page.keyboard.press("Escape")
    await expect(visitor.button("Quick match")).to_be_focused()
    await visitor.page.keyboard.press("Enter")
    await other.open("/connect4")
    await other.press("Quick match")
    for each in (visitor, other):
        await each.sees_board()
        await expect(each.page).to_have_title(re.compile("Your turn|to move"))
    if not (await visitor.page.title()).startswith("Your turn"):
        await drop(other, "1", visitor)
    await visitor.page.keyboard.press("ArrowRight")
    await visitor.page.keyboard.press("ArrowRight")
    await visitor.page.keyboard.press("Enter")
    await other.must_move()
    await expect(visitor.cell("Column 5, row 1")).to_have_accessible_name(re.compile("last move"))
    heard = other.page.locator("[aria-live=polite]").filter(has_text="column 5. Your turn.")
    await expect(heard).to_be_attached()


@pytest.mark.spec("A141")
async def test_chips_fall_unless_less_motion_is_asked_for(visit: Visit, house: Served) -> None:
    for asked, falls in (("no-preference", True), ("reduce", False)):
        two = two_at_a_game(house)
        visitor = await visit(two.mover, reduced_motion=asked)
        await visitor.open(two.path)
        await visitor.must_move()
        await visitor.page.evaluate(WATCH, "5-3")
        await visitor.page.keyboard.press("4")
        await expect(visitor.cell("Column 4, row 1")).to_have_accessible_name(
            re.compile("last move")
        )
        await visitor.settled()
        heights = await visitor.page.evaluate("window.heights")
        assert (len(set(heights)) > 1) is falls


async def test_anyone_may_watch_and_nobody_who_watches_may_play(
    visit: Visit, house: Served
) -> None:
    two = two_at_a_game(house, "44")
    watcher, player = await visit(house.guest()[0]), await visit(two.mover)
    await watcher.open(two.path)
    await player.open(two.path)
    await expect(watcher.page.get_by_text("You are watching this game.")).to_be_visible()
    await watcher.page.keyboard.press("1")
    await player.must_move()
    await player.page.keyboard.press("7")
    await expect(watcher.cell("Column 7, row 1")).to_have_accessible_name(re.compile("last move"))
    await expect(watcher.cell("Column 1, row 1")).to_have_accessible_name(re.compile("empty"))


# --- giving up --------------------------------------------------------------------------------


async def test_a_game_is_given_up_by_keyboard_once_that_was_asked(
    visit: Visit, house: Served
) -> None:
    two = two_at_a_game(house, "44")
    loser, winner = await visit(two.mover), await visit(two.other)
    for each in (loser, winner):
        await each.open(two.path)
        await each.sees_board()
    await loser.tab_to("Give up")
    await loser.page.keyboard.press("Enter")
    await expect(loser.dialog()).to_contain_text("The game ends and counts as lost.")
    await loser.finds_no_barrier()
    await loser.page.keyboard.press("Escape")
    await expect(loser.dialog()).not_to_be_visible()
    await loser.must_move()
    await loser.tab_to("Give up")
    await loser.page.keyboard.press("Enter")
    await loser.dialog().get_by_role("button", name="Give up").press("Enter")
    await expect(loser.result()).to_contain_text("You gave up.")
    await expect(loser.result()).to_contain_text("\N{MINUS SIGN}16")
    await expect(winner.result()).to_contain_text("You win")
    await expect(winner.result()).to_contain_text("gave up.")
    for each in (loser, winner):
        await each.finds_no_barrier()


async def test_a_game_is_given_up_on_a_phone(visit: Visit, house: Served) -> None:
    two = two_at_a_game(house, "44")
    phone, spectator = await visit(two.other, **PHONE), await visit(house.guest()[0])
    for each in (phone, spectator):
        await each.open(two.path)
        await each.sees_board()
    await expect(spectator.page.get_by_text("You are watching this game.")).to_be_visible()
    await expect(spectator.button("Give up")).not_to_be_visible()
    await phone.button("Give up").tap()
    await phone.settled()
    await phone.need_not_scroll_sideways()
    await phone.dialog().get_by_role("button", name="Give up").tap()
    await expect(phone.result()).to_contain_text("You gave up.")
    await phone.sees_all_of(phone.page.get_by_role("grid"))
    await expect(spectator.result()).to_contain_text("gave up.")


# --- two tabs ---------------------------------------------------------------------------------


async def test_a_search_in_another_tab_is_seen_and_cancelled(visit: Visit, house: Served) -> None:
    token, _ = house.guest()
    tab, another = await visit(token), await visit(token, **PHONE)
    await tab.open("/connect4")
    await tab.press("Quick match")
    await expect(tab.dialog()).to_contain_text("Looking for an opponent")
    await expect(tab.dialog().get_by_role("timer")).to_have_text(SOME_SECONDS)
    await another.open("/connect4")
    search = another.page.get_by_role("region", name="Your search")
    await expect(search).to_contain_text("in another tab or on another device")
    await another.finds_no_barrier()
    await another.need_not_scroll_sideways()
    await another.press("Cancel the search")
    await expect(search).not_to_be_visible()
    await expect(another.button("Quick match")).to_be_visible()
    await expect(tab.dialog()).not_to_be_visible()
    told = tab.page.get_by_text("The search was cancelled in another tab.", exact=True)
    await expect(told).to_be_visible()
    headers = {"Authorization": f"Bearer {token}"}
    status = house.ask("GET", "/api/matchmaking/status", headers=headers).json()
    assert status == {"status": "not_queued"}


async def test_the_game_that_a_search_in_another_tab_finds_is_gone_to(
    visit: Visit, house: Served
) -> None:
    token, opponent = house.guest()[0], house.guest()[0]
    tab = await visit(token)
    post(house, token, "/api/matchmaking/join")
    await tab.open("/connect4")
    await expect(tab.page.get_by_role("region", name="Your search")).to_be_visible()
    post(house, opponent, "/api/matchmaking/join")
    await tab.press("Resume your game")
    await tab.sees_board()


async def test_who_opens_a_game_in_one_tab_is_led_to_it_from_another(
    visit: Visit, house: Served
) -> None:
    token, _ = house.guest()
    tab = await visit(token)
    # It is told nothing: whoever is told in time is offered the game before pressing.
    await tab.page.route_web_socket(re.compile("/ws/"), lambda _: None)
    await tab.open("/connect4")
    await expect(tab.button("Play a friend")).to_be_visible()
    code = post(house, token, "/api/games")["code"]
    tab.forgive("409")
    await tab.press("Play a friend")
    await expect(tab.page.get_by_test_id("code")).to_have_text(code)
