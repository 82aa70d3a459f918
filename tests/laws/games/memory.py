"""Memory for the laws."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from parlour.games.api import SEATS, Dice, Env, Seat
from parlour.games.memory.board import Card, Held, Options, State
from parlour.games.memory.powerups import POWER_UPS
from parlour.games.memory.rules import RULES, Action, Flip, Leave, UsePowerUp
from tests.laws.game import Game, Script, Try
from tests.laws.walk import START

HUGE = 10**30
IDS = tuple(power_up.id for power_up in POWER_UPS)


def wild(random: Random) -> Action:
    """Any card, any power-up with or without a target, or now and then leaving."""
    index = random.choice((random.randrange(16), random.randrange(-3, 20), HUGE, -HUGE))
    chosen = random.random()
    if chosen < 0.02:
        return Leave()
    if chosen < 0.4:
        target = random.choice((None, index))
        return UsePowerUp(random.choice((*IDS, "shuffle", "")), target)
    return Flip(index)


def disguise(state: State, viewer: Seat | None, random: Random) -> State:
    """Hidden cards show something else, and what only others see or nobody sees is different."""
    hidden = [index for index, card in enumerate(state.cards) if card.state == "hidden"]
    pair_ids = [state.cards[index].pair_id for index in hidden]
    random.shuffle(pair_ids)
    cards = list(state.cards)
    for index, pair_id in zip(hidden, pair_ids, strict=True):
        cards[index] = Card(pair_id)
    hands = tuple(
        state.hands[seat] if seat == viewer else (Held(random.choice(IDS), 3),) for seat in SEATS
    )
    state = replace(state, cards=tuple(cards), hands=hands)
    if viewer == state.turn:
        return state if state.unveiled else replace(state, known=tuple(hidden[::2]))
    return replace(state, known=tuple(hidden[1::2]), unveiled=not state.unveiled)


def places(options: Options, seed: int) -> dict[int, tuple[int, int]]:
    """Where the two cards of each pair lie at the start of a script with that seed."""
    state = RULES.setup(options, Env(START, Dice(seed.to_bytes(8, "big"), 1)))
    found: dict[int, list[int]] = {}
    for index, card in enumerate(state.cards):
        found.setdefault(card.pair_id, []).append(index)
    return {pair_id: (first, second) for pair_id, (first, second) in found.items()}


def starter(seed: int) -> Seat:
    """Who begins a script with that seed."""
    return RULES.setup(Options(), Env(START, Dice(seed.to_bytes(8, "big"), 1))).turn


def flips(*indices: int) -> tuple[Try, ...]:
    return tuple(Try(action=Flip(index)) for index in indices)


PLAIN = Options()
AT = places(PLAIN, 0)
MISS = (*flips(AT[4][0], AT[5][0]), Try())


def pairs(*pair_ids: int, at: dict[int, tuple[int, int]] = AT) -> tuple[Try, ...]:
    """Both cards of each pair, one after the other."""
    return tuple(each for pair_id in pair_ids for each in flips(*at[pair_id]))


def uses(power_up_id: str, target: int | None = None) -> Try:
    return Try(action=UsePowerUp(power_up_id, target))


BEGINS = {starter(seed): seed for seed in range(20)}
"""A seed with which each seat begins."""

GAME = Game(
    options=(
        PLAIN,
        Options(rows=2, cols=3, turn_limit_ms=3_000, reconnect_ms=4_000),
        Options(rows=3, cols=4, turn_limit_ms=0, necromancy_revives_itself=False),
    ),
    wild=wild,
    undecided=lambda action: isinstance(action, Leave),
    disguise=disguise,
    scripts={
        **{
            f"all-by-seat-{seat}": Script(
                PLAIN, pairs(*range(8), at=places(PLAIN, seed)), seed=seed
            )
            for seat, seed in BEGINS.items()
        },
        "drawn": Script(PLAIN, (*pairs(0, 1, 2, 3), *MISS, *pairs(4, 5, 6, 7))),
        "power-ups": Script(
            PLAIN,
            (
                *pairs(0, 1, 2, 3, 4),
                uses("clairvoyance", AT[5][0]),
                uses("unveiling"),
                Try(),
                *pairs(6),
                uses("necromancy"),
                uses("chaos"),
                *flips(0, 1),
                Try(seat=0, action=Leave()),
            ),
        ),
        "chaos-while-cards-are-shown": Script(
            PLAIN,
            (*pairs(0, 1), uses("clairvoyance", AT[7][0]), uses("chaos"), Try(), Try(), Try()),
        ),
        "left": Script(PLAIN, (*MISS, Try(seat=1, action=Leave()))),
        "stayed-away": Script(
            PLAIN,
            (
                *flips(AT[7][0]),
                Try(seat=1, here=False, after_ms=5_000),
                Try(seat=0, here=False, after_ms=5_000),
                Try(seat=1, here=True, after_ms=5_000),
                Try(seat=0, here=True, after_ms=5_000),
                *flips(AT[6][0]),
                Try(seat=0, here=False, after_ms=0),
                Try(),
                Try(),
                Try(seat=0, here=True),
            ),
        ),
        "refused": Script(
            PLAIN,
            (
                Try(seat=1 - starter(0), action=Flip(0)),
                *(
                    Try(seat=starter(0), action=action)
                    for action in (
                        Flip(16),
                        Flip(-HUGE),
                        UsePowerUp("shuffle"),
                        UsePowerUp("chaos"),
                        *(Flip(AT[1][0]), Flip(AT[1][0]), Flip(AT[1][1]), Flip(AT[1][1])),
                        UsePowerUp("clairvoyance"),
                        UsePowerUp("clairvoyance", 99),
                        UsePowerUp("clairvoyance", AT[1][0]),
                        *(Flip(AT[0][0]), UsePowerUp("clairvoyance", AT[7][0]), Flip(AT[0][1])),
                        UsePowerUp("chaos", 3),
                        *(Flip(AT[4][0]), Flip(AT[5][0]), Flip(AT[5][1]), UsePowerUp("chaos")),
                        *(Leave(), Leave()),
                    )
                ),
            ),
        ),
        "at-random": Script(PLAIN, seed=3),
    },
)
