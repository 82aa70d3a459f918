"""Laws for every opponent of every game: it plays by the rules, in no time if need be."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from parlour.games.api import SEATS, Dice, Seat
from parlour.games.registry import all_rules, bots
from parlour.play.jobs import Job, choose
from parlour.play.thinkers import Thinkers
from tests.laws.game import game_of
from tests.laws.walk import WALK_LIMIT, Entry, Table, acting, hurry

OPPONENTS = [(key, name) for key in all_rules() for name in bots(key)]


def no_time() -> float:
    return 0.0


def waited_for(table: Table) -> list[Seat]:
    """Who is to act: what can be done on the other's turn, such as buying, never has to be."""
    turn = table.rules.turn(table.state)
    return [seat for seat in SEATS if turn in (None, seat) and table.legal(seat)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("key", "name"), OPPONENTS)
def test_a_bot_plays_whole_games_of_legal_moves_even_without_time(
    key: str, name: str, seed: int
) -> None:
    rules, bot = all_rules()[key], bots(key)[name]
    options = game_of(key).options
    table = Table(rules, options[seed % len(options)], bytes([seed]))
    minds: list[Any] = [bot.begin() for _ in SEATS]
    for step in range(WALK_LIMIT):
        views = [rules.view(table.state, seat) for seat in SEATS]
        minds = [bot.observe(minds[seat], views[seat], Dice(b"eye", step)) for seat in SEATS]
        movers = waited_for(table)
        if table.over:
            break
        if not movers:
            due = rules.deadline(table.state)
            assert due is not None
            table.take(Entry("expire", due))
            continue
        seat = movers[0]
        view, legal = views[seat], table.legal(seat)
        assert bot.delay(view, Dice(b"wait", step)) >= 0
        action = bot.choose(minds[seat], view, legal, Dice(b"mind", step), no_time)
        assert action in legal
        assert bot.choose(minds[seat], view, legal, Dice(b"mind", step), no_time) == action
        table.take(acting(seat, action, table.now + 1))
    assert table.over


def sent(view: Any, kind: Any) -> Any:
    """What a player elsewhere would have of a view: what its bytes say."""
    return msgspec.json.decode(msgspec.json.encode(view), type=kind)


@pytest.mark.spec("B84")
@pytest.mark.parametrize(("key", "name"), OPPONENTS)
def test_a_bot_does_the_same_whatever_it_cannot_see(key: str, name: str) -> None:
    """It plays a game; its twin sees the same of one in which all that is hidden is different."""
    rules, bot, game = all_rules()[key], bots(key)[name], game_of(key)
    random, table, differed = Random(key), Table(rules, game.options[0], b"twin"), 0
    minds: list[tuple[Any, Any]] = [(bot.begin(), bot.begin()) for _ in SEATS]
    for step in range(WALK_LIMIT):
        seen: list[tuple[Any, Any]] = []
        for seat in SEATS:
            twin = game.disguise(table.state, seat, random) if game.disguise else table.state
            differed += twin != table.state
            views = rules.view(table.state, seat), sent(rules.view(twin, seat), rules.view_type)
            eyes = Dice(b"eye", step), Dice(b"eye", step)
            mine, its = map(bot.observe, minds[seat], views, eyes)
            assert mine == its
            minds[seat] = mine, its
            seen.append(views)
        if table.over:
            break
        movers = waited_for(table)
        if not movers:
            table.take(Entry("expire", rules.deadline(table.state) or table.now))
            continue
        done = [
            (
                bot.delay(view, Dice(b"wait", step)),
                bot.at_once(mind, view, tuple(rules.legal(view)), Dice(b"mind", step)),
                bot.choose(mind, view, tuple(rules.legal(view)), Dice(b"mind", step), no_time),
            )
            for mind, view in zip(minds[movers[0]], seen[movers[0]], strict=True)
        ]
        assert done[0] == done[1]
        table.take(acting(movers[0], done[0][2], table.now + 1))
    assert table.over
    assert differed or game.disguise is None


def job_in_mid_game(key: str, name: str) -> Job:
    """What a bot is handed to choose by after it has seen a game for a while."""
    rules, bot, game = all_rules()[key], bots(key)[name], game_of(key)
    random = Random(f"{key} {name}")
    table = Table(rules, game.options[0], b"far away")
    mind: Any = bot.begin()
    for step in range(6):
        if table.over:
            break
        movers = waited_for(table)
        if movers:
            view = rules.view(table.state, movers[0])
            mind = bot.observe(mind, view, Dice(b"eye", step))
            found = Job(key, name, mind, view, table.legal(movers[0]), b"far away", step)
        table.take(next(iter(hurry(table, random))))
    return found


async def test_a_bot_thinks_in_another_process_as_it_does_here() -> None:
    """What it is handed there survives the journey, and so does what it answers."""
    jobs = [job_in_mid_game(*opponent) for opponent in OPPONENTS]
    thinkers = Thinkers(1, budget_s=0, longest_wait_s=60, overrun_s=60)
    far = [await thinkers(job) for job in jobs]
    await thinkers.close()
    assert far == [choose(job, 0) for job in jobs]


def test_a_bot_moves_without_thinking() -> None:
    for opponent in OPPONENTS:
        job = job_in_mid_game(*opponent)
        assert job.at_once() in job.legal
        assert job.at_once() == job.at_once()


@pytest.mark.parametrize("key", all_rules())
def test_bots_are_known_by_their_names(key: str) -> None:
    assert all(bot.name == name for name, bot in bots(key).items())
