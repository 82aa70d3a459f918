"""Every setting of Memory, given through the environment, is seen to act at the table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import asdict

from parlour.games.memory.board import Options
from parlour.games.memory.bot import STAND_INS
from parlour.settings import Settings
from tests.servers.parlour import Served, serving
from tests.wire.memory.conftest import Client, Parlour, ShiftedClock, find_pair, mismatch, rebuild

ENVIRONMENT = {
    "DATABASE_URL": "sqlite://",
    "BOARD_ROWS": "2",
    "BOARD_COLS": "6",
    "REVEAL_DURATION_MS": "50000",
    "MAX_NAME_LENGTH": "3",
    "AI_PAIR_TIMEOUT_SEC": "100",
    "TurnLimitSec": "200",
    "TurnCountdownShowSec": "7",
    "ReconnectTimeoutSec": "300",
    "POWERUP_CLAIRVOYANCE_REVEAL_MS": "40000",
    "NECROMANCY_REVIVES_ITSELF": "false",
    "POWERUP_SHUFFLE_COST": "3",
}
"""All that the document lets an operator tune, and each not as it is by default."""


@pytest.fixture(scope="module")
def served(clock: ShiftedClock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server started in that environment."""
    with pytest.MonkeyPatch.context() as environment:
        for name, value in ENVIRONMENT.items():
            environment.setenv(name, value)
        settings = Settings.load(tmp_path_factory.mktemp("no-file"))
    with serving(settings, alter=lambda services: rebuild(services, clock=clock)) as running:
        yield running


async def holding(parlour: Parlour, pair_id: int) -> tuple[Client, Client, list[int]]:
    """A game whose mover has found the pair that grants a power-up."""
    mover, other = await parlour.pair()
    deck = await parlour.deck(mover)
    await find_pair(mover, other, deck, pair_id)
    return mover, other, deck


@pytest.mark.spec("B75", "B79")
async def test_no_option_is_left_as_it_is_by_default(parlour: Parlour) -> None:
    mover, _ = await parlour.pair()
    options = asdict((await parlour.match(mover)).state.options)
    assert {name for name, value in asdict(Options()).items() if options[name] == value} == set()


@pytest.mark.spec("B60", "B61", "B75")
async def test_the_size_of_the_board(parlour: Parlour) -> None:
    mover, _ = await parlour.pair()
    assert (mover.found["boardRows"], mover.found["boardCols"]) == (2, 6)
    assert sorted(await parlour.deck(mover)) == sorted([*range(6), *range(6)])


@pytest.mark.spec("B64", "B75")
async def test_the_length_of_a_name(parlour: Parlour) -> None:
    ann = await parlour.client()
    assert await ann.refused("set_name", name="Anna") == "A name has 1 to 3 characters."
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")


@pytest.mark.spec("B69", "B75")
async def test_the_wait_before_a_robot_steps_in(parlour: Parlour) -> None:
    ann = await parlour.client()
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")
    await parlour.pass_sec(99)
    await ann.hears_nothing()
    await parlour.pass_sec(1)
    await ann.hears("match_found", "game_state")
    assert ann.found["opponentName"] in STAND_INS
    await ann.say("leave_game")


@pytest.mark.spec("B70", "B71", "B75")
async def test_the_time_for_a_turn_and_when_it_is_counted_down(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    await mover.flip(0)
    for each in (mover, other):
        state = await each.hears("game_state")
        assert state["turnCountdownShowSec"] == 7
    started_at = (await parlour.match(mover)).started_at
    assert started_at is not None
    assert state["turnEndsAtUnixMs"] == started_at + 200_000
    await parlour.pass_sec(200)
    for each in (mover, other):
        await each.hears("turn_timeout", "game_state")


@pytest.mark.spec("B62", "B75")
async def test_how_long_a_mismatch_stays_open(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    for index in mismatch(await parlour.deck(mover)):
        await mover.flip(index)
        for each in (mover, other):
            await each.hears("game_state")
    await parlour.pass_sec(49)
    await other.hears_nothing()
    await parlour.pass_sec(1)
    assert (await other.hears("game_state"))["yourTurn"] is True


@pytest.mark.spec("B72", "B75")
async def test_how_long_one_may_be_away(parlour: Parlour) -> None:
    mover, other = await parlour.pair()
    await mover.line.close()
    message = await other.hears("opponent_reconnecting")
    gone_at = (await parlour.match(other)).updated_at
    assert message["reconnectionDeadlineUnixMs"] == gone_at + 300_000
    await other.hears("game_state")
    await parlour.pass_sec(300)
    await other.hears("opponent_disconnected")


@pytest.mark.spec("B73", "B74", "B75")
async def test_how_long_clairvoyance_shows(parlour: Parlour) -> None:
    mover, other, deck = await holding(parlour, 1)
    target = next(index for index in range(12) if deck[index] != 1)
    await mover.say("use_power_up", powerUpId="clairvoyance", cardIndex=target)
    for each in (mover, other):
        shown = await each.hears("powerup_used", "game_state")
        assert shown["cards"][target]["state"] == "revealed"
    await parlour.pass_sec(39)
    await other.hears_nothing()
    await parlour.pass_sec(1)
    assert (await other.hears("game_state"))["cards"][target]["state"] == "hidden"


@pytest.mark.spec("B34", "B75")
async def test_whether_necromancy_brings_its_own_pair_back(parlour: Parlour) -> None:
    mover, other, deck = await holding(parlour, 2)
    await find_pair(mover, other, deck, 4)
    await mover.say("use_power_up", powerUpId="necromancy")
    state = await mover.hears("powerup_used", "game_state")
    matched = [card["pairId"] for card in state["cards"] if card["state"] == "matched"]
    assert matched == [2, 2]


@pytest.mark.spec("B26", "B63", "B74", "B75")
async def test_a_cost_is_read_and_charged_to_nobody(parlour: Parlour) -> None:
    mover, _, _ = await holding(parlour, 0)
    await mover.say("use_power_up", powerUpId="chaos")
    state = await mover.hears("powerup_used", "game_state")
    assert (state["you"]["score"], state["opponent"]["score"], state["hand"]) == (1, 0, [])
