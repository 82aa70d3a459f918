"""How often each opponent of Connect Five beats the one below it.

    python benchmarks/connect_five_levels.py [games] [upper] [max_spend]

Either moves first in every other game; how long they think is counted in positions, so that a busy
machine plays the same games. Lines come as the pairs are done.
"""

from __future__ import annotations

import sys
from itertools import pairwise

from msgspec.structs import replace

from parlour.games.api import SEATS, Dice, Env, Seat
from parlour.games.connect_five import RULES
from parlour.games.connect_five.bot import BOTS, Opponent, prepare
from parlour.games.connect_five.table import Options

POSITIONS = 10_000
"""No thought looks at more; in the usual time compiled code looks at several times as many."""


def reduced(bot: Opponent) -> Opponent:
    """The same one, less patient."""
    depth = replace(bot.depth, positions=min(bot.depth.positions, POSITIONS))
    return Opponent(
        bot.name,
        bot.persona,
        eye=bot.eye,
        depth=depth,
        attention=bot.attention,
        hoards=bot.hoards,
    )


def winner(players: tuple[Opponent, Opponent], number: int, max_spend: int) -> Seat | None:
    """Who wins a game in which seat 0 moves first."""
    seed, step = number.to_bytes(4, "big"), 0
    state = RULES.setup(Options(first=0, max_spend=max_spend), Env(0, Dice(seed, 0)))
    while state.ended is None:
        step += 1
        view = RULES.view(state, state.turn)
        legal = RULES.legal(view)
        choice = players[state.turn].choose(None, view, legal, Dice(seed, step), lambda: 1000.0)
        state = RULES.act(state, state.turn, choice, Env(step, Dice(seed, step))).state
    return state.ended.winner


def main() -> None:
    """All pairs of neighbours, or one."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    max_spend = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    prepare()
    for lower, upper in pairwise(BOTS):
        if only not in ("", "all", upper):
            continue
        high, low = reduced(BOTS[upper]), reduced(BOTS[lower])
        won: list[float] = [0, 0]
        for number in range(games):
            place = number % 2
            found = winner((high, low) if place == 0 else (low, high), number, max_spend)
            won[place] += 0.5 if found is None else float(found == SEATS[place])
        print(
            f"{upper} against {lower}: {100 * sum(won) / games:.1f} % of {games}"
            f" ({won[0]:g} moving first, {won[1]:g} moving second)",
            flush=True,
        )


if __name__ == "__main__":
    main()
