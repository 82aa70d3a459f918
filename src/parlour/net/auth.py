"""Guards for routes: who asks? A token that is given must be good, even where none is needed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler

from parlour.net.limits import Who, address_of
from parlour.net.services import Services
from parlour.people.tokens import BadToken
from parlour.people.users import User

SignedIn = Request[User, Any, State]
"""The request of a route guarded by `signed_in`: `request.user` is who asks."""

MaybeSignedIn = Request[User | None, Any, State]
"""The request of a route guarded by `maybe_signed_in`."""

BEARER: list[dict[str, list[str]]] = [{"bearer": []}]
"""For a route's `security`: it needs a token."""


def bearer_token(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The token of an `Authorization` header; None if there is no such header.

    A header that holds no bearer token gives the empty one, which nobody believes.
    """
    for name, value in headers:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").strip().partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return None


async def signed_in(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Lets through who has a good token."""
    token = bearer_token(connection.scope["headers"])
    if token is None:
        raise BadToken("none given")
    address = address_of(connection.scope)
    connection.scope["user"] = await _services(connection).user_of(token, address)


async def maybe_signed_in(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Lets through who has a good token, and who has none."""
    token = bearer_token(connection.scope["headers"])
    if token is None:
        connection.scope["user"] = None
    else:
        await signed_in(connection, handler)


def who_asks(request: SignedIn) -> Who:
    """Whose rate limits a signed-in request counts for."""
    return Who(request.user.subject, address_of(request.scope))


def _services(connection: ASGIConnection[Any, Any, Any, Any]) -> Services:
    services: Services = connection.app.state.services
    return services
