"""What tests of people share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from parlour.store.api import Store, open_store


@pytest.fixture
async def memory_store() -> AsyncIterator[Store]:
    """A store for tests in which it plays no part: nothing is kept."""
    opened = open_store("sqlite://")
    await opened.start()
    yield opened
    await opened.close()
