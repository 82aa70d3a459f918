"""What Connect Five answers and says, under the document's names, and the one place that makes it
out of matches and challenges.
"""

from __future__ import annotations

from typing import Final, Literal, cast

from msgspec import Struct

from parlour.games.api import Millis, Seat
from parlour.games.connect_five.board import MoveType, grid, text
from parlour.games.connect_five.numbers import MatchNumbers
from parlour.games.connect_five.rules import RULES, legal_cells, winning_cells
from parlour.games.connect_five.table import Moved, State, View
from parlour.games.connect_five.terms import terms_of
from parlour.host.sight import Facts, SeatFacts, Sight
from parlour.net.directory import Person
from parlour.net.feeds import LetIn, NotUnderstood
from parlour.net.paging import Page
from parlour.store.change import ChallengeRow, ChallengeStatus
from parlour.timekeeping import iso

KEY: Final = RULES.key

MatchSight = Sight[View]

MatchStatus = Literal["active", "finished_connect5", "finished_timeout", "draw", "cancelled"]
FinishReason = Literal["connect5", "timeout", "draw", "cancelled"]

ENDED: dict[str, MatchStatus] = {
    "connect5": "finished_connect5",
    "timeout": "finished_timeout",
    "draw": "draw",
    "cancelled": "cancelled",
}
"""The status that each reason for the end stands for."""


# --- challenges -------------------------------------------------------------------------------


class Challenge(Struct, frozen=True, kw_only=True):
    """One user's invitation to another, with its terms."""

    id: int
    uuid: str
    """By which the server knows it."""
    challenger: Person
    opponent: Person
    currency: str
    stake_amount: int
    max_spend_amount: int
    time_limit_seconds: int
    status: ChallengeStatus
    expires_at: str
    accepted_at: str | None
    match_id: int | None
    created_date: str
    modified_date: str


class ChallengePage(Page, frozen=True):
    """Part of the challenges one has sent and received."""

    results: list[Challenge]


class Named(Struct, frozen=True, kw_only=True):
    """A challenge, what it and the match that came of it are called, and whose it is."""

    row: ChallengeRow
    number: int
    match_number: int | None = None
    challenger: Person
    opponent: Person

    @property
    def shown(self) -> Challenge:
        """As a client gets it."""
        row, terms = self.row, terms_of(self.row)
        return Challenge(
            id=self.number,
            uuid=row.id,
            challenger=self.challenger,
            opponent=self.opponent,
            currency=row.currency,
            stake_amount=terms.stake_amount,
            max_spend_amount=terms.max_spend_amount,
            time_limit_seconds=terms.time_limit_seconds,
            status=row.status,
            expires_at=iso(row.expires_at),
            accepted_at=_moment(row.accepted_at),
            match_id=self.match_number,
            created_date=iso(row.created_at),
            modified_date=iso(row.modified_at),
        )


# --- matches ----------------------------------------------------------------------------------


class MatchPlayer(Struct, frozen=True, kw_only=True):
    """What one player has spent and owns."""

    user: Person
    spent_total: int
    remaining_spend: int
    inventory_h2: int
    inventory_v2: int
    inventory_cross4: int
    inventory_bomb: int
    last_action_at: str | None


class LastMove(Struct, frozen=True, kw_only=True):
    """The latest move, for whoever wants to show it."""

    user: int
    """Whose it was, by id."""
    move_type: MoveType
    x: int
    y: int
    placed: tuple[tuple[int, int], ...]
    removed: tuple[tuple[int, int], ...]


class MatchSnapshot(Struct, frozen=True, kw_only=True):
    """A match as one of its players sees it. Clocks are as they stood at `turn_started_at`."""

    id: int
    uuid: str
    """By which the server knows it, and other surfaces do."""
    challenge: int
    version: int
    """How many things have happened to the match: the higher one is the later one."""
    player_a: Person
    player_b: Person
    status: MatchStatus
    winner: int | None
    """By id."""
    active_player: Person | None
    turn_number: int
    turn_started_at: str
    clock_a_remaining_ms: int
    clock_b_remaining_ms: int
    currency: str
    stake_amount: int
    prize_pool_total: int
    max_spend_amount: int
    time_limit_seconds: int
    board_state: tuple[tuple[int, ...], ...]
    """`[y][x]`: 0 empty, 1 player A, 2 player B."""
    players: tuple[MatchPlayer, MatchPlayer]
    last_move: LastMove | None
    winning_cells: tuple[tuple[int, int], ...]
    legal: dict[str, str] | None
    """For the player to move: per move type 196 digits, 1 where it may be made, cell y*14+x."""
    finished_at: str | None
    finish_reason: FinishReason | None
    created_date: str
    modified_date: str
    server_time: str


class MatchPage(Page, frozen=True):
    """Part of one's matches."""

    results: list[MatchSnapshot]


class AfterMove(MatchSnapshot, frozen=True, kw_only=True):
    """The match after a move, and the move's place among its events."""

    event_id: int


class AfterPurchase(AfterMove, frozen=True, kw_only=True):
    """The match after a purchase, and what the buyer has now."""

    inventories: dict[int, dict[str, int]]
    """By user id."""
    remaining_spend: int


def staked(match: Facts) -> bool:
    """Whether a match came of a challenge; the document knows of no others."""
    return match.escrow_id is not None


def snapshot(sight: MatchSight, numbers: MatchNumbers, now: Millis, currency: str) -> MatchSnapshot:
    """A match as one of its players sees it."""
    match, view = sight.match, sight.view
    seen = view.state
    people = tuple(person_of(each, numbers) for each in match.seats)
    clocks = seen.clocks
    moves = view.seat == seen.turn and not match.over
    return MatchSnapshot(
        id=numbers.match,
        uuid=match.id,
        challenge=numbers.challenge,
        version=match.version,
        player_a=people[0],
        player_b=people[1],
        status="active" if match.reason is None else ENDED[match.reason],
        winner=None if match.winner is None else people[match.winner].id,
        active_player=None if match.over else people[seen.turn],
        turn_number=seen.turn_number,
        turn_started_at=iso(clocks.started_at),
        clock_a_remaining_ms=clocks.left_ms[0],
        clock_b_remaining_ms=clocks.left_ms[1],
        currency=currency,
        stake_amount=seen.options.stake,
        prize_pool_total=sum(match.pot),
        max_spend_amount=seen.options.max_spend,
        time_limit_seconds=seen.options.time_limit_seconds,
        board_state=grid(seen.stones),
        players=(_player(match, seen, 0, people[0]), _player(match, seen, 1, people[1])),
        last_move=None if seen.last is None else last_move(numbers, seen.last),
        winning_cells=winning_cells(seen),
        legal=legal_of(view) if moves else None,
        finished_at=_moment(match.ended_at),
        finish_reason=cast("FinishReason | None", match.reason),
        created_date=iso(match.created_at),
        modified_date=iso(match.updated_at),
        server_time=iso(now),
    )


def person_of(seat: SeatFacts, numbers: MatchNumbers) -> Person:
    """Who sits there, by the name they had when they sat down."""
    assert seat.user_id is not None, "nobody plays for stakes without an account"
    return Person(numbers.player(seat.seat), seat.user_id, seat.name)


def _player(match: Facts, seen: State, seat: Seat, user: Person) -> MatchPlayer:
    inventory = seen.inventories[seat]
    return MatchPlayer(
        user=user,
        spent_total=seen.spent[seat],
        remaining_spend=seen.options.max_spend - seen.spent[seat],
        inventory_h2=inventory.h2,
        inventory_v2=inventory.v2,
        inventory_cross4=inventory.cross4,
        inventory_bomb=inventory.bomb,
        last_action_at=_moment(match.acted_at[seat]),
    )


def last_move(numbers: MatchNumbers, last: Moved) -> LastMove:
    """A move, for whoever wants to show it."""
    return LastMove(
        user=numbers.player(last.seat),
        move_type=last.move_type,
        x=last.x,
        y=last.y,
        placed=last.placed,
        removed=() if last.removed is None else (last.removed,),
    )


def legal_of(view: View) -> dict[str, str]:
    """Where each type of move may be made by the player to move."""
    cells = legal_cells(view)
    return dict(zip(cells, map(text, cells.values()), strict=True))


def _moment(at: Millis | None) -> str | None:
    return None if at is None else iso(at)


# --- what the socket says ---------------------------------------------------------------------


class MatchUpdate(Struct, frozen=True, tag="update.connect_five_match"):
    """A match changed."""

    match: MatchSnapshot


class ChallengeUpdate(Struct, frozen=True, tag="update.connect_five_challenge"):
    """A challenge was made, accepted, cancelled, or expired."""

    challenge: Challenge


Heard = LetIn | NotUnderstood | MatchUpdate | ChallengeUpdate
