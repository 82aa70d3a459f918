"""What is particular to SQLite: failing disks, locks, and looking on at every statement."""

from __future__ import annotations

import asyncio
import errno
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from parlour.store import api, schema
from parlour.store.api import Store, open_store
from parlour.store.change import Arrive, Change, Conflict, StoreError, Taken, Unavailable, Withdrawn
from parlour.store.migrate import migrate_sqlite, sqlite_path
from parlour.store.sqlite import commit as sqlite_commit
from parlour.store.sqlite import store as sqlite
from parlour.store.sqlite.commit import AFTER_COMMIT, Group, commit, connect
from parlour.store.sqlite.copier import Copier
from parlour.store.sqlite.log import Done, Log
from tests.garbage import no_garbage
from tests.play.conftest import until
from tests.servers.stores import opened
from tests.store.rows import (
    advance,
    create,
    ending,
    entry,
    event,
    everything,
    make,
    move,
    pots,
    purchase,
    unchanged,
    user,
    versions_of,
)


@pytest.fixture
def engine() -> str:
    return "sqlite"


@pytest.fixture
def connection(database: str) -> Iterator[sqlite3.Connection]:
    opened = connect(sqlite_path(database))
    yield opened
    opened.close()


class Crash(BaseException):
    """The process ends here."""


class Watch:
    """Looks on, and does something before the statement of a given number."""

    def __init__(self, number: int = -1, error: BaseException | None = None) -> None:
        self.seen: list[str] = []
        self._number = number
        self._error = error

    def __call__(self, sql: str) -> None:
        if len(self.seen) == self._number and self._error is not None:
            raise self._error
        self.seen.append(sql)


def contents(connection: sqlite3.Connection) -> list[str]:
    return list(connection.iterdump())


CHANGES = [
    move(1, "m1"),
    Change((*move(1, "m2").writes, event("m2"))),
    move(1, "m5"),
    Change((entry(1, "m3"), advance(1, "m3"), user("Ann", id="other", subject="other"))),
    Change((entry(1, "m4"), advance(1, "m4"), user("Bob"))),
]
"""The third conflicts at once, the fourth finds its username taken when it is nearly done."""


def set_up(connection: sqlite3.Connection) -> None:
    made = [create(f"m{number}") for number in (1, 2, 3, 4, 5)]
    assert commit(connection, [Change((user("Ann"), *made, entry(1, "m5")))]) == [None]


def versions(connection: sqlite3.Connection) -> dict[str, int]:
    """Where each match stands."""
    return dict(
        connection.execute(
            """SELECT id, (SELECT coalesce(max(version), 0) FROM journal
                WHERE match_number = number) FROM match"""
        ).fetchall()
    )


def kinds(results: list[StoreError | None]) -> list[type[StoreError] | None]:
    return [type(error) if error else None for error in results]


EXPECTED = [None, None, Conflict, Taken, None]


def test_a_group_without_trouble_pays_for_no_savepoint(connection: sqlite3.Connection) -> None:
    set_up(connection)
    watch = Watch()
    results = commit(connection, CHANGES[:3], watch)
    assert kinds(results) == EXPECTED[:3]
    assert (watch.seen[0], watch.seen[-2], watch.seen[-1]) == (
        "BEGIN IMMEDIATE",
        "COMMIT",
        AFTER_COMMIT,
    )
    assert not any("SAVEPOINT" in sql for sql in watch.seen)


def test_moves_made_together_leave_what_they_leave_one_by_one(
    tmp_path: Path, connection: sqlite3.Connection
) -> None:
    def play(opened: sqlite3.Connection, size: int) -> list[str]:
        names = [f"m{number}" for number in range(300)]
        assert not any(commit(opened, [Change((create(name),)) for name in names]))
        for version in (1, 2, 3):
            moves = [
                Change(
                    (
                        # Some write the row of their match as well.
                        entry(version, name),
                        *[replace(advance(version, name), deadline_at=number)][: number % 2],
                        *(event(name) for _ in range(number % 3)),
                    )
                )
                for number, name in enumerate(names)
            ]
            for start in range(0, len(moves), size):
                assert not any(commit(opened, moves[start : start + size]))
        return contents(opened)

    path = str(tmp_path / "other.db")
    migrate_sqlite(path)
    other = connect(path)
    assert play(connection, 300) == play(other, 1)
    other.close()


def test_many_moves_are_few_statements(connection: sqlite3.Connection) -> None:
    names = [f"m{number}" for number in range(250)]
    assert not any(commit(connection, [Change((create(name),)) for name in names]))
    watch = Watch()
    moves = [move(1, name) for name in names]
    assert not any(commit(connection, moves, watch))
    assert len(watch.seen) <= 6


def seen(connection: sqlite3.Connection) -> list[list[tuple[object, ...]]]:
    """What endings change."""
    asked = (
        "SELECT id, status, version, winner, reason FROM match ORDER BY id",
        "SELECT match_id, seat, sole, ending, rating_delta FROM seat ORDER BY match_id, seat",
        "SELECT user_id, rating, wins, losses FROM rating ORDER BY user_id",
        "SELECT match_number, version FROM journal ORDER BY match_number",
        "SELECT match_id, connection, left_at FROM presence ORDER BY match_id, seat",
    )
    return [list(map(tuple, connection.execute(sql))) for sql in asked]


def test_many_endings_are_few_statements(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """Ratings add up, whoever has several games that end at once."""
    names = ["ann", "bob", "cleo"]
    begun = [Change((user(name),)) for name in names]
    for number in range(20):
        match_id = f"match{number}"
        here = Arrive(
            match_id=match_id, seat=1, seen_at=1, connection=f"of-{match_id}", process_id="one"
        )
        begun.append(Change((create(match_id), here)))
    pairs = [(f"user-{names[n % 3]}", f"user-{names[(n + 1) % 3]}") for n in range(20)]
    ended = [ending(f"match{number}", *pair) for number, pair in enumerate(pairs)]
    other = str(tmp_path / "other.db")
    migrate_sqlite(other)
    with closing(connect(other)) as alone:
        for change in (*begun, *ended):
            assert commit(alone, [change]) == [None]
        assert commit(connection, begun) == [None] * len(begun)
        watch = Watch()
        assert commit(connection, ended, watch) == [None] * len(ended)
        assert seen(connection) == seen(alone)
    kinds = [sql.split(None, 2)[:2] for sql in watch.seen]
    assert kinds.count(["UPDATE", "match"]) == kinds.count(["INSERT", "INTO"]) - 40 == 1


def test_of_many_endings_one_that_cannot_be_keeps_none_from_it(
    connection: sqlite3.Connection,
) -> None:
    begun = [Change((user(name),)) for name in ("ann", "bob")]
    begun += [Change((create(f"match{number}"),)) for number in range(9)]
    assert commit(connection, begun) == [None] * len(begun)
    ended = [ending(f"match{number}", "user-ann", "user-bob") for number in range(9)]
    ended[4] = ending("match4", "user-ann", "user-bob", version=2)
    found = commit(connection, ended)
    assert [type(each) for each in found if each is not None] == [Conflict]
    assert found[4] is not None
    (rating,) = connection.execute("SELECT rating FROM rating WHERE user_id = 'user-ann'")
    assert rating[0] == 1000 + 8 * 16


def test_many_purchases_are_few_statements(connection: sqlite3.Connection) -> None:
    names = [f"m{number}" for number in range(250)]
    for change in pots(names, 10):
        assert commit(connection, [change]) == [None]
    watch = Watch()
    assert not any(commit(connection, [purchase(name, 4) for name in names], watch))
    assert len(watch.seen) <= 12
    held = "SELECT DISTINCT balance FROM account WHERE kind = 'escrow'"
    assert [row[0] for row in connection.execute(held)] == [4]


def test_moves_of_which_one_cannot_be_are_made_without_it(connection: sqlite3.Connection) -> None:
    assert not any(commit(connection, [Change((create(name),)) for name in ("m1", "m2")]))
    assert not any(commit(connection, [move(1, "m1")]))
    group = Group(connection, [move(1, "m1"), move(1, "m2")])
    assert group.at_once() is None
    assert not connection.in_transaction, "undone, and left to who has the time"
    assert kinds(group.patiently()) == [Conflict, None]
    assert versions(connection) == {"m1": 1, "m2": 1}


def test_a_change_that_fails_halfway_is_undone_alone(connection: sqlite3.Connection) -> None:
    set_up(connection)
    assert kinds(commit(connection, CHANGES)) == EXPECTED
    assert versions(connection) == {"m1": 1, "m2": 1, "m3": 0, "m4": 1, "m5": 1}


def test_a_disk_that_fails_at_any_statement_leaves_nothing_and_is_got_over(
    connection: sqlite3.Connection,
) -> None:
    set_up(connection)
    before = contents(connection)
    for number in count():
        watch = Watch(number, sqlite3.OperationalError("disk I/O error"))
        assert kinds(commit(connection, CHANGES, watch)) == [Unavailable] * len(CHANGES)
        assert not connection.in_transaction
        if watch.seen[-1:] == ["COMMIT"]:
            break  # only the answer was lost: this is what the store cannot know
        assert contents(connection) == before
    assert contents(connection) != before
    assert commit(connection, [move(2, "m1")]) == [None]


def test_a_process_that_ends_at_any_statement_leaves_all_or_nothing(
    database: str, connection: sqlite3.Connection
) -> None:
    set_up(connection)
    before = contents(connection)
    for number in count():
        watch = Watch(number, Crash())
        dying = connect(sqlite_path(database))
        with pytest.raises(Crash):
            commit(dying, CHANGES, watch)
        dying.close()
        if watch.seen[-1:] == ["COMMIT"]:
            break
        assert contents(connection) == before
    assert versions(connection) == {"m1": 1, "m2": 1, "m3": 0, "m4": 1, "m5": 1}


async def test_a_store_outlives_a_full_disk(database: str, store: Store) -> None:
    await make(store, create())
    await store.commit(move(1))
    async with unchanged(store):
        with no_file_larger_than(sqlite_path(database) + "-wal"):
            results = await asyncio.gather(
                store.commit(move(2)), make(store, user("Ann")), return_exceptions=True
            )
        assert [type(each) for each in results] == [Unavailable, Unavailable]
    with suppress(Unavailable):  # copying the log may have been tried on the full disk still
        await store.commit(move(2))
    if await versions_of(store, ["match"]) == {"match": 1}:
        await store.commit(move(2))
    assert await versions_of(store, ["match"]) == {"match": 2}


@contextmanager
def no_file_larger_than(path: str) -> Iterator[None]:
    """As on a full disk, the system refuses to write beyond what is there."""
    size = Path(path).stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_another_process_that_writes_is_waited_for(database: str, store: Store) -> None:
    await make(store, create())
    other = connect(sqlite_path(database))
    other.execute("BEGIN IMMEDIATE")
    moving = asyncio.create_task(store.commit(move(1)))
    done, _ = await asyncio.wait([moving], timeout=0.05)
    assert not done
    assert await versions_of(store, ["match"]) == {"match": 0}
    other.execute("ROLLBACK")
    await moving
    other.close()
    assert await versions_of(store, ["match"]) == {"match": 1}


async def test_another_process_that_never_ends_makes_the_store_unavailable(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_commit, "BUSY_S", 0.05)
    async with opened(database) as store:
        await make(store, create())
        other = connect(sqlite_path(database))
        other.execute("BEGIN IMMEDIATE")
        async with unchanged(store):
            with pytest.raises(Unavailable):
                await store.commit(move(1))
        other.execute("ROLLBACK")
        other.close()
        await store.commit(move(1))


async def test_a_conflict_leaves_no_garbage(store: Store) -> None:
    await make(store, create())
    await store.commit(move(1))
    refused = 0
    with no_garbage(Conflict):
        try:
            await store.commit(move(1))
        except Conflict:
            refused += 1
    assert refused


async def test_a_mistake_in_one_change_is_heard_of_and_got_over(store: Store) -> None:
    await make(store, create())
    async with unchanged(store):
        with pytest.raises(KeyError):
            await store.commit(Change(("nonsense",)))  # type: ignore[arg-type]
    await store.commit(move(1))


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many changes each transaction was begun with."""
    seen: list[int] = []

    class Counted(Group):
        def at_once(self) -> list[StoreError | None] | None:
            seen.append(len(self._changes))
            return super().at_once()

    monkeypatch.setattr(sqlite, "Group", Counted)
    return seen


def patient(match: str, version: int) -> Change:
    return replace(move(version, match), patient=True)


async def test_who_is_patient_shares_a_transaction_with_others_of_the_kind(
    store: Store, sizes: list[int]
) -> None:
    names = [f"m{number}" for number in range(5)]
    for name in names:
        await make(store, create(name))
    sizes.clear()
    waiting = []
    for name in names:
        waiting.append(asyncio.ensure_future(store.commit(patient(name, 1))))
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert sizes == [5]
    assert set((await versions_of(store, names)).values()) == {1}


async def test_who_is_patient_keeps_nobody_waiting(
    store: Store, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(store, sqlite.SqliteStore)
    monkeypatch.setattr(sqlite, "PATIENCE_S", 60.0)  # however long the disk takes
    await make(store, create("calm"), create("quick"))
    sizes.clear()
    calm = asyncio.ensure_future(store.commit(patient("calm", 1)))
    await asyncio.sleep(0)
    await store.commit(move(1, "quick"))
    assert not calm.done()
    assert await versions_of(store, ["calm", "quick"]) == {"calm": 0, "quick": 1}
    store._end_patience()
    await calm
    assert sizes == [1, 1]


async def test_who_is_patient_lets_others_go_first_but_not_for_ever(
    store: Store, sizes: list[int]
) -> None:
    """As long as somebody else always waits, and no longer than it can bear."""
    await make(store, create("calm"), create("quick"), create("busy"))
    sizes.clear()
    calm = asyncio.ensure_future(store.commit(patient("calm", 1)))

    async def move_on(match: str) -> None:
        version = 0
        while not calm.done():
            version += 1
            await store.commit(move(version, match))

    one = asyncio.ensure_future(move_on("quick"))
    for _ in range(3):
        await asyncio.sleep(0)
    assert sizes == [1], "it is under way"
    # Each hands its next change over while the other's is under way.
    await asyncio.gather(one, move_on("busy"), calm)
    assert max(sizes) == 2, "it went together with one of the others"
    assert set(sizes[: sizes.index(2)]) == {1}


async def test_nobody_patient_is_told_while_others_wait_for_the_disk(store: Store) -> None:
    names = [f"m{number}" for number in range(3)]
    for name in (*names, "quick"):
        await make(store, create(name))
    told: list[str] = []
    all_told = asyncio.Event()

    def hear(name: str, error: Exception | None) -> None:
        assert error is None
        told.append(name)
        if len(told) == 4:
            all_told.set()
        if name == "m0":
            assert store.submit(move(1, "quick"), partial(hear, "quick"))

    for name in names:
        assert store.submit(patient(name, 1), partial(hear, name))
    await all_told.wait()
    assert told == ["m0", "quick", "m1", "m2"]


async def test_others_come_in_between_while_the_patient_are_told(store: Store) -> None:
    names = [f"m{number}" for number in range(3)]
    for name in names:
        await make(store, create(name))
    loop, told = asyncio.get_running_loop(), list[str]()
    done = loop.create_future()

    def hear(name: str, error: Exception | None) -> None:
        assert error is None
        told.append(name)
        loop.call_soon(told.append, "another")
        if len(told) > 4:
            loop.call_soon(done.set_result, None)

    for name in names:
        assert store.submit(patient(name, 1), partial(hear, name))
    await done
    assert told == ["m0", "another", "m1", "another", "m2", "another"]


async def test_who_answers_what_it_is_told_shares_a_transaction_with_those_who_waited(
    store: Store, sizes: list[int]
) -> None:
    names = [f"m{number}" for number in range(sqlite.MANY_TOLD)]
    for name in (*names, "other"):
        await make(store, create(name))
    sizes.clear()
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    heard: list[Exception | None] = []

    def answer(error: Exception | None) -> None:
        assert error is None
        # As a player's next move comes: two turns after the word of the last one went out.
        loop.call_soon(loop.call_soon, store.submit, move(2, "m0"), done.set_result)

    assert store.submit(move(1, "m0"), answer)
    for name in names[1:]:
        assert store.submit(move(1, name), heard.append)
    await asyncio.sleep(0)
    assert sizes == [len(names)], "they are under way"
    waited = asyncio.ensure_future(store.commit(move(1, "other")))
    assert await done is None
    await waited
    assert sizes == [len(names), 2]
    assert heard == [None] * (len(names) - 1)
    assert await versions_of(store, ["m0", "other"]) == {"m0": 2, "other": 1}


async def test_who_is_told_is_written_to_before_the_next_transaction_begins(store: Store) -> None:
    for name in ("told", "next"):
        await make(store, create(name))
    assert isinstance(store, sqlite.SqliteStore)
    assert store._writer is not None
    loop, course = asyncio.get_running_loop(), list[str]()
    done = loop.create_future()

    def tell(error: Exception | None) -> None:
        assert error is None
        store.microtasks.put_off(loop, partial(course.append, "written to"))
        loop.call_soon(course.append, "whatever else there is to do")
        assert store.submit(move(1, "next"), done.set_result)

    assert store.submit(move(1, "told"), tell)
    await asyncio.sleep(0)
    store._writer.set_trace_callback(lambda sql: course.append(sql) if "BEGIN" in sql else None)
    assert await done is None
    assert course == ["written to", "BEGIN IMMEDIATE", "whatever else there is to do"]


async def test_what_is_not_begun_may_be_taken_back(store: Store) -> None:
    for name in ("begun", "waits"):
        await make(store, create(name))
    begun, waits = move(1, "begun"), move(1, "waits")
    first = asyncio.ensure_future(store.commit(begun))
    await asyncio.sleep(0)
    second = asyncio.ensure_future(store.commit(waits))
    await asyncio.sleep(0)
    assert not store.withdraw(begun)
    assert not store.withdraw(move(1, "waits")), "it is that very change or none"
    assert store.withdraw(waits)
    assert not store.withdraw(waits)
    with pytest.raises(Withdrawn):
        await second
    await first
    assert await versions_of(store, ["begun", "waits"]) == {"begun": 1, "waits": 0}
    await store.commit(move(1, "waits"))


class Disk:
    """What syncs the log; a test may keep it from ending, or have it fail."""

    def __init__(self) -> None:
        self.syncs = 0
        self.fails = False
        self._halted: list[Callable[[], None]] | None = None

    def sync(self, done: Done) -> None:
        if self._halted is not None:
            self._halted.append(partial(self.sync, done))
            return
        self.syncs += 1
        broken = OSError(errno.EIO, "the disk is broken") if self.fails else None
        asyncio.get_running_loop().call_soon(done, broken)

    def halt(self) -> None:
        self._halted = []

    def go_on(self) -> None:
        halted, self._halted = self._halted or [], None
        for sync in halted:
            sync()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr(Log, "sync", lambda _, done: disk.sync(done))
    return disk


MANY = [f"m{number}" for number in range(20)]


async def test_the_patient_are_written_a_few_at_a_time_and_synced_once(
    store: Store, sizes: list[int], disk: Disk
) -> None:
    for name in MANY:
        await make(store, create(name))
    sizes.clear()
    disk.syncs = 0
    await asyncio.gather(*(store.commit(patient(name, 1)) for name in MANY))
    assert sizes == [8, 8, 4]
    assert disk.syncs == 1
    assert set((await versions_of(store, MANY)).values()) == {1}


@pytest.mark.parametrize("is_patient", [True, False])
async def test_nobody_is_told_or_can_be_read_of_before_the_sync(
    store: Store, sizes: list[int], disk: Disk, is_patient: bool
) -> None:
    for name in MANY:
        await make(store, create(name))
    sizes.clear()
    disk.halt()
    moves = [replace(move(1, name), patient=is_patient) for name in MANY]
    told = [asyncio.ensure_future(store.commit(each)) for each in moves]

    async def written() -> bool:
        return sum(sizes) == len(MANY)

    await until(written)
    reading = asyncio.ensure_future(versions_of(store, MANY))
    listing = asyncio.ensure_future(store.list_rows(select(schema.match.c.id)))
    await asyncio.sleep(0.05)
    assert not any(each.done() for each in (*told, reading, listing))
    disk.go_on()
    assert set((await reading).values()) == {1}
    assert len(await listing) == len(MANY)
    await asyncio.gather(*told)


async def test_a_read_waits_for_no_more_than_it_may_have_seen(store: Store, disk: Disk) -> None:
    for name in ("one", "two"):
        await make(store, create(name))
    assert await versions_of(store, ["one"]) == {"one": 0}, "nothing is under way"
    disk.halt()
    first = asyncio.ensure_future(store.commit(move(1, "one")))
    await asyncio.sleep(0)
    reading = asyncio.ensure_future(versions_of(store, ["one"]))
    await asyncio.sleep(0)
    second = asyncio.ensure_future(store.commit(move(1, "two")))
    first.add_done_callback(lambda _: disk.halt())
    disk.go_on()
    assert await reading == {"one": 1}
    assert first.done()
    assert not second.done()
    disk.go_on()
    await second


async def test_others_come_in_between_while_the_patient_are_written(
    store: Store, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who were written before are synced with them."""
    for name in (*MANY, "quick"):
        await make(store, create(name))
    groups: list[int] = []
    waited: list[asyncio.Future[None]] = []

    class Counted(Group):
        def at_once(self) -> list[StoreError | None] | None:
            groups.append(len(self._changes))
            if len(groups) == 1:
                waited.append(asyncio.ensure_future(store.commit(move(1, "quick"))))
            return super().at_once()

    monkeypatch.setattr(sqlite, "Group", Counted)
    disk.syncs = 0
    await asyncio.gather(*(store.commit(patient(name, 1)) for name in MANY))
    await asyncio.gather(*waited)
    assert groups == [8, 1, 8, 4]
    assert disk.syncs == 2


async def test_when_a_sync_fails_the_log_is_copied_before_anything_is_written(
    database: str, store: Store, disk: Disk
) -> None:
    for name in ("calm", "quick"):
        await make(store, create(name))
    reader = connect(sqlite_path(database))
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM match").fetchall()
    disk.fails = True
    with pytest.raises(Unavailable, match="the disk is broken"):
        await store.commit(patient("calm", 1))
    # Who reads what was before keeps the log from being copied.
    with pytest.raises(Unavailable, match="the disk has failed"):
        await store.commit(move(1, "quick"))
    reader.close()
    disk.fails = False
    await store.commit(move(1, "quick"))
    await store.commit(patient("quick", 2))
    # The one in doubt was made, and is as durable as the rest.
    assert await versions_of(store, ["calm", "quick"]) == {"calm": 1, "quick": 2}


async def test_nobody_waits_for_ever_for_a_sync_that_cannot_be(
    database: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another's commit fails while some are written, and the log cannot be copied."""
    for name in (*MANY, "quick"):
        await make(store, create(name))
    quick: list[asyncio.Future[None]] = []

    class Failing(Group):
        def at_once(self) -> list[StoreError | None] | None:
            if quick:
                raise sqlite3.OperationalError("disk I/O error")
            quick.append(asyncio.ensure_future(store.commit(move(1, "quick"))))
            return super().at_once()

    reader = connect(sqlite_path(database))
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM match").fetchall()
    with monkeypatch.context() as patched:
        patched.setattr(sqlite, "Group", Failing)
        calm = [asyncio.ensure_future(store.commit(patient(name, 1))) for name in MANY]
        told = await asyncio.gather(*calm, return_exceptions=True)
        assert {type(each) for each in told} == {Unavailable}
        assert isinstance((await asyncio.gather(*quick, return_exceptions=True))[0], Unavailable)
    found = await versions_of(store, [*MANY, "quick"])
    assert sorted(found.values()) == [0] * 13 + [1] * 8
    reader.close()
    await store.commit(move(1, "quick"))


async def test_the_patient_whose_commit_fails_hear_that_it_is_in_doubt(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make(store, create("calm"))

    class Lost(Group):
        def at_once(self) -> list[StoreError | None] | None:
            super().at_once()
            raise sqlite3.OperationalError("the answer was lost")

    with monkeypatch.context() as patched:
        patched.setattr(sqlite, "Group", Lost)
        with pytest.raises(Unavailable, match="the answer was lost"):
            await store.commit(patient("calm", 1))
    await store.commit(patient("calm", 2))
    assert await versions_of(store, ["calm"]) == {"calm": 2}


async def test_the_patient_that_cannot_be_made_at_once_are_made_as_others_are(
    database: str, store: Store
) -> None:
    await make(store, create("calm"), create("late"))
    await store.commit(move(1, "late"))
    other = connect(sqlite_path(database))
    other.execute("BEGIN IMMEDIATE")
    told = [asyncio.ensure_future(store.commit(patient(name, 1))) for name in ("calm", "late")]
    await asyncio.sleep(2 * sqlite.PATIENCE_S)
    assert not any(each.done() for each in told)
    other.rollback()
    other.close()
    results = await asyncio.gather(*told, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), Conflict]


async def test_a_store_that_is_closed_has_made_what_was_patient(database: str) -> None:
    heard: list[Exception | None] = []
    async with opened(database) as store:
        await make(store, create())
        assert store.submit(patient("match", 1), heard.append)
    assert heard == [None]
    async with opened(database) as store:
        assert await versions_of(store, ["match"]) == {"match": 1}


async def test_who_finds_no_place_waits_for_one(
    database: str, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "WAITING_LIMIT", 3)
    async with opened(database) as store:
        await asyncio.gather(*(make(store, create(f"m{number}")) for number in range(20)))
        assert max(sizes) == 3


async def test_a_store_without_a_file_keeps_nothing() -> None:
    for _ in range(2):
        async with opened("sqlite://") as store:
            assert not any((await everything(store))["match"])
            await make(store, create())
            await store.commit(move(1))
            assert await versions_of(store, ["match"]) == {"match": 1}


async def test_every_commit_is_synced_before_it_is_told(store: Store, disk: Disk) -> None:
    before = disk.syncs
    await make(store, create())
    for version in (1, 2, 3):
        await store.commit(move(version))
    assert disk.syncs == before + 4


async def test_where_a_file_is_shared_nobody_can_read_what_is_not_synced(database: str) -> None:
    """Not even those who do not know that somebody else writes."""
    store = open_store(database, shared=True)
    assert isinstance(store, sqlite.SqliteStore)
    await store.start()
    synced: list[bool] = []
    assert store._writer is not None
    await make(store, create("one"), create("two"))
    find = "PRAGMA synchronous"
    store._writer.set_trace_callback(
        lambda sql: synced.append(sql.endswith("FULL")) if sql.startswith(find) else None
    )
    await asyncio.gather(store.commit(move(1, "one")), store.commit(patient("two", 1)))
    with closing(connect(sqlite_path(database))) as other:
        assert versions(other) == {"one": 1, "two": 1}
    await store.close()
    assert synced == [True, False, True, False], "each waited for the disk"


async def test_what_others_connect_with_syncs_by_itself(database: str) -> None:
    opened = connect(sqlite_path(database))
    settings = {
        name: opened.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys")
    }
    opened.close()
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


async def test_nobody_waits_while_the_log_is_copied(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = Event(), Event()

    class Slow(Copier):
        def copy(self) -> None:
            begun.set()
            assert may_end.wait(10)
            super().copy()

    monkeypatch.setattr(sqlite, "COPY_ROWS", 1)
    monkeypatch.setattr(sqlite, "Copier", Slow)
    async with asyncio.timeout(10), opened(database) as store:
        await make(store, user("first"))
        assert await asyncio.to_thread(begun.wait, 10)
        for number in range(5):
            await make(store, user(f"user{number}"))
        may_end.set()


async def test_the_log_is_copied_between_commits(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads the file without its log finds what was written, though it is never closed."""
    monkeypatch.setattr(sqlite, "COPY_ROWS", 20)
    monkeypatch.setattr(sqlite_commit, "CHECKPOINT_PAGES", 0)
    async with opened(database) as store:
        for number in range(30):
            await make(store, user(f"user{number}"))
        file = f"file:{sqlite_path(database)}?immutable=1"
        async with asyncio.timeout(60):
            while True:
                with closing(sqlite3.connect(file, uri=True)) as connection:
                    (found,) = connection.execute('SELECT count(*) FROM "user"').fetchone()
                if found >= 10:
                    return
                await asyncio.sleep(0.01)
