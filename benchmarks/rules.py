"""Random games per second through the rules, Connect 4 beside open_spiel's C++ in the same run.

    python -m benchmarks.rules [--quick] [--json]

Both sides are driven from Python in the same way: ask for the legal moves, draw one, make it, until
the game is over. Ours goes through the public interface: `view`, `legal`, `act`, `outcome`. Rounds
alternate, so that a busy machine slows both alike; the median round counts.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter

import pyspiel

from benchmarks.report import Figure, asked, show
from parlour.games.api import SEATS, Dice, Env
from parlour.games.connect4 import RULES as CONNECT4
from parlour.games.registry import AnyRules, all_rules

Playouts = Callable[[int, Random], int]
"""Play so many random games; how many moves they took."""


def connect4(games: int, random: Random) -> int:
    """Connect 4 through our rules."""
    rules, draw = CONNECT4, random.random
    env = Env(0, Dice(b"lots", 1))
    options = rules.options_type(starter=0)
    moves = 0
    for _ in range(games):
        state = rules.setup(options, env)
        while rules.outcome(state) is None:
            seat = state.turn
            legal = rules.legal(rules.view(state, seat))
            state = rules.act(state, seat, legal[int(draw() * len(legal))], env).state
            moves += 1
    return moves


def open_spiel(games: int, random: Random) -> int:
    """Connect 4 through open_spiel."""
    game, draw = pyspiel.load_game("connect_four"), random.random
    moves = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            moves += 1
    return moves


def any_game(rules: AnyRules) -> Playouts:
    """Any game through our rules: whoever may act does, else the deadline passes."""

    def playouts(games: int, random: Random) -> int:
        draw = random.random
        moves = 0
        for number in range(games):
            now = 0
            seed = number.to_bytes(8, "big")
            state = rules.setup(rules.options_type(), Env(now, Dice(seed, 1)))
            while rules.outcome(state) is None:
                moves += 1
                now += 1
                env = Env(now, Dice(seed, moves))
                for seat in SEATS:
                    legal = tuple(rules.legal(rules.view(state, seat)))
                    if legal:
                        action = legal[int(draw() * len(legal))]
                        state = rules.act(state, seat, action, env).state
                        break
                else:
                    now = rules.deadline(state) or now
                    state = rules.expire(state, Env(now, env.dice)).state
        return moves

    return playouts


def rates(playouts: list[Playouts], games: int, rounds: int) -> list[tuple[float, float]]:
    """Games and moves per second of each, from alternating rounds of as many games."""
    found: list[list[tuple[float, float]]] = [[] for _ in playouts]
    for each in range(rounds):
        for play, results in zip(playouts, found, strict=True):
            start = perf_counter()
            moves = play(games, Random(each))
            spent = perf_counter() - start
            results.append((games / spent, moves / spent))
    return [
        (median(game for game, _ in results), median(move for _, move in results))
        for results in found
    ]


def main() -> None:
    """Measure and print."""
    call = asked(__doc__)
    games, rounds = (300, 15) if call.quick else (1500, 41)
    settings = {"games": games, "rounds": rounds}
    (ours, our_moves), (theirs, their_moves) = rates([connect4, open_spiel], games, rounds)
    figures = [
        Figure("connect4", ours, "games/s", ours / theirs, "open_spiel", settings),
        Figure("connect4 moves", our_moves, "moves/s", our_moves / their_moves, "open_spiel"),
        Figure("connect4, open_spiel", theirs, "games/s", settings=settings),
    ]
    for key, rules in all_rules().items():
        if key == "connect4":
            continue
        games, rounds = (20, 3) if call.quick else (200, 9)
        [(rate, moves)] = rates([any_game(rules)], games, rounds)
        settings = {"games": games, "rounds": rounds}
        figures.append(Figure(key, rate, "games/s", settings=settings))
        figures.append(Figure(f"{key} moves", moves, "moves/s"))
    show("Random games through the rules", figures, as_json=call.json)


if __name__ == "__main__":
    main()
