"""By which integers this surface names a match, its challenge, its players and its events.

Kernel and store know all of them by ids of their own. The database gives each row a number when it
is made, which never changes: what was read once is kept, of as many matches as are played at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable

from msgspec import Struct
from sqlalchemy import BigInteger, bindparam, select

from parlour.games.api import Seat
from parlour.games.connect_five.rules import RULES
from parlour.net.forms import given_id
from parlour.store.api import Record, Store
from parlour.store.queries import LIST_LIMIT
from parlour.store.schema import challenge, match, user

KEPT = 20_000
"""Of so many matches the numbers are kept at hand."""

NOT_YET = 0
"""Stands for the number of what is about to be made, until it has one."""

EVENTS = 2**22
"""A match has room for so many events; its clocks end it long before. 2**31 such rooms fit into the
integers that every client can count with.
"""
_BEFORE_PLAY = 16
_SETTLEMENT = EVENTS - 1

_challenger, _opponent = user.alias("challenger"), user.alias("opponent")
_NUMBERED = (
    select(
        match.c.id,
        match.c.number,
        challenge.c.number.label("challenge"),
        _challenger.c.number.label("player_a"),
        _opponent.c.number.label("player_b"),
    )
    .join(challenge, challenge.c.id == match.c.escrow_id)
    .join(_challenger, _challenger.c.id == challenge.c.challenger_id)
    .join(_opponent, _opponent.c.id == challenge.c.opponent_id)
    .where(challenge.c.game == RULES.key)  # of a match it would lead along all of the game
)
_BY_IDS = _NUMBERED.where(match.c.id.in_(bindparam("ids", expanding=True)))
_BY_NUMBER = _NUMBERED.where(match.c.number == bindparam("number", type_=BigInteger))


class MatchNumbers(Struct, frozen=True):
    """What a match that came of a challenge, and those in it, are called."""

    match: int
    challenge: int
    players: tuple[int, int]

    def step(self, version: int) -> int:
        """The event that brought the match to that version."""
        return self._event(_BEFORE_PLAY + version)

    def before_play(self, place: int) -> int:
        """The so-manyth event, from 1 on, of the challenge that it came of."""
        return self._event(place)

    @property
    def settlement(self) -> int:
        """The event that the pot was paid out by."""
        return self._event(_SETTLEMENT)

    def _event(self, place: int) -> int:
        return self.match * EVENTS + place

    def player(self, seat: Seat) -> int:
        """Who sits there."""
        return self.players[seat]


class Numbers:
    """Those of all matches that came of a challenge."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[str, MatchNumbers] = OrderedDict()
        """The one that was asked for last comes last."""
        self._ids: dict[int, str] = {}

    async def of(self, match_id: str) -> MatchNumbers | None:
        """The numbers of a match; None if there is no such one, or not for a stake."""
        kept = self._kept.get(match_id)
        if kept is not None:
            self._kept.move_to_end(match_id)
            return kept
        return (await self._read((match_id,))).get(match_id)

    def at_hand(self, given: str) -> tuple[str, MatchNumbers] | None:
        """The store's id and the numbers of a match that a client calls so, if they are kept."""
        known = given_id(given)
        match_id = self._ids.get(known) if isinstance(known, int) else known
        numbers = None if match_id is None else self._kept.get(match_id)
        if match_id is None or numbers is None:
            return None
        self._kept.move_to_end(match_id)
        return match_id, numbers

    async def of_all(self, match_ids: Iterable[str]) -> dict[str, MatchNumbers]:
        """The numbers of each of these that came of a challenge."""
        wanted = list(match_ids)
        known = {each: self._kept[each] for each in wanted if each in self._kept}
        missing = [each for each in wanted if each not in known]
        for start in range(0, len(missing), LIST_LIMIT):
            known |= await self._read(missing[start : start + LIST_LIMIT])
        return known

    async def match_id(self, given: str) -> str | None:
        """The store's id of the match that a client calls so, by either id; None if none can be."""
        known = given_id(given)
        if not isinstance(known, int):
            return known
        if known not in self._ids:
            row = await self._store.row(_BY_NUMBER, number=known)
            if row is None:
                return None
            self._keep(row)
        return self._ids[known]

    async def _read(self, match_ids: Collection[str]) -> dict[str, MatchNumbers]:
        rows = await self._store.rows(_BY_IDS, ids=list(match_ids)) if match_ids else ()
        return {row["id"]: self._keep(row) for row in rows}

    def _keep(self, row: Record) -> MatchNumbers:
        players = (row["player_a"], row["player_b"])
        numbers = MatchNumbers(row["number"], row["challenge"], players)
        self._kept[row["id"]] = numbers
        self._ids[numbers.match] = row["id"]
        if len(self._kept) > KEPT:
            _, oldest = self._kept.popitem(last=False)
            del self._ids[oldest.match]
        return numbers
