"""Stores that are closed whatever becomes of a test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from parlour.store.api import Store, open_store


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """The store at that address, for as long as it is needed."""
    store = open_store(url)
    await store.start()
    try:
        yield store
    finally:
        await store.close()
