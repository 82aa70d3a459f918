"""Requests over connections that are not encrypted, as all of the tests' are.

httpx would read every certificate of the machine for each client it makes, and for each request
that has no client: that costs fifteen times what the request does.
"""

from __future__ import annotations

import ssl
from functools import partial

import httpx

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""It trusts nobody; nobody asks it."""

request = partial(httpx.request, verify=NO_TLS)
get = partial(httpx.get, verify=NO_TLS)
post = partial(httpx.post, verify=NO_TLS)
stream = partial(httpx.stream, verify=NO_TLS)
Transport = partial(httpx.HTTPTransport, verify=NO_TLS)
Client = partial(httpx.Client, verify=NO_TLS)
AsyncClient = partial(httpx.AsyncClient, verify=NO_TLS)
