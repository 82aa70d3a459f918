"""Memory, the rules.

Laws:

* On a turn a seat flips two hidden cards. Two of a pair stay open, score one point and keep the
  turn; any other two stay open for a moment, then the turn passes. The last pair ends the game.
* The pair at place n of the registry grants the power-up at place n. Before its first flip a seat
  may use any it holds; that takes a copy and no turn, whatever the effect.
* Everything timed is a deadline: open cards, glimpses, turns, absences. The earliest is stepped
  first, each by itself. A turn's clock does not run while cards are being shown at its end, and
  stands still while anybody is away.
* What a hidden card shows is in nobody's view.
* Leaving is open to a seat at any time, and so not listed among what it may do in the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import getitem

from msgspec import Struct
from msgspec.structs import replace

from parlour.games import away, turn_limit
from parlour.games.api import (
    Env,
    Millis,
    Outcome,
    Rating,
    Refused,
    Rules,
    Seat,
    Step,
    other,
    with_seat,
)
from parlour.games.memory.board import (
    HIDDEN,
    MATCHED,
    MAX_SIDE,
    Card,
    Cards,
    CardView,
    Glimpse,
    Options,
    State,
    View,
    count_in,
    hidden,
    is_common,
    known_with,
    shown,
    with_copies,
)
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.powerups.api import PowerUp, Use

# --- types ------------------------------------------------------------------------------------


class Flip(Struct, frozen=True, tag="flip"):
    """Turn a hidden card over."""

    index: int


class UsePowerUp(Struct, frozen=True, tag="use_power_up"):
    """Use a power-up from the hand, aimed at a card if it needs one."""

    power_up_id: str
    card_index: int | None = None


class Leave(Struct, frozen=True, tag="leave"):
    """Give up."""


Action = Flip | UsePowerUp | Leave


class PowerUpUsed(Struct, frozen=True, tag="power_up_used"):
    """Everybody hears who used what."""

    seat: Seat
    power_up_id: str
    name: str


class PairFound(Struct, frozen=True, tag="pair_found"):
    """Two cards were matched, and what that put into the finder's hand."""

    seat: Seat
    pair_id: int
    indices: tuple[int, int]
    power_up_id: str | None = None


class TurnTimedOut(Struct, frozen=True, tag="turn_timed_out"):
    """A turn passed because its time was up."""

    seat: Seat


WORDS: Mapping[str, str] = {
    "game_over": "This game is over.",
    "not_your_turn": "It is not your turn.",
    "cards_showing": "Wait until both cards are hidden again.",
    "unknown_power_up": "There is no such power-up.",
    "already_flipped": "Power-ups are used before the first flip of a turn.",
    "power_up_not_owned": "You have no such power-up.",
    "target_needed": "Choose a card for this power-up.",
    "target_not_needed": "This power-up takes no card.",
    "no_such_card": "There is no such card.",
    "card_matched": "That card has already been matched.",
    "card_revealed": "That card is already face up.",
}

Wait = tuple[Millis, Callable[[State, Env], Step[State]]]
"""Something that is due at a time, and what happens then."""


class Memory(Rules[State, Action, View]):
    """Memory behind the interface of a game, with the power-ups it is given."""

    key = "memory"
    options_type = Options
    state_type = State
    action_type = Action
    rating: Rating | None = "floor_zero"
    view_type = View
    asides = ("leave",)
    hidden = True
    resignation = Leave()
    words = WORDS
    offered = ("rows", "cols", "turn_limit_ms")
    longest = 20_000
    """There is no bound: players may miss for ever, and Necromancy brings cards back. But the
    lengths of random games fall off geometrically. Of 10,000 with a deadline every tenth step, each
    further 500 steps left fewer than one in four, and the longest took 3,422; with a deadline every
    second step, three in five, and 8,625. So less than one in 10^9 comes near this."""

    def __init__(self, power_ups: Sequence[PowerUp]) -> None:
        self._granted = tuple(power_ups)
        self._pair_of = {power_up.id: pair_id for pair_id, power_up in enumerate(power_ups)}
        self._last_seen: tuple[Cards, tuple[CardView, ...]] = ((), ())
        """The cards last looked at, and how they look."""

    # --- setup --------------------------------------------------------------------------------

    def setup(self, options: Options, env: Env) -> State:
        """All cards hidden in random places, a random seat to begin."""
        first = env.dice.below(2)
        deck = [card // 2 for card in range(options.rows * options.cols)]
        env.dice.shuffle(deck)
        cards = tuple([HIDDEN[pair_id] for pair_id in deck])
        ends_at, left_ms = turn_limit.begun(options.turn_limit_ms, env.now)
        return State(
            options=options, cards=cards, turn=first, turn_ends_at=ends_at, turn_left_ms=left_ms
        )

    # --- act ----------------------------------------------------------------------------------

    def act(self, state: State, seat: Seat, action: Action, env: Env) -> Step[State]:
        """A flip or a power-up by the seat whose turn it is, or either seat's farewell."""
        if state.ended is not None:
            raise Refused("game_over", WORDS["game_over"])
        if isinstance(action, Leave):
            return Step(_ended(state, other(seat), "opponent_disconnected"))
        if seat != state.turn:
            raise Refused("not_your_turn", WORDS["not_your_turn"])
        if state.phase == "resolve":
            raise Refused("cards_showing", WORDS["cards_showing"])
        if isinstance(action, Flip):
            return self._flip(state, seat, action.index, env)
        return self._use(state, seat, action, env)

    def _flip(self, state: State, seat: Seat, index: int, env: Env) -> Step[State]:
        _must_be_hidden(state, index)
        pair_id = state.cards[index].pair_id
        if state.flipped and state.cards[state.flipped[0]].pair_id == pair_id:
            return self._match(state, seat, (state.flipped[0], index), env)
        # Each way makes one state, as most of a flip's time goes into making states.
        cards, known = shown(state.cards, (index,)), known_with(state, (index,))
        flipped = (*state.flipped, index)
        if len(flipped) == 1:
            return Step(
                replace(state, cards=cards, known=known, flipped=flipped, phase="second_flip")
            )
        return Step(
            replace(
                state,
                cards=cards,
                known=known,
                flipped=flipped,
                phase="resolve",
                reveal_until=env.now + state.options.reveal_ms,
                turn_ends_at=None,
                turn_left_ms=None,
            )
        )

    def _match(self, state: State, seat: Seat, indices: tuple[int, int], env: Env) -> Step[State]:
        pair_id = state.cards[indices[0]].pair_id
        cards = list(state.cards)
        for index in indices:
            cards[index] = MATCHED[seat][pair_id]
        hand, granted = state.hands[seat], None
        if pair_id < len(self._granted):
            granted = self._granted[pair_id].id
            hand = with_copies(hand, granted, +1)
        ends_at, left_ms = _limit_begun(state, env.now)
        state = replace(
            state,
            cards=tuple(cards),
            known=known_with(state, indices),
            phase="first_flip",
            flipped=(),
            scores=with_seat(state.scores, seat, state.scores[seat] + 1),
            hands=with_seat(state.hands, seat, hand),
            turn_ends_at=ends_at,
            turn_left_ms=left_ms,
        )
        # A pair that lies matched has been found, perhaps more than once.
        if 2 * sum(state.scores) >= len(cards) and all(card.state == "matched" for card in cards):
            state = _ended(state, _ahead(state.scores), "completed")
        return Step(state, events=(PairFound(seat, pair_id, indices, granted),))

    def _use(self, state: State, seat: Seat, action: UsePowerUp, env: Env) -> Step[State]:
        pair_id = self._pair_of.get(action.power_up_id)
        if pair_id is None:
            raise Refused("unknown_power_up", WORDS["unknown_power_up"], "power_up_id")
        power_up = self._granted[pair_id]
        if state.phase != "first_flip":
            raise Refused("already_flipped", WORDS["already_flipped"])
        if not count_in(state.hands[seat], power_up.id):
            raise Refused("power_up_not_owned", f"You have no {power_up.name}.", "power_up_id")
        if power_up.needs_target:
            if action.card_index is None:
                raise Refused("target_needed", f"Choose a card for {power_up.name}.", "card_index")
            _must_be_hidden(state, action.card_index, "card_index")
        elif action.card_index is not None:
            raise Refused("target_not_needed", f"{power_up.name} takes no card.", "card_index")
        hand = with_copies(state.hands[seat], power_up.id, -1)
        state = replace(state, hands=with_seat(state.hands, seat, hand))
        use = Use(seat, action.card_index, pair_id, env.now, env.dice)
        used = PowerUpUsed(seat, power_up.id, power_up.name)
        return Step(power_up.effect(state, use), events=(used,))

    # --- time ---------------------------------------------------------------------------------

    def deadline(self, state: State) -> Millis | None:
        """The earliest of all that is waited for."""
        if state.glimpses or state.away_until != away.NOBODY:
            return min((at for at, _ in _waits(state)), default=None)
        # As mostly: without `_waits`, as it is asked several times a step.
        ends_at, until = state.turn_ends_at, state.reveal_until
        if ends_at is None or until is None:
            return ends_at if until is None else until
        return min(ends_at, until)

    def expire(self, state: State, env: Env) -> Step[State]:
        """What was due first happens; the rest has a deadline of its own."""
        at, happen = min(_waits(state), key=lambda wait: wait[0])
        if env.now < at:
            raise ValueError("nothing is due yet")
        return happen(state, env)

    def presence(self, state: State, seat: Seat, here: bool, env: Env) -> Step[State]:
        """Being away stops the turn's clock and starts a window to return in."""
        until = away.changed(state.away_until, seat, here, env.now, state.options.reconnect_ms)
        if state.ended is not None or until is state.away_until:
            return Step(state)
        limit = (state.turn_ends_at, state.turn_left_ms)
        run_on = turn_limit.resumed if until == away.NOBODY else turn_limit.stopped
        ends_at, left_ms = run_on(limit, env.now)
        return Step(replace(state, away_until=until, turn_ends_at=ends_at, turn_left_ms=left_ms))

    # --- view ---------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        """Open cards, and of the hidden ones only that they are."""
        highlight: tuple[int, ...] = ()
        if state.unveiled and seat == state.turn:
            highlight = tuple(
                index
                for index, card in enumerate(state.cards)
                if card.state == "hidden" and index not in state.known
            )
        return View(
            seat=seat,
            options=state.options,
            cards=self._seen(state.cards),
            turn=state.turn,
            phase=state.phase,
            flipped=state.flipped,
            scores=state.scores,
            hand=() if seat is None else state.hands[seat],
            highlight=highlight,
            shuffles=state.shuffles,
            turn_ends_at=state.turn_ends_at,
            turn_left_ms=state.turn_left_ms,
            away_until=state.away_until,
            ended=state.ended,
        )

    def _seen(self, cards: Cards) -> tuple[CardView, ...]:
        """The same for all who look, and mostly both players do, one after the other."""
        last, seen = self._last_seen
        if last is not cards:
            seen = _looks(cards)
            self._last_seen = cards, seen
        return seen

    def legal(self, view: View) -> tuple[Action, ...]:
        """On one's turn: flips of hidden cards, and before the first one the power-ups in hand."""
        if view.ended is not None or view.seat != view.turn or view.phase == "resolve":
            return ()
        hidden = [card.index for card in view.cards if card.state == "hidden"]
        actions: list[Action] = [Flip(index) for index in hidden]
        if view.phase == "first_flip":
            for held in view.hand:
                if self._granted[self._pair_of[held.power_up_id]].needs_target:
                    actions.extend(UsePowerUp(held.power_up_id, index) for index in hidden)
                else:
                    actions.append(UsePowerUp(held.power_up_id))
        return tuple(actions)

    def turn(self, state: State) -> Seat | None:
        """Whoever flips."""
        return None if state.ended else state.turn

    # --- outcome ------------------------------------------------------------------------------

    def outcome(self, state: State) -> Outcome | None:
        """`completed`, or unrated `opponent_disconnected`: who lost left, or stayed away."""
        return state.ended


# --- turns and their ends ---------------------------------------------------------------------


def _must_be_hidden(state: State, index: int, field: str = "index") -> None:
    if not 0 <= index < len(state.cards):
        raise Refused("no_such_card", f"Cards go from 0 to {len(state.cards) - 1}.", field)
    if state.cards[index].state == "matched":
        raise Refused("card_matched", WORDS["card_matched"], field)
    if state.cards[index].state == "revealed":
        raise Refused("card_revealed", WORDS["card_revealed"], field)


def _looks(cards: Cards) -> tuple[CardView, ...]:
    """How the cards look where they lie."""
    try:
        return tuple(map(getitem, _LOOKS, cards))
    except KeyError:
        return tuple([_look(index, card) for index, card in enumerate(cards)])


def _look(index: int, card: Card) -> CardView:
    """The same for all boards; found the next time if it is one of a common board."""
    if card.state == "hidden":
        seen = _FACE_DOWN[index]
    else:
        seen = CardView(index, card.state, card.pair_id, card.matched_by)
    if is_common(index, card.pair_id):
        seen = _LOOKS[index].setdefault(card, seen)
    return seen


_FACE_DOWN = tuple(CardView(index, "hidden") for index in range(MAX_SIDE**2))
_LOOKS: tuple[dict[Card, CardView], ...] = tuple({} for _ in range(MAX_SIDE**2))


def _limit_begun(state: State, now: Millis) -> turn_limit.Limit:
    """A turn's full time, running only if everybody is here."""
    running = state.away_until == away.NOBODY
    return turn_limit.begun(state.options.turn_limit_ms, now, running=running)


def _passed(state: State, now: Millis) -> State:
    """The other seat's turn, with everything hidden that is not matched."""
    glimpsed = {index for glimpse in state.glimpses for index in glimpse.indices}
    ends_at, left_ms = _limit_begun(state, now)
    return replace(
        state,
        cards=hidden(state.cards, glimpsed.union(state.flipped)),
        turn=other(state.turn),
        phase="first_flip",
        flipped=(),
        unveiled=False,
        glimpses=(),
        reveal_until=None,
        turn_ends_at=ends_at,
        turn_left_ms=left_ms,
    )


def _ahead(scores: tuple[int, int]) -> Seat | None:
    """Who has more points; None: both have as many."""
    return None if scores[0] == scores[1] else int(scores[1] > scores[0])


def _ended(state: State, winner: Seat | None, reason: str) -> State:
    """Nothing is waited for any more; the cards stay as they lie."""
    return replace(
        state,
        glimpses=(),
        reveal_until=None,
        turn_ends_at=None,
        turn_left_ms=None,
        away_until=away.NOBODY,
        ended=Outcome(winner, reason, rated=reason == "completed", scores=state.scores),
    )


# --- what is waited for -----------------------------------------------------------------------


def _waits(state: State) -> Iterator[Wait]:
    """All that is due at some time; at the same time, in this order."""
    if state.reveal_until is not None:
        yield state.reveal_until, _resolve
    for glimpse in state.glimpses:
        yield glimpse.until, partial(_close, glimpse)
    if state.turn_ends_at is not None:
        yield state.turn_ends_at, _time_out
    for seat, until in enumerate(state.away_until):
        if until is not None:
            yield until, partial(_give_up_on, seat)


def _resolve(state: State, env: Env) -> Step[State]:
    return Step(_passed(state, env.now))


def _close(glimpse: Glimpse, state: State, env: Env) -> Step[State]:  # noqa: ARG001 - as all waits
    rest = tuple(each for each in state.glimpses if each is not glimpse)
    closed = set(glimpse.indices).difference(state.flipped)
    return Step(replace(state, cards=hidden(state.cards, closed), glimpses=rest))


def _time_out(state: State, env: Env) -> Step[State]:
    return Step(_passed(state, env.now), events=(TurnTimedOut(state.turn),))


def _give_up_on(seat: Seat, state: State, env: Env) -> Step[State]:  # noqa: ARG001 - as all waits
    return Step(_ended(state, other(seat), "opponent_disconnected"))


RULES = Memory(POWER_UPS)
