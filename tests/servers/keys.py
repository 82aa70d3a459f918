"""A token issuer elsewhere: keys of its own, tokens signed with them, and a real key server."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as new_ec_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key as new_rsa_key
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

NEVER = -1


class Keys:
    """The keys an issuer holds, by name."""

    def __init__(self) -> None:
        self._private: dict[str, tuple[str, Any]] = {}

    def make(self, kid: str, algorithm: str = "RS256") -> None:
        """A new key of that name."""
        private: Any
        if algorithm == "RS256":
            private = new_rsa_key(65537, 2048)
        elif algorithm == "ES256":
            private = new_ec_key(SECP256R1())
        else:
            private = Ed25519PrivateKey.generate()
        self._private[kid] = (algorithm, private)

    def withdraw(self, kid: str) -> None:
        """As if there had never been one."""
        del self._private[kid]

    def private(self, kid: str) -> Any:
        return self._private[kid][1]

    def jwks(self) -> dict[str, Any]:
        """What the key server answers."""
        return {"keys": [self.public(kid) for kid in self._private]}

    def public(self, kid: str) -> dict[str, Any]:
        algorithm, private = self._private[kid]
        kind: Any = {"RS256": RSAAlgorithm, "ES256": ECAlgorithm, "EdDSA": OKPAlgorithm}[algorithm]
        jwk = kind.to_jwk(private.public_key(), as_dict=True)
        return {**jwk, "kid": kid, "use": "sig", "alg": algorithm}

    def token(self, kid: str, claims: dict[str, Any], headers: dict[str, Any] | None = None) -> str:
        """A token signed with that key. `exp` is in an hour unless given; NEVER leaves it out."""
        now = int(time.time())
        full = {"iat": now, "exp": now + 3600, **claims}
        full = {name: value for name, value in full.items() if value != NEVER}
        algorithm, private = self._private[kid]
        return jwt.encode(full, private, algorithm, headers={"kid": kid, **(headers or {})})


class KeyServer:
    """Answers with the keys, counts who asks, and can be away."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.asked = 0
        self.away = False
        self.answer: bytes | None = None
        """What to answer instead of the keys."""
        self.ready = threading.Event()
        self.ready.set()
        """Cleared: the answer waits."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked += 1
                outer.ready.wait(10)
                if outer.away:
                    self.send_error(503)
                    return
                body = outer.answer or json.dumps(outer.keys.jwks()).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @contextmanager
    def running(self) -> Iterator[KeyServer]:
        self._thread.start()
        try:
            yield self
        finally:
            self.ready.set()
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
