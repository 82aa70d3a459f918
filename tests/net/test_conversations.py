"""Conversations of a real server: what is done at once, what waits, in which order, and the end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from parlour.net import session as sessions
from parlour.net.limits import RateLimited
from parlour.net.services import Services
from parlour.net.session import LATER, Rest, Session
from parlour.net.sockets import socket
from parlour.settings import Settings
from parlour.store.change import Unavailable
from tests.servers.parlour import Served, serving

PATH = "/ws/test/talk"


class Talk:
    """Says back what it hears, some of it later; remembers what it did."""

    def __init__(self, session: Session, done: list[str]) -> None:
        self.session = session
        self.done = done
        self.may_go_on = asyncio.Event()
        self.ends = 0

    def received(self, message: str | bytes) -> Rest:  # noqa: PLR0911 (one for each kind)
        assert isinstance(message, str)
        kind, _, word = message.partition(" ")
        if kind == "at-once":
            self._say(word)
        elif kind == "break":
            raise RuntimeError("secret detail")
        elif kind == "limit":
            raise RateLimited("messages", 1)
        elif kind == "close-and-wait":
            self.session.close(4409, "as you wish")
            return self._later(word, turns=5)
        elif kind == "later":
            return self._later(word, turns=len(word) % 3)
        elif kind == "called-back":
            self._call_back(word, turns=1 + len(word) % 3)
            return LATER
        elif kind == "called-back-and-later":
            asyncio.get_running_loop().call_soon(self.session.handled, self._later(word, turns=2))
            return LATER
        elif kind == "held":
            return self._held(word)
        elif kind == "break-when-called-back":
            fails = self._break(RuntimeError("secret detail"))
            asyncio.get_running_loop().call_soon(self.session.handled, fails)
            return LATER
        elif kind == "break-later":
            return self._break(RuntimeError("secret detail"))
        elif kind == "be-away":
            return self._break(Unavailable("the database is on holiday"))
        return None

    async def ended(self) -> None:
        self.done.append("ended")

    def _say(self, word: str) -> None:
        self.done.append(word)
        self.session.send(word.encode())

    def _call_back(self, word: str, turns: int) -> None:
        if turns:
            asyncio.get_running_loop().call_soon(self._call_back, word, turns - 1)
        else:
            self._say(word)
            self.session.handled()

    async def _later(self, word: str, turns: int) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)
        self._say(word)

    async def _held(self, word: str) -> None:
        self._say(f"{word}?")
        await self.may_go_on.wait()
        self._say(word)

    async def _break(self, error: Exception) -> None:
        await asyncio.sleep(0)
        raise error


class Talks:
    """A server where `Talk` answers; what was done is for the tests to see."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.talks: list[Talk] = []
        self.served: Served

    def routes(self, services: Services) -> list[Any]:
        async def handle(session: Session) -> Talk:
            self.talks.append(Talk(session, self.done))
            return self.talks[-1]

        return [socket(PATH, handle, services)]

    def connect(self) -> ClientConnection:
        self.done.clear()
        self.talks.clear()
        return connect(self.served.ws + PATH, compression=None)

    def let_go(self) -> None:
        assert self.served.loop is not None
        for talk in self.talks:
            self.served.loop.call_soon_threadsafe(talk.may_go_on.set)


@pytest.fixture(scope="module")
def talks() -> Iterator[Talks]:
    made = Talks()
    with serving(more=made.routes) as made.served:
        yield made


def until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + 30
    while not true():
        assert time.monotonic() < ends, "it does not come about"
        time.sleep(0.01)


def rest(client: ClientConnection) -> tuple[list[str], int | None]:
    """All that is still said, and the code that ends it."""
    said = []
    with suppress(ConnectionClosed):
        while True:
            said.append(str(client.recv(30)))
    return said, client.close_code


def masked(*messages: str) -> bytes:
    return b"".join(Frame(Opcode.TEXT, m.encode()).serialize(mask=True) for m in messages)


# --- order


KINDS = ["at-once", "later", "called-back", "called-back-and-later"]


@given(st.lists(st.sampled_from(KINDS), max_size=40), st.booleans())
@settings(max_examples=30, deadline=None)
def test_answers_come_in_order_whatever_has_to_wait(
    talks: Talks, kinds: list[str], together: bool
) -> None:
    words = [f"{number}{'x' * (number % 5)}" for number in range(len(kinds))]
    messages = [f"{kind} {word}" for kind, word in zip(kinds, words, strict=True)]
    with talks.connect() as client:
        if together:
            client.socket.sendall(masked(*messages))
        else:
            for message in messages:
                client.send(message)
        assert [client.recv(30) for _ in words] == words


def test_the_next_message_waits_until_the_one_in_hand_is_done(talks: Talks) -> None:
    with talks.connect() as client:
        for message in ("held a", "at-once b", "held c", "at-once d"):
            client.send(message)
        assert client.recv(30) == "a?"
        talks.let_go()
        assert [client.recv(30) for _ in range(5)] == ["a", "b", "c?", "c", "d"]


def test_nobody_waits_for_an_idle_socket(talks: Talks) -> None:
    with talks.connect() as client:
        client.send("later x")
        assert client.recv(30) == "x"
        until(lambda: not talks.served.server.server_state.tasks)


def test_who_sends_faster_than_it_is_handled_is_held_back(talks: Talks) -> None:
    with talks.connect() as client:
        client.send("held a")
        assert client.recv(30) == "a?"
        words = [f"{number:01000}" for number in range(200)]
        pieces = [masked(f"at-once {word}") for word in words]
        for piece in pieces[: sessions.INBOX]:
            client.socket.sendall(piece)
        (talk,) = talks.talks
        until(lambda: len(talk.session._inbox or ()) >= sessions.INBOX)
        for piece in pieces[sessions.INBOX :]:
            client.socket.sendall(piece)
        assert talk.session._line.paused
        assert len(talk.session._inbox or ()) == sessions.INBOX
        talks.let_go()
        assert [client.recv(30) for _ in range(1 + len(words))] == ["a", *words]


# --- the end


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_said_before_leaving_is_handled_before_the_end(talks: Talks, kind: str) -> None:
    with talks.connect() as client:
        for number in range(20):
            client.send(f"{kind} {number}")
    until(lambda: "ended" in talks.done)
    assert talks.done == [*map(str, range(20)), "ended"]


def test_who_leaves_while_its_message_is_in_hand_is_parted_from_after_it(talks: Talks) -> None:
    with talks.connect() as client:
        client.send("held a")
        client.send("at-once b")
        assert client.recv(30) == "a?"
    (talk,) = talks.talks
    until(lambda: talk.session.closed)
    assert talks.done == ["a?"]
    talks.let_go()
    until(lambda: "ended" in talks.done)
    assert talks.done == ["a?", "a", "b", "ended"]


def test_a_surface_that_closes_finishes_what_it_has_in_hand(talks: Talks) -> None:
    with talks.connect() as client:
        client.socket.sendall(masked("close-and-wait a", "at-once b"))
        assert rest(client) == ([], 4409)
    until(lambda: "ended" in talks.done)
    assert talks.done == ["a", "ended"]


@pytest.mark.parametrize(
    ("message", "code", "failures"),
    [
        ("break", 1011, 1),
        ("break-later", 1011, 1),
        ("break-when-called-back", 1011, 1),
        ("be-away", 1013, 0),
        ("limit", 1013, 0),
    ],
)
def test_what_is_not_caught_closes_without_details(
    talks: Talks, message: str, code: int, failures: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with talks.connect() as client:
        client.socket.sendall(masked(message, "at-once x"))
        said, closed_with = rest(client)
    assert closed_with == code
    assert "secret" not in (client.close_reason or "")
    until(lambda: "ended" in talks.done)
    assert talks.done.count("ended") == 1
    assert capsys.readouterr().out.count("unexpected error") == failures
    until(lambda: f'parlour_sockets{{surface="{PATH}"}} 0.0' in _metrics(talks.served))
    assert all("Too many" in each for each in said)


def test_a_stop_finishes_what_is_in_hand_and_asks_to_reconnect() -> None:
    talks = Talks()
    with (
        serving(more=talks.routes) as talks.served,
        talks.connect() as idle,
        connect(talks.served.ws + PATH, compression=None) as busy,
    ):
        busy.send("held a")
        busy.send("at-once not begun")
        assert busy.recv(30) == "a?"
        talks.served.stop()
        assert rest(idle) == ([], 1012)
        talks.let_go()
        assert rest(busy) == (["a"], 1012)
    assert talks.done == ["a?", "ended", "a", "ended"]


# --- limits


def test_a_message_too_many_is_answered_and_never_reaches_the_conversation() -> None:
    talks = Talks()
    given = Settings.read({"DATABASE_URL": "sqlite://", "RATE_LIMIT_MESSAGES_PER_USER": "3/h"})
    with serving(given, talks.routes, rate_limits=True) as talks.served:
        with talks.connect() as client:
            for number in range(5):
                client.send(f"at-once {number}")
            said = [str(client.recv(30)) for _ in range(5)]
            assert said[:3] == ["0", "1", "2"]
            assert all("RATE_LIMITED" in each for each in said[3:])
        until(lambda: "ended" in talks.done)
    assert talks.done == ["0", "1", "2", "ended"]


def test_who_comes_faster_than_its_pace_has_its_turn_later_and_in_order() -> None:
    talks = Talks()
    given = Settings.read(
        {"DATABASE_URL": "sqlite://", "RATE_LIMIT_MESSAGES_PER_ADDRESS": "400/10s"}
    )
    with serving(given, talks.routes, rate_limits=True) as talks.served, talks.connect() as client:
        words = [str(number) for number in range(30)]
        client.socket.sendall(masked(*(f"at-once {word}" for word in words)))
        assert [client.recv(30) for _ in words] == words


def _metrics(served: Served) -> str:
    return served.ask("GET", "/metrics").text
