"""The key that signs guests' tokens: made by whichever process comes first, kept in the store."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from jwt import PyJWK
from jwt.algorithms import OKPAlgorithm
from sqlalchemy import bindparam, select

from parlour.games.api import Millis
from parlour.store.api import Store
from parlour.store.change import Change, SigningKeyRow, Taken, Unavailable
from parlour.store.schema import signing_key

KID = "guest-1"
"""One name for all processes, so that the store lets only one of them make the key."""

_KEY = select(signing_key.c.private_pem).where(signing_key.c.kid == bindparam("kid"))


class GuestKey:
    """Signs guests' tokens, and is the source of the key that verifies them."""

    issuer = "parlour"

    def __init__(self, private_pem: str) -> None:
        private = load_pem_private_key(private_pem.encode(), password=None)
        if not isinstance(private, Ed25519PrivateKey):
            raise TypeError("the guests' key in the store is no Ed25519 key")
        self._private = private
        self.public_jwk: dict[str, Any] = {
            **OKPAlgorithm.to_jwk(private.public_key(), as_dict=True),
            "kid": KID,
            "use": "sig",
            "alg": "EdDSA",
        }
        self._public = PyJWK(self.public_jwk)

    @classmethod
    async def load(cls, store: Store, now: Millis) -> GuestKey:
        """The stored key; a new one if there is none, or another process' if that was quicker."""
        row = await store.row(_KEY, kid=KID)
        if row is None:
            new = SigningKeyRow(kid=KID, private_pem=_new_pem(), created_at=now)
            # Another process made it, or the store could not say: what it holds now decides.
            with suppress(Taken, Unavailable):
                await store.commit(Change((new,)))
            row = await store.row(_KEY, kid=KID)
        if row is None:
            raise LookupError("the guests' key was neither found nor made")
        return cls(row["private_pem"])

    def sign(self, claims: dict[str, Any]) -> str:
        """A signed token."""
        return jwt.encode(claims, self._private, algorithm="EdDSA", headers={"kid": KID})

    async def key(self, kid: str) -> PyJWK | None:
        """The public key, if it is asked for by its name."""
        return self._public if kid == KID else None

    async def close(self) -> None:
        """Nothing is open."""


def _new_pem() -> str:
    private = Ed25519PrivateKey.generate()
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
