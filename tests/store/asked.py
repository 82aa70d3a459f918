"""Every query that the server asks for somebody, with the worst that somebody can ask of it."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import CompoundSelect, Executable, Select, TextClause

import parlour
from parlour.store.lists import NEWEST, REACH
from parlour.store.queries import LIST_LIMIT
from tests.filled import BASE, BUSY, OTHER

LARGEST = 200
"""Most that any list gives at once."""


class Case(Struct, frozen=True):
    """A query with its parameters, and how many rows it may have to look at."""

    params: dict[str, Any]
    rows: int
    merged: bool = False
    """Whether it is two walks, of which so many rows are put in order."""
    whole: str | None = None
    """Why it may look at all that a table has."""


def _page(at: int = BASE + 8_000, **params: Any) -> tuple[Case, ...]:
    """The first page, the farthest that an offset reaches, and one from a place in the middle."""
    newest = {"before_at": NEWEST.at, "before_id": NEWEST.id}
    middle = {"before_at": at, "before_id": "m"}
    first = {"limit": LARGEST, "ahead": LARGEST, "offset": 0, **params}
    last = {"limit": LARGEST, "ahead": LARGEST + REACH, "offset": REACH - 1, **params}
    return (
        Case({**first, **newest}, LARGEST),
        Case({**last, **newest}, LARGEST + REACH),
        Case({**first, **middle}, LARGEST),
    )


def _merged(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    return tuple(replace(case, rows=2 * case.rows, merged=True) for case in cases)


def _count(**params: Any) -> tuple[Case, ...]:
    return (Case(params, REACH),)


def _keys(name: str, letter: str, **params: Any) -> tuple[Case, ...]:
    ids = [f"{letter}{100_000_000 + n}" for n in range(LIST_LIMIT)]
    return (Case({name: ids, **params}, len(ids)),)


def _key(**params: Any) -> tuple[Case, ...]:
    return (Case(params, 3),)


def _first(rows: int = LIST_LIMIT, **params: Any) -> tuple[Case, ...]:
    """The first so many of an order."""
    return (Case({"limit": rows, **params}, rows),)


_Params = dict[str, Any]
_ME: _Params = {"me": BUSY}
_C4: _Params = {"game": "connect4"}
_NOW: _Params = {"now": BASE + 10**9}
_BEHIND: _Params = {"after_at": 0, "after_id": ""}
_MINE: _Params = {"user_id": BUSY, **_C4}
_MATCH = "m100000000"
_WALLET: _Params = {"account_id": f"wallet:{BUSY}"}
_C5 = "games.connect_five.listing:"
_STATUSES = ("pending", "accepted", "expired", "cancelled")
_ENDINGS = ("open", "connect5", "draw", "cancelled")


def _each(cases: Any, name: str, values: tuple[str, ...], **params: Any) -> tuple[Case, ...]:
    return tuple(case for value in values for case in cases(**params, **{name: value}))


CASES: dict[str, tuple[Case, ...]] = {
    # Lists
    "people.history:_WALK": _page(BASE + 90_000, **_MINE),
    "people.history:_TOTAL": _count(**_MINE),
    "people.leaderboard:_TOP": (
        Case({"limit": LARGEST, "offset": 0, **_C4}, LARGEST),
        Case({"limit": LARGEST, "offset": REACH - 1, **_C4}, LARGEST + REACH),
    ),
    **{
        f"people.leaderboard:_BELOW[{part}]": (
            Case({"limit": LARGEST, "elo": 1016, "wins": 1, "user_id": "u1", **_C4}, LARGEST),
            Case({"limit": LARGEST, "elo": 1016, "wins": 2, "user_id": "u", **_C4}, LARGEST),
            Case({"limit": LARGEST, "elo": 900, "wins": 0, "user_id": "v", **_C4}, LARGEST),
        )
        for part in range(3)
    },
    "people.notifications:_PAGE": _page(user_id=BUSY),
    "people.notifications:_TOTAL": _count(user_id=BUSY),
    "people.notifications:_UNREAD": _count(user_id=BUSY),
    **{f"{_C5}_WALKS_WITH_ANY[{mine}]": _page(**_ME) for mine in ("sent", "received")},
    f"{_C5}_WALKS_WITH_ANY[None]": _merged(_page(**_ME)),
    **{f"{_C5}_COUNTS_WITH_ANY[{mine}]": _count(**_ME) for mine in ("sent", "received", None)},
    **{
        f"{_C5}_WALKS_WITH_STATUS[{mine}]": _each(_page, "status", _STATUSES, **_ME)
        for mine in ("sent", "received")
    },
    f"{_C5}_WALKS_WITH_STATUS[None]": _merged(_each(_page, "status", _STATUSES, **_ME)),
    **{
        f"{_C5}_COUNTS_WITH_STATUS[{mine}]": _each(_count, "status", _STATUSES, **_ME)
        for mine in ("sent", "received", None)
    },
    f"{_C5}_WALK": _page(**_ME),
    f"{_C5}_COUNT": _count(**_ME),
    f"{_C5}_WALK_WITH_ENDING": _each(_page, "ending", _ENDINGS, **_ME),
    f"{_C5}_COUNT_WITH_ENDING": _each(_count, "ending", _ENDINGS, **_ME),
    "money.wallets:_NEWEST": _key(**_WALLET),
    "money.wallets:_PAGE": _first(100, newest=4_000, **_WALLET),
    "people.users:_BY_PREFIX": (Case({"first": "name", "last": "name\x7f", "but": BUSY}, 10),),
    # What feeds look at every few seconds
    "people.notifications:_RECENT": _keys("users", "u", at=BASE),
    **{f"{_C5}_RECENT[{side}]": _keys("users", "u", since=BASE) for side in (0, 1)},
    **{
        f"{_C5}_RECENT_OF_ONE[{side}]": (Case({**_ME, "since": BASE}, LIST_LIMIT),)
        for side in (0, 1)
    },
    # What rounds look at every second
    "store.queries.standing:_OVERDUE_MATCHES": _first(**_NOW, **_BEHIND),
    "store.queries.queue:_OVERDUE_TICKETS": _first(**_NOW, **_BEHIND),
    "store.queries.challenges:_OVERDUE_CHALLENGES": _first(**_NOW, **_BEHIND),
    "store.queries.connections:_SEAT_HOLDERS": _key(),
    "store.queries.queue:_TICKET_HOLDERS": _key(),
    "store.queries.connections:_HELD_SEATS": _first(
        process_id="process100000000", match_id="", seat=0
    ),
    "store.queries.queue:_HELD_TICKETS": _first(process_id="process100000000", id=""),
    "store.queries.standing:_OUTDATED_MATCHES": _first(
        **_C4, rules_version=2, after_version=0, after_id=""
    ),
    "store.queries.standing:_STANDINGS": _keys("ids", "m"),
    "store.queries.queue:_TICKETS": _first(**_C4),
    "events.relay:OLDEST": (Case({"count": 1_000}, 1_000),),
    "store.queries.connections:_LEASES": (
        Case({}, 3, whole="there are as many leases as processes"),
    ),
    "net.lobby:_PLAYING": (
        Case({}, 100_000, whole="all who play are counted, once a second at most"),
    ),
    "net.lobby:_WAITING": (
        Case({}, 100_000, whole="all who wait are counted, once a second at most"),
    ),
    # By key
    "people.history:_GAMES": _keys("ids", "m"),
    "people.history:_ENDED_BY": _keys("ids", "m"),
    "people.history:_SEATS": _key(match_id=_MATCH),
    "people.display_names:_CALLED": (
        *_keys("users", "u", **_C4),
        Case({"users": [BUSY, OTHER], **_C4}, 4),
    ),
    "people.leaderboard:_OF_USERS": (
        *_keys("users", "u"),
        *(Case({"users": users}, 4) for users in ([BUSY], [BUSY, OTHER])),
    ),
    "host.rest:_OPEN": (Case({**_MINE}, 3 * 20),),
    "people.users:_BY_NAME": _key(username_key="name100000000"),
    "store.queries.standing:_JOURNAL_ENTRY": _key(match_id=_MATCH, version=1),
    f"{_C5}_SOME": _keys("ids", "c"),
    f"{_C5}_ONE": _key(id="c100000000"),
    f"{_C5}_ONE_BY_NUMBER": _key(number=1_000),
    "games.connect_five.numbers:_BY_IDS": _keys("ids", "m"),
    "games.connect_five.numbers:_BY_NUMBER": _key(number=1_000),
    f"{_C5}_PENDING": _key(challenger_id=BUSY, opponent_id=OTHER, created_at=BASE + 10**9),
    "store.queries.matches:_PUBLIC_IDS": _keys("ids", "m"),
    "games.connect4.engine:_GAME_OF": _key(id=_MATCH),
    "games.connect_five.alarms:_LEFT": _key(id=f"wallet:{BUSY}"),
    "games.connect_five.events:_AUDIT": _key(subject_id="c100000000"),
    "money.wallets:_ANY_WALLET": _key(),
    "money.wallets:_BALANCE": _key(**_WALLET),
    "money.wallets:_BALANCES": _keys("users", "u"),
    "money.wallets:_WALLETS": _keys("users", "u", mint="mint:TNB"),
    "net.basics:_ANYTHING": _key(),
    "net.once:_KEPT": _key(user_id=BUSY, key="w100000000"),
    "events.relay:HELD_UNTIL": _key(),
    "people.guest_key:_KEY": _key(kid="key"),
    "people.notifications:_ONE": _key(user_id=BUSY, id="n100000000"),
    "people.notifications:_ONE_BY_NUMBER": _key(user_id=BUSY, number=1_000),
    "people.notifications:_UNREAD_UNTIL": _key(user_id=BUSY, until=BASE + 10**9),
    "people.recovery:_BY_HASH": _key(code_hash="h100000000"),
    "people.users:_BY_SUBJECT": _key(subject="s100000000"),
    "people.users:_BY_ID": _key(id=BUSY),
    "people.users:_BY_NUMBER": _key(number=1_000),
    "store.queries.analyses:_ANALYSIS": _key(match_id=_MATCH),
    "store.queries.matches:_BY_ID": _key(match_id=_MATCH),
    "store.queries.matches:_BY_IDS": (
        Case({"ids": [f"m{100_000_000 + n}" for n in range(101)]}, 4 * 101),  # with two seats each
    ),
    "store.queries.matches:_BY_PUBLIC_ID": _key(public_id="p100000000", **_C4),
    "store.queries.matches:_BY_CODE": _key(code="ABCDEF", **_C4),
    "store.queries.matches:_OPEN_OF": _key(**_MINE),
    # Of what began since one waits, of which rate limits let nobody have much.
    "store.queries.matches:_SEATED_BY": _key(secret="s", since=BASE + 10**9, **_MINE),
    "store.queries.standing:_ENTRIES": (Case({"match_id": _MATCH}, 40),),
    "store.queries.standing:_JOURNAL": (Case({"match_id": _MATCH, "after": 0, "until": 99}, 40),),
    "store.queries.standing:_VERSION": _key(match_id=_MATCH),
    "store.queries.queue:_TICKETS_BY_ID": _keys("ids", "t"),
    "store.queries.connections:_PRESENCE": _key(match_id=_MATCH),
    "store.queries.queue:_TICKET_OF": _key(**_MINE),
    "store.queries.people:_USERS": _keys("ids", "u"),
    "store.queries.challenges:_CHALLENGE": _key(id="c100000000"),
    "store.queries.people:_RATINGS": (*_keys("ids", "u"), Case({"ids": [BUSY, OTHER]}, 4)),
}

PARTS = frozenset(
    {
        "people.display_names:_LAST_SAT_AS",
        "people.history:_THEIRS",
        "people.leaderboard:_RANKED",
        *(f"{_C5}{name}" for name in ("_NAMED", "_MINE", "_ENDING")),
        "games.connect_five.numbers:_NUMBERED",
        *(f"{_C5}{name}[{mine}][0]" for name in ("_WITH_ANY", "_WITH_STATUS")
          for mine in ("sent", "received", None)),
        *(f"{_C5}{name}[None][1]" for name in ("_WITH_ANY", "_WITH_STATUS")),
        "store.postgres.store:_TIME",
    }
)  # fmt: skip
"""What others are made of, and nobody asks; and what asks no table."""

OPERATORS = frozenset({"money.audit", "operators", "store.journals"})
"""Whose queries an operator asks, in a process of its own."""

BUILDERS = frozenset(
    {
        "games.connect_five.listing:_parts",
        "money.audit:_escrows",
        "store.lists:count_of",
        "store.lists:newest_first",
        "store.queries.rows:holders_of",
        "store.queries.standing:last_version",
        "store.queries.matches:_stored",
        "store.schema.tables:only",
    }
)
"""What makes queries while its module is loaded, and never afterwards."""


def queries() -> dict[str, Executable]:
    """All queries that stand in a module, by their names."""
    found: dict[str, Executable] = {}
    for name in _modules():
        if name not in OPERATORS and not name.startswith("store.migrations"):
            for key, value in vars(importlib.import_module(f"parlour.{name}")).items():
                found |= {f"{name}:{path}": query for path, query in _within(key, value)}
    return found


def _modules() -> Iterator[str]:
    for module in pkgutil.walk_packages(parlour.__path__, "parlour."):
        yield module.name.removeprefix("parlour.")


def _within(path: str, value: Any) -> Iterator[tuple[str, Executable]]:
    if isinstance(value, Select | CompoundSelect | TextClause):
        yield path, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _within(f"{path}[{key}]", each)
    elif isinstance(value, tuple | list):
        for place, each in enumerate(value):
            yield from _within(f"{path}[{place}]", each)


def builders() -> set[str]:
    """All functions in which a query is made."""
    root = Path(parlour.__path__[0])
    found: set[str] = set()
    for file in root.rglob("*.py"):
        name = ".".join(file.relative_to(root).with_suffix("").parts)
        module = ast.parse(file.read_text())
        made_with = _made_with(module)
        for node in ast.walk(module):
            if isinstance(node, FUNCTIONS) and _makes_query(node, made_with):
                found.add(f"{name}:{node.name}")
    return {each for each in found if not each.startswith("store.migrat")}


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _made_with(module: ast.Module) -> set[str]:
    """What of all that makes a query a module imports."""
    imported = {
        name.asname or name.name
        for node in module.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sqlalchemy")
        for name in node.names
    }
    return imported & {"select", "union", "union_all", "text", "table"}


def _makes_query(function: ast.AST, made_with: set[str]) -> bool:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return any(isinstance(call, ast.Name) and call.id in made_with for call in calls)
