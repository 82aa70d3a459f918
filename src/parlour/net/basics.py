"""Routes that belong to no game: health, guests, keys, metrics."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get, post
from litestar.datastructures import CacheControlHeader, State
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from sqlalchemy import literal, select

import parlour
from parlour.games.registry import all_rules
from parlour.net.auth import BEARER, SignedIn, signed_in
from parlour.net.errors import Problem, responses
from parlour.net.limits import Who, address_of
from parlour.net.metrics import CONTENT_TYPE
from parlour.net.services import Services
from parlour.people.ratings import START
from parlour.people.users import User
from parlour.timekeeping import iso

_FOR_AN_HOUR = CacheControlHeader(max_age=3600, public=True)
_NEVER_KEPT = CacheControlHeader(no_store=True)
_ANYTHING = select(literal(1))


class Health(Struct, frozen=True):
    """That the server is up and its store answers."""

    status: str
    version: str
    games: tuple[str, ...]


class GuestWish(Struct, frozen=True):
    """The name a guest would like; without it one is made up."""

    username: str | None = None


class RecoveryCode(Struct, frozen=True):
    """Twenty letters and digits; spaces and dashes between them count for nothing."""

    code: str


class Me(Struct, frozen=True, kw_only=True, rename="camel"):
    """A user as it sees itself; rating and counts are those of Connect 4."""

    id: str
    number: int
    """By which Connect Five, wallets and notifications name the user."""
    firebase_uid: str
    username: str
    email: str | None
    is_guest: bool
    rating: int = START
    wins: int = 0
    losses: int = 0
    draws: int = 0
    created_at: str
    updated_at: str


class Welcome(Struct, frozen=True):
    """A new guest: its token is all that proves who it is."""

    token: str
    user: Me


def uid_of(user: User) -> str:
    """By what the issuer of its token knows a user: for that user alone."""
    return user.subject.partition(":")[2]


def myself(user: User) -> Me:
    """A user who has not played yet, as it sees itself."""
    return Me(
        id=user.id,
        number=user.number,
        firebase_uid=uid_of(user),
        username=user.username,
        email=user.email,
        is_guest=user.is_guest,
        created_at=iso(user.created_at),
        updated_at=iso(user.updated_at),
    )


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""

    @get("/api/health", responses=responses(503), tags=["server"])
    async def health() -> Health:
        """Whether the server and its store answer."""
        await services.store.rows(_ANYTHING)
        return Health(status="ok", version=parlour.__version__, games=tuple(all_rules()))

    @post("/api/auth/guest", responses=responses(400, 403, 409, 413), tags=["people"])
    async def guest(
        request: Request[Any, Any, State], data: JSONBody[GuestWish | None] = None
    ) -> Welcome:
        """A new guest account, living in whatever keeps the token."""
        if not services.tokens.guests_welcome:
            raise Problem.general("GUESTS_NOT_WELCOME")
        await services.limits.sign_ups.admit(Who(None, address_of(request.scope)))
        token, user = await services.users.make_guest(data.username if data else None)
        return Welcome(token=token, user=myself(user))

    @post(
        "/api/users/me/recovery",
        guards=[signed_in],
        security=BEARER,
        responses=responses(401, 403),
        tags=["people"],
        cache_control=_NEVER_KEPT,
    )
    async def make_recovery_code(request: SignedIn) -> RecoveryCode:
        """A code by which a guest comes back on another device, once; it replaces the last.

        It is told here and nowhere else.
        """
        return RecoveryCode(code=await services.recovery.new_code(request.user))

    @post(
        "/api/auth/recover",
        responses=responses(400, 403, 404, 413),
        tags=["people"],
        status_code=200,
        cache_control=_NEVER_KEPT,
    )
    async def recover(request: Request[Any, Any, State], data: JSONBody[RecoveryCode]) -> Welcome:
        """A guest comes back, by its recovery code."""
        if not services.tokens.guests_welcome:
            raise Problem.general("GUESTS_NOT_WELCOME")
        await services.limits.recoveries.admit(Who(None, address_of(request.scope)))
        token, user = await services.recovery.redeem(data.code)
        return Welcome(token=token, user=myself(user))

    @get(
        "/.well-known/jwks.json",
        responses=responses(),
        tags=["server"],
        cache_control=_FOR_AN_HOUR,
    )
    async def jwks() -> dict[str, list[dict[str, Any]]]:
        """The public keys that guests' tokens are signed with."""
        return services.tokens.jwks()

    @get("/metrics", include_in_schema=False)
    async def metrics() -> Response[bytes]:
        """For Prometheus."""
        return Response(services.metrics.exposition(), media_type=CONTENT_TYPE)

    return [health, guest, make_recovery_code, recover, jwks, metrics]
