"""The bus between processes: Redis (or Valkey) pub/sub, over one connection each way.

Hearers of this process are told directly and depend on no server; the echo that comes back is
known by its origin and dropped. Redis keeps nothing for who is not there, so every time a
subscription comes into force its hearers are told to check, and a publisher that had to drop
something tells everybody to.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

import structlog
from redis._parsers.hiredis import NOT_ENOUGH_DATA
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError

from parlour.bus.api import CHECK, Hear
from parlour.bus.backlog import Backlog
from parlour.bus.local import LocalBus

log = structlog.get_logger()

BATCH = 256
BATCH_BYTES = 2**20
TURN = 64
"""Messages heard before others get a turn on the loop."""
SILENCE_SEC = 10.0
"""A listener that heard nothing for so long asks; twice in a row means the link is dead."""
RETRY_SHORTEST_SEC = 0.05
RETRY_LONGEST_SEC = 2.0
PARTING_SEC = 1.0

ORIGIN_BYTES = 8


def _arrived(link: AbstractConnection) -> Iterator[Any]:
    """What came with the last reply, which is there without waiting for it.

    Asking the client for each reply sets a timer for each, and takes ten times as long.
    """
    reader = getattr(getattr(link, "_parser", None), "_reader", None)
    while reader is not None and (reply := reader.gets()) is not NOT_ENOUGH_DATA:
        if isinstance(reply, RedisError):
            raise reply
        yield reply


class RedisBus:
    """Reconnects by itself and for ever."""

    alone = False

    def __init__(self, url: str) -> None:
        # RESP2: in pub/sub mode every reply is a list, which keeps reading simple.
        self._pool = ConnectionPool.from_url(url, protocol=2, client_name="parlour")
        # Redis does not separate pub/sub by database; the prefix does.
        self._prefix = f"parlour:{self._pool.connection_kwargs.get('db', 0)}:".encode()
        self._lost = self._prefix + b"lost"
        self._origin = secrets.token_bytes(ORIGIN_BYTES)
        self._here = LocalBus()
        self._tasks: list[asyncio.Task[None]] = []
        self._tried = asyncio.Event()
        self.connected = False
        """Messages of other processes are arriving."""

        self.backlog = Backlog()
        self._sending: list[tuple[bytes, bytes]] = []

        self._asked: set[str] = set()
        """Topics whose subscription Redis was asked for on the present connection."""
        self._changed: set[str] = set()
        """Topics that may have gained a first or lost a last hearer since Redis was told."""
        self._to_ask = asyncio.Event()

    async def start(self) -> None:
        """Waits for the first attempt to connect, not for its success."""
        self._tasks = [
            asyncio.create_task(self._keep(self._listen), name="bus-listener"),
            asyncio.create_task(self._keep(self._send), name="bus-sender"),
        ]
        await self._tried.wait()

    async def close(self) -> None:
        """What is waiting still goes out if that takes no longer than a moment."""
        if self._tasks:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.backlog.all_sent.wait(), PARTING_SEC)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        self.connected = False
        await self._here.close()

    def publish(self, topic: str, payload: bytes) -> None:
        """To the hearers here on the next turn, to all others through Redis."""
        self._here.publish(topic, payload)
        self.backlog.add(topic, payload)

    def subscribe(self, topic: str, hear: Hear) -> Callable[[], None]:
        """Redis is asked only for topics that somebody here listens to."""
        unsubscribe_here = self._here.subscribe(topic, hear)
        self._note_change(topic)

        def unsubscribe() -> None:
            unsubscribe_here()
            self._note_change(topic)

        return unsubscribe

    def _note_change(self, topic: str) -> None:
        if (topic in self._here.topics) != (topic in self._asked):
            self._changed.add(topic)
            self._to_ask.set()

    async def _keep(self, serve: Callable[[AbstractConnection], Awaitable[None]]) -> None:
        """Serves on a connection, and on a new one whenever it breaks."""
        delay = RETRY_SHORTEST_SEC
        while True:
            link: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]  # so in redis-py
            began = time.monotonic()
            try:
                await link.connect()  # type: ignore[no-untyped-call]  # so in redis-py
                await serve(link)
            except* (RedisError, OSError) as errors:
                log.warning("bus disconnected", error=str(errors.exceptions[0]))
            except* Exception:
                log.exception("bus failed")
            finally:
                self._tried.set()
                with suppress(RedisError, OSError):
                    await link.disconnect(nowait=True)
            lived_long = time.monotonic() - began > RETRY_LONGEST_SEC
            delay = RETRY_SHORTEST_SEC if lived_long else min(2 * delay, RETRY_LONGEST_SEC)
            # Many processes lose the same server at once; they should not all return at once.
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))  # noqa: S311 -- no secret

    # --- sending ------------------------------------------------------------------------------

    async def _send(self, link: AbstractConnection) -> None:
        while True:
            if not self._sending:
                await self.backlog.wait()
                self._take_batch()
            commands = [("PUBLISH", channel, message) for channel, message in self._sending]
            await link.send_packed_command(link.pack_commands(commands))
            answered = 0
            while answered < len(commands):
                await link.read_response()
                answered += 1 + sum(1 for _ in _arrived(link))
            self._sending = []
            self.backlog.sent()

    def _take_batch(self) -> None:
        """What was taken is sent again, whole, if its connection breaks: repeating is allowed."""
        if self.backlog.take_lost():
            self._sending.append((self._lost, self._origin))
        for topic, payload in self.backlog.take(BATCH, BATCH_BYTES):
            self._sending.append((self._prefix + topic.encode(), self._origin + payload))

    # --- listening ----------------------------------------------------------------------------

    async def _listen(self, link: AbstractConnection) -> None:
        self._asked = set()
        self._changed = set(self._here.topics)
        await link.send_command("SUBSCRIBE", self._lost)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._ask(link))
                both.create_task(self._hear(link))
        finally:
            self.connected = False

    async def _ask(self, link: AbstractConnection) -> None:
        """Keeps what Redis sends equal to what is listened to."""
        while True:
            wanted = [topic for topic in self._changed if topic in self._here.topics]
            unwanted = [topic for topic in self._changed if topic not in self._here.topics]
            self._changed.clear()
            self._to_ask.clear()
            commands: list[tuple[bytes, ...]] = []
            for verb, topics in ((b"SUBSCRIBE", wanted), (b"UNSUBSCRIBE", unwanted)):
                channels = [self._prefix + topic.encode() for topic in topics]
                commands += [
                    (verb, *channels[at : at + BATCH]) for at in range(0, len(channels), BATCH)
                ]
            self._asked.update(wanted)
            self._asked.difference_update(unwanted)
            if commands:
                await link.send_packed_command(link.pack_commands(commands))
            await self._to_ask.wait()

    async def _hear(self, link: AbstractConnection) -> None:
        asked_for_sign = False
        heard = 0
        while True:
            reply = await link.read_response(timeout=SILENCE_SEC, disconnect_on_error=False)
            if reply is None:
                if asked_for_sign:
                    raise Disconnected("Redis is silent")
                asked_for_sign = True
                await link.send_command("PING", check_health=False)
                continue
            asked_for_sign = False
            for each in chain((reply,), _arrived(link)):
                self._take(each)
                heard += 1
                if heard % TURN == 0:
                    await asyncio.sleep(0)

    def _take(self, reply: list[bytes]) -> None:
        match reply:
            case [b"message", self._lost, origin]:
                if origin != self._origin:
                    self._check_all()
            case [b"message", channel, message]:
                if message[:ORIGIN_BYTES] != self._origin:
                    self._here.tell(self._topic(channel), message[ORIGIN_BYTES:])
            case [b"subscribe", self._lost, _]:
                self.connected = True
                self._tried.set()
            case [b"subscribe", channel, _]:
                self._here.tell(self._topic(channel), CHECK)
            case _:
                pass  # the answers to UNSUBSCRIBE and PING

    def _check_all(self) -> None:
        for topic in tuple(self._here.topics):
            self._here.tell(topic, CHECK)

    def _topic(self, channel: bytes) -> str:
        return channel[len(self._prefix) :].decode()
