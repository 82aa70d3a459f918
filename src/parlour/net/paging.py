"""Lists a page at a time, in the shape of Django REST framework."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

from litestar import Request
from litestar.params import QueryParameter
from msgspec import Struct

from parlour.net.drf import Rejected

T = TypeVar("T")
P = TypeVar("P", bound="Page")

SIZE = 20
LARGEST = 100
FARTHEST = 10**9

PageNumber = Annotated[int, QueryParameter(ge=1, le=FARTHEST)]
PageSize = Annotated[int, QueryParameter(ge=1, description=f"at most {LARGEST} are given")]


class Page(Struct, frozen=True):
    """Part of a list: how long it is, and where it goes on. Each list adds its `results`."""

    count: int
    next: str | None
    previous: str | None


class Cut(Struct, frozen=True):
    """Which part of a list is wanted."""

    number: int
    size: int

    @classmethod
    def of(cls, page: int, page_size: int) -> Cut:
        """A page as the query asks for it."""
        return cls(page, min(page_size, LARGEST))

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size

    def page(
        self,
        kind: Callable[[int, str | None, str | None, list[T]], P],
        request: Request[Any, Any, Any],
        count: int,
        results: list[T],
    ) -> P:
        """The answer; a page after the last one does not exist."""
        if self.number > 1 and self.offset >= count:
            raise Rejected(404, "not_found", "Invalid page.")
        more = self.offset + self.size < count
        following = _link(request, self.number + 1) if more else None
        previous = _link(request, self.number - 1) if self.number > 1 else None
        return kind(count, following, previous, results)


def _link(request: Request[Any, Any, Any], number: int) -> str:
    query = [(name, value) for name, value in request.query_params.multi_items() if name != "page"]
    query.append(("page", str(number)))
    return str(request.url.with_replacements(query=urlencode(query)))
