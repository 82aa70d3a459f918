"""What an operator is told: in the log at warning, and counted in the metrics."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from parlour.app import assemble
from parlour.games.connect_five.alarms import Alarms
from parlour.settings import Settings
from tests.servers.parlour import Served, serving
from tests.wire.connect_five.conftest import set_clock
from tests.wire.connect_five.people import C5, pair, playing, win

Logs = list[Any]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "parlour.db"


@pytest.fixture
def logs() -> Iterator[Logs]:
    with capture_logs() as captured:
        yield captured


def on(file: Path, **settings: Any) -> Settings:
    return Settings.given(database_url=f"sqlite:///{file}", **settings)


def tamper(file: Path, sql: str) -> None:
    """Change the database behind everybody's back."""
    with closing(sqlite3.connect(file, timeout=10)) as connection:
        connection.executescript(sql)


def counted(served: Served, what: str) -> float:
    lines = served.ask("GET", "/metrics").text.splitlines()
    name = f"parlour_connect_five_{what}_total"
    return next(float(line.split()[1]) for line in lines if line.startswith(name))


def warned(logs: Logs, event: str) -> list[Any]:
    return [each for each in logs if each["event"] == event and each["log_level"] == "warning"]


@pytest.mark.spec("C15", "C53", "C101", "C104")
def test_a_timeout_that_only_the_sweep_found(file: Path, logs: Logs) -> None:
    with serving(on(file)) as served:
        match, _, _ = playing(*pair(served))
    with serving(on(file), alter=partial(set_clock, 300_000)) as served:
        while not counted(served, "timeouts_swept"):
            time.sleep(0.05)
        (warning,) = warned(logs, "overdue")
        assert (warning["match_id"], warning["game"]) == (match["uuid"], "connect_five")


@pytest.mark.spec("C104")
def test_a_pot_that_does_not_hold_what_the_match_counts(file: Path, logs: Logs) -> None:
    with serving(on(file)) as served:
        match, first, second = playing(*pair(served))
        tamper(file, "UPDATE escrow SET a_contrib = a_contrib + 5, total = total + 5")
        win(match, first, second)
        while not counted(served, "escrow_mismatches"):
            time.sleep(0.05)
        (warning,) = warned(logs, "escrow mismatch")
        challenge = first.get(f"{C5}/challenges/{match['challenge']}")
        assert warning["subject"] == challenge["uuid"]
        assert "(105, 100)" in warning["what"]


@pytest.mark.spec("C41", "C104")
def test_a_pot_settled_before_its_match_is_over(file: Path, logs: Logs) -> None:
    with serving(on(file)) as served:
        match, first, _ = playing(*pair(served))
        tamper(file, "UPDATE escrow SET status = 'settled', how = 'refunded', settled_at = 1")
        before = first.look(match)
        assert first.buy(match, "H2", status=409)["code"] == "conflict"
        assert first.look(match) | {"server_time": ""} == before | {"server_time": ""}
        assert first.balance == 900
        assert counted(served, "escrow_mismatches") == 1
        assert len(warned(logs, "escrow mismatch")) == 1


@pytest.mark.spec("C104")
def test_a_step_that_the_database_refuses_for_no_known_reason(file: Path, logs: Logs) -> None:
    with serving(on(file)) as served:
        match, first, _ = playing(*pair(served))
        tamper(
            file,
            """CREATE TRIGGER never BEFORE INSERT ON journal
            BEGIN SELECT RAISE(ABORT, 'secret_rule'); END""",
        )
        answer = first.move(match, 0, 0, status=500)
        assert "secret" not in str(answer)
        assert counted(served, "unexpected_transitions") == 1
        (warning,) = warned(logs, "unexpected transition")
        assert warning["subject"] == match["uuid"]
        tamper(file, "DROP TRIGGER never")
        first.move(match, 0, 0)


@pytest.mark.spec("C104")
async def test_a_match_that_comes_back_from_the_dead(served: Served, logs: Logs) -> None:
    match, _, _ = playing(*pair(served))
    live = served.run(served.services.kernel.finder.find(match["uuid"]))
    assert live is not None
    services = assemble(Settings(database_url="sqlite://"))
    alarms = Alarms(services)
    before, after = live, live
    alarms.stepped(before, after)
    assert warned(logs, "unexpected transition") == []
    before = replace(live, status="cancelled")
    alarms.stepped(before, after)
    (warning,) = warned(logs, "unexpected transition")
    assert warning["what"] == "cancelled became active"
