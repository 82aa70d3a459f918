"""The bus between processes that share a PostgreSQL: NOTIFY and LISTEN, over one connection.

Laws:

* All topics share one channel, and messages that wait together share a note. A server goes through
  all that a session listens to for every note, and a note costs a transaction: few are cheap.
* Hearers of this process are told directly; the echo that comes back is dropped.
* PostgreSQL keeps nothing for who is not there, so whenever a connection stands everybody here is
  told to check; so is everybody everywhere when a process had to drop something.
* While no other process listens, nothing is sent. Who begins to listen is counted among the
  listeners from then on, and says hello. Whoever counted before hears the hello, sends from then
  on, and answers; the answer makes the newcomer check, which makes up for what was not sent.
"""

from __future__ import annotations

import asyncio
import random
import time
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import asyncpg
import msgspec
import structlog

from parlour.bus.api import CHECK, Hear
from parlour.bus.backlog import FRAMING, Backlog, Message
from parlour.bus.ending import end, until_one_ends
from parlour.bus.local import LocalBus

log = structlog.get_logger()

CHANNEL = "parlour"
LISTENERS = 0x7061726C_00627573  # "parl", "bus"
"""The advisory lock that every listener shares with the others, so that they can be counted."""

NOTE_MAX = 7_999
"""The longest note that PostgreSQL takes, in bytes. It is text: four bytes for three of ours."""
NOTE_BYTES = NOTE_MAX * 3 // 4 - 50
MESSAGES = 256
"""Messages that share a note at most."""
NOTES_KEPT = 1_000
"""Notes that may wait to be told here; beyond that everybody is told to check instead."""
TURN = 64
"""Messages told before others get a turn on the loop."""
SILENCE_SEC = 10.0
"""How often the others are counted, by which a dead connection is noticed, too."""
RETRY_SHORTEST_SEC = 0.05
RETRY_LONGEST_SEC = 2.0
PARTING_SEC = 1.0

HELLO = "!hello"
ALL = ""
"""The topic that stands for all topics."""
CHECK_ALL = (ALL, CHECK)

_JOIN = f"SELECT pg_advisory_lock_shared({LISTENERS}), pg_notify('{CHANNEL}', '{HELLO}')"
_OTHERS = f"""SELECT EXISTS (
    SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = {LISTENERS >> 32} AND objid = {LISTENERS & 0xFFFFFFFF} AND objsubid = 1
)"""  # noqa: S608 (the only values put into it are our own)
_NOTIFY = f"SELECT pg_notify('{CHANNEL}', $1)"

_BROKEN = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # what the driver says when its farewell came between
)
"""The server, or the way to it, went away."""

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(list[Message])


class PostgresBus:
    """Reconnects by itself and for ever."""

    alone = False
    roomy = False
    """A note is short, and each is a transaction."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._here = LocalBus()
        self._tasks: list[asyncio.Task[None]] = []
        self._tried = asyncio.Event()
        self.connected = False
        """Messages of other processes are arriving."""
        self.listened_to = True
        """Another process may be listening."""
        self._foreign = 0
        """How many notes of other processes were heard."""
        self.backlog = Backlog()
        self._note: str | None = None
        """The note that is under way."""
        self._heard: deque[str] = deque()
        """Notes to be told here, in order."""
        self._to_tell = asyncio.Event()

    async def start(self) -> None:
        """Waits for the first attempt to connect, not for its success."""
        self._tasks = [
            asyncio.create_task(self._keep(), name="bus-link"),
            asyncio.create_task(self._tell(), name="bus-teller"),
        ]
        await self._tried.wait()

    async def close(self) -> None:
        """What is waiting still goes out if that takes no longer than a moment."""
        if self._tasks:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.backlog.all_sent.wait(), PARTING_SEC)
        await end(self._tasks)
        self._tasks = []
        await self._here.close()

    def publish(self, topic: str, payload: bytes) -> None:
        """To the hearers here on the next turn, to all others through PostgreSQL."""
        self._here.publish(topic, payload)
        self.publish_elsewhere(topic, payload)

    def publish_elsewhere(self, topic: str, payload: bytes) -> None:
        """Through PostgreSQL, if anybody is there."""
        if self.listened_to:
            fits = len(topic) + len(payload) + FRAMING <= NOTE_BYTES
            self.backlog.add(topic, payload if fits else CHECK)

    def subscribe(self, topic: str, hear: Hear) -> Callable[[], None]:
        """In force at once, while there is a connection."""
        unsubscribe = self._here.subscribe(topic, hear)
        if self.connected:
            asyncio.get_running_loop().call_soon(self._here.tell, topic, CHECK)
        return unsubscribe

    # --- the connection -----------------------------------------------------------------------

    async def _keep(self) -> None:
        """Serves on a connection, and on a new one whenever it breaks."""
        delay = RETRY_SHORTEST_SEC
        while True:
            began = time.monotonic()
            try:
                await self._connect()
            except _BROKEN as error:
                log.warning("bus disconnected", error=str(error))
            except Exception:
                log.exception("bus failed")
            finally:
                self.connected = False
                self.listened_to = True
                self._tried.set()
            lived_long = time.monotonic() - began > RETRY_LONGEST_SEC
            delay = RETRY_SHORTEST_SEC if lived_long else min(2 * delay, RETRY_LONGEST_SEC)
            # Many processes lose the same server at once; they should not all return at once.
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))  # noqa: S311 -- no secret

    async def _connect(self) -> None:
        link = await asyncpg.connect(
            self._url,
            timeout=SILENCE_SEC,
            command_timeout=SILENCE_SEC,
            server_settings={"application_name": "parlour-bus"},
        )
        try:
            ended = asyncio.Event()
            link.add_termination_listener(lambda _: ended.set())
            await link.add_listener(CHANNEL, self._hear)
            await link.execute(_JOIN)
            self.connected = True
            self._take_in(_encoded([CHECK_ALL]))
            await until_one_ends(_fail_after(ended), self._serve(link))
        finally:
            with suppress(*_BROKEN):
                await link.close(timeout=PARTING_SEC)

    async def _serve(self, link: Any) -> None:
        """Sends what waits, and counts the others every so often."""
        while True:
            await self._count(link)
            self._tried.set()
            until = time.monotonic() + SILENCE_SEC
            while (left := until - time.monotonic()) > 0:
                try:
                    async with asyncio.timeout(left):
                        await self.backlog.wait()
                except TimeoutError:
                    break
                await self._send(link)

    async def _count(self, link: Any) -> None:
        """Whether anybody else listens. Who was heard meanwhile does, whatever the count says."""
        before = self._foreign
        others = await link.fetchval(_OTHERS)
        self.listened_to = others or self._foreign != before

    # --- sending ------------------------------------------------------------------------------

    async def _send(self, link: Any) -> None:
        """What was taken is sent again if its connection breaks: repeating is allowed."""
        if self._note is None:
            lost = [CHECK_ALL] if self.backlog.take_lost() else []
            note = _encoded([*lost, *self.backlog.take(MESSAGES, NOTE_BYTES)])
            self._note = note if len(note) <= NOTE_MAX else _encoded([CHECK_ALL])
        await link.execute(_NOTIFY, self._note)
        self._note = None
        self.backlog.sent()

    # --- hearing ------------------------------------------------------------------------------

    def _hear(self, link: Any, sender: int, channel: str, note: str) -> None:
        del channel
        if sender == link.get_server_pid():
            return
        self._foreign += 1
        self.listened_to = True
        if note == HELLO:
            # Neither of us may have sent what the other should have heard.
            self.backlog.add(*CHECK_ALL)
            note = _encoded([CHECK_ALL])
        self._take_in(note)

    def _take_in(self, note: str) -> None:
        """To be told here, when its turn comes."""
        if len(self._heard) >= NOTES_KEPT:
            self._heard.clear()
            note = _encoded([CHECK_ALL])
        self._heard.append(note)
        self._to_tell.set()

    async def _tell(self) -> None:
        told = 0
        while True:
            await self._to_tell.wait()
            self._to_tell.clear()
            while self._heard:
                for topic, payload in self._messages(self._heard.popleft()):
                    self._here.tell(topic, payload)
                    told += 1
                    if told % TURN == 0:
                        await asyncio.sleep(0)

    def _messages(self, note: str) -> Iterable[Message]:
        for topic, payload in _decoded(note):
            if topic == ALL:
                for each in tuple(self._here.topics):
                    yield each, CHECK
            else:
                yield topic, payload


async def _fail_after(ended: asyncio.Event) -> None:
    await ended.wait()
    raise ConnectionResetError("PostgreSQL closed the connection")


def _encoded(messages: list[Message]) -> str:
    return b64encode(_ENCODER.encode(messages)).decode()


def _decoded(note: str) -> Iterable[Message]:
    try:
        return _DECODER.decode(b64decode(note, validate=True))
    except (ValueError, msgspec.DecodeError):
        return [CHECK_ALL]  # whoever cannot be understood may have said anything
