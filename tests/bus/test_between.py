"""What every bus between processes promises, on real servers that restart and overflow."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from parlour.bus import CHECK
from parlour.bus.backlog import WAITING_MAX
from parlour.bus.postgres import TURN
from tests.bus.conftest import Open, Stoppable, acquainted, knows_of_others
from tests.bus.ears import Ear, subscribed, until


async def test_two_processes_hear_each_other_once(server: Stoppable, started: Open) -> None:
    here, there = await acquainted(started)
    ear_here = await subscribed(here, "match:1")
    ear_there = await subscribed(there, "match:1")
    here.publish("match:1", b"from here")
    there.publish("match:1", b"from there")
    there.publish("match:1", b"the end")
    assert {await ear_here.next() for _ in range(3)} == {b"from here", b"from there", b"the end"}
    assert {await ear_there.next() for _ in range(3)} == {b"from here", b"from there", b"the end"}
    await until(lambda: here.backlog.all_sent.is_set() and there.backlog.all_sent.is_set())
    assert not ear_here.has_more
    assert not ear_there.has_more


async def test_a_restart_of_the_server_tells_every_subscriber_to_check(
    server: Stoppable, started: Open
) -> None:
    here, there = await acquainted(started)
    ears = [await subscribed(there, f"match:{number}") for number in range(20)]
    here.publish("match:0", b"before")
    assert await ears[0].next() == b"before"

    server.stop()
    await until(lambda: not there.connected)
    here.publish("match:0", b"while it was away")
    late = Ear()
    there.subscribe("match:late", late)
    server.start()

    for ear in [*ears, late]:
        await ear.told_to_check()
    await knows_of_others(here)
    here.publish("match:late", b"after")
    assert await late.next() == b"after"


async def test_hearers_of_the_same_process_need_no_server(server: Stoppable, started: Open) -> None:
    bus = await started()
    ear = await subscribed(bus, "user:1")
    server.stop()
    await until(lambda: not bus.connected)
    bus.publish("user:1", b"hello")
    assert await ear.next() == b"hello"


async def test_a_server_that_comes_late_is_found(server: Stoppable, started: Open) -> None:
    server.stop()
    here, there = await started(), await started()
    ear = Ear()
    there.subscribe("match:1", ear)
    server.start()
    await ear.told_to_check()
    await knows_of_others(here)
    here.publish("match:1", b"moved")
    assert await ear.next() == b"moved"


async def test_a_flood_beyond_the_queue_keeps_the_newest_and_tells_everyone_to_check(
    server: Stoppable, started: Open
) -> None:
    here, there = await acquainted(started)
    flooded = await subscribed(there, "match:1")
    quiet = await subscribed(there, "match:2")
    for number in range(WAITING_MAX + 5_000):
        here.publish("match:1", b"%d" % number)
    assert here.backlog.dropped == 5_000
    await quiet.told_to_check()
    heard = [await flooded.next() for _ in range(WAITING_MAX)]
    assert heard == [b"%d" % number for number in range(5_000, WAITING_MAX + 5_000)]


async def test_the_loop_stays_free_while_a_flood_arrives(server: Stoppable, started: Open) -> None:
    here, there = await acquainted(started)
    heard = 0
    turns_at: list[int] = []

    def hear(payload: bytes) -> None:
        nonlocal heard
        heard += payload != CHECK

    there.subscribe("match:1", hear)
    await subscribed(there, "match:2")
    for number in range(5_000):
        here.publish("match:1", b"%d" % number)
    async with asyncio.timeout(20):
        while heard < 5_000:
            turns_at.append(heard)
            await asyncio.sleep(0)
    longest = max(later - earlier for earlier, later in pairwise(turns_at))
    assert longest <= TURN


async def test_what_waits_at_the_end_is_still_sent(server: Stoppable, started: Open) -> None:
    here, there = await acquainted(started)
    ear = await subscribed(there, "match:1")
    for number in range(1_000):
        here.publish("match:1", b"%d" % number)
    await here.close()
    assert [await ear.next() for _ in range(1_000)][-1] == b"999"
