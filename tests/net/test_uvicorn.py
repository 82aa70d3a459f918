"""What we continue of uvicorn is what we read when we did so."""

from __future__ import annotations

import inspect
from hashlib import blake2b

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import Server, ServerState


@pytest.mark.parametrize(
    ("continued", "where", "read"),
    [
        (HttpToolsProtocol, "net/http.py", "7803929290cb172a"),
        (RequestResponseCycle, "net/http.py", "ca92fd2c885a2885"),
        (ProxyHeadersMiddleware, "net/short_ways.py", "c5b50a9fcf2bec8c"),
        (FlowControl, "net/http.py", "c65dd06c78e3ca65"),
        (Server, "net/server.py", "a5f82c5541b6b3d9"),
        (ServerState, "net/server.py", "149b61fbc85f713e"),
    ],
)
def test_uvicorn_is_as_it_was(continued: type, where: str, read: str) -> None:
    now = blake2b(inspect.getsource(continued).encode(), digest_size=8).hexdigest()
    assert now == read, f"uvicorn changed {continued.__name__}: see whether {where} still holds"
