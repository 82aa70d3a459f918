"""Quarto as people play it: two at two screens, two at one, one against the computer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from random import choices
from typing import Any

import pytest
from playwright.async_api import Locator, WebSocketRoute, expect
from websockets.sync.client import connect

from parlour.settings import Settings
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor, title
from tests.servers.parlour import Served, serving
from tests.wire.quarto.conftest import Client
from tests.wire.quarto.conftest import play as play_on
from tests.wire.quarto.conftest import sit_down as two_in_a_room
from tests.wire.quarto.test_room import drawn_order

pytestmark = pytest.mark.asyncio(loop_scope="session")

CALM: dict[str, Any] = {"reduced_motion": "reduce"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
# From the front to the back, so that each place lies behind a tall piece.
TALL_LINE = [(8, 12), (9, 8), (12, 4), (15, 0)]


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    """The server as it is by default."""
    with serving(Settings(database_url="sqlite://")) as served:
        yield served


# --- at the table -----------------------------------------------------------------------------


def named(piece: int) -> str:
    """A piece as its accessible name has it."""
    return ", ".join(
        (
            "Tall" if piece & 8 else "Short",
            "dark" if piece & 1 else "light",
            "square" if piece & 2 else "round",
            "hollow" if piece & 4 else "solid",
        )
    )


def in_tray(who: Visitor, piece: int) -> Locator:
    tray = who.page.get_by_role("group", name="Pieces left")
    return tray.get_by_role("button", name=named(piece), exact=True)


def place(who: Visitor, position: int) -> Locator:
    return who.cell(f"Row {position // 4 + 1}, column {position % 4 + 1},")


async def has_to(who: Visitor, what: str) -> None:
    """The own strip says what is to be done."""
    await who.must_move()
    await expect(who.page.locator("section[data-active=true]")).to_contain_text(what)


async def turn(giver: Visitor, taker: Visitor, piece: int, position: int) -> None:
    """A piece given by one and placed by the other, until both screens show it there."""
    await has_to(giver, "Give a piece")
    await in_tray(giver, piece).click()
    await has_to(taker, "Place it")
    await expect(taker.page.get_by_test_id("hand").nth(1)).to_contain_text(named(piece).lower())
    await place(taker, position).click()
    for each in (giver, taker):
        await expect(place(each, position)).to_have_accessible_name(
            re.compile(named(piece), re.IGNORECASE)
        )


async def sit_down(
    visit: Visit, tokens: tuple[str | None, str | None] = (None, None), **profile: Any
) -> tuple[Visitor, Visitor]:
    """Two people in a room, the one who gives first before the other."""
    host, guest = [await visit(token, **profile) for token in tokens]
    await host.open("/quarto")
    if tokens[0] is None:
        await host.page.get_by_label("Your name").fill("Anna")
    await host.press("Play a friend")
    await expect(host.page.get_by_test_id("code")).to_be_visible()
    await guest.page.goto(host.page.url)
    if tokens[1] is None:
        await guest.page.get_by_label("Your name").fill("Bert")
    await guest.press("Sit down")
    await host.sees_board()
    await guest.sees_board()
    await expect(host.page).to_have_title(re.compile("Your turn|to move"))
    begins = (await host.page.title()).startswith("Your turn")
    return (host, guest) if begins else (guest, host)


async def test_who_is_quicker_than_its_account_is_called_by_its_name(
    visit: Visit, house: Served
) -> None:
    token, user = house.guest()
    host, guest = await visit(token), await visit()
    await host.comes_late("/api/users/me")
    await host.open("/quarto")
    await host.press("Play a friend")
    await expect(host.page.get_by_test_id("code")).to_be_visible()
    await guest.page.goto(host.page.url)
    heading = guest.page.get_by_role("heading", name=user["username"])
    await expect(heading).to_be_visible()


async def sit_down_late(
    visit: Visit, house: Served, moves: list[tuple[int, int]]
) -> tuple[Visitor, Visitor]:
    """Two people who come back to a game after these moves, the one who gives next first.

    They were played over the wire, as a whole game on two screens is played in other tests.
    """
    code = "".join(choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=6))
    with ExitStack() as stack:
        host, guest = (
            Client(stack.enter_context(connect(f"{house.ws}/party/{code}"))) for _ in range(2)
        )
        game, ids = two_in_a_room(host, guest)
        after = play_on(host, guest, game, moves)
        pages = []
        for player_id in ids:
            visitor = await visit(**CALM)
            kept = json.dumps([f"parlour.quarto.seat.{code}", player_id])
            await visitor.page.add_init_script(f"sessionStorage.setItem(...{kept})")
            await visitor.open(f"/quarto/{code}")
            await visitor.sees_board()
            pages.append(visitor)
    giver: int = after["currentTurn"]
    return pages[giver], pages[1 - giver]


async def play(first: Visitor, second: Visitor, moves: list[tuple[int, int]]) -> None:
    """Each gives in turn what the other places; whoever placed gives next."""
    for number, (piece, position) in enumerate(moves):
        giver, taker = (first, second) if number % 2 == 0 else (second, first)
        await turn(giver, taker, piece, position)


# --- two people -------------------------------------------------------------------------------


@pytest.mark.spec("D5", "D6", "D7", "D8")
async def test_two_people_play_to_a_called_quarto_and_again(visit: Visit) -> None:
    host, guest = await visit(**CALM), await visit(**CALM)
    await host.open()
    await host.press("Play Quarto")
    await host.finds_no_barrier()
    await host.press("Play a friend")
    code = await host.page.get_by_test_id("code").inner_text()
    assert re.fullmatch("[A-HJ-NP-Z2-9]{6}", code)
    await expect(host.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    await host.finds_no_barrier()
    await guest.open("/quarto")
    await guest.page.get_by_label("Got a code?").fill(code.lower())
    await guest.press("Join")
    heading = guest.page.get_by_role("heading", name=re.compile("^[A-Z]\\w+ waits for you$"))
    await expect(heading).to_be_visible()
    await guest.finds_no_barrier()
    await guest.page.get_by_label("Your name").fill("Bert")
    await guest.press("Sit down")
    await host.sees_board()
    await host.finds_no_barrier()

    await expect(host.page).to_have_title(re.compile("Your turn|to move"))
    begins = (await host.page.title()).startswith("Your turn")
    first, second = (host, guest) if begins else (guest, host)
    await play(first, second, TALL_LINE)
    await has_to(first, "Give a piece")
    await expect(second.button("Call Quarto!")).to_be_disabled()
    await first.press("Call Quarto!")
    for each in (first, second):
        await expect(each.page.get_by_test_id("winning-place")).to_have_count(4)
        await expect(each.page.get_by_text("All four are tall.").first).to_be_visible()
    await expect(first.result()).to_contain_text("Quarto! You win")
    await expect(second.result()).to_contain_text("wins")
    await expect(first.dialog()).to_have_count(0)
    await first.sees_all_of(first.page.get_by_role("grid"))
    await first.finds_no_barrier()

    await second.result().get_by_role("button", name="Rematch").click()
    await expect(first.result()).to_contain_text("wants a rematch.")
    await first.press("Accept rematch")
    await has_to(second, "Give a piece")
    await expect(first.cell("empty")).to_have_count(16)


async def test_who_is_signed_in_plays_for_a_rating_and_finds_the_game_again(
    visit: Visit, house: Served
) -> None:
    people = (house.guest(), house.guest())
    first, second = await sit_down(visit, (people[0][0], people[1][0]), **CALM)
    await play(first, second, TALL_LINE)
    await first.press("Call Quarto!")
    await expect(first.result().get_by_test_id("rating")).to_have_text("Rating 1016 +16")
    await expect(second.result().get_by_test_id("rating")).to_have_text(
        "Rating 984 \N{MINUS SIGN}16"
    )
    await second.finds_no_barrier()
    await second.open("/history?game=quarto")
    lost = second.page.get_by_role("listitem").filter(
        has_text=re.compile("|".join(f"Lost against {user['username']}" for _, user in people))
    )
    await expect(lost).to_contain_text("Quarto called")
    await expect(lost).to_contain_text("\N{MINUS SIGN}16")
    await second.finds_no_barrier()


@pytest.mark.spec("D35")
async def test_a_false_call_costs_nothing(visit: Visit) -> None:
    first, second = await sit_down(visit, **CALM)
    await first.press("Call Quarto!")
    await expect(first.page.get_by_text("No line of four shares a trait.").first).to_be_visible()
    await turn(first, second, 3, 6)


async def test_two_people_play_to_a_draw(visit: Visit, house: Served) -> None:
    *most, last = drawn_order()
    first, second = await sit_down_late(visit, house, most)
    await play(first, second, [last])
    for each in (first, second):
        await expect(each.result()).to_contain_text("A draw")
        await expect(each.result()).to_contain_text("nobody called a line")


async def test_the_last_line_can_be_called_while_its_time_runs(visit: Visit, house: Served) -> None:
    pieces = [8, 9, 10, 11, 0, 1, 2, 4, 3, 5, 6, 7, 12, 13, 14, 15]
    *most, last = zip(pieces, range(16), strict=True)
    second, first = await sit_down_late(visit, house, most)
    await play(second, first, [last])
    for each in (first, second):
        left = each.page.get_by_test_id("final-call")
        await expect(left).to_have_text(re.compile("^[12]?[0-9]$|^30$"))
    await has_to(first, "Last chance")
    await first.finds_no_barrier()
    await first.press("Call Quarto!")
    await expect(first.result()).to_contain_text("Quarto! You win")


async def test_whoever_gives_up_loses(visit: Visit) -> None:
    first, second = await sit_down(visit, **CALM)
    await first.press("Give up")
    await first.finds_no_barrier()
    await first.dialog().get_by_role("button", name="Give up").click()
    await expect(second.result()).to_contain_text("You win")
    await expect(second.result()).to_contain_text("left the table")
    await expect(first.result()).to_contain_text("wins")


# How many pieces were seen on their way, and how far the farthest one came, in pixels.
WATCH_CARRYING = """
    () => {
        window.carried = { times: 0, farthest: 0 };
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes)
                for (const node of addedNodes)
                    if (node.dataset?.testid === "carried") {
                        const { m41, m42 } = new DOMMatrix(getComputedStyle(node).transform);
                        window.carried.times += 1;
                        window.carried.farthest = Math.hypot(m41, m42);
                    }
        }).observe(document.body, { childList: true, subtree: true });
    }
"""


async def test_a_piece_is_carried_to_the_hand_that_gets_it(visit: Visit) -> None:
    first, second = await sit_down(visit, reduced_motion="no-preference")
    calm = await visit(**CALM)
    await calm.page.goto(first.page.url)
    await calm.sees_board()
    for each in (first, second, calm):
        await each.page.evaluate(WATCH_CARRYING)
    await has_to(first, "Give a piece")
    await in_tray(first, 13).click()
    hands = [(first, 0), (second, 1)]
    for each, hand in hands:
        await expect(each.page.get_by_test_id("hand").nth(hand)).to_contain_text(named(13).lower())
        seen = await each.page.evaluate("window.carried")
        assert seen["times"] == 1
        assert seen["farthest"] > 50
        await expect(each.page.get_by_test_id("carried")).to_have_count(0)
    await expect(calm.page.get_by_text("Has to place:")).to_have_count(1)
    assert (await calm.page.evaluate("window.carried"))["times"] == 0, "at once, for who asks so"


# --- going away and coming back ---------------------------------------------------------------


@pytest.mark.spec("D21", "D46", "D52", "D53")
async def test_an_opponent_who_leaves_and_returns(visit: Visit) -> None:
    first, second = await sit_down(visit, **CALM)
    await turn(first, second, 8, 0)
    address = second.page.url
    kept = await second.page.evaluate("JSON.stringify(sessionStorage)")
    assert re.search('"parlour.quarto.seat.[A-Z0-9]{6}":"[^"]+"', kept), "D53"
    await second.page.goto("about:blank")
    opponent = first.page.locator("section").first
    await expect(opponent).to_contain_text(re.compile("Away, [0-9]+ s to return"))
    await first.finds_no_barrier()
    await first.page.reload()
    await expect(opponent).to_contain_text("Away")
    await second.page.goto(address)
    await expect(opponent).not_to_contain_text("Away")
    await turn(second, first, 9, 5)


@pytest.mark.spec("D16", "D52")
async def test_a_cut_line_mends_itself(visit: Visit, house: Served) -> None:
    first, second = await sit_down(visit, **CALM)
    said: list[dict[str, Any]] = []
    lines: list[WebSocketRoute] = []

    def listen(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        lines.append(line)

        def pass_on(message: str | bytes) -> None:
            said.append(json.loads(message))
            server.send(message)

        line.on_message(pass_on)

    await first.page.route_web_socket(re.compile("/party/"), listen)
    await first.page.reload()
    await has_to(first, "Give a piece")
    await lines[0].close(code=1012)
    await expect(first.page.get_by_test_id("connection")).to_have_accessible_name("Connected")
    await turn(first, second, 8, 0)
    assert len(lines) == 2
    assert [each["type"] for each in said].count("RECONNECT") == 2
    assert len({each["playerId"] for each in said if each["type"] == "RECONNECT"}) == 1


async def test_a_seat_in_another_window_can_be_taken_back(visit: Visit) -> None:
    first, second = await sit_down(visit, **CALM)
    seat = await first.page.evaluate("JSON.stringify(sessionStorage)")
    again = await first.page.context.new_page()
    await again.add_init_script(f"Object.assign(sessionStorage, {seat})")
    await again.goto(first.page.url)
    moved = first.page.get_by_role("heading", name="You play in another window")
    await expect(moved).to_be_visible()
    await first.finds_no_barrier()
    await first.press("Play here")
    await turn(first, second, 8, 0)


async def test_a_third_visitor_watches(visit: Visit) -> None:
    first, second = await sit_down(visit, **CALM)
    watcher = await visit(**CALM)
    await watcher.page.goto(first.page.url)
    await expect(watcher.page.get_by_text("You are watching this game.")).to_be_visible()
    await turn(first, second, 8, 0)
    await expect(place(watcher, 0)).to_have_accessible_name(re.compile(named(8).lower()))
    await expect(watcher.page.get_by_role("button", name="Call Quarto!")).to_have_count(0)
    await watcher.finds_no_barrier()


async def test_a_room_that_is_closed_says_so(visit: Visit) -> None:
    host, guest = await visit(**CALM), await visit(**CALM)
    await host.open("/quarto")
    await host.press("Play a friend")
    await expect(host.page.get_by_test_id("code")).to_be_visible()
    await guest.page.goto(host.page.url)
    await expect(guest.button("Sit down")).to_be_visible()
    await host.press("Close this room")
    await expect(guest.page.get_by_role("heading", name="This room is closed")).to_be_visible()
    await expect(host.button("Play a friend")).to_be_visible()
    await guest.finds_no_barrier()


# --- alone ------------------------------------------------------------------------------------


async def test_two_at_one_device_by_keyboard_alone(visit: Visit) -> None:
    both = await visit(**CALM)
    keys = both.page.keyboard
    await both.open("/quarto")
    await both.tab_to("Two at this device")
    await keys.press("Enter")
    await both.sees_board()
    placed = both.page.get_by_role("gridcell", name=re.compile("tall|short"))
    # The first four of the tray are tall and dark; the four places of the second row are a line.
    await keys.press("ArrowDown")
    for number in range(4):
        await keys.press("Enter")
        await expect(both.page.get_by_text("Has to place:")).to_have_count(1)
        # The focus has gone to the board, at first to its second column.
        await keys.press("ArrowRight" if number else "ArrowLeft")
        await keys.press("Enter")
        await expect(placed).to_have_count(number + 1)
    await keys.press("q")
    await expect(both.result()).to_contain_text("Quarto!")
    await expect(both.result()).to_contain_text("All four are tall and dark.")
    await both.finds_no_barrier()


async def test_a_whole_game_against_the_computer(visit: Visit) -> None:
    player = await visit(**CALM)
    await player.open("/quarto")
    await player.plays("quarto")
    await player.sees_board()
    await expect(player.page.get_by_role("heading", name=title("quarto"))).to_have_count(1)
    await player.finds_no_barrier()
    to_place = player.page.get_by_text("Your turn: place the piece.", exact=True)
    words = f"Your turn: choose a piece for {title('quarto')}."
    to_give = player.page.get_by_text(words, exact=True)
    tray = player.page.get_by_role("group", name="Pieces left").get_by_role("button")
    while True:
        # The first thought of a computer takes longest; a last line may be called for 30 s.
        asked = to_place.or_(to_give).or_(player.result())
        await expect(asked.first).to_be_visible(timeout=60_000)
        if await player.result().is_visible():
            break
        if await to_place.is_visible():
            await player.cell("empty").first.click()
            await expect(to_place).to_have_count(0)
        else:
            begun = await player.cell("empty").count() < 16
            await expect(player.cell("placed last")).to_have_count(int(begun))
            await tray.first.click()
            await expect(to_give).to_have_count(0)
    await expect(player.result()).to_contain_text(
        re.compile(f"You win|{title('quarto')} wins|A draw")
    )
    await player.finds_no_barrier()


# --- on a phone -------------------------------------------------------------------------------


async def test_on_a_phone_a_finger_gives_the_piece_it_is_lifted_from(visit: Visit) -> None:
    first, second = await sit_down(visit, **CALM, **PHONE)
    await has_to(first, "Give a piece")
    touches = await first.page.context.new_cdp_session(first.page)

    async def touch(kind: str, piece: int | None = None) -> None:
        points = []
        if piece is not None:
            box = await in_tray(first, piece).bounding_box()
            assert box is not None
            points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
        await touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    await touch("touchStart", 11)
    await expect(first.page.get_by_text(f"{named(11)}: lift your finger")).to_be_visible()
    await first.finds_no_barrier()
    await touch("touchMove", 8)
    await expect(first.page.get_by_text(f"{named(8)}: lift your finger")).to_be_visible()
    await touch("touchEnd")
    await has_to(second, "Place it")
    await place(second, 0).tap()
    await expect(place(first, 0)).to_have_accessible_name(re.compile(named(8).lower()))
    for each in (first, second):
        await each.need_not_scroll_sideways()
        width, _ = await each.size_of(each.page.locator(".table-board"))
        assert width >= 380, "the board goes from edge to edge"
        await each.finds_no_barrier()


async def test_on_a_phone_the_result_hides_nothing_of_the_line(visit: Visit) -> None:
    both = await visit(**CALM, **PHONE)
    await both.open("/quarto")
    await both.press("Two at this device")
    await both.sees_board()
    for piece, position in TALL_LINE:
        await in_tray(both, piece).tap()
        await expect(both.page.get_by_text("Has to place:")).to_have_count(1)
        await place(both, position).tap()
        await expect(place(both, position)).to_have_accessible_name(
            re.compile(named(piece), re.IGNORECASE)
        )
    await both.press("Call Quarto!")
    await expect(both.page.get_by_test_id("winning-place")).to_have_count(4)
    await both.sees_all_of(both.page.get_by_role("grid"))
    await both.need_not_scroll_sideways()
    await both.finds_no_barrier()


@pytest.mark.parametrize("path", ["/quarto", "/quarto/NOSUCH"])
async def test_pages_before_a_game_fit_a_phone_at_night(visit: Visit, path: str) -> None:
    visitor = await visit(color_scheme="dark", **CALM, **PHONE)
    await visitor.open(path)
    await expect(visitor.page.get_by_role("heading", level=1)).to_have_count(1)
    await visitor.need_not_scroll_sideways()
    await visitor.finds_no_barrier()
