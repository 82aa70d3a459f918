"""The bus between processes: Redis (or Valkey) pub/sub, over one connection each way.

Hearers of this process are told directly and depend on no server. To other processes goes what
waits: as one message for each of them where they are few and known (`others`), else over the
topics, and then the echo that comes back is known by its origin and dropped. Redis keeps nothing
for who is not there, so every time a subscription comes into force its hearers are told to check,
and a publisher that had to drop something tells everybody to.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

import hiredis
import structlog
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError

from parlour.bus.api import CHECK, Hear
from parlour.bus.backlog import Backlog, Message
from parlour.bus.ending import end, until_one_ends
from parlour.bus.local import LocalBus
from parlour.bus.others import HERE, WHO, Others, unpacked

log = structlog.get_logger()

BATCH = 256
BATCH_BYTES = 2**20
READ_BYTES = 2**16
PARSED_BYTES = 2**12
"""So much of it is parsed at a time: the parser moves all that it still has behind each message."""
TURN = 64
"""Messages heard before others get a turn on the loop."""
SILENCE_SEC = 10.0
"""A listener that heard nothing for so long asks; twice in a row means the link is dead."""
RETRY_SHORTEST_SEC = 0.05
RETRY_LONGEST_SEC = 2.0
PARTING_SEC = 1.0

ORIGIN_BYTES = 8

PUBLISH_ALL = b"""
for place = 1, #ARGV, 2 do redis.call("PUBLISH", ARGV[place], ARGV[place + 1]) end
return #ARGV
"""
"""Many messages by one command, so that one answer is read and not as many."""

Command = tuple[bytes, ...]
Ask = Callable[[Command], Awaitable[Any]]
"""Gives Redis a command, and waits for what it says."""


class RedisBus:
    """Reconnects by itself and for ever."""

    alone = False
    roomy = True

    def __init__(self, url: str) -> None:
        # RESP2: in pub/sub mode every reply is a list, which keeps reading simple.
        self._pool = ConnectionPool.from_url(url, protocol=2, client_name="parlour")
        # Redis does not separate pub/sub by database; the prefix does.
        self._prefix = f"parlour:{self._pool.connection_kwargs.get('db', 0)}:".encode()
        self._prefix_bytes = len(self._prefix)
        self._lost = self._prefix + b"lost"
        self._origin = secrets.token_bytes(ORIGIN_BYTES)
        self.others = Others(self._prefix, self._origin)
        self._here = LocalBus()
        self._tasks: list[asyncio.Task[None]] = []
        self._tried = asyncio.Event()
        self.connected = False
        """Messages of other processes are arriving."""

        self.backlog = Backlog()
        self._sending: list[Message] = []
        self._notices: list[tuple[bytes, bytes]] = []
        """What all processes are to be told, and on which channel,"""
        self._telling: list[tuple[bytes, bytes]] = []
        """… and that of it which is on its way."""

        self._asked: set[str] = set()
        """Topics whose subscription Redis was asked for on the present connection."""
        self._changed: set[str] = set()
        """Topics that may have gained a first or lost a last hearer since Redis was told."""
        self._to_ask = asyncio.Event()
        self._heard = 0
        """How often the listener has read something."""

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
        await end(self._tasks)
        self._tasks = []
        self.connected = False
        await self._here.close()

    def publish(self, topic: str, payload: bytes) -> None:
        """To the hearers here on the next turn, to all others through Redis."""
        self._here.publish(topic, payload)
        self.backlog.add(topic, payload)

    def publish_elsewhere(self, topic: str, payload: bytes) -> None:
        """Through Redis; the echo is dropped."""
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
            except (RedisError, OSError) as error:
                log.warning("bus disconnected", error=str(error))
            except Exception:
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
        """What was taken is sent again, whole, if its connection breaks: repeating is allowed."""
        stream, writer = _streams(link)
        answers = hiredis.Reader(replyError=RedisError)

        async def ask(command: Command) -> Any:
            writer.write(hiredis.pack_command(command))  # type: ignore[arg-type]  # stubs: one word
            async with asyncio.timeout(link.socket_timeout):
                while (found := answers.gets()) is False:
                    answers.feed(await _read(stream))
            return found

        while True:
            await self.backlog.wait()
            self._take_batch()
            if self._telling:
                await self._publish(ask, self._telling)
                self._telling = []
            if self._sending and not await self._sent_whole(ask):
                await self._publish(ask, self._apart())
            self._sending = []
            self.backlog.sent()
            if self._notices:
                self.backlog.call()

    def _take_batch(self) -> None:
        if not self._sending:
            self._sending = self.backlog.take(BATCH, BATCH_BYTES)
        if self.backlog.take_lost():
            self._notify(self._lost, b"")
        if not self._telling:
            self._telling, self._notices = self._notices, []

    async def _sent_whole(self, ask: Ask) -> bool:
        """Whether the others, if they are few and known, have got the batch as one message.

        Should Redis refuse, it will say so again of the way that is left.
        """
        if not self.others.reachable:
            return False
        sent: bool = await ask(self.others.command(self._lost, self._sending)) == 1
        if not sent:
            self.others.miscounted()
        return sent

    async def _publish(self, ask: Ask, messages: Iterable[tuple[bytes, bytes]]) -> None:
        """Each of these on its channel."""
        found = await ask((b"EVAL", PUBLISH_ALL, b"0", *chain.from_iterable(messages)))
        if isinstance(found, RedisError):
            raise found

    def _apart(self) -> Iterator[tuple[bytes, bytes]]:
        prefix, origin = self._prefix, self._origin
        for topic, payload in self._sending:
            yield prefix + topic.encode(), origin + payload

    def _notify(self, channel: bytes, message: bytes) -> None:
        notice = (channel, self._origin + message)
        if notice not in self._notices:
            self._notices.append(notice)
        self.backlog.call()

    # --- listening ----------------------------------------------------------------------------

    async def _listen(self, link: AbstractConnection) -> None:
        link.socket_timeout = None  # `_mind_silence` has one clock for all messages
        self._asked = set()
        self._changed = set(self._here.topics)
        others = self.others
        await link.send_command("SUBSCRIBE", self._lost, others.greetings, others.inbox)
        try:
            await until_one_ends(self._ask(link), self._hear(link), self._mind_silence(link))
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
        stream, _ = _streams(link)
        replies = hiredis.Reader(replyError=RedisError)
        origin, inbox, taken = self._origin, self.others.inbox, 0
        while True:
            received = await _read(stream)
            self._heard += 1
            for start in range(0, len(received), PARSED_BYTES):
                replies.feed(received[start : start + PARSED_BYTES])
                for reply in iter(replies.gets, False):
                    if isinstance(reply, RedisError):
                        raise reply
                    if reply[0] != b"message":
                        self._note_answer(reply)
                    elif reply[1] == inbox:
                        taken = await self._hear_whole(reply[2], taken)
                        continue
                    elif reply[2].startswith(origin):
                        continue  # our own, which comes back as we listen to what we tell
                    else:
                        self._pass_on(reply[1], reply[2])
                    taken += 1
                    if taken == TURN:
                        taken = 0
                        await asyncio.sleep(0)

    async def _hear_whole(self, batch: bytes, taken: int) -> int:
        """All that another process had to say at a time, to who has heard so many since others had
        a turn; and how many these are then.
        """
        messages = unpacked(batch)
        if messages is None:
            self._check_all()
            return taken
        begin = 0
        while begin + TURN - taken <= len(messages):
            end = begin + TURN - taken
            self._here.tell_all(messages[begin:end])
            begin, taken = end, 0
            await asyncio.sleep(0)
        self._here.tell_all(messages[begin:])
        return taken + len(messages) - begin

    async def _mind_silence(self, link: AbstractConnection) -> None:
        """Ask who says nothing for a sign. To time each message would cost more than to read it."""
        heard, asked_for_sign = -1, False
        while True:
            if self.others.sought():
                self._notify(self.others.greetings, WHO)
            if heard != self._heard:
                heard, asked_for_sign = self._heard, False
            elif asked_for_sign:
                raise Disconnected("Redis is silent")
            else:
                asked_for_sign = True
                await link.send_command("PING", check_health=False)
            await asyncio.sleep(SILENCE_SEC)

    def _pass_on(self, channel: bytes, message: bytes) -> None:
        if channel == self._lost:
            self._check_all()
        elif channel == self.others.greetings:
            self.others.met(message[:ORIGIN_BYTES])
            if message[ORIGIN_BYTES:] == WHO:
                self._notify(channel, HERE)
        else:
            self._here.tell(channel[self._prefix_bytes :].decode(), message[ORIGIN_BYTES:])

    def _check_all(self) -> None:
        for topic in tuple(self._here.topics):
            self._here.tell(topic, CHECK)

    def _note_answer(self, reply: list[bytes]) -> None:
        """To a SUBSCRIBE; all else answers an UNSUBSCRIBE or a PING."""
        if reply[0] != b"subscribe" or reply[1] in (self._lost, self.others.greetings):
            return
        if reply[1] == self.others.inbox:
            self.connected = True
            self._tried.set()
            self._notify(self.others.greetings, WHO)
        else:
            self._here.tell(reply[1][self._prefix_bytes :].decode(), CHECK)


def _streams(link: AbstractConnection) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection's own: the driver takes longer to hand over a message than we do to read it."""
    stream, writer = link._reader, link._writer  # noqa: SLF001 (redis-py hands them out nowhere)
    assert stream is not None
    assert writer is not None
    return stream, writer


async def _read(stream: asyncio.StreamReader) -> bytes:
    received = await stream.read(READ_BYTES)
    if not received:
        raise Disconnected("Redis hung up")
    return received
