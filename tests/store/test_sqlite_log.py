"""The log's way to the disk: by a process, whatever becomes of it, or by a thread."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from parlour.store.change import Unavailable
from parlour.store.sqlite import log as module
from parlour.store.sqlite.log import Log
from parlour.store.sqlite.store import SqliteStore
from tests.servers.stores import opened
from tests.store.rows import create, make, move, versions_of


@contextmanager
def logging_to(folder: Path) -> Iterator[Log]:
    (folder / "parlour.db-wal").write_bytes(b"something to be synced")
    with closing(Log(str(folder / "parlour.db"))) as log:
        log.start()
        yield log


async def synced(log: Log) -> None:
    """As soon as it is; or what went wrong."""
    done: asyncio.Future[OSError | None] = asyncio.get_running_loop().create_future()
    log.sync(done.set_result)
    async with asyncio.timeout(30):
        error = await done
    if error is not None:
        raise error


def runs(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_process_syncs_and_ends_with_the_log(tmp_path: Path) -> None:
    with logging_to(tmp_path) as log:
        process = log.process_id
        assert process is not None
        for _ in range(3):
            await synced(log)
        assert log.process_id == process
        assert runs(process)
    assert not runs(process)


async def test_a_thread_syncs_until_there_is_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "START_AFTER_S", 3600.0)
    async with opened(f"sqlite:///{tmp_path / 'parlour.db'}") as store:
        assert isinstance(store, SqliteStore)
        assert store._log is not None
        await make(store, create())
        assert store._log.process_id is None
        store._log.start()
        assert store._log.process_id is not None
        await store.commit(move(1))
    assert store._log.process_id is None


async def test_a_process_starts_when_the_time_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "START_AFTER_S", 0.0)
    (tmp_path / "parlour.db-wal").touch()
    log = Log(str(tmp_path / "parlour.db"))
    async with asyncio.timeout(30):
        while log.process_id is None:  # noqa: ASYNC110 (nobody is told)
            await asyncio.sleep(0.01)
    log.close()


async def test_a_log_that_is_closed_early_starts_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "START_AFTER_S", 0.0)
    (tmp_path / "parlour.db-wal").touch()
    log = Log(str(tmp_path / "parlour.db"))
    log.close()
    await asyncio.sleep(0.01)
    assert log.process_id is None


async def test_who_stops_the_server_does_not_stop_a_sync(tmp_path: Path) -> None:
    with logging_to(tmp_path) as log:
        await synced(log)  # it has started
        assert log.process_id is not None
        for stop in (signal.SIGINT, signal.SIGTERM):
            os.kill(log.process_id, stop)
        await synced(log)


async def test_it_is_told_what_the_disk_says(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "parlour.db-wal")  # which nothing can be synced of
    with closing(Log(str(tmp_path / "parlour.db"))) as log:
        log.start()
        for _ in range(2):
            with pytest.raises(OSError, match=os.strerror(errno.EINVAL)):
                await synced(log)


async def test_a_process_that_dies_has_failed_and_then_a_thread_syncs(tmp_path: Path) -> None:
    with logging_to(tmp_path) as log:
        assert log.process_id is not None
        os.kill(log.process_id, signal.SIGKILL)
        with pytest.raises(OSError, match="the process that syncs died"):
            await synced(log)
        assert log.process_id is None
        await synced(log)


async def test_a_process_that_did_well_for_a_while_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIVES_S", 0.0)
    with logging_to(tmp_path) as log:
        first = log.process_id
        assert first is not None
        os.kill(first, signal.SIGKILL)
        with pytest.raises(OSError, match="the process that syncs died"):
            await synced(log)
        assert log.process_id not in (None, first)
        await synced(log)


async def test_where_no_process_can_be_had_a_thread_syncs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "COMMAND", (str(tmp_path / "no such program"),))
    with logging_to(tmp_path) as log:
        assert log.process_id is None
        await synced(log)


async def test_a_store_outlives_who_syncs_for_it(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path / 'parlour.db'}") as store:
        assert isinstance(store, SqliteStore)
        assert store._log is not None
        store._log.start()
        await make(store, create())
        assert store._log.process_id is not None
        os.kill(store._log.process_id, signal.SIGKILL)
        with pytest.raises(Unavailable):
            await store.commit(move(1))
        # It was made, which is why who moved looks there.
        assert await versions_of(store, ["match"]) == {"match": 1}
        await store.commit(move(2))
        assert await versions_of(store, ["match"]) == {"match": 2}
