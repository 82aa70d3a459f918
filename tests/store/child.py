"""A process that commits moves as fast as it can and says which are durable, until it is killed."""

from __future__ import annotations

import asyncio
import sys

from parlour.store.api import Store, open_store
from tests.store.rows import advance, create, entry, event, make

MATCHES = 20


async def play(store: Store, match_id: str) -> None:
    version = 0
    while True:
        version += 1
        row = (advance(version, match_id),) if version % 3 == 0 else ()
        await make(store, entry(version, match_id), *row, event(match_id))
        sys.stdout.write(f"{match_id} {version}\n")
        sys.stdout.flush()


async def main(url: str) -> None:
    store = open_store(url)
    await store.start()
    matches = [f"m{number}" for number in range(MATCHES)]
    for match_id in matches:
        await make(store, create(match_id))
    await asyncio.gather(*(play(store, match_id) for match_id in matches))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
