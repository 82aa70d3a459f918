"""A finished game, weighed move by move: what each was worth, and what would have been better.

Laws:

* A move is weighed by what the seat that made it was sent until then, and by nothing else.
* Values are seen through seat 0's eyes, from -1 (seat 1 wins) to 1 (seat 0 wins).
* What is exact is known. Everything else is estimated, and says so: a mistake is exact only if what
  the position was worth before and after it is.
* Only moves are weighed: giving up, a claim or a purchase is none. What was taken back was not
  played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Raw, Struct

from parlour.games.api import SEATS, Millis, Seat, Weighed
from parlour.games.registry import AnyAnalyst, AnyRules
from parlour.play.line import is_move
from parlour.play.match import Update
from parlour.play.weighing import Weighing

Result = Literal["won", "drawn", "lost"]
Mistake = Literal["won_drawn", "won_lost", "drawn_lost"]

NOTHING: Final = 1e-6
"""What is known to be worth less than this either way is a draw."""
DECIDED: Final = 0.5
"""What is estimated to be worth more than this is taken for won, or lost."""
GIVEN_AWAY: Final = 0.35
"""An estimated mistake is one that costs as much, so that none hangs on a hair."""

_MISTAKES: Final[dict[tuple[Result, Result], Mistake]] = {
    ("won", "drawn"): "won_drawn",
    ("won", "lost"): "won_lost",
    ("drawn", "lost"): "drawn_lost",
}


class Judged(Struct, frozen=True, kw_only=True):
    """A move, and what it was worth."""

    version: int
    """Which one it led to."""
    seat: Seat
    """Whose it was."""
    action: Any
    before: float | None
    """What the position was worth, as seat 0 sees it; None: nobody could tell."""
    after: float | None
    """… and after the move."""
    exact: bool
    """Both are known, not estimated."""
    best: Any
    """The best action there was; None: nobody could tell."""
    best_after: float | None
    """What it would have led to, as seat 0 sees it."""
    loss: float | None
    """How much the move gave away, as its player sees it: from 0 to 2."""
    mistake: Mistake | None
    """The result it changed, if it did; where it is not exact, as it is estimated."""
    note: str
    """The verdict on the position before it, in words: "wins in 5"."""


class Analysis(Struct, frozen=True, kw_only=True):
    """A finished game, looked at."""

    match: str
    game: str
    moves: tuple[Judged, ...]
    accuracy: tuple[float | None, float | None]
    """How much each seat kept of what it could have given away, in percent; None: nothing."""
    exact: bool
    """All of it is known."""
    made_at: Millis


class Question(Struct, frozen=True):
    """A move of a game that is to be weighed."""

    update: Update
    seat: Seat
    job: Weighing


def moves_of(rules: AnyRules, played: Sequence[Update]) -> int:
    """How many moves there are to be weighed in what was played."""
    return sum(is_move(rules, update.entry) for update in played)


def questions(rules: AnyRules, analyst: AnyAnalyst, played: Sequence[Update]) -> Iterator[Question]:
    """The moves of a game with what their players had been sent, the first one first.

    One at a time, as some rules take long to say what is legal.
    """
    minds = {seat: analyst.begin() for seat in SEATS}
    for update in played:
        entry, before = update.entry, update.before
        if is_move(rules, entry) and entry.seat is not None:
            seat = entry.seat
            view = rules.view(before.state, seat)
            legal = tuple(rules.legal(view))
            yield Question(update, seat, Weighing(before.game, minds[seat], view, legal))
        if update.after.status == "active":
            for seat in SEATS:
                minds[seat] = analyst.observe(minds[seat], rules.view(update.after.state, seat))


def judged(asked: Sequence[Question], found: Sequence[Weighed[Any] | None]) -> Iterator[Judged]:
    """Each move in turn; `found` is what each position before one turned out to be worth."""
    for number, (question, weighed) in enumerate(zip(asked, found, strict=True)):
        following = number + 1
        value, exact = _after(
            question,
            weighed,
            asked[following] if following < len(asked) else None,
            found[following] if following < len(found) else None,
        )
        yield _judge(question, weighed, value, exact=exact)


def accuracy(
    asked: Sequence[Question], found: Sequence[Weighed[Any] | None], moves: Sequence[Judged]
) -> tuple[float | None, float | None]:
    """Only where something could be given away does it say anything what was."""
    kept: tuple[list[float], list[float]] = ([], [])
    for question, weighed, move in zip(asked, found, moves, strict=True):
        if weighed is None or move.loss is None or not weighed.moves:
            continue
        worths = [value for _, value in weighed.moves]
        at_stake = max(worths) - min(worths)
        if at_stake > NOTHING:
            kept[question.seat].append(1 - min(1.0, move.loss / at_stake))
    first, second = (round(100 * sum(each) / len(each), 1) if each else None for each in kept)
    return first, second


def _after(
    question: Question,
    weighed: Weighed[Any] | None,
    following: Question | None,
    found: Weighed[Any] | None,
) -> tuple[float | None, bool]:
    """What a move led to in its player's eyes, and whether that is known."""
    after, seat = question.update.after, question.seat
    if after.status == "finished":
        return (0.0 if after.winner is None else 1.0 if after.winner == seat else -1.0), True
    next_value = None
    if following is not None and found is not None:
        next_value = found.value if following.seat == seat else -found.value
        if found.exact:
            return next_value, True
    action = question.update.entry.action
    for each, value in () if weighed is None else weighed.moves:
        if msgspec.json.encode(each) == action:
            return value, weighed is not None and weighed.exact
    return next_value, False


def _judge(
    question: Question, weighed: Weighed[Any] | None, after: float | None, *, exact: bool
) -> Judged:
    entry, seat = question.update.entry, question.seat
    before = None if weighed is None else weighed.value
    exact = exact and weighed is not None and weighed.exact
    loss = None if before is None or after is None else max(0.0, before - after)
    best = weighed.moves[0] if weighed is not None and weighed.moves else None
    return Judged(
        version=entry.version,
        seat=seat,
        action=Raw(entry.action or b"null"),
        before=_seen_by_first(before, seat),
        after=_seen_by_first(after, seat),
        exact=exact,
        best=None if best is None else best[0],
        best_after=None if best is None else _seen_by_first(best[1], seat),
        loss=loss,
        mistake=_mistake(before, after, exact=exact),
        note="" if weighed is None else weighed.note,
    )


def _seen_by_first(value: float | None, seat: Seat) -> float | None:
    return value if value is None or seat == 0 else 0.0 - value


def _mistake(before: float | None, after: float | None, *, exact: bool) -> Mistake | None:
    """The result that a move changed for the worse, in its player's eyes."""
    if before is None or after is None or (not exact and before - after < GIVEN_AWAY):
        return None
    edge = NOTHING if exact else DECIDED
    return _MISTAKES.get((_result(before, edge), _result(after, edge)))


def _result(value: float, edge: float) -> Result:
    return "won" if value > edge else "lost" if value < -edge else "drawn"
