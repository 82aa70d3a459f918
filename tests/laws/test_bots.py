"""Laws for every opponent of every game: it plays by the rules, in no time if need be."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from parlour.games.api import SEATS, Dice
from parlour.games.registry import all_rules, bots
from tests.laws.game import game_of
from tests.laws.walk import WALK_LIMIT, Entry, Table, acting

OPPONENTS = [(key, name) for key in all_rules() for name in bots(key)]


def no_time() -> float:
    return 0.0


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
        movers = [seat for seat in SEATS if table.legal(seat)]
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


@pytest.mark.parametrize(("key", "name"), OPPONENTS)
def test_a_bot_may_think_in_another_process(key: str, name: str) -> None:
    """What it is handed there survives the journey, and it answers the same."""
    rules, bot = all_rules()[key], bots(key)[name]
    table = Table(rules, game_of(key).options[0], b"far away")
    random = Random(1)
    seat = random.choice([seat for seat in SEATS if table.legal(seat)])
    mind = bot.observe(bot.begin(), rules.view(table.state, seat), Dice(b"eye", 0))
    sent = msgspec.json.decode(msgspec.json.encode(table.state), type=rules.state_type)
    near = bot.choose(
        mind, rules.view(table.state, seat), table.legal(seat), Dice(b"mind", 1), no_time
    )
    far = bot.choose(mind, rules.view(sent, seat), table.legal(seat), Dice(b"mind", 1), no_time)
    assert near == far


@pytest.mark.parametrize("key", all_rules())
def test_bots_are_known_by_their_names(key: str) -> None:
    assert all(bot.name == name for name, bot in bots(key).items())
