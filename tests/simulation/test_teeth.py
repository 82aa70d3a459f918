"""That the simulation can fail: each kind of thing that it should notice, it notices."""

from __future__ import annotations

import ast
import asyncio
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import structlog

from parlour.play.deadlines import Deadlines
from parlour.play.keeper import Keeper
from parlour.store.sqlite.store import SqliteStore
from tests.simulation import audit
from tests.simulation.audit.books import Broken
from tests.simulation.disk import Disk, Faults
from tests.simulation.plan import Plan
from tests.simulation.world import World, simulate


@pytest.fixture(autouse=True)
def _log_as_before() -> Any:
    yield
    structlog.reset_defaults()


def short(**changes: Any) -> Plan:
    """A few people for a few seconds, and nothing goes wrong."""
    plan: dict[str, Any] = {
        "kind": "alone",
        "to_the_end": False,
        "bus": "none",
        "processes": 1,
        "faults": Faults(),
        "cut": 0.0,
        "drop": 0.0,
        "repeat": 0.0,
        "mischief_s": None,
        "people": 20,
        "play_s": 3.0,
        "analytics": False,
        "suspicious": True,
    }
    return Plan(**(plan | changes))


def breaks(plan: Plan | None = None) -> str:
    with pytest.raises(Broken) as broken:
        simulate(1, plan=plan or short())
    return str(broken.value)


def test_without_faults_all_is_well() -> None:
    tally = simulate(1, plan=short(kind="calm"))
    assert tally["steps"] > 100
    assert tally["told"] > 100


def test_an_exception_in_a_spawned_task_is_noticed() -> None:
    async def due(self: Deadlines, resident: object) -> None:
        raise KeyError("a bug in a deadline")

    with patch.object(Deadlines, "due", due):
        assert "a bug in a deadline" in breaks()


def test_a_round_that_fails_is_noticed() -> None:
    async def tidy(self: Keeper) -> None:
        raise KeyError("a bug in a round")

    with patch.object(Keeper, "tidy", tidy):
        assert "a bug in a round" in breaks()


def test_an_exception_that_nobody_retrieves_is_noticed() -> None:
    async def fail() -> None:
        raise KeyError("a bug in a task")

    start = Keeper.start

    def start_and_forget(self: Keeper) -> None:
        start(self)
        asyncio.get_running_loop().create_task(fail())

    with patch.object(Keeper, "start", start_and_forget):
        assert "a bug in a task" in breaks()


def test_a_step_that_is_told_before_it_is_durable_is_noticed() -> None:
    """The store says that all is well, and forgets every tenth change."""
    answered = Counter[str]()
    real = SqliteStore._answer

    def forgetful(self: Any, answers: Any) -> None:
        answered["groups"] += 1
        if answered["groups"] % 50 == 0:
            connection = self._disk.connection
            connection.execute("PRAGMA foreign_keys = OFF")
            newest = connection.execute(
                "SELECT match_number, max(version) AS version FROM journal WHERE kind = 'act'"
            ).fetchone()
            connection.execute("DROP TRIGGER IF EXISTS journal_kept")
            connection.execute(
                "DELETE FROM journal WHERE match_number = ? AND version = ?", tuple(newest)
            )
        real(self, answers)

    with patch.object(SqliteStore, "_answer", forgetful):
        assert breaks()


@pytest.mark.parametrize(
    ("damage", "noticed"),
    [
        ("UPDATE account SET balance = balance + 1 WHERE kind = 'wallet'", "money"),
        ("UPDATE rating SET wins = wins + 1", "counts"),
        ("UPDATE seat SET rating_delta = rating_delta + 1 WHERE rating_delta > 0", "ratings"),
        ("UPDATE match SET version = version + 1 WHERE status = 'finished'", "journal"),
        ("UPDATE match SET winner = 1 - winner WHERE game = 'connect4' AND winner >= 0", "end as"),
        ("UPDATE match SET winner = 1 - winner WHERE game = 'quarto' AND winner >= 0", "end as"),
        ("UPDATE journal SET seat = 1 - seat WHERE kind = 'act'", ""),
        ("UPDATE presence SET process_id = 'ghost', connection = 'x'", "held by the dead"),
        ("INSERT INTO lease VALUES ('ghost', 1)", "was never ended"),
    ],
)
def test_damaged_books_are_noticed(damage: str, noticed: str) -> None:
    async def damaged(self: World) -> Any:
        connection = self.disk.connection
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        assert connection.execute(damage).rowcount > 0
        return await verdict(self)

    verdict = World.verdict
    with patch.object(World, "verdict", damaged):
        assert noticed in breaks(short(play_s=24.0))


def test_the_auditor_knows_nothing_of_parlour() -> None:
    files = list(Path(next(iter(audit.__path__))).rglob("*.py"))
    assert len(files) > 8
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                assert not name.startswith("parlour"), f"{file.name} imports {name}"
                if name.startswith("tests."):
                    assert name.startswith("tests.simulation.audit"), f"{file.name}: {name}"


def test_a_disk_fails_as_often_as_it_should() -> None:
    tally = Counter[str]()
    from random import Random  # noqa: PLC0415 (only here)

    disk = Disk(Random(1), Faults(lost_answer=1.0), tally, far=False)
    way = disk.way()
    way.execute("BEGIN")
    with pytest.raises(Exception, match="the answer was lost"):
        way.execute("COMMIT")
    assert tally["lost answer"] == 1
    disk.close()
