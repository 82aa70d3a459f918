"""How a guest comes back: a code that is told once, kept as a hash, and opens the account once.

Laws:

* A guest has one code at most; a new one takes the place of the last.
* The code is told when it is made and never again: what is kept does not give it away, nor does
  it give away whose it is.
* It opens the account once. The same code is taken again for a short while, since the answer may
  have been lost on its way to the only device that asked.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from sqlalchemy import bindparam, select

from parlour.games.api import Millis
from parlour.people.tokens import Tokens
from parlour.people.users import User, Users
from parlour.store.api import Store
from parlour.store.change import Change, Conflict, PutRecovery, UseRecovery, UserRow
from parlour.store.schema import recovery
from parlour.timekeeping import wall_clock

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Those that nobody takes for another."""
LENGTH: Final = 20
"""A hundred bits: nobody guesses one, however often they try."""
TAKEN_AGAIN_MS: Final[Millis] = 10 * 60_000

_CODE = re.compile(f"[{LETTERS}]{{{LENGTH}}}", re.ASCII)
_BY_HASH = select(recovery.c.user_id).where(recovery.c.code_hash == bindparam("code_hash"))


class NotAGuest(Exception):
    """Whoever signs in elsewhere comes back by signing in there."""


class UnknownCode(LookupError):
    """No account has this code, or no longer."""


class Recovery:
    """The codes, in the store."""

    def __init__(
        self,
        store: Store,
        tokens: Tokens,
        users: Users,
        *,
        clock: Callable[[], Millis] = wall_clock,
        below: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self._store = store
        self._tokens = tokens
        self._users = users
        self._clock = clock
        self._below = below

    async def new_code(self, guest: UserRow) -> str:
        """A code for that guest, instead of any other; `NotAGuest` for who is none of ours."""
        if not guest.subject.startswith("guest:"):
            raise NotAGuest(guest.id)
        code = "".join(LETTERS[self._below(len(LETTERS))] for _ in range(LENGTH))
        write = PutRecovery(user_id=guest.id, code_hash=_hash(code), created_at=self._clock())
        async with self._users.known(guest.id):
            await self._store.commit(Change((write,)))
        return "-".join(code[at : at + 4] for at in range(0, LENGTH, 4))

    async def redeem(self, code: str) -> tuple[str, User]:
        """A token for the guest whose code this is, and who that is; or `UnknownCode`."""
        proper = normal(code)
        if proper is None:
            raise UnknownCode
        code_hash = _hash(proper)
        found = await self._store.row(_BY_HASH, code_hash=code_hash)
        guest = None if found is None else await self._users.by_id(found["user_id"])
        if guest is None:
            raise UnknownCode
        now = self._clock()
        try:
            used = UseRecovery(code_hash=code_hash, used_at=now, since=now - TAKEN_AGAIN_MS)
            await self._store.commit(Change((used,)))
        except Conflict:
            raise UnknownCode from None
        return self._tokens.issue_guest(guest.subject.removeprefix("guest:")), guest


def normal(code: str) -> str | None:
    """The code as it was made, however it is written down; None if it cannot be one.

    >>> normal(" k7qf-2m4t-aaaa bbbb cccc "), normal("K7QF")
    ('K7QF2M4TAAAABBBBCCCC', None)
    """
    letters = re.sub(r"[\s-]", "", code[:100]).upper()
    return letters if _CODE.fullmatch(letters) else None


def _hash(code: str) -> str:
    """Fit to be kept: what has a hundred bits of chance needs no salt and no slow hash."""
    return sha256(code.encode()).hexdigest()
