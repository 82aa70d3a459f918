"""What all lists have in common, so that a page costs what it shows.

Laws:

* A list is walked along an index that has its order, and nothing beside the index is looked at on
  the way. What a page shows is read by key afterwards.
* A walk goes on from a place in the list, at any depth. An offset skips so far and no farther, and
  so far is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    Executable,
    Select,
    Text,
    bindparam,
    func,
    select,
    tuple_,
    union_all,
)

from parlour.games.api import Millis
from parlour.store.api import Record, Store

REACH = 10_000
"""How far an offset reaches, and how much is counted: a list of more counts as so many."""


class Place(Struct, frozen=True):
    """Where one entry stands in a list by time."""

    at: Millis
    id: str


NEWEST = Place(2**62, "")
"""Everything comes after it."""

_BEFORE = tuple_(bindparam("before_at", type_=BigInteger), bindparam("before_id", type_=Text))


def newest_first(
    *parts: Select[Any], at: ColumnElement[Any], key: ColumnElement[Any]
) -> Select[Any] | CompoundSelect[Any]:
    """A walk from `before_at` and `before_id` on, of rows that are in one of these parts."""
    order = (at.desc(), key.desc())
    walks = [part.where(tuple_(at, key) < _BEFORE).order_by(*order) for part in parts]
    if len(walks) == 1:
        return walks[0].limit(bindparam("limit")).offset(bindparam("offset"))
    # No index has the order of the whole; of each part no more can be needed than of the whole.
    ahead = (walk.limit(bindparam("ahead")).subquery() for walk in walks)
    merged = union_all(*(select(part) for part in ahead)).order_by(*order)
    return merged.limit(bindparam("limit")).offset(bindparam("offset"))


def count_of(*parts: Select[Any]) -> Select[Any]:
    """How many rows there are in these parts, within reach."""
    whole: Select[Any] | CompoundSelect[Any] = parts[0] if len(parts) == 1 else union_all(*parts)
    return select(func.count().label("total")).select_from(whole.limit(REACH).subquery())


async def walked(
    store: Store,
    walk: Executable,
    *,
    limit: int,
    offset: int = 0,
    before: Place = NEWEST,
    **params: Any,
) -> Sequence[Record]:
    """What a walk comes by; nothing from beyond its reach."""
    if offset >= REACH:
        return ()
    place = {"before_at": before.at, "before_id": before.id}
    ahead = offset + limit
    return await store.list_rows(walk, limit=limit, offset=offset, ahead=ahead, **place, **params)


async def counted(store: Store, count: Executable, **params: Any) -> int:
    """How much there is, within reach."""
    ((total,),) = await store.list_rows(count, **params)
    return int(total)
