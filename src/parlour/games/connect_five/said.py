"""What is said of a match after a step: byte for byte what the types in answers.py are as JSON.

Most of it stays as it is throughout the match, and most of the rest is the same for all who are
told of a step. So a form of each match is kept, with gaps, which are filled in once for each step.
"""

from __future__ import annotations

from typing import Any

from msgspec import Raw
from msgspec.json import encode

from parlour.games.api import Millis, Seat
from parlour.games.connect_five.answers import (
    ENDED,
    MatchPlayer,
    MatchSight,
    MatchSnapshot,
    last_move,
    legal_of,
    person_of,
)
from parlour.games.connect_five.board import EMPTY_GRID, redrawn
from parlour.games.connect_five.numbers import MatchNumbers
from parlour.games.connect_five.rules import winning_cells
from parlour.games.connect_five.table import Options, State
from parlour.host.sight import Facts
from parlour.timekeeping import iso

FORMS = 5_000
"""Of so many matches the form is kept, about three kilobytes each."""


def told(sight: MatchSight, numbers: MatchNumbers, now: Millis, currency: str) -> bytes:
    """A `MatchUpdate` as it goes out."""
    shown = _SHOWN.of(sight, numbers, currency).to(sight, now)
    return b'{"type":"update.connect_five_match","match":%b}}' % shown


def moved(sight: MatchSight, numbers: MatchNumbers, now: Millis, currency: str) -> bytes:
    """The answer to the move that brought the match to where it is: an `AfterMove`."""
    shown = _SHOWN.of(sight, numbers, currency).to(sight, now)
    return b'%b,"event_id":%d}' % (shown, numbers.step(sight.match.version))


def purchased(sight: MatchSight, numbers: MatchNumbers, now: Millis, currency: str) -> bytes:
    """The answer to the purchase that brought the match to where it is: an `AfterPurchase`."""
    seen, buyer = sight.view.state, sight.seats[0]
    shown = _SHOWN.of(sight, numbers, currency).to(sight, now)
    return b'%b,"event_id":%d,"inventories":%b,"remaining_spend":%d}' % (
        shown,
        numbers.step(sight.match.version),
        _INVENTORIES % (*_held(numbers, seen, 0), *_held(numbers, seen, 1)),
        seen.options.max_spend - seen.spent[buyer],
    )


_INVENTORY = b'"%d":{"H2":%d,"V2":%d,"CROSS4":%d,"BOMB":%d}'
_INVENTORIES = b"{%b,%b}" % (_INVENTORY, _INVENTORY)


def _held(numbers: MatchNumbers, seen: State, seat: Seat) -> tuple[int, ...]:
    held = seen.inventories[seat]
    return (numbers.players[seat], held.h2, held.v2, held.cross4, held.bomb)


# --- a form ---------------------------------------------------------------------------------------

_GAP = Raw(b"%s")
_TIME = Raw(b'"%s"')
_OWN = Raw(b"\0")
"""Stands for what is each viewer's own: nothing else in JSON looks like that."""


class _Form:
    """A match as JSON with gaps for what changes."""

    __slots__ = (
        "_before_legal",
        "_before_time",
        "_drawn",
        "_grid",
        "_people",
        "currency",
        "numbers",
        "options",
        "seats",
    )

    def __init__(
        self, match: Facts, options: Options, numbers: MatchNumbers, currency: str
    ) -> None:
        self.seats = match.seats
        self.options = options
        self.numbers = numbers
        self.currency = currency
        self._grid = EMPTY_GRID
        """The board as JSON, as it was last shown, and which pieces it shows."""
        self._drawn = (0, 0)
        people = [_fixed(person_of(each, numbers)) for each in match.seats]
        self._people = [bytes(each).decode().replace("%%", "%") for each in people]
        fields: dict[str, Any] = dict.fromkeys(MatchSnapshot.__struct_fields__, _GAP)
        gaps: dict[str, Any] = dict.fromkeys(MatchPlayer.__struct_fields__, _GAP)
        fields |= {
            "id": numbers.match,
            "uuid": _fixed(match.id),
            "challenge": numbers.challenge,
            "player_a": people[0],
            "player_b": people[1],
            "turn_started_at": _TIME,
            "currency": _fixed(currency),
            "stake_amount": options.stake,
            "max_spend_amount": options.max_spend,
            "time_limit_seconds": options.time_limit_seconds,
            "players": tuple(MatchPlayer(**{**gaps, "user": user}) for user in people),
            "legal": _OWN,
            "created_date": iso(match.created_at),
            "modified_date": _TIME,
            "server_time": _OWN,
        }
        whole = encode(MatchSnapshot(**fields)).decode()
        self._before_legal, self._before_time, _ = whole.split("\0")

    def filled(self, match: Facts, seen: State) -> _Shown:
        """The match as it is now; in each part the gaps are in the order of the types' fields."""
        clocks, reason, winner = seen.clocks, match.reason, match.winner
        before_legal = self._before_legal % (
            match.version,
            '"active"' if reason is None else f'"{ENDED[reason]}"',
            "null" if winner is None else self.numbers.player(winner),
            "null" if match.over else self._people[seen.turn],
            seen.turn_number,
            iso(clocks.started_at),
            *clocks.left_ms,
            sum(match.pot),
            self._board(seen.stones),
            *self._player(match, seen, 0),
            *self._player(match, seen, 1),
            "null" if seen.last is None else encode(last_move(self.numbers, seen.last)).decode(),
            "[]" if seen.ended is None else encode(winning_cells(seen)).decode(),
        )
        before_time = self._before_time % (
            _moment(match.ended_at),
            "null" if reason is None else f'"{reason}"',
            iso(match.updated_at),
        )
        return _Shown(match, self.numbers, self.currency, before_legal, before_time)

    def _board(self, stones: tuple[int, int]) -> str:
        """Hardly a cell is another than when it was last shown."""
        if stones is not self._drawn:
            self._grid, self._drawn = redrawn(self._grid, self._drawn, stones), stones
        return self._grid

    def _player(self, match: Facts, seen: State, seat: Seat) -> tuple[Any, ...]:
        held, spent = seen.inventories[seat], seen.spent[seat]
        left = self.options.max_spend - spent
        acted_at = _moment(match.acted_at[seat])
        return (spent, left, held.h2, held.v2, held.cross4, held.bomb, acted_at)


def _fixed(value: Any) -> Raw:
    """Part of a form in which there is no gap."""
    return Raw(encode(value).replace(b"%", b"%%"))


def _moment(at: Millis | None) -> str:
    return "null" if at is None else f'"{iso(at)}"'


# --- a form filled in -----------------------------------------------------------------------------


class _Shown:
    """A match but for what is each viewer's own: what comes before that, and behind it."""

    __slots__ = ("_before_legal", "_before_time", "_legal", "currency", "match", "numbers")

    def __init__(
        self,
        match: Facts,
        numbers: MatchNumbers,
        currency: str,
        before_legal: str,
        before_time: str,
    ) -> None:
        self.match = match
        self.numbers = numbers
        self.currency = currency
        self._before_legal = before_legal.encode()
        self._before_time = before_time.encode()
        self._legal: bytes | None = None
        """What the player to move may do, once that was asked for."""

    def to(self, sight: MatchSight, now: Millis) -> bytes:
        """A `MatchSnapshot` for that viewer, without the brace that ends it."""
        view, legal = sight.view, b"null"
        if view.seat == view.state.turn and not self.match.over:
            if self._legal is None:
                self._legal = encode(legal_of(view))
            legal = self._legal
        time = iso(now).encode()
        return b'%b%b%b"%b"' % (self._before_legal, legal, self._before_time, time)


class _LastShown:
    """The last form that was filled in, as all who are told of a step are told in a row."""

    def __init__(self) -> None:
        self._forms: dict[str, _Form] = {}
        """The one that was made last comes last."""
        self._last: _Shown | None = None

    def of(self, sight: MatchSight, numbers: MatchNumbers, currency: str) -> _Shown:
        """Of that very match: what happens to one makes another."""
        match, last = sight.match, self._last
        if (
            last is None
            or last.match is not match
            or last.numbers != numbers
            or last.currency != currency
        ):
            seen = sight.view.state
            last = self._last = self._form(match, seen, numbers, currency).filled(match, seen)
        return last

    def _form(self, match: Facts, seen: State, numbers: MatchNumbers, currency: str) -> _Form:
        form = self._forms.get(match.id)
        if (
            form is None
            or form.seats is not match.seats
            or form.options is not seen.options
            or form.numbers != numbers
            or form.currency != currency
        ):
            self._forms.pop(match.id, None)
            form = self._forms[match.id] = _Form(match, seen.options, numbers, currency)
            if len(self._forms) > FORMS:
                del self._forms[next(iter(self._forms))]
        return form


_SHOWN = _LastShown()
