"""After a game: it is looked at move by move, played on from any position; and help in practice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from parlour.games.registry import bots
from parlour.net.services import Services
from parlour.play.analyses import Analyses
from parlour.play.hints import Hints
from parlour.play.weighing import weigh_here
from parlour.settings import Settings
from tests.host.conftest import Client, Enter, Message
from tests.host.test_names import WITHOUT_A_DOCUMENT
from tests.play.analyst import OneAhead, analysing
from tests.servers.parlour import Served, serving

WON = (0, 1, 0, 1, 2, 1, 0, 6, 0)
"""Who begins misses to block, the other to win; then who began wins."""


def here(services: Services) -> None:
    """Positions are weighed in the server's own process, where the tests' analyst is."""
    kernel = services.kernel
    kernel.analyses = Analyses(kernel.runtime, weigh_here)
    kernel.hints = Hints(kernel.runtime, kernel.finder, weigh_here)


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    settings = Settings.given(database_url="sqlite://", ai_pair_timeout_sec=10_000)
    with analysing(connect4=OneAhead()), serving(settings, alter=here) as served:
        yield served


async def played(enter: Enter, columns: tuple[int, ...] = WON) -> tuple[Client, Client, Message]:
    """Two people at a table, who begins first, and how it stood before the first disc."""
    host, guest = await enter(), await enter()
    waiting = await host.asks("open", game="connect4")
    table = await guest.asks("join", game="connect4", code=waiting["code"])
    red, yellow = (guest, host) if table["turn"] == table["seat"] else (host, guest)
    for version, column in enumerate(columns, start=table["version"]):
        mover = red if (version - table["version"]) % 2 == 0 else yellow
        action = {"type": "drop", "column": column}
        done = await mover.asks("act", match=table["match"], version=version, action=action)
        assert done["type"] == "done", done
    return red, yellow, table


async def asked(house: Served, path: str, token: str | None = None) -> tuple[int, Any]:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    answer = await asyncio.to_thread(house.ask, "GET", path, headers=headers)
    return answer.status_code, answer.json()


# --- looking at a game --------------------------------------------------------------------------


async def test_a_finished_game_is_looked_at_by_whoever_may_see_its_table(
    house: Served, enter: Enter
) -> None:
    red, _, table = await played(enter)
    path = f"/api/matches/{table['match']}/analysis"
    onlooker = await enter(None)
    await onlooker.asks("watch", match=table["match"])
    status, progress = await asked(house, path)
    assert status == 202
    assert progress == {"match": table["match"], "done": 0, "total": 0, "ready": False}
    told = [await onlooker.hears("analysis")]
    while not told[-1]["ready"]:
        told.append(await onlooker.hears("analysis"))
    assert [each["done"] for each in told] == [*range(len(WON)), len(WON)]
    status, analysis = await asked(house, path)
    assert status == 200
    assert [move["action"]["column"] for move in analysis["moves"]] == list(WON)
    assert analysis["moves"][7]["mistake"] == "won_lost"
    assert analysis["moves"][7]["best"] == {"type": "drop", "column": 1}
    assert await asked(house, path, red.token) == (200, analysis)
    assert (await red.asks("ping"))["type"] == "pong"


async def test_a_game_that_is_played_is_not_looked_at(house: Served, enter: Enter) -> None:
    _, _, table = await played(enter, WON[:-1])
    for what in ("analysis", "positions"):
        status, refusal = await asked(house, f"/api/matches/{table['match']}/{what}")
        assert (status, refusal["code"]) == (409, "GAME_NOT_FINISHED")
        status, refusal = await asked(house, f"/api/matches/nowhere/{what}")
        assert (status, refusal["code"]) == (404, "NO_SUCH_TABLE")


async def test_every_position_of_a_finished_game_is_shown_as_it_was(
    house: Served, enter: Enter
) -> None:
    red, _, table = await played(enter)
    path, begins = f"/api/matches/{table['match']}/positions", table["turn"]
    status, positions = await asked(house, path)
    assert status == 200
    assert [each["action"] and each["action"]["column"] for each in positions] == [None, *WON]
    assert [len(each["view"]["state"]["moves"]) for each in positions] == list(range(10))
    assert {each["view"]["seat"] for each in positions} == {None}
    assert [each["turn"] for each in positions] == [*(begins, 1 - begins) * 4, begins, None]
    _, own = await asked(house, path, red.token)
    assert own[0]["view"]["seat"] is not None


# --- playing on ---------------------------------------------------------------------------------


async def test_a_game_is_played_on_from_any_position(house: Served, enter: Enter) -> None:
    _, _, table = await played(enter)
    start, begins = table["version"], table["turn"]
    misses = 1 - begins
    somebody = await enter()
    begun = await somebody.asks("play_on", match=table["match"], version=start + 7)
    assert begun["type"] == "table", begun
    assert (begun["status"], begun["mode"], begun["seat"], begun["turn"]) == (
        "active",
        "ai",
        misses,
        misses,
    )
    assert len(begun["view"]["state"]["moves"]) == 7
    assert begun["players"][begins]["bot"] == tuple(bots("connect4"))[-1], "the strongest"
    # One wins, where somebody had missed to.
    action = {"type": "drop", "column": 1}
    await somebody.say("act", match=begun["match"], version=begun["version"], action=action)
    step = await somebody.hears("step")
    assert step["result"]["winner"] == misses
    assert step["result"]["rating_changes"] == [None, None]
    # On the other side, the computer begins.
    other = await somebody.asks(
        "play_on", match=table["match"], version=start + 2, seat=misses, bot="easy"
    )
    assert (other["seat"], other["turn"]) == (misses, begins)
    assert other["players"][begins]["bot"] == "easy"
    assert len((await somebody.hears("step"))["view"]["state"]["moves"]) == 3


async def test_what_cannot_be_played_on_is_refused(house: Served, enter: Enter) -> None:
    red, _, table = await played(enter)
    match, end = table["match"], table["version"] + len(WON)
    assert await red.refused("play_on", match=match, version=end) == "NOTHING_LEFT"
    assert await red.refused("play_on", match=match, version=99) == "NO_SUCH_POSITION"
    assert await red.refused("play_on", match=match, version=-1) == "NO_SUCH_POSITION"
    assert await red.refused("play_on", match=match, version=2, bot="nobody") == "UNKNOWN_BOT"
    assert await red.refused("play_on", match="nowhere", version=2) == "NO_SUCH_TABLE"
    _, _, running = await played(enter, WON[:2])
    assert await red.refused("play_on", match=running["match"], version=2) == "GAME_NOT_FINISHED"
    nobody = await enter(None)
    assert await nobody.refused("play_on", match=match, version=2) == "UNAUTHORIZED"
    memory = await red.asks("play_bot", game="memory", bot="Thalia")
    await red.asks("resign", match=memory["match"])
    assert await red.refused("play_on", match=memory["match"], version=1) == "HIDDEN"


# --- help in practice ---------------------------------------------------------------------------


async def test_one_may_be_helped_against_the_computer(house: Served, enter: Enter) -> None:
    ann = await enter()
    table = await ann.asks("play_bot", game="connect4", bot="easy", seat=0)
    assert table["help"] == ["hint", "takeback"]
    match, standing = table["match"], table
    while standing["turn"] != 0:
        standing = await ann.hears("step")
    hint = await ann.asks("hint", match=match)
    assert hint["type"] == "hint", hint
    assert hint["version"] == standing["version"]
    assert hint["action"] in standing["legal"]
    assert not hint["exact"]
    discs = len(standing["view"]["state"]["moves"])
    await ann.say("act", match=match, version=standing["version"], action=hint["action"])
    assert len((await ann.hears("step"))["view"]["state"]["moves"]) == discs + 1
    # Whether or not the computer has answered by now.
    done = await ann.asks("takeback", match=match)
    assert done["type"] == "done", done
    back = await ann.asks("join", match=match)
    assert back["turn"] == 0
    assert len(back["view"]["state"]["moves"]) == discs
    watching = await enter(None)
    assert (await watching.asks("watch", match=match))["help"] == []


async def test_everybody_at_the_table_sees_a_move_taken_back(enter: Enter) -> None:
    ann, onlooker = await enter(), await enter(None)
    table = await ann.asks("play_bot", game=WITHOUT_A_DOCUMENT[0], bot="easy", seat=0)
    await onlooker.asks("watch", match=table["match"])
    action = table["legal"][0]
    await ann.say("act", match=table["match"], version=table["version"], action=action)
    assert (await onlooker.hears("step"))["kind"] == "act"
    await ann.say("takeback", match=table["match"])
    while (step := await onlooker.hears("step"))["kind"] != "takeback":
        pass
    assert (step["by"], step["turn"], step["action"]) == (0, 0, None)
    assert step["view"]["cells"] == table["view"]["cells"]


async def test_nobody_is_helped_against_people(enter: Enter) -> None:
    red, yellow, table = await played(enter, WON[:3])
    for kind in ("hint", "takeback"):
        assert await yellow.refused(kind, match=table["match"]) == "AGAINST_PEOPLE"
        assert await (await enter()).refused(kind, match=table["match"]) == "NOT_SEATED"
    assert (await red.asks("join", match=table["match"]))["help"] == []
    memory = await red.asks("play_bot", game="memory", bot="Thalia")
    assert "takeback" not in memory["help"]
    assert await red.refused("takeback", match=memory["match"]) == "HIDDEN"
    await red.asks("resign", match=memory["match"])
    for kind in ("hint", "takeback"):
        assert await red.refused(kind, match=memory["match"]) == "NOT_ACTIVE"
