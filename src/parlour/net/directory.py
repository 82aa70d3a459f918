"""Finding people by the beginning of their name."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.params import QueryParameter
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from parlour.net.auth import BEARER, SignedIn, signed_in
from parlour.net.drf import DRF, responses
from parlour.net.services import Services
from parlour.people.users import User

LONGEST_QUERY = 200

Prefix = Annotated[
    str, QueryParameter(max_length=LONGEST_QUERY, description="how the name begins, in any case")
]


class Person(Struct, frozen=True):
    """A user as others know it."""

    id: int
    uuid: str
    """By which all other surfaces know the user."""
    username: str


def person(user: User) -> Person:
    """A user as others know it."""
    return Person(user.number, user.id, user.username)


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""

    @get(
        "/api/users/search",
        guards=[signed_in],
        security=BEARER,
        opt=DRF.mounted,
        responses=responses(),
        tags=["people"],
    )
    async def search_users(request: SignedIn, q: Prefix = "") -> list[Person]:
        """Up to ten other people whose name begins like that."""
        found = await services.users.search(q.strip(), but=request.user.id)
        return [person(user) for user in found]

    return [search_users]
