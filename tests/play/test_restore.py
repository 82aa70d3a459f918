"""A match is the same whoever reads it, and whenever its row was written last."""
# ruff: noqa: S608 (only ids of our own are put into SQL)

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from parlour.games.connect4.rules import Drop, Options
from parlour.games.memory.rules import Flip
from parlour.host.matches import seats_of
from parlour.play.deciding import SNAPSHOT_STEPS
from parlour.play.finding import Finder
from parlour.play.keeper import GRACE_MS
from parlour.play.kernel import Kernel
from parlour.play.match import LOOK_MS, Match, Unreadable, deadline
from parlour.play.player import Player
from parlour.play.restore import restored
from parlour.store import journals, queries
from parlour.store.api import Store
from tests.play.conftest import MakeKernel, MakePlayer, SetClock, policies, think_here, until
from tests.servers.stores import opened
from tests.simulation.bus import Hub
from tests.store.rows import around

MOVES = (0, 1, 0, 1, 0)


ENTRY = """INSERT INTO journal (match_number, version, at, kind)
    SELECT number, {}, 1, 'act' FROM match WHERE id = '{}'"""


async def behind_the_back(database: str, sql: str) -> None:
    """As somebody does who has got rid of the database's own guards."""
    if database.startswith("sqlite"):
        await around(database, "DROP TRIGGER journal_gap")
        await around(database, sql)
    else:
        await around(database, f"SET session_replication_role = replica; {sql}")


async def begun(kernel: Kernel, player: MakePlayer) -> Match:
    ann, bob = await player("ann"), await player("bob")
    match = await kernel.seating.start("connect4", (ann, bob))
    for number, column in enumerate(MOVES):
        await kernel.steps.act(match.id, number % 2, Drop(column))
    resident = kernel.residents.by_id.get(match.id)
    assert resident is not None
    return resident.match


async def test_a_move_writes_nothing_but_its_entry(
    kernel: Kernel, player: MakePlayer, store: Store
) -> None:
    match = await begun(kernel, player)
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    assert (stored.match.version, stored.version) == (1, 1 + len(MOVES))


async def test_every_way_to_a_match_leads_to_where_it_stands(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer, store: Store
) -> None:
    match = await begun(kernel, player)
    user_id = match.seats[0].user_id
    assert user_id is not None
    ways: dict[str, Callable[[Finder], Awaitable[Match | None]]] = {
        "id": lambda finder: finder.find(match.id),
        "public id": lambda finder: finder.find_public("connect4", match.public_id),
        "open match": lambda finder: finder.open_match_of("connect4", user_id),
    }
    for name, way in ways.items():
        other = make_kernel()  # a process that has never heard of it
        assert await way(other.finder) == match, name
    assert (await queries.standings(store, [match.id]))[match.id].version == match.version
    assert await queries.version(store, match.id) == match.version
    (listed,) = await queries.matches_by_id(store, [match.id])
    rules = kernel.runtime.rules["connect4"]
    assert restored(rules, listed).state == match.state
    assert restored(rules, listed).acted_at == match.acted_at
    assert seats_of(user_id)(restored(rules, listed)) == (0,)


async def test_another_process_goes_on_where_the_first_one_was(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer
) -> None:
    match = await begun(kernel, player)
    other = make_kernel()
    update = await other.steps.act(match.id, 1, Drop(2))
    assert update.after.version == match.version + 1
    update = await kernel.steps.act(match.id, 0, Drop(3))
    assert update.after.version == match.version + 2


async def test_nothing_is_forgotten_when_everything_ends_without_a_word(
    database: str, store: Store, kernel: Kernel, player: MakePlayer, clock: SetClock
) -> None:
    match = await begun(kernel, player)
    async with opened(database) as again:  # the first process writes nothing more
        rules = kernel.runtime.rules
        after = Kernel(again, Hub().bus(), rules, policies(), think_here, clock=clock)
        assert await after.finder.find(match.id) == match
        await after.drain()


async def test_the_row_is_written_every_so_often_and_when_a_match_is_put_away(
    kernel: Kernel, player: MakePlayer, store: Store, clock: SetClock
) -> None:
    match = await begun(kernel, player)
    clock.pass_ms(120_000)
    kernel.residents.forget_idle()
    assert kernel.residents.by_id.get(match.id) is None
    await kernel.drain()
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    assert (stored.match.version, stored.since) == (match.version, ())
    assert len(MOVES) < SNAPSHOT_STEPS


async def test_a_match_is_found_by_its_address_in_memory_and_when_it_was_put_away(
    kernel: Kernel, player: MakePlayer, clock: SetClock
) -> None:
    match = await begun(kernel, player)
    for _ in range(2):
        found = await kernel.finder.find_public("connect4", match.public_id)
        assert (found and found.id, found and found.version) == (match.id, match.version)
        assert await kernel.finder.find_public("quarto", match.public_id) is None
        clock.pass_ms(120_000)
        kernel.residents.forget_idle()
        assert kernel.residents.of_public_id("connect4", match.public_id) is None
        await kernel.drain()
    await kernel.finder.find(match.id)
    await kernel.seating.call_off(match.id)
    called_off = await kernel.finder.find_public("connect4", match.public_id)
    assert called_off is not None
    assert called_off.status == "cancelled"


async def test_what_comes_nearer_writes_no_row_and_is_found_within_the_time_to_look(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer, store: Store, clock: SetClock
) -> None:
    """Memory: two cards that are no pair are shown for a second, and their process is gone."""
    match = await kernel.seating.start("memory", (await player("ann"), await player("bob")))
    cards = match.state.cards
    other_card = next(n for n, card in enumerate(cards) if card.pair_id != cards[0].pair_id)
    for index in (0, other_card):
        await kernel.steps.act(match.id, match.state.turn, Flip(index))
    showing = kernel.residents.by_id[match.id].match
    assert showing.rules_at == clock() + match.state.options.reveal_ms
    stored = await stored_of(store, match)
    assert (stored.match.version, stored.version) == (1, 3)
    kernel.residents.drain()  # as if it were gone
    clock.pass_ms(LOOK_MS + GRACE_MS)
    other = make_kernel()
    await other.keeper.sweep()
    found = await other.finder.find(match.id)
    assert found is not None
    assert found.version > showing.version
    assert found.state.reveal_until is None


async def test_a_sweep_that_comes_early_looks_and_writes_the_later_deadline(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer, store: Store, database: str
) -> None:
    match = await begun(kernel, player)
    early = kernel.runtime.clock() - 5_000
    await around(database, f"UPDATE match SET deadline_at = {early} WHERE id = '{match.id}'")
    other = make_kernel()
    await other.keeper.sweep()
    assert await queries.overdue_matches(store, kernel.runtime.clock()) == []
    found = await other.finder.find(match.id)
    assert found is not None
    assert (found.version, found.state) == (match.version, match.state)


async def test_what_is_put_off_is_due_when_the_rules_say(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer, store: Store, database: str
) -> None:
    """And the later deadline is not taken for a look whether anybody is still there."""
    ann, bob = await player("ann"), await player("bob")
    match = await kernel.seating.start("memory", (ann, bob))
    rules = kernel.runtime.rules["memory"]
    mover = next(seat for seat in (0, 1) if rules.legal(rules.view(match.state, seat)))
    flip = next(iter(rules.legal(rules.view(match.state, mover))))
    match = (await kernel.steps.act(match.id, mover, flip)).after
    early = kernel.runtime.clock() - 5_000
    await around(database, f"UPDATE match SET deadline_at = {early} WHERE id = '{match.id}'")
    other = make_kernel()
    await other.keeper.sweep()
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    assert (stored.match.version, stored.since) == (match.version, ())
    assert stored.match.deadline_at == rules.deadline(match.state)
    found = await make_kernel().finder.find(match.id)
    assert found is not None
    assert (found.version, found.state) == (match.version, match.state)
    assert found.idle_at != stored.match.deadline_at


async def test_a_journal_with_a_gap_is_not_read_and_found_by_the_audit(
    kernel: Kernel, make_kernel: MakeKernel, player: MakePlayer, store: Store, database: str
) -> None:
    match = await begun(kernel, player)
    await behind_the_back(database, ENTRY.format(match.version + 2, match.id))
    with pytest.raises(Unreadable):
        await make_kernel().finder.find(match.id)
    found = [fault async for fault in journals.faults(store)]
    assert [fault.subject for fault in found] == [match.id]


async def test_the_audit_finds_a_journal_of_no_match(store: Store, database: str) -> None:
    assert [fault async for fault in journals.faults(store)] == []
    await behind_the_back(
        database,
        "INSERT INTO journal (match_number, version, at, kind) VALUES (99999, 1, 1, 'act')",
    )
    (fault,) = [fault async for fault in journals.faults(store)]
    assert "no match" in fault.problem


async def stored_of(store: Store, match: Match) -> queries.Stored:
    stored = await queries.match_by_id(store, match.id)
    assert stored is not None
    return stored


async def begun_with_the_computer(kernel: Kernel, clock: SetClock) -> Match:
    """A game in which the first move was made, and the computer has the next."""
    players = (Player(name="ann"), Player(name="easy", bot="easy"))
    match = await kernel.seating.start("connect4", players, mode="ai", options=Options(starter=0))
    clock.pass_ms(5_000)
    await kernel.steps.act(match.id, 0, Drop(3))
    return match


async def test_a_game_with_the_computer_writes_its_row_as_seldom_as_any(
    kernel: Kernel, store: Store, clock: SetClock
) -> None:
    """Its bot's move comes nearer with every step; who finds it later works out when it is due."""
    match = await begun_with_the_computer(kernel, clock)
    now = kernel.residents.by_id[match.id].match
    stored = await stored_of(store, match)
    assert (stored.match.version, stored.version) == (1, 2)
    assert now.bot_at is not None
    assert stored.match.deadline_at is not None
    assert stored.match.deadline_at <= now.bot_at + LOOK_MS
    assert kernel.residents.restored(stored) == now


async def test_a_bot_whose_process_is_gone_is_found_within_the_time_to_look(
    kernel: Kernel, make_kernel: MakeKernel, clock: SetClock
) -> None:
    match = await begun_with_the_computer(kernel, clock)
    kernel.residents.drain()  # as if it were gone
    clock.pass_ms(LOOK_MS + GRACE_MS)
    other = make_kernel()
    await other.keeper.sweep()
    await until(lambda: other.residents.by_id[match.id].match.version == 3)


async def test_a_game_with_the_computer_that_rests_is_left_alone_until_its_next_step(
    kernel: Kernel, store: Store, clock: SetClock
) -> None:
    players = (Player(name="ann"), Player(name="easy", bot="easy"))
    match = await kernel.seating.start("connect4", players, mode="ai", options=Options(starter=0))
    looked_at = []
    for _ in range(10):
        clock.pass_ms(LOOK_MS // 2)
        await kernel.keeper.sweep()
        looked_at.append((await stored_of(store, match)).match.deadline_at)
    resting = deadline(kernel.residents.by_id[match.id].match)
    assert looked_at[-5:] == [resting] * 5
    await kernel.steps.act(match.id, 0, Drop(3))
    stored = await stored_of(store, match)
    assert stored.match.version == 2
    assert stored.match.bot_at is not None
    assert stored.match.deadline_at == clock() + LOOK_MS
