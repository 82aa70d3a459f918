"""How two servers on one PostgreSQL hear of each other: through Redis, or through PostgreSQL."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["over redis", "over postgres"])
def shared_redis(request: pytest.FixtureRequest) -> str | None:
    """The `redis_url` of both servers; None: they have nothing but the database."""
    if request.param == "over postgres":
        return None
    url: str = request.getfixturevalue("redis_url")
    return url
