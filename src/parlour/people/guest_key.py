"""The key that signs guests' tokens: made by whichever process comes first, kept in the store.

What signs and verifies is loaded when the key is first used.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from parlour.games.api import Millis
from parlour.store.api import Store
from parlour.store.change import Change, SigningKeyRow, Taken, Unavailable
from parlour.store.schema import signing_key

if TYPE_CHECKING:
    from jwt import PyJWK

    from parlour.people.signing import Signing

KID = "guest-1"
"""One name for all processes, so that the store lets only one of them make the key."""

_KEY = select(signing_key.c.private_pem).where(signing_key.c.kid == bindparam("kid"))


class GuestKey:
    """Signs guests' tokens, and is the source of the key that verifies them."""

    issuer = "parlour"

    def __init__(self, private_pem: str) -> None:
        self._private_pem = private_pem

    @classmethod
    async def load(cls, store: Store, now: Millis) -> GuestKey:
        """The stored key; a new one if there is none, or another process' if that was quicker."""
        row = await store.row(_KEY, kid=KID)
        if row is None:
            from parlour.people.signing import new_pem  # noqa: PLC0415 (see above)

            new = SigningKeyRow(kid=KID, private_pem=new_pem(), created_at=now)
            # Another process made it, or the store could not say: what it holds now decides.
            with suppress(Taken, Unavailable):
                await store.commit(Change((new,)))
            row = await store.row(_KEY, kid=KID)
        if row is None:
            raise LookupError("the guests' key was neither found nor made")
        return cls(row["private_pem"])

    @cached_property
    def signing(self) -> Signing:
        """What it can do."""
        from parlour.people.signing import Signing  # noqa: PLC0415 (see above)

        return Signing(self._private_pem, KID)

    @property
    def public_jwk(self) -> dict[str, Any]:
        """The public key, for others."""
        return self.signing.public_jwk

    def sign(self, claims: dict[str, Any]) -> str:
        """A signed token."""
        return self.signing.sign(claims)

    async def key(self, kid: str) -> PyJWK | None:
        """The public key, if it is asked for by its name."""
        return self.signing.public if kid == KID else None

    async def close(self) -> None:
        """Nothing is open."""
