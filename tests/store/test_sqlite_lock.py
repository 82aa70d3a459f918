"""One server per SQLite file, as an operator meets it: real processes, ended in every way."""

from __future__ import annotations

import json
import signal
import sqlite3
from pathlib import Path

import pytest

from parlour.store.change import Unavailable
from parlour.store.sqlite.lock import serving as holding
from tests.servers import plain
from tests.servers.commands import run, serving


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "games.db"


@pytest.fixture
def urls(tmp_path: Path, file: Path) -> list[str]:
    """Several ways to name one file."""
    file.parent.mkdir()
    (tmp_path / "by-folder").symlink_to(file.parent)
    (tmp_path / "by-file.db").symlink_to(file)
    names = (file, "data/../data/games.db", "by-folder/games.db", "by-file.db")
    return [f"sqlite:///{name}" for name in names]


def test_a_second_server_on_a_file_is_refused_by_whatever_name(
    tmp_path: Path, file: Path, urls: list[str]
) -> None:
    with serving(tmp_path, DATABASE_URL=urls[0]) as (process, url):
        before = plain.post(f"{url}/api/auth/guest", json={"username": "Ann"})
        for other in urls[1:]:
            refused = run(tmp_path, "serve", PORT="0", DATABASE_URL=other)
            assert refused.returncode != 0
            (line,) = refused.stderr.splitlines()
            problem = json.loads(line)["problem"]
            assert str(file) in problem
            assert f"process {process.pid}" in problem
            assert "DATABASE_URL" in problem
        assert before.status_code == 201
        assert plain.get(f"{url}/api/health").status_code == 200


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGKILL])
def test_when_a_server_ends_the_next_may_begin_at_once(
    tmp_path: Path, ended_by: signal.Signals
) -> None:
    with serving(tmp_path) as (process, url):
        assert plain.post(f"{url}/api/auth/guest", json={"username": "Ann"}).status_code == 201
        process.send_signal(ended_by)
        process.wait(timeout=20)
        with serving(tmp_path) as (_, again):
            taken = plain.post(f"{again}/api/auth/guest", json={"username": "ann"})
            assert taken.json()["code"] == "USERNAME_TAKEN"


def test_an_operator_works_beside_a_running_server(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, url):
        assert plain.post(f"{url}/api/auth/guest", json={"username": "Ann"}).status_code == 201
        assert run(tmp_path, "migrate").returncode == 0
        minted = run(tmp_path, "admin", "mint", "Ann", "5", "--yes")
        assert minted.returncode == 0, minted.stderr
        with sqlite3.connect(tmp_path / "parlour.db") as backup:
            backup.execute("VACUUM INTO ?", (str(tmp_path / "backup.db"),))
        backup.close()
        with serving(tmp_path, DATABASE_URL="sqlite:///backup.db") as (_, copy):
            taken = plain.post(f"{copy}/api/auth/guest", json={"username": "ann"})
            assert taken.json()["code"] == "USERNAME_TAKEN"


def test_servers_that_keep_nothing_are_not_in_each_others_way() -> None:
    with holding("sqlite://", alone=True), holding("sqlite://", alone=True):
        pass


def test_who_shares_a_bus_shares_the_file_but_with_nobody_else(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    with (
        holding(url, alone=False),
        holding(url, alone=False),
        pytest.raises(Unavailable, match=r"games\.db"),
        holding(url, alone=True),
    ):
        pass
    with holding(url, alone=True):
        for alone in (True, False):
            with pytest.raises(Unavailable), holding(url, alone=alone):
                pass
    assert [path.name for path in tmp_path.iterdir()] == ["games.db.lock"]


def test_a_folder_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    refused = run(tmp_path, "serve", PORT="0", DATABASE_URL="sqlite:///nowhere/games.db")
    assert refused.returncode != 0
    (line,) = refused.stderr.splitlines()
    assert "nowhere" in line
