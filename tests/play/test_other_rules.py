"""Matches of other rules than those of today: never misread, shown as far as rows tell, ended."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.games.api import Refused
from parlour.games.connect4.rules import RULES, Connect4, Drop
from parlour.games.connect_five.rules import ConnectFive
from parlour.games.connect_five.table import Purchase
from parlour.games.giving_up import Resign
from parlour.games.registry import all_rules
from parlour.host.shown import table_of
from parlour.host.sight import Sight
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.play.replay import replay
from parlour.store import queries
from parlour.store.api import Store
from tests.play.conftest import MakeKernel, MakePlayer
from tests.play.test_stakes import playing, purses, rich, staked

__all__ = ["rich"]

GAME = "connect4"


class Newer(Connect4):
    """The same game, after its states changed."""

    version = RULES.version + 1

    def load(self, stored: bytes) -> Any:
        """It would be wrong to try."""
        raise AssertionError(f"a state of other rules was read: {stored!r}")


class NewerFive(ConnectFive):
    """Likewise."""

    version = ConnectFive.version + 1


@pytest.fixture
def newer(make_kernel: MakeKernel) -> Kernel:
    """A process after the upgrade."""
    rules = {**all_rules(), GAME: Newer(), "connect_five": NewerFive()}
    return make_kernel(rules=rules, policies=staked())


async def begun(kernel: Kernel, player: MakePlayer) -> Match:
    match = await kernel.seating.start(GAME, (await player("ann"), await player("bob")))
    return (await kernel.steps.act(match.id, 0, Drop(3))).after


async def test_a_match_keeps_the_version_of_its_rules(
    kernel: Kernel, newer: Kernel, player: MakePlayer, store: Store
) -> None:
    old = await begun(kernel, player)
    new = await newer.seating.open(GAME, await player("cat"))
    for match, version in ((old, RULES.version), (new, Newer.version)):
        stored = await queries.match_by_id(store, match.id)
        assert stored is not None
        assert stored.match.rules_version == match.rules_version == version


async def test_an_open_match_of_older_rules_cannot_be_played_and_is_called_off(
    kernel: Kernel, newer: Kernel, player: MakePlayer, store: Store
) -> None:
    match = await begun(kernel, player)
    before = await queries.match_by_id(store, match.id)
    assert before is not None
    assert await newer.finder.find(match.id) is None
    assert await newer.finder.open_match_of(GAME, "user-ann") is None
    with pytest.raises(Refused) as refusal:
        await newer.steps.act(match.id, 1, Drop(3))
    assert (refusal.value.code, bool(refusal.value.detail)) == ("OTHER_RULES", True)
    assert await queries.match_by_id(store, match.id) == before
    assert await replay(store, newer.runtime.rules[GAME], match.id) == []

    await newer.keeper.outdated.end()
    assert newer.keeper.outdated.ended == 1
    after = await queries.match_by_id(store, match.id)
    assert after is not None
    assert (after.match.status, after.match.reason) == ("cancelled", "cancelled")
    assert after.match.state == before.match.state
    assert [seat.rating_delta for seat in after.seats] == [None, None]
    # Both are free for another game, by the rules of today.
    ann, bob = (Player(name=seat.name, user_id=seat.user_id) for seat in after.seats)
    again = await newer.seating.start(GAME, (ann, bob))
    assert again.rules_version == Newer.version
    await newer.keeper.outdated.end()
    assert newer.keeper.outdated.ended == 1


async def test_one_that_waits_is_called_off_too(
    kernel: Kernel, newer: Kernel, player: MakePlayer
) -> None:
    waiting = await kernel.seating.open(GAME, await player("ann"))
    assert await newer.finder.find_code(GAME, waiting.code or "") is None
    await newer.keeper.outdated.end()
    found = await kernel.finder.find(waiting.id)
    assert found is not None
    assert found.status == "cancelled"


async def test_a_match_of_newer_rules_is_left_to_those_who_know_them(
    kernel: Kernel, newer: Kernel, player: MakePlayer
) -> None:
    match = await begun(newer, player)
    assert await kernel.finder.find(match.id) is None
    await kernel.keeper.outdated.end()
    assert kernel.keeper.outdated.ended == 0
    moved = await newer.steps.act(match.id, 1, Drop(3))
    assert moved.after.status == "active"


async def test_a_finished_one_is_shown_without_a_view(
    kernel: Kernel, newer: Kernel, player: MakePlayer
) -> None:
    match = await begun(kernel, player)
    await kernel.steps.act(match.id, 1, Resign())
    await newer.keeper.outdated.end()
    resident = await newer.residents.get(match.id)
    assert resident is not None
    sight: Sight[None] = Sight(resident.rules, resident.match, (0,), (False, False))
    shown = table_of(sight, newer.runtime.clock())
    assert (shown.status, shown.view, shown.legal) == ("finished", None, ())
    assert shown.result is not None
    assert (shown.result.winner, shown.result.reason) == (0, "RESIGNED")
    assert shown.result.rating_changes == (16, -16)


async def test_what_was_paid_into_its_pot_goes_back(
    make_kernel: MakeKernel, newer: Kernel, rich: MakePlayer, store: Store
) -> None:
    older = make_kernel(policies=staked())
    match = await playing(older, rich)
    await older.steps.act(match.id, 0, Purchase("H2"))
    assert await purses(store) == (896, 900)
    await newer.keeper.outdated.end()
    assert newer.keeper.outdated.ended == 1
    assert await purses(store) == (1000, 1000)
