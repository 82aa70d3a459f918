"""What Connect Five's lists and feeds read from the store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

from sqlalchemy import BigInteger, ColumnElement, Select, Text, bindparam, select

from parlour.games.api import Millis
from parlour.games.connect_five.answers import ENDED, KEY, MatchStatus, Named
from parlour.net.directory import Person
from parlour.net.paging import Walk
from parlour.store.api import Record, Store
from parlour.store.change import ChallengeRow, ChallengeStatus
from parlour.store.lists import Place, count_of, counted, newest_first, walked
from parlour.store.queries import LIST_LIMIT
from parlour.store.schema import challenge, match, seat, user

Mine = Literal["sent", "received"]

REASONS = {status: reason for reason, status in ENDED.items()}


# --- challenges -------------------------------------------------------------------------------

_ME = bindparam("me", type_=Text)
_challenger, _opponent = user.alias("challenger"), user.alias("opponent")
_NAMED = (
    select(
        challenge,
        _challenger.c.username.label("challenger_name"),
        _challenger.c.number.label("challenger_number"),
        _opponent.c.username.label("opponent_name"),
        _opponent.c.number.label("opponent_number"),
        match.c.number.label("match_number"),
    )
    .join(_challenger, _challenger.c.id == challenge.c.challenger_id)
    .join(_opponent, _opponent.c.id == challenge.c.opponent_id)
    .outerjoin(match, match.c.id == challenge.c.match_id)
    .where(challenge.c.game == KEY)
)
_ONE = _NAMED.where(challenge.c.id == bindparam("id"))
_ONE_BY_NUMBER = _NAMED.where(challenge.c.number == bindparam("number", type_=BigInteger))
_SOME = _NAMED.where(challenge.c.id.in_(bindparam("ids", expanding=True)))

_PARTIES = (challenge.c.challenger_id, challenge.c.opponent_id)
_SIDES: dict[Mine | None, tuple[ColumnElement[Any], ...]] = {
    "sent": _PARTIES[:1],
    "received": _PARTIES[1:],
    None: _PARTIES,
}


def _parts(sides: Iterable[ColumnElement[Any]], *conditions: Any) -> tuple[Select[Any], ...]:
    """One for each side: an index has the order of each, and none that of both."""
    places = select(challenge.c.created_at, challenge.c.id)
    return tuple(places.where(side == _ME, challenge.c.game == KEY, *conditions) for side in sides)


_WITH_STATUS = {
    mine: _parts(sides, challenge.c.status == bindparam("status")) for mine, sides in _SIDES.items()
}
_WITH_ANY = {mine: _parts(sides) for mine, sides in _SIDES.items()}
_NEWEST = {"at": challenge.c.created_at, "key": challenge.c.id}
_WALKS_WITH_STATUS = {mine: newest_first(*parts, **_NEWEST) for mine, parts in _WITH_STATUS.items()}
_WALKS_WITH_ANY = {mine: newest_first(*parts, **_NEWEST) for mine, parts in _WITH_ANY.items()}
_COUNTS_WITH_STATUS = {mine: count_of(*parts) for mine, parts in _WITH_STATUS.items()}
_COUNTS_WITH_ANY = {mine: count_of(*parts) for mine, parts in _WITH_ANY.items()}

_RECENT = tuple(
    select(challenge.c.id)
    .where(
        side.in_(bindparam("users", expanding=True)),
        challenge.c.game == KEY,
        challenge.c.modified_at >= bindparam("since"),
    )
    .limit(LIST_LIMIT)
    for side in _PARTIES
)
_RECENT_OF_ONE = tuple(
    select(challenge.c.id)
    .where(side == _ME, challenge.c.game == KEY, challenge.c.modified_at >= bindparam("since"))
    .order_by(challenge.c.modified_at.desc(), challenge.c.id.desc())
    .limit(LIST_LIMIT)
    for side in _PARTIES
)
_PENDING = select(challenge.c.expires_at).where(
    challenge.c.challenger_id == bindparam("challenger_id"),
    challenge.c.created_at >= bindparam("created_at"),
    challenge.c.opponent_id == bindparam("opponent_id"),
    challenge.c.status == "pending",
    challenge.c.game == KEY,
)


async def find_challenge(store: Store, given: int | str) -> Named | None:
    """The challenge of that number or id."""
    if isinstance(given, int):
        found = await store.row(_ONE_BY_NUMBER, number=given)
    else:
        found = await store.row(_ONE, id=given)
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
    store: Store, me: str, mine: Mine | None, status: ChallengeStatus | None, walk: Walk
) -> tuple[list[Named], int]:
    """A page of the challenges that a user sent or received, and how many there are in all."""
    any_status = status is None
    walks, counts = (
        (_WALKS_WITH_ANY, _COUNTS_WITH_ANY)
        if any_status
        else (_WALKS_WITH_STATUS, _COUNTS_WITH_STATUS)
    )
    params = {"me": me} if any_status else {"me": me, "status": status}
    places = await walked(
        store, walks[mine], limit=walk.limit, offset=walk.offset, before=walk.before, **params
    )
    total = await counted(store, counts[mine], **params)
    return await challenges_by_id(store, [row["id"] for row in places]), total


async def challenges_by_id(store: Store, ids: Sequence[str]) -> list[Named]:
    """Those of these challenges that there are, in this order."""
    found: dict[str, Named] = {}
    for start in range(0, len(ids), LIST_LIMIT):
        rows = await store.list_rows(_SOME, ids=ids[start : start + LIST_LIMIT])
        found |= {row["id"]: _named(row) for row in rows}
    return [found[challenge_id] for challenge_id in ids if challenge_id in found]


async def recent_challenges(store: Store, users: Collection[str], since: Millis) -> list[Named]:
    """Challenges to or from these users that changed since then, in order; of each the last 500."""
    ids: dict[str, None] = {}
    wanted = list(users)
    for start in range(0, len(wanted), LIST_LIMIT):
        some = wanted[start : start + LIST_LIMIT]
        for together, of_one in zip(_RECENT, _RECENT_OF_ONE, strict=True):
            rows = await store.rows(together, users=some, since=since)
            ids |= dict.fromkeys(row["id"] for row in rows)
            if len(rows) == LIST_LIMIT:
                # Somebody is being flooded, which must not hide what others should hear of.
                for me in some:
                    rows = await store.rows(of_one, me=me, since=since)
                    ids |= dict.fromkeys(row["id"] for row in rows)
    found = await challenges_by_id(store, list(ids))
    return sorted(found, key=lambda named: (named.row.modified_at, named.row.id))


def _named(row: Record) -> Named:
    fields = {name: row[name] for name in ChallengeRow.__struct_fields__}
    return Named(
        row=ChallengeRow(**fields),
        number=row["number"],
        match_number=row["match_number"],
        challenger=Person(row["challenger_number"], row["challenger_id"], row["challenger_name"]),
        opponent=Person(row["opponent_number"], row["opponent_id"], row["opponent_name"]),
    )


# --- matches ----------------------------------------------------------------------------------

_MINE = select(seat.c.created_at, seat.c.match_id).where(seat.c.user_id == _ME, seat.c.game == KEY)
_ENDING = _MINE.where(seat.c.ending == bindparam("ending"))
_BEGUN = {"at": seat.c.created_at, "key": seat.c.match_id}
_WALK, _COUNT = newest_first(_MINE, **_BEGUN), count_of(_MINE)
_WALK_WITH_ENDING, _COUNT_WITH_ENDING = newest_first(_ENDING, **_BEGUN), count_of(_ENDING)


async def matches_of(
    store: Store, me: str, status: MatchStatus | None, walk: Walk
) -> tuple[list[Place], int]:
    """Where the matches on a page of a user's stand, and how many there are in all."""
    page: dict[str, Any]
    page = {"limit": walk.limit, "offset": walk.offset, "before": walk.before}
    if status is None:
        rows = await walked(store, _WALK, me=me, **page)
        total = await counted(store, _COUNT, me=me)
    else:
        ending = REASONS.get(status, "open")
        rows = await walked(store, _WALK_WITH_ENDING, me=me, ending=ending, **page)
        total = await counted(store, _COUNT_WITH_ENDING, me=me, ending=ending)
    return [Place(row["created_at"], row["match_id"]) for row in rows], total


async def playing(store: Store, me: str, limit: int) -> list[str]:
    """The newest of the matches that a user plays now."""
    rows = await walked(store, _WALK_WITH_ENDING, me=me, ending="open", limit=limit)
    return [row["match_id"] for row in rows]
