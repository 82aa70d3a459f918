"""Feeds: sockets by which one user hears its own news, whichever process they happen in.

    feed = Feed(services, "wallet", news)
    socket("/ws/wallet/{user_id:str}", feed.attend, services)
    word(services.bus, user_id, "wallet")       # wherever something became durable

Laws:

* A feed only says what the store has; the word on the bus says that it is worth a look.
* From `auth_ok` on nothing is missed: what changes later is told, however late the word.
* Words get lost, so every feed also looks by itself every few seconds.
* However many words there are of one user, its feeds look a few times a second, and at so much of
  what is new: who is sent more than the store gives in one go finds the rest in the lists.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Protocol

import msgspec
from msgspec import Struct

from parlour.bus.api import CHECK, Bus
from parlour.net.services import Services
from parlour.net.session import Session

LOOK_SEC = 3.0
APART_SEC = 0.1
"""A user is looked after at once, and then not again for so long."""
FORBIDDEN = 4403


class LetIn(Struct, frozen=True, tag="auth_ok"):
    """From now on the socket tells."""


class NotUnderstood(Struct, frozen=True, tag="error"):
    """The answer to whatever else a client says."""

    code: str = "not_understood"
    detail: str = "This socket only tells."


AUTH_OK = msgspec.json.encode(LetIn())
ONLY_TELLS = msgspec.json.encode(NotUnderstood())


def limited(words: str) -> bytes:
    """That it was too much at once, as it goes out."""
    return msgspec.json.encode(NotUnderstood("rate_limited", words))


Say = Callable[[bytes], None]
"""Says messages, framed, to all sockets of one user."""


class News(Protocol):
    """What a feed is about. It remembers what its users were told."""

    async def begin(self, user_id: str, say: Say) -> None:
        """A user listens from now on: what is so by now needs no telling."""
        ...

    async def look(self, users: Collection[str]) -> None:
        """Say whatever is new to these users; from now on they know it."""
        ...

    def end(self, user_id: str) -> None:
        """Nobody listens for this user any more."""
        ...


def word(bus: Bus, user_id: str, kind: str) -> None:
    """Says in every process that a user's feeds of that kind should look."""
    bus.publish(f"user:{user_id}", kind.encode())


class _Listening:
    """One user's end of a feed."""

    def __init__(self, unsubscribe: Callable[[], None]) -> None:
        self.unsubscribe = unsubscribe
        self.attending = 0
        self.sessions: list[Session] = []
        """Those of the sockets that have been let in."""
        self.ready: asyncio.Task[None] | None = None

    @property
    def is_ready(self) -> bool:
        return self.ready is not None and self.ready.done()

    def say(self, frames: bytes) -> None:
        for session in self.sessions:
            session.send_framed(frames)


class Feed:
    """All sockets of one kind that are open in this process."""

    def __init__(self, services: Services, kind: str, news: News) -> None:
        self._bus = services.bus
        self._spawn = services.kernel.runtime.background.spawn
        self._kind = kind.encode()
        self._news = news
        self._users: dict[str, _Listening] = {}
        self._stale: set[str] = set()
        self._rested: set[str] = set()
        """Who was looked after a moment ago."""
        self._looking = asyncio.Lock()
        services.kernel.keeper.periodic(LOOK_SEC, self.look)

    async def attend(self, session: Session) -> Attending | None:
        """Lets in one socket; its path names the user, by either id."""
        user = await session.authenticate()
        if session.path.get("user_id") not in (user.id, str(user.number)):
            session.close(FORBIDDEN, "this is somebody else's")
            return None
        listening = self._users.get(user.id) or self._listen(user.id)
        assert listening.ready is not None
        listening.attending += 1
        try:
            await asyncio.shield(listening.ready)
        except BaseException:
            self.leave(session, user.id, listening)
            raise
        session.send(AUTH_OK)
        listening.sessions.append(session)
        self._look_soon()
        return Attending(self, session, user.id, listening)

    def leave(self, session: Session, user_id: str, listening: _Listening) -> None:
        """One socket less; nothing is kept of who has none."""
        listening.attending -= 1
        if session in listening.sessions:
            listening.sessions.remove(session)
        if not listening.attending:
            self._forget(user_id, listening)

    def _listen(self, user_id: str) -> _Listening:
        # First the ear, then the look: a word that comes in between is kept.
        unsubscribe = self._bus.subscribe(
            f"user:{user_id}", lambda payload: self._hear(user_id, payload)
        )
        listening = self._users[user_id] = _Listening(unsubscribe)
        listening.ready = asyncio.create_task(self._news.begin(user_id, listening.say))
        return listening

    def _forget(self, user_id: str, listening: _Listening) -> None:
        del self._users[user_id]
        self._stale.discard(user_id)
        listening.unsubscribe()
        if listening.ready is not None:
            listening.ready.cancel()
        self._news.end(user_id)

    # --- looking ----------------------------------------------------------------------------

    def _hear(self, user_id: str, payload: bytes) -> None:
        if user_id in self._users and payload in (self._kind, CHECK):
            self._stale.add(user_id)
            self._look_soon()

    def _look_soon(self) -> None:
        """Words that come while a look is under way share the next one."""
        if not self._looking.locked() and self._to_look_after():
            self._spawn(self._look())

    def _to_look_after(self) -> list[str]:
        waiting = self._stale - self._rested
        return [each for each in waiting if self._users[each].is_ready]

    async def look(self) -> None:
        """At the news of everyone who listens."""
        self._stale.update(self._users)
        await self._look()

    async def _look(self) -> None:
        async with self._looking:
            while users := self._to_look_after():
                self._stale.difference_update(users)
                self._rested.update(users)
                asyncio.get_running_loop().call_later(APART_SEC, self._wake, users)
                try:
                    await self._news.look(users)
                except BaseException:
                    self._stale.update(self._users.keys() & users)
                    raise

    def _wake(self, users: list[str]) -> None:
        self._rested.difference_update(users)
        self._look_soon()


class Attending:
    """One socket of a feed, which only listens (see `Conversation`)."""

    __slots__ = ("_feed", "_listening", "_session", "_user_id")

    def __init__(self, feed: Feed, session: Session, user_id: str, listening: _Listening) -> None:
        self._feed = feed
        self._session = session
        self._user_id = user_id
        self._listening = listening

    def received(self, message: str | bytes) -> None:
        """There is nothing to say here."""
        del message
        self._session.refuse(ONLY_TELLS)

    async def ended(self) -> None:
        """The socket is closed."""
        self._feed.leave(self._session, self._user_id, self._listening)
