"""Random games per second through the rules, Connect 4 beside open_spiel's C++ in the same run.

    python -m benchmarks.rules [--quick] [--json]

Both sides are driven from Python in the same way: ask for the legal moves, draw one, make it, until
the game is over. Ours goes through the public interface: `view`, `legal`, `act`, `outcome`. Rounds
alternate, so that a busy machine slows both alike; the median round, and ratio of rounds, counts.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import truediv
from random import Random
from statistics import median
from time import perf_counter

import pyspiel
from msgspec import Struct

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


class Speed(Struct):
    """Rates of every round."""

    games: list[float]
    moves: list[float]

    def figures(
        self, name: str, settings: dict[str, int], beside: Speed | None = None
    ) -> list[Figure]:
        """The median round, and the median ratio of rounds that stood side by side."""
        ratio = other = None
        if beside is not None:
            ratio = median(map(truediv, self.moves, beside.moves))
            other = "open_spiel"
        return [
            Figure(name, median(self.games), "games/s", ratio, other, settings),
            Figure(f"{name} moves", median(self.moves), "moves/s", ratio, other, settings),
        ]


def measured(playouts: list[Playouts], games: int, rounds: int) -> list[Speed]:
    """Alternating rounds of as many games each."""
    speeds = [Speed([], []) for _ in playouts]
    for number in range(rounds):
        for play, speed in zip(playouts, speeds, strict=True):
            start = perf_counter()
            moves = play(games, Random(number))
            spent = perf_counter() - start
            speed.games.append(games / spent)
            speed.moves.append(moves / spent)
    return speeds


def main() -> None:
    """Measure and print."""
    call = asked(__doc__)
    games, rounds = (300, 15) if call.quick else (1500, 41)
    settings = {"games": games, "rounds": rounds}
    ours, theirs = measured([connect4, open_spiel], games, rounds)
    figures = ours.figures("connect4", settings, theirs) + theirs.figures("open_spiel", settings)
    games, rounds = (20, 3) if call.quick else (200, 9)
    settings = {"games": games, "rounds": rounds}
    for key, rules in all_rules().items():
        if key != "connect4":
            [speed] = measured([any_game(rules)], games, rounds)
            figures += speed.figures(key, settings)
    show("Random games through the rules", figures, as_json=call.json)


if __name__ == "__main__":
    main()
