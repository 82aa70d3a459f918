"""What the metrics and the logs tell an operator."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import pytest
import structlog
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from parlour.app import assemble
from parlour.net import logs
from parlour.net.metrics import BOUNDS_SEC, Metrics
from parlour.settings import Settings
from parlour.store.queries import Overdue
from tests.servers.parlour import Served, serving


def samples(metrics: Metrics) -> dict[tuple[str, str, str], float]:
    return {
        (sample.name, sample.labels.get("surface", ""), sample.labels.get("le", "")): sample.value
        for family in text_string_to_metric_families(metrics.exposition().decode())
        for sample in family.samples
    }


def test_handling_times_are_counted_by_surface() -> None:
    metrics = Metrics(500)
    quick, slow = metrics.surface("quick"), metrics.surface("slow")
    assert metrics.surface("quick") is quick
    for _ in range(10):
        quick.took(0.0004)
    slow.took(BOUNDS_SEC[3])
    slow.took(60)
    told = samples(metrics)
    name = "parlour_handling_seconds"
    assert told[f"{name}_bucket", "quick", "0.0005"] == 10
    assert told[f"{name}_count", "quick", ""] == 10
    assert told[f"{name}_sum", "quick", ""] == pytest.approx(0.004)
    assert told[f"{name}_bucket", "slow", "0.0025"] == 0
    assert told[f"{name}_bucket", "slow", "0.005"] == 1
    assert told[f"{name}_bucket", "slow", "2.5"] == 1
    assert told[f"{name}_bucket", "slow", "+Inf"] == 2


def test_what_is_counted_elsewhere_is_told_as_it_stands() -> None:
    metrics, count = Metrics(500), 3
    metrics.count("parlour_overlong_reads", "Reads.", lambda: count)
    assert samples(metrics)["parlour_overlong_reads_total", "", ""] == 3
    count = 4
    assert samples(metrics)["parlour_overlong_reads_total", "", ""] == 4


@pytest.mark.spec("B66")
def test_handling_above_the_budget_is_warned_about_but_not_in_a_torrent() -> None:
    surface = Metrics(100).surface("/ws")
    with structlog.testing.capture_logs() as logged:
        surface.took(0.0999)
        for _ in range(1000):
            surface.took(0.2)
    assert len(logged) == 1
    assert logged[0]["log_level"] == "warning"
    assert (logged[0]["surface"], logged[0]["took_ms"]) == ("/ws", 200)


@pytest.mark.spec("B66", "B75")
@pytest.mark.parametrize(("budget_ms", "warnings"), [(0, 1), (60_000, 0)])
def test_the_budget_is_a_setting(budget_ms: int, warnings: int) -> None:
    told = Settings.read({"DATABASE_URL": "sqlite://", "MAX_LATENCY_MS": str(budget_ms)})
    with structlog.testing.capture_logs() as logged, serving(told) as served:
        served.ask("GET", "/api/health")
    slow = [entry["surface"] for entry in logged if entry["event"] == "slow"]
    assert slow.count("GET /api/health") == warnings


def test_prometheus_can_read_what_a_server_tells(served: Served) -> None:
    for _ in range(3):
        served.ask("GET", "/api/health")
    served.ask("GET", "/api/some/where")
    answer = served.ask("GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    names = {family.name for family in text_string_to_metric_families(answer.text)}
    assert {"parlour_handling_seconds", "parlour_sockets", "process_cpu_seconds"} <= names
    assert 'parlour_handling_seconds_count{surface="GET /api/health"} 3.0' in answer.text
    assert "/api/some/where" not in answer.text


@pytest.mark.spec("A149")
def test_logs_are_one_json_object_a_line_with_the_match() -> None:
    stream = io.StringIO()
    root, config = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers, root.level
    try:
        logs.configure(stream)
        with structlog.contextvars.bound_contextvars(match_id="m1"):
            structlog.get_logger().info("step", seat=0)
            try:
                int("no\nsuch\nthing")
            except ValueError:
                structlog.get_logger().exception("unexpected error")
        logging.getLogger("some.library").warning("careful: %s", "\n{}")
        logging.getLogger("uvicorn.error").info("chatter")
    finally:
        root.handlers, root.level = handlers, level
        structlog.configure(**config)
    first, second, third = map(json.loads, stream.getvalue().splitlines())
    assert (first["event"], first["match_id"], first["seat"]) == ("step", "m1", 0)
    assert first["level"] == "info"
    assert first["timestamp"].endswith("Z")
    assert "ValueError" in second["exception"]
    assert second["match_id"] == "m1"
    assert third["event"] == "careful: \n{}"


async def test_what_the_server_cannot_see_to_is_counted(tmp_path: Path) -> None:
    services = assemble(replace(Settings(), database_url=f"sqlite:///{tmp_path}/parlour.db"))
    name = 'parlour_set_aside{what="overdue match"}'
    assert f"{name} 0.0" in services.metrics.exposition().decode()
    worklist = next(each for each in services.kernel.keeper.worklists if each.what in name)

    async def broken(_: object) -> None:
        raise ValueError

    async def one(after: object, _: int) -> list[Overdue]:
        return [] if after else [Overdue("match", 1)]

    with capture_logs():
        await worklist.work(one, broken)
    assert f"{name} 1.0" in services.metrics.exposition().decode()
