"""What tests of people share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from parlour.store.api import Store
from tests.servers.stores import opened


@pytest.fixture
async def memory_store() -> AsyncIterator[Store]:
    """A store for tests in which it plays no part: nothing is kept."""
    async with opened("sqlite://") as store:
        yield store
