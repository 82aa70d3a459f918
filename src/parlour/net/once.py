"""Requests that must not take effect twice: `Idempotency-Key`.

The answer is kept in the same commit as what it tells of. So a client that heard nothing may ask
again with the same key: either nothing happened and it happens now, or it gets the same answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import blake2b

import msgspec
from msgspec import Struct
from sqlalchemy import bindparam, select

from parlour.games.api import Millis, Refused
from parlour.net.auth import SignedIn
from parlour.net.drf import Rejected
from parlour.play.runtime import Runtime
from parlour.store.change import Change, ForgetAnswers, KeepAnswer, StoreError, Write
from parlour.store.schema import kept_answer

HEADER = "Idempotency-Key"
LONGEST = 255
KEPT_MS: Millis = 24 * 3600 * 1000
TIDY_SEC = 600.0

_KEPT = select(kept_answer).where(
    kept_answer.c.user_id == bindparam("user_id"), kept_answer.c.key == bindparam("key")
)

Keep = Callable[[Callable[[], bytes]], tuple[Write, ...]]
"""What must be committed together with the effect, given how to make the answer that tells of it.

The answer is made from nothing but the effect, so whoever is answered first gets the same bytes.
"""


class Asked(Struct, frozen=True):
    """A request that bears a key, and what it asks for."""

    user_id: str
    key: str
    fingerprint: str


class Once:
    """Keeps the answers of requests that bear a key for a day."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def answer(
        self,
        request: SignedIn,
        key: str | None,
        asks: Struct | None,
        do: Callable[[Keep], Awaitable[bytes]],
    ) -> bytes:
        """What `do` answers, or what it answered when this very request was first made."""
        asked = None if key is None else _asked(request, key, asks)
        if asked is None:
            return await do(lambda _: ())
        kept = await self._kept(asked)
        if kept is not None:
            return kept

        def keep(answer: Callable[[], bytes]) -> tuple[Write, ...]:
            return (
                KeepAnswer(
                    user_id=asked.user_id,
                    key=asked.key,
                    fingerprint=asked.fingerprint,
                    answer=answer(),
                    created_at=self._runtime.clock(),
                ),
            )

        try:
            return await do(keep)
        except (Refused, Rejected, StoreError):
            # Refused perhaps because the same request, made twice at once, was granted.
            kept = await self._kept(asked)
            if kept is None:
                raise
            return kept

    async def _kept(self, asked: Asked) -> bytes | None:
        row = await self._runtime.store.row(_KEPT, user_id=asked.user_id, key=asked.key)
        if row is None:
            return None
        if row["created_at"] <= self._runtime.clock() - KEPT_MS:
            await self.tidy()
            return None
        if row["fingerprint"] != asked.fingerprint:
            raise Rejected(
                422, "idempotency_key_reused", f"This {HEADER} was used for another request."
            )
        answer: bytes = row["answer"]
        return answer

    async def tidy(self) -> None:
        """Forget what need not be kept any more."""
        before = self._runtime.clock() - KEPT_MS + 1
        await self._runtime.store.commit(Change((ForgetAnswers(before=before),)))


def _asked(request: SignedIn, key: str, asks: Struct | None) -> Asked:
    if not (0 < len(key) <= LONGEST and key.isascii() and key.isprintable()):
        raise Rejected.fields({HEADER: [f"Use 1 to {LONGEST} printable ASCII characters."]})
    return Asked(request.user.id, key, _fingerprint(request, asks))


def _fingerprint(request: SignedIn, asks: Struct | None) -> str:
    """The same for the same request, however its JSON was laid out."""
    what = (request.method, request.url.path, asks)
    return blake2b(msgspec.json.encode(what), digest_size=16).hexdigest()
