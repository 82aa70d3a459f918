"""The public keys of a token issuer elsewhere: fetched when needed, kept when its server is away.

Laws:

* A known key is used at once; fetching never holds up a token whose key is here.
* However many tokens name a key nobody knows, the key server is asked once per gap.
* A fetch that fails, or brings nothing usable, leaves the old keys as they were.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

import structlog
from jwt import PyJWK, PyJWKClient, PyJWTError

FRESH_FOR_SEC = 3600.0
"""Older keys are still used, but asked for again."""
GAP_SEC = 30.0
"""Least time between a fetch and the next one on account of an unknown key."""
GAP_AFTER_FAILURE_SEC = 5.0
FETCH_TIMEOUT_SEC = 5.0

_UNUSABLE = (
    PyJWTError,
    OSError,
    AttributeError,
    KeyError,
    TypeError,
    ValueError,
    RecursionError,
)
"""What comes of an answer that is none, or of an entry that is no key."""

_log = structlog.get_logger()


class RemoteKeys:
    """Keys behind one address, of the pinned algorithms only."""

    def __init__(
        self,
        address: str,
        algorithms: Collection[str],
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = address
        self._algorithms = frozenset(algorithms)
        self._monotonic = monotonic
        self._client = PyJWKClient(address, cache_jwk_set=False, timeout=FETCH_TIMEOUT_SEC)
        self._keys: Mapping[str, PyJWK] = {}
        self._refresh_after = 0.0
        self._ask_again_after = 0.0
        self._fetch: asyncio.Task[None] | None = None

    async def key(self, kid: str) -> PyJWK | None:
        """The key of that name, or None if the issuer has no such key as far as we can tell."""
        now = self._monotonic()
        if known := self._keys.get(kid):
            if now >= self._refresh_after:
                self._refresh()
            return known
        if self._fetch is None and now < self._ask_again_after:
            return None
        # Whoever waits may be cancelled; the fetch that others wait for goes on.
        await asyncio.shield(self._refresh())
        return self._keys.get(kid)

    async def close(self) -> None:
        """Stops a fetch that is under way."""
        if self._fetch is not None:
            self._fetch.cancel()
            with suppress(asyncio.CancelledError):
                await self._fetch

    def _refresh(self) -> asyncio.Task[None]:
        if self._fetch is None:
            self._fetch = asyncio.create_task(self._ask())
            self._fetch.add_done_callback(self._forget_fetch)
        return self._fetch

    def _forget_fetch(self, _: asyncio.Task[None]) -> None:
        self._fetch = None

    async def _ask(self) -> None:
        keys: Mapping[str, PyJWK] = {}
        try:
            answer = await asyncio.wait_for(
                asyncio.to_thread(self._client.fetch_data), 2 * FETCH_TIMEOUT_SEC
            )
            keys = self._usable(answer.get("keys"))
            problem = "" if keys else "no usable key"
        except _UNUSABLE as error:
            problem = str(error) or type(error).__name__
        now = self._monotonic()
        if problem:
            _log.warning("signing keys not fetched", address=self._address, problem=problem)
            self._ask_again_after = self._refresh_after = now + GAP_AFTER_FAILURE_SEC
        else:
            self._keys = keys
            self._ask_again_after = now + GAP_SEC
            self._refresh_after = now + FRESH_FOR_SEC

    def _usable(self, listed: object) -> Mapping[str, PyJWK]:
        """Signing keys of the pinned algorithms; whatever else is listed is passed over."""
        usable: dict[str, PyJWK] = {}
        for each in listed if isinstance(listed, list) else ():
            try:
                key = PyJWK(each)
            except _UNUSABLE:
                continue
            if isinstance(key.key_id, str) and key.public_key_use in {None, "sig"}:
                usable[key.key_id] = key
        return {kid: key for kid, key in usable.items() if key.algorithm_name in self._algorithms}
