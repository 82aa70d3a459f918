"""A Redis server in memory, as far as the real `RedisBus` speaks to it, with a bad network.

Like the real one it loses nothing on a connection that holds, and everything on one that breaks.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Sequence
from contextvars import copy_context
from random import Random
from typing import Any

import hiredis
from redis.exceptions import ConnectionError as Disconnected

from parlour.bus.others import PUBLISH_WHOLE, unpacked
from parlour.bus.redis import BATCH, PUBLISH_ALL, RedisBus
from tests.simulation.loop import OWNER

Command = Sequence[Any]


def _messages(command: Command) -> int:
    """How many a command publishes, or how many channels it subscribes to."""
    if command[0] != b"EVAL":
        return len(command) - 1
    whole = unpacked(command[3]) if command[1] == PUBLISH_WHOLE else None
    return len(command[3::2]) if whole is None else len(whole)


def _packed(reply: list[bytes] | int) -> bytes:
    """A list of texts goes to and fro in the same way."""
    return b":%d\r\n" % reply if isinstance(reply, int) else hiredis.pack_command(tuple(reply))  # type: ignore[arg-type]  # as in `RedisBus`


class Redis:
    """The server: who subscribes to what."""

    def __init__(self, random: Random, tally: Counter[str]) -> None:
        self.random = random
        self.tally = tally
        self.away = False
        self._links: dict[Link, None] = {}
        self._channels: dict[bytes, dict[Link, None]] = {}

    def bus(self) -> RedisBus:
        """The real bus, whose connections come to this server."""
        bus = RedisBus("redis://nowhere/0")
        bus._pool = self  # type: ignore[assignment]  # all it does is make connections
        return bus

    def make_connection(self) -> Link:
        return Link(self)

    def admit(self, link: Link) -> None:
        if self.away:
            raise Disconnected("connection refused")
        self._links[link] = None

    def drop(self, link: Link) -> None:
        """A connection is gone, and all its subscriptions with it."""
        self._links.pop(link, None)
        for subscribed in self._channels.values():
            subscribed.pop(link, None)

    def subscribe(self, link: Link, channel: bytes) -> None:
        self._channels.setdefault(channel, {})[link] = None

    def unsubscribe(self, link: Link, channel: bytes) -> None:
        self._channels.get(channel, {}).pop(link, None)

    def publish_whole(self, message: bytes, everybody: bytes, *inboxes: bytes) -> int:
        """As the script does: only if all that listen do so at these inboxes."""
        at = [len(self._channels.get(inbox, ())) for inbox in inboxes]
        if sum(at) != len(self._channels.get(everybody, ())) or 0 in at[1:]:
            self.tally["batches apart"] += 1
            return 0
        for inbox in inboxes[1:]:
            self.publish(inbox, message)
        self.tally["batches whole"] += 1
        return 1

    def publish(self, channel: bytes, message: bytes) -> int:
        hearers = tuple(self._channels.get(channel, ()))
        for link in hearers:
            link.carry([b"message", channel, message])
        self.tally["bus messages"] += len(hearers)
        return len(hearers)

    # --- what goes wrong

    def break_one(self) -> None:
        """A connection breaks."""
        if self._links:
            self.random.choice(tuple(self._links)).snap()
            self.tally["broken bus"] += 1

    def silence_one(self) -> None:
        """A connection falls silent without breaking."""
        if self._links:
            self.random.choice(tuple(self._links)).silent = True
            self.tally["silent bus"] += 1

    def go_away(self) -> None:
        """The server is down: all connections break, and none can be made."""
        self.away = True
        self.tally["bus outage"] += 1
        for link in tuple(self._links):
            link.snap()

    def forget(self, owner: object) -> None:
        """A process died: its connections end."""
        for link in tuple(self._links):
            if link.owner is owner:
                self.drop(link)


class Link:
    """One connection, as redis-py has it."""

    # ruff: noqa: ARG002 (the parameters are redis-py's)

    def __init__(self, server: Redis) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._context = copy_context()
        self.owner = OWNER.get()
        self._latency = server.random.choice((0.0005, 0.002, 0.02))
        self._replies: deque[Any] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._broken = False
        self.silent = False
        self.socket_timeout: float | None = 5.0

    @property
    def _reader(self) -> Link:
        """What comes in, as a stream."""
        return self

    @property
    def _writer(self) -> Link:
        """What goes out, likewise."""
        return self

    async def connect(self) -> None:
        await asyncio.sleep(self._latency)
        self._server.admit(self)

    async def disconnect(self, nowait: bool = False) -> None:
        self._broken = True
        self._server.drop(self)

    def pack_commands(self, commands: Sequence[Command]) -> Sequence[Command]:
        return commands

    def write(self, packed: bytes) -> None:
        """One command. That the connection broke is noticed by who reads the answer."""
        command = hiredis.Reader()
        command.feed(packed)
        self._send([command.gets()])

    async def send_packed_command(self, commands: Sequence[Command]) -> None:
        self._send(commands)
        if self._broken:
            raise Disconnected("connection reset")

    def _send(self, commands: Sequence[Command]) -> None:
        if any(_messages(command) >= BATCH for command in commands):
            self._server.tally["limit of a batch"] += 1
        for command in commands:
            self._take(*command)

    async def send_command(self, *command: bytes | str, check_health: bool = True) -> None:
        await self.send_packed_command([command])

    def _take(self, verb: bytes | str, *words: Any) -> None:
        if self._broken or self.silent:
            return
        match verb:
            case b"EVAL" if words[0] == PUBLISH_WHOLE:
                self.carry(self._server.publish_whole(*words[2:]))
            case b"EVAL":
                assert words[:2] == (PUBLISH_ALL, b"0")
                for channel, message in zip(words[2::2], words[3::2], strict=True):
                    self._server.publish(channel, message)
                self.carry(len(words) - 2)
            case "PING":
                self.carry([b"pong", b""])
            case "SUBSCRIBE" | b"SUBSCRIBE":
                for channel in words:
                    self._server.subscribe(self, channel)
                    self.carry([b"subscribe", channel, b"1"])
            case _:
                for channel in words:
                    self._server.unsubscribe(self, channel)

    async def read(self, size: int) -> bytes:
        """All replies that are there, in so many bytes; nothing if the connection broke."""
        if not self._replies and not self._broken:
            self._waiter = self._loop.create_future()
            await self._waiter
        received = b"".join(map(_packed, self._replies))
        self._replies.clear()
        return received

    def carry(self, reply: Any) -> None:
        """Something is on its way to the client."""
        if not self.silent:
            self._loop.call_later(self._latency, self._arrive, reply, context=self._context)

    def snap(self) -> None:
        self._server.drop(self)
        self._loop.call_soon(self._break, context=self._context)

    def _break(self) -> None:
        self._broken = True
        self._wake()

    def _arrive(self, reply: Any) -> None:
        if not self._broken:
            self._replies.append(reply)
            self._wake()

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)
