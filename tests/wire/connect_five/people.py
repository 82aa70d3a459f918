"""People who play Connect Five over real HTTP and sockets, and the books to check them against."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from parlour.money.audit import audit
from parlour.store.api import Store
from parlour.store.schema import metadata
from tests.servers import plain
from tests.servers.parlour import Served

Json = dict[str, Any]

HTTP = plain.Client(timeout=10, trust_env=False)
"""Connections that all people of a test run share, as making them costs more than using them."""

C5 = "/api/connect-five"
TERMS = {"stake_amount": 100, "max_spend_amount": 40, "time_limit_seconds": 300}

PRESENCE = {"presence", "lease", "signing_key"}
"""What is written down without anybody having done anything."""


class Person:
    """A guest with a token, on one server at a time."""

    def __init__(self, served: Served, username: str | None = None) -> None:
        self.token, me = served.guest(username)
        self.id: int = me["number"]
        self.uuid: str = me["id"]
        self.name: str = me["username"]
        self.served = served

    def at(self, served: Served) -> Person:
        """The same person on another server of the same database."""
        twin = Person.__new__(Person)
        twin.token, twin.id, twin.uuid, twin.name = self.token, self.id, self.uuid, self.name
        twin.served = served
        return twin

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, method: str, path: str, key: str | None = None, **more: Any) -> httpx.Response:
        headers = self.headers | ({} if key is None else {"Idempotency-Key": key})
        return HTTP.request(method, self.served.url + path, headers=headers, **more)

    def get(self, path: str, status: int = 200) -> Any:
        return answered(self.ask("GET", path), status)

    def post(
        self, path: str, body: Any = None, *, status: int = 200, key: str | None = None
    ) -> Any:
        return answered(self.ask("POST", path, key, json=body), status)

    @property
    def shown(self) -> Json:
        """As others see it."""
        return {"id": self.id, "uuid": self.uuid, "username": self.name}

    @property
    def balance(self) -> int:
        balance: int = self.get("/api/wallet")["balance"]
        return balance

    # --- Connect Five

    def challenge(self, other: Person, *, status: int = 201, **terms: Any) -> Json:
        body = {"opponent_id": other.id, **TERMS, **terms}
        made: Json = self.post(f"{C5}/challenges", body, status=status)
        return made

    def accept(self, challenge: Json, status: int = 200) -> Json:
        match: Json = self.post(f"{C5}/challenges/{challenge['id']}/accept", status=status)
        return match

    def cancel(self, challenge: Json, status: int = 200) -> Json:
        path = f"{C5}/challenges/{challenge['id']}/cancel"
        cancelled: Json = self.post(path, status=status)
        return cancelled

    def look(self, match: Json) -> Json:
        found: Json = self.get(f"{C5}/matches/{match['id']}")
        return found

    def move(
        self, match: Json, x: Any, y: Any, move_type: Any = "SINGLE", *, status: int = 200
    ) -> Json:
        body = {"move_type": move_type, "x": x, "y": y}
        after: Json = self.post(f"{C5}/matches/{match['id']}/move", body, status=status)
        return after

    def buy(self, match: Json, special_type: Any, quantity: Any = 1, *, status: int = 200) -> Json:
        body = {"special_type": special_type, "quantity": quantity}
        after: Json = self.post(f"{C5}/matches/{match['id']}/purchase", body, status=status)
        return after

    def events(self, match: Json) -> list[Json]:
        page = self.get(f"{C5}/matches/{match['id']}/events?page_size=100")
        events: list[Json] = page["results"]
        assert page["count"] == len(events)
        return events

    # --- sockets

    @contextmanager
    def hearing(self, what: str) -> Iterator[Ear]:
        """One of the three sockets, signed in."""
        with connect(f"{self.served.ws}/ws/{what}/{self.id}") as socket:
            ear = Ear(socket)
            ear.say({"type": "auth", "token": self.token})
            assert ear.hear() == {"type": "auth_ok"}
            yield ear


class Ear:
    """A socket and what comes out of it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def say(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, kind: str | None = None) -> Json:
        message: Json = json.loads(self.socket.recv(timeout=10))
        assert kind in (None, message["type"]), message
        return message

    def nothing_more(self) -> bool:
        """Whether nothing came before the answer to nonsense."""
        self.say("?")
        answer = self.hear()
        return bool(answer["type"] == "error")

    def close_code(self) -> int | None:
        try:
            while True:
                self.socket.recv(timeout=10)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


def answered(answer: httpx.Response, status: int) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json()


def pair(served: Served) -> tuple[Person, Person]:
    """Two people who have never met."""
    return Person(served), Person(served)


def playing(ann: Person, bob: Person, **terms: Any) -> tuple[Json, Person, Person]:
    """A match between two, the one to move first, and the other."""
    match = bob.accept(ann.challenge(bob, **terms))
    return (match, ann, bob) if match["active_player"]["id"] == ann.id else (match, bob, ann)


def win(match: Json, first: Person, second: Person) -> Json:
    """The first to move puts five in a row."""
    for x in range(4):
        first.move(match, x, 0)
        second.move(match, x, 2)
    return first.move(match, 4, 0)


# --- the books --------------------------------------------------------------------------------


def audited(served: Served) -> None:
    """Everything adds up, by an audit that knows only the ledger."""

    async def findings() -> list[str]:
        return [str(finding) async for finding in audit(served.services.store)]

    assert served.run(findings()) == []


@contextmanager
def unchanged(served: Served) -> Iterator[None]:
    """Nothing that anybody owns, did or was told changes meanwhile."""
    before = served.run(everything(served.services.store))
    yield
    assert served.run(everything(served.services.store)) == before


async def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, in no particular order."""
    kept: dict[str, list[tuple[Any, ...]]] = {}
    for table in metadata.sorted_tables:
        if table.name not in PRESENCE:
            rows = await store.rows(select(table))
            columns = [column.name for column in table.columns]
            kept[table.name] = sorted(
                (tuple(row[name] for name in columns) for row in rows), key=repr
            )
    return kept
