"""Lists a page at a time, in the shape of Django REST framework.

A list whose entries are numbered is cut (`Cut`): every page is found at once. Any other is walked
(`Walk`): pages have numbers only within reach, but `next` names the place where it goes on, and so
leads to the end of a list of any length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

from litestar import Request
from litestar.params import QueryParameter
from msgspec import Struct

from parlour.net.drf import Rejected
from parlour.store.lists import NEWEST, REACH, Place

T = TypeVar("T")
P = TypeVar("P", bound="Page")

SIZE = 20
LARGEST = 100
FARTHEST = 10**9

PageNumber = Annotated[int, QueryParameter(ge=1, le=FARTHEST)]
PageSize = Annotated[int, QueryParameter(ge=1, description=f"at most {LARGEST} are given")]
Cursor = Annotated[
    str | None,
    QueryParameter(
        description=f"""where `next` goes on; without it a list ends, and counts, after {REACH}"""
    ),
]

_CURSOR = re.compile(r"([0-9]{1,15})\.([A-Za-z0-9:_-]{1,64})", re.ASCII)


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
            raise _no_such_page()
        more = self.offset + self.size < count
        following = _link(request, self.number + 1) if more else None
        previous = _link(request, self.number - 1) if self.number > 1 else None
        return kind(count, following, previous, results)


class Walk(Struct, frozen=True):
    """From where on a list by time is wanted: from a page on, or from a place."""

    number: int
    size: int
    after: Place | None

    @classmethod
    def of(cls, page: int, page_size: int, cursor: str | None) -> Walk:
        """A page as the query asks for it."""
        return cls(page, min(page_size, LARGEST), _place(cursor) if cursor else None)

    @property
    def before(self) -> Place:
        return self.after or NEWEST

    @property
    def offset(self) -> int:
        return 0 if self.after else (self.number - 1) * self.size

    @property
    def limit(self) -> int:
        """One more than is shown: whether there is any."""
        return self.size + 1

    def page(
        self,
        kind: Callable[[int, str | None, str | None, list[T]], P],
        request: Request[Any, Any, Any],
        count: int,
        found: list[T],
        places: Sequence[Place],
    ) -> P:
        """The answer, of what was found, and of the places that the walk came by.

        Not all of them need to have something to show.
        """
        if not places and self.number > 1 and self.after is None:
            raise _no_such_page()
        following = previous = None
        if len(places) > self.size:
            last = places[self.size - 1]
            following = _link(request, self.number + 1, f"{last.at}.{last.id}")
        if 0 <= (self.number - 2) * self.size < REACH:
            previous = _link(request, self.number - 1)
        return kind(count, following, previous, found[: self.size])


def _place(cursor: str) -> Place:
    read = _CURSOR.fullmatch(cursor)
    if read is None:
        raise Rejected.fields({"cursor": ["This is not where a list goes on."]})
    return Place(int(read[1]), read[2])


def _no_such_page() -> Rejected:
    return Rejected(404, "not_found", "Invalid page.")


def _link(request: Request[Any, Any, Any], number: int, cursor: str | None = None) -> str:
    query = [
        (name, value)
        for name, value in request.query_params.multi_items()
        if name not in ("page", "cursor")
    ]
    query.append(("page", str(number)))
    if cursor is not None:
        query.append(("cursor", cursor))
    return str(request.url.with_replacements(query=urlencode(query)))
