"""What an Ed25519 key does for guests' tokens. Loading what it takes is a twentieth of a start."""

from __future__ import annotations

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


class Signing:
    """Signs, and has the public key that others verify with."""

    def __init__(self, private_pem: str, kid: str) -> None:
        private = load_pem_private_key(private_pem.encode(), password=None)
        if not isinstance(private, Ed25519PrivateKey):
            raise TypeError("the guests' key in the store is no Ed25519 key")
        self._private = private
        self._kid = kid
        self.public_jwk: dict[str, Any] = {
            **OKPAlgorithm.to_jwk(private.public_key(), as_dict=True),
            "kid": kid,
            "use": "sig",
            "alg": "EdDSA",
        }
        self.public = PyJWK(self.public_jwk)

    def sign(self, claims: dict[str, Any]) -> str:
        """A signed token."""
        return jwt.encode(claims, self._private, algorithm="EdDSA", headers={"kid": self._kid})


def new_pem() -> str:
    """A key that nobody has."""
    private = Ed25519PrivateKey.generate()
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
