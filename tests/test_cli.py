"""The command `parlour`, run as an operator runs it."""

from __future__ import annotations

import signal
import socket
import sqlite3
from pathlib import Path

import pytest

import parlour
from parlour.settings import field_of
from tests.servers import plain
from tests.servers.commands import run, serving


def test_version(tmp_path: Path) -> None:
    assert run(tmp_path, "version", fresh=True).stdout.strip() == parlour.__version__


def test_help_names_every_command(tmp_path: Path) -> None:
    said = run(tmp_path, "--help", fresh=True).stdout
    for command in ("serve", "settings", "migrate", "version"):
        assert command in said


def test_settings_are_listed_with_value_default_and_meaning(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("TURN_LIMIT_SEC=7.5\n")
    url = "postgresql://me:hidden@db/parlour"
    said = run(tmp_path, "settings", fresh=True, DATABASE_URL=url).stdout
    (turn_limit,) = [row for row in said.splitlines() if row.startswith("TURN_LIMIT_SEC")]
    assert turn_limit.split()[:3] == ["TURN_LIMIT_SEC", "7.5", "60"]
    assert "time for a turn" in turn_limit
    assert "hidden" not in said
    assert all(field.upper() in said for field in field_of().values())


@pytest.mark.parametrize("command", ["serve", "settings", "migrate"])
def test_a_wrong_setting_stops_it_with_one_clear_line(tmp_path: Path, command: str) -> None:
    ended = run(tmp_path, command, PORT="eighty")
    assert ended.returncode == 2
    assert ended.stderr == "parlour: PORT: expected a whole number, got 'eighty'\n"
    (tmp_path / ".env").write_text("PROT=8080\n")
    ended = run(tmp_path, command)
    assert ended.returncode == 2
    assert ended.stderr == "parlour: .env line 1: there is no setting named PROT\n"
    assert not list(tmp_path.glob("*.db"))


def test_a_port_in_use_stops_it_with_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = run(tmp_path, "serve", PORT=str(port), DATABASE_URL="sqlite://")
    assert ended.returncode != 0
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert str(port) in ended.stderr


@pytest.mark.parametrize("host", ["no such host", "a" * 70 + ".example", "\udcff"])
def test_a_host_that_is_none_stops_it_with_one_clear_line(tmp_path: Path, host: str) -> None:
    ended = run(tmp_path, "serve", HOST=host, PORT="0", DATABASE_URL="sqlite://")
    assert ended.returncode != 0
    assert len(ended.stderr.splitlines()) == 1, ended.stderr


@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_a_database_out_of_reach_stops_it_with_one_clear_line(tmp_path: Path, command: str) -> None:
    ended = run(tmp_path, command, DATABASE_URL="postgresql://me:hidden@127.0.0.1:1/parlour")
    assert ended.returncode != 0
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert "hidden" not in ended.stderr


@pytest.mark.spec("C103")
@pytest.mark.parametrize("words", [("audit",), ("mint", "ann", "5", "--yes")])
def test_admin_looks_after_a_database_that_is_there(tmp_path: Path, words: tuple[str, ...]) -> None:
    ended = run(tmp_path, "admin", *words, DATABASE_URL=f"sqlite:///{tmp_path}/typo.db")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"parlour: there is no database {tmp_path}/typo.db\n"
    assert not list(tmp_path.iterdir())
    (tmp_path / "empty.db").touch()
    ended = run(tmp_path, "admin", *words, DATABASE_URL=f"sqlite:///{tmp_path}/empty.db")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "parlour migrate" in ended.stderr
    assert [path.stat().st_size for path in tmp_path.iterdir()] == [0]


@pytest.mark.spec("C103")
@pytest.mark.parametrize("url", ["sqlite://", "postgresql://me:hidden@127.0.0.1:1/parlour"])
def test_admin_stops_with_one_clear_line_without_a_database(tmp_path: Path, url: str) -> None:
    ended = run(tmp_path, "admin", "audit", fresh=True, DATABASE_URL=url)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert ended.stderr.startswith("parlour: ")
    assert "hidden" not in ended.stderr


def test_migrate_makes_the_database(tmp_path: Path) -> None:
    ended = run(tmp_path, "migrate", fresh=True, DATABASE_URL=f"sqlite:///{tmp_path}/new.db")
    assert ended.returncode == 0, ended.stderr
    with sqlite3.connect(tmp_path / "new.db") as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    database.close()
    assert {"match", "user", "journal"} <= tables
    assert run(tmp_path, "migrate", DATABASE_URL=f"sqlite:///{tmp_path}/new.db").returncode == 0


@pytest.mark.spec("B63")
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_it_is_told_to_stop(tmp_path: Path, told: signal.Signals) -> None:
    with serving(tmp_path, fresh=True, POWERUP_SHUFFLE_COST="3") as (process, url):
        guest = plain.post(f"{url}/api/auth/guest").json()
        assert guest["user"]["isGuest"]
        process.send_signal(told)
        _, logged = process.communicate(timeout=20)
        assert process.returncode == 0, logged
        assert f'"url": "{url}"' in logged
        assert logged.count("POWERUP_SHUFFLE_COST has no effect") == 1
    assert (tmp_path / "parlour.db").exists()


@pytest.mark.spec("A3", "A5")
def test_what_was_promised_survives_a_restart_and_a_kill(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, url):
        guest = plain.post(f"{url}/api/auth/guest", json={"username": "Survivor"}).json()
        keys = plain.get(f"{url}/.well-known/jwks.json").json()
        process.kill()
    with serving(tmp_path) as (_, url):
        assert plain.get(f"{url}/.well-known/jwks.json").json() == keys
        taken = plain.post(f"{url}/api/auth/guest", json={"username": "survivor"})
        assert taken.json()["code"] == "USERNAME_TAKEN"
        headers = {"Authorization": f"Bearer {guest['token']}"}
        again = plain.get(f"{url}/api/users/me", headers=headers)
        assert (again.status_code, again.json()) == (200, guest["user"])
