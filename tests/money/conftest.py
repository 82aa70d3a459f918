"""What tests of money share: a way past all that guards it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Coroutine
from typing import Any

import asyncpg
import pytest

Meddle = Callable[..., Coroutine[Any, Any, None]]


@pytest.fixture
def meddle(database: str) -> Meddle:
    """Changes the database behind everyone's back, past triggers and foreign keys."""

    async def on_sqlite(*statements: str) -> None:
        connection = sqlite3.connect(database.removeprefix("sqlite:///"))
        try:
            triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in triggers.fetchall():
                connection.execute(f'DROP TRIGGER "{name}"')
            for statement in statements:
                connection.execute(statement)
            connection.commit()
        finally:
            connection.close()

    async def on_postgres(*statements: str) -> None:
        connection = await asyncpg.connect(database)
        try:
            await connection.execute("SET session_replication_role = replica")
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    return on_sqlite if database.startswith("sqlite") else on_postgres
