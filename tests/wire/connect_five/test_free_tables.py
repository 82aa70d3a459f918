"""Tables at which Connect Five is played for nothing: the document's surface knows none of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from structlog.testing import capture_logs
from websockets.sync.client import ClientConnection, connect

from tests.servers.parlour import Served
from tests.wire.connect_five.people import C5, Json, Person, playing, win

People = tuple[Person, Person]

PATIENCE_S = 20


@contextmanager
def at_play(person: Person) -> Iterator[ClientConnection]:
    with connect(f"{person.served.ws}/ws/play", additional_headers=person.headers) as line:
        assert hear(line)["type"] == "welcome"
        yield line


def say(line: ClientConnection, kind: str, **fields: object) -> Json:
    line.send(json.dumps({"type": kind, **fields}))
    return hear(line)


def hear(line: ClientConnection) -> Json:
    heard: Json = json.loads(line.recv(PATIENCE_S))
    return heard


def unknown(person: Person, table: Json) -> None:
    path = f"{C5}/matches/{table['match']}"
    person.get(path, 404)
    person.get(f"{path}/events", 404)
    person.move({"id": table["match"]}, 0, 0, status=404)
    person.buy({"id": table["match"]}, "H2", status=404)


def test_free_tables_are_no_matches_of_the_document(served: Served, ann_and_bob: People) -> None:
    ann, bob = ann_and_bob
    staked, first, second = playing(ann, bob)
    with at_play(ann) as a, at_play(bob) as b, capture_logs() as logs:
        table = say(a, "open", game="connect_five")
        unknown(ann, table)
        assert [each["id"] for each in ann.get(f"{C5}/matches")["results"]] == [staked["id"]]
        with ann.hearing("connect-five") as ear:
            say(b, "join", game="connect_five", code=table["code"])
            assert hear(a)["status"] == "active"
            unknown(ann, table)
            unknown(bob, table)
            assert ear.nothing_more()
    assert [each for each in logs if each["log_level"] in ("warning", "error")] == []
    win(staked, first, second)


def test_lists_go_on_past_free_tables(ann_and_bob: People) -> None:
    """Newest first: free tables, a match with stakes, and once more."""
    ann, bob = ann_and_bob
    made: list[str] = []
    with at_play(ann) as a:
        for _ in range(2):
            match, first, second = playing(ann, bob)
            win(match, first, second)
            made.append(match["id"])
            for _ in range(2):
                say(a, "open", game="connect_five")
        for size in (1, 2, 3, 10):
            listed: list[str] = []
            following: str | None = f"{C5}/matches?page_size={size}"
            while following:
                page = ann.get(following.removeprefix(ann.served.url))
                assert len(page["results"]) <= size
                listed += [each["id"] for each in page["results"]]
                following = page["next"]
            assert listed == made[::-1]
