"""Users: made on first sight of a valid token, named, renamed and found."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from itertools import islice
from uuid import uuid4

from sqlalchemy import Text, bindparam, select

from parlour.games.api import Millis
from parlour.people import names
from parlour.people.tokens import Claims, Tokens
from parlour.store.api import Record, Store
from parlour.store.change import (
    Change,
    Conflict,
    Impossible,
    RenameUser,
    Taken,
    Unavailable,
    UserRow,
    Write,
)
from parlour.store.schema import user, username_key
from parlour.timekeeping import wall_clock

HITS = 10
"""Most users that a search finds."""
NAMES_TRIED = 20
REMEMBERED = 10_000
REMEMBERED_MS: Millis = 60_000
"""So long who a subject is may be taken from memory, as long as what its token says: a user whom an
operator deletes may go on for no longer than this."""

_ID = re.compile(r"[A-Za-z0-9:_-]{1,64}", re.ASCII)

_BY_SUBJECT = select(user).where(user.c.subject == bindparam("subject"))
_BY_ID = select(user).where(user.c.id == bindparam("id"))
_BY_NUMBER = select(user).where(user.c.number == bindparam("number"))
_BY_NAME = select(user).where(user.c.username_key == bindparam("username_key", type_=Text))
_LAST = "\N{DELETE}"
"""Comes after every character of a name."""
_BY_PREFIX = (
    select(user)
    .where(
        user.c.username_key.between(bindparam("first", type_=Text), bindparam("last", type_=Text)),
        user.c.id != bindparam("but"),
        user.c.is_bot.is_(False),
    )
    .order_by(user.c.username_key)
    .limit(HITS)
)


class User(UserRow, frozen=True, kw_only=True):
    """A user as the store knows it."""

    number: int
    """By which some surfaces name the user; given once, and to no other ever."""


class NameRefused(Exception):
    """Nobody may have this name: `INVALID_USERNAME`, or somebody has it: `USERNAME_TAKEN`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class UnknownUser(LookupError):
    """There is no such user."""


def nothing_more(_: UserRow) -> Iterable[Write]:
    """A new user comes with nothing but a name."""
    return ()


class Users:
    """The people, in the store. `welcome` says what else a new one gets, in the same commit."""

    def __init__(
        self,
        store: Store,
        tokens: Tokens,
        *,
        welcome: Callable[[UserRow], Iterable[Write]] = nothing_more,
        clock: Callable[[], Millis] = wall_clock,
        below: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self._store = store
        self._tokens = tokens
        self._welcome = welcome
        self._clock = clock
        self._below = below
        self._remembered: OrderedDict[str, tuple[User, Millis]] = OrderedDict()
        self._renamed: list[Callable[[str], None]] = []

    async def of(self, claims: Claims, admit: Callable[[], Awaitable[None]] | None = None) -> User:
        """The user whose token this is; a new one on first sight, if `admit` does not refuse."""
        known = await self._by_subject(claims.subject)
        if known is not None:
            self._remember(known)
            return known
        if admit is not None:
            await admit()
        name = None if claims.is_guest else claims.name
        return await self._create(claims, names.proposals(name, self._below))

    def remembered(self, subject: str) -> User | None:
        """Whose token names that subject, if it was looked up a moment ago."""
        known = self._remembered.get(subject)
        return None if known is None or known[1] <= self._clock() else known[0]

    def _remember(self, known: User) -> None:
        self._remembered[known.subject] = (known, self._clock() + REMEMBERED_MS)
        self._remembered.move_to_end(known.subject)
        if len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)

    def watch(self, renamed: Callable[[str], None]) -> None:
        """From now on it hears of everybody whom this process gives another name."""
        self._renamed.append(renamed)

    async def make_guest(self, username: str | None = None) -> tuple[str, User]:
        """A new guest and its token; `NameRefused` if the name it asks for will not do."""
        guest_id = str(uuid4())
        token = self._tokens.issue_guest(guest_id)
        claims = Claims(subject=f"guest:{guest_id}", issuer="guest", is_guest=True)
        if username is None:
            return token, await self._create(claims, names.proposals(None, self._below))
        return token, await self._create(claims, [_checked(username)])

    async def rename(self, user_id: str, username: str) -> User:
        """Gives a user another name, or `NameRefused`."""
        change = RenameUser(user_id=user_id, username=_checked(username), updated_at=self._clock())
        try:
            await self._store.commit(Change((change,)))
        except Taken:
            raise NameRefused("USERNAME_TAKEN") from None
        except Conflict:
            raise UnknownUser(user_id) from None
        renamed = await self.by_id(user_id)
        if renamed is None:
            raise UnknownUser(user_id)
        self._remembered.pop(renamed.subject, None)
        for told in self._renamed:
            told(user_id)
        return renamed

    async def by_id(self, user_id: str) -> User | None:
        """The user of that id; None too for what is no id at all."""
        if not _ID.fullmatch(user_id):
            return None
        found = await self._store.row(_BY_ID, id=user_id)
        return None if found is None else _user(found)

    async def by_number(self, number: int) -> User | None:
        """The user of that number."""
        found = await self._store.row(_BY_NUMBER, number=number)
        return None if found is None else _user(found)

    @asynccontextmanager
    async def known(self, user_id: str) -> AsyncIterator[None]:
        """For what cannot be done for a user whom an operator has deleted in the meantime: then it
        is `UnknownUser`.
        """
        try:
            yield
        except Impossible:
            if await self.by_id(user_id) is None:
                raise UnknownUser(user_id) from None
            raise

    async def by_name(self, username: str) -> User | None:
        """The user of that name, in any case."""
        known = names.clean(username)
        if known is None:
            return None
        found = await self._store.row(_BY_NAME, username_key=username_key(known))
        return None if found is None else _user(found)

    async def search(self, prefix: str, *, but: str) -> list[User]:
        """Up to ten people whose name begins like this, in any case; `but` is who asks."""
        if not names.may_begin(prefix):
            return []
        first = username_key(prefix)
        found = await self._store.rows(_BY_PREFIX, first=first, last=first + _LAST, but=but)
        return [_user(row) for row in found]

    async def _by_subject(self, subject: str) -> User | None:
        found = await self._store.row(_BY_SUBJECT, subject=subject)
        return None if found is None else _user(found)

    async def _create(self, claims: Claims, proposals: Iterable[str]) -> User:
        now = self._clock()
        for username in islice(proposals, NAMES_TRIED):
            new = UserRow(
                id=str(uuid4()),
                subject=claims.subject,
                username=username,
                email=claims.email,
                is_guest=claims.is_guest,
                created_at=now,
                updated_at=now,
            )
            try:
                await self._store.commit(Change((new, *self._welcome(new))))
            except Taken as taken:
                if taken.what == "username":
                    continue
            except Unavailable:
                # It may have been made all the same; if not, nobody saw it.
                pass
            known = await self._by_subject(claims.subject)
            if known is None:
                raise Unavailable("a user could not be created")
            return known
        raise NameRefused("USERNAME_TAKEN")


def _checked(username: str) -> str:
    checked = names.clean(username)
    if checked is None:
        raise NameRefused("INVALID_USERNAME")
    return checked


def _user(row: Record) -> User:
    return User(
        id=row["id"],
        subject=row["subject"],
        username=row["username"],
        email=row["email"],
        is_guest=bool(row["is_guest"]),
        is_bot=bool(row["is_bot"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        number=row["number"],
    )
