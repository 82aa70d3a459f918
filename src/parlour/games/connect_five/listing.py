"""What Connect Five's lists and feeds read from the store."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    Text,
    and_,
    bindparam,
    func,
    or_,
    select,
)

from parlour.games.api import Millis
from parlour.games.connect_five.answers import ENDED, KEY, Challenge, MatchStatus, challenge_of
from parlour.net.paging import Cut
from parlour.store.api import Record, Store
from parlour.store.change import ChallengeRow, ChallengeStatus
from parlour.store.queries import LIST_LIMIT, NEWS_LIMIT
from parlour.store.schema import challenge, match, seat, user

Mine = Literal["sent", "received"]

REASONS = {status: reason for reason, status in ENDED.items()}


class Named(Struct, frozen=True):
    """A challenge, and what its two people are called now."""

    row: ChallengeRow
    challenger: str
    opponent: str

    @property
    def shown(self) -> Challenge:
        """As a client gets it."""
        return challenge_of(self.row, self.challenger, self.opponent)


# --- challenges -------------------------------------------------------------------------------

_ME = bindparam("me", type_=Text)
_challenger, _opponent = user.alias("challenger"), user.alias("opponent")
_NAMED = (
    select(
        challenge,
        _challenger.c.username.label("challenger_name"),
        _opponent.c.username.label("opponent_name"),
    )
    .join(_challenger, _challenger.c.id == challenge.c.challenger_id)
    .join(_opponent, _opponent.c.id == challenge.c.opponent_id)
    .where(challenge.c.game == KEY)
)
_ONE = _NAMED.where(challenge.c.id == bindparam("id"))
_PENDING = select(challenge.c.expires_at).where(
    challenge.c.challenger_id == bindparam("challenger_id"),
    challenge.c.created_at >= bindparam("created_at"),
    challenge.c.opponent_id == bindparam("opponent_id"),
    challenge.c.status == "pending",
    challenge.c.game == KEY,
)
_USERS: BindParameter[Any] = bindparam("users", expanding=True)


def _recent(party: ColumnElement[str]) -> Select[Any]:
    newest = (challenge.c.modified_at.desc(), challenge.c.id.desc())
    place = func.row_number().over(partition_by=party, order_by=newest)
    ranked = (
        select(challenge.c.id, place.label("place"))
        .where(party.in_(_USERS), challenge.c.modified_at >= bindparam("modified_at"))
        .subquery()
    )
    few = select(ranked.c.id).where(ranked.c.place <= NEWS_LIMIT)
    return _NAMED.where(challenge.c.id.in_(few))


_RECENT = (_recent(challenge.c.challenger_id), _recent(challenge.c.opponent_id))


async def challenge_by_id(store: Store, challenge_id: str) -> Named | None:
    """The challenge and its people."""
    found = await store.row(_ONE, id=challenge_id)
    return None if found is None else _named(found)


async def pending_until(
    store: Store, challenger_id: str, opponent_id: str, created_at: Millis
) -> list[Millis]:
    """When the challenges expire that one person made since then and the other has not answered."""
    rows = await store.rows(
        _PENDING, challenger_id=challenger_id, opponent_id=opponent_id, created_at=created_at
    )
    return [row["expires_at"] for row in rows]


async def challenges_of(
    store: Store, me: str, mine: Mine | None, status: ChallengeStatus | None, cut: Cut
) -> tuple[list[Named], int]:
    """A page of the challenges that a user sent or received, and how many there are in all."""
    page, total = _challenges(mine, status is not None)
    params = {"me": me} if status is None else {"me": me, "status": status}
    rows = await store.rows(page, **params, limit=cut.size, offset=cut.offset)
    counted = await store.row(total, **params)
    return [_named(row) for row in rows], counted["total"] if counted else 0


async def recent_challenges(
    store: Store, users: Collection[str], modified_at: Millis
) -> list[Named]:
    """Challenges to or from these users that changed since then, in order; of many the newest."""
    found: dict[str, Named] = {}
    wanted = list(users)
    for start in range(0, len(wanted), LIST_LIMIT):
        some = wanted[start : start + LIST_LIMIT]
        for query in _RECENT:
            rows = await store.rows(query, users=some, modified_at=modified_at)
            found.update((row["id"], _named(row)) for row in rows)
    return sorted(found.values(), key=lambda named: (named.row.modified_at, named.row.id))


@cache
def _challenges(mine: Mine | None, by_status: bool) -> tuple[Select[Any], Select[Any]]:
    sent, received = challenge.c.challenger_id == _ME, challenge.c.opponent_id == _ME
    wanted = {"sent": sent, "received": received, None: or_(sent, received)}[mine]
    if by_status:
        wanted = and_(wanted, challenge.c.status == bindparam("status"))
    return (
        _paged(_NAMED.where(wanted), challenge.c.created_at, challenge.c.id),
        select(func.count().label("total")).where(challenge.c.game == KEY, wanted),
    )


def _paged(query: Select[Any], *newest: ColumnElement[Any]) -> Select[Any]:
    ordered = query.order_by(*(column.desc() for column in newest))
    return ordered.limit(bindparam("limit")).offset(bindparam("offset"))


def _named(row: Record) -> Named:
    fields = {name: row[name] for name in ChallengeRow.__struct_fields__}
    return Named(ChallengeRow(**fields), row["challenger_name"], row["opponent_name"])


# --- matches ----------------------------------------------------------------------------------


async def matches_of(
    store: Store, me: str, status: MatchStatus | None, cut: Cut
) -> tuple[list[str], int]:
    """The ids on a page of a user's matches, and how many there are in all."""
    page, total = _matches("all" if status is None else "active" if status == "active" else "over")
    params = {"me": me}
    if status in REASONS:
        params["reason"] = REASONS[status]
    rows = await store.rows(page, **params, limit=cut.size, offset=cut.offset)
    counted = await store.row(total, **params)
    return [row["id"] for row in rows], counted["total"] if counted else 0


@cache
def _matches(which: Literal["all", "active", "over"]) -> tuple[Select[Any], Select[Any]]:
    mine = and_(seat.c.user_id == _ME, seat.c.game == KEY)
    if which == "active":
        mine = and_(mine, match.c.status == "active")
    elif which == "over":
        mine = and_(mine, match.c.status != "active", match.c.reason == bindparam("reason"))
    tables = seat.join(match, match.c.id == seat.c.match_id)
    return (
        _paged(select(match.c.id).select_from(tables).where(mine), match.c.created_at, match.c.id),
        select(func.count().label("total")).select_from(tables).where(mine),
    )
