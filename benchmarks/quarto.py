"""Quarto's strongest level against minimax of depth 4, half of the games from either side.

    python -m benchmarks.quarto [--quick] [--json]

One minimax is written for this, knows nothing but the lines and takes what lies beyond for even;
the other is our own look ahead at that depth, which counts safe pieces there. Both always have the
time they need. The level has 0.35 s of processor a thought, as on a server with nothing else to do.
Seeds are fixed, 200 games against each (`--quick`: 10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from time import process_time

from rich.progress import track

from benchmarks.report import Figure, asked, show
from parlour.games.api import Dice, Env, Persona
from parlour.games.quarto import RULES, solver
from parlour.games.quarto.board import LINES, Board, first_line
from parlour.games.quarto.bot import BOTS, Opponent
from parlour.games.quarto.rules import CALL, PLACES, SELECTS, Action, Options, State
from parlour.games.quarto.search import Reach
from parlour.games.quarto.solver import MARK
from parlour.games.thinking import Numbers, blank, compile_into

THOUGHT_S = 0.35
DEPTH = 4
GAMES, FEW = 200, 10

Player = Callable[[State, Sequence[Action], Dice], Action]

# --- a minimax that shares nothing with ours --------------------------------------------------


def completing(marks: Numbers) -> int:
    found = 0
    for a, b, c, d in LINES:
        if marks[a] == 0:
            found |= marks[b] & marks[c] & marks[d]
        elif marks[b] == 0:
            found |= marks[a] & marks[c] & marks[d]
        elif marks[c] == 0:
            found |= marks[a] & marks[b] & marks[d]
        elif marks[d] == 0:
            found |= marks[a] & marks[b] & marks[c]
    return found


def placing(marks: Numbers, rest: int, piece: int, depth: int, alpha: int, beta: int) -> int:
    """What it is worth to be given a piece."""
    if MARK[piece] & completing(marks):
        return 100 + depth
    if rest == 0 or depth <= 0:
        return 0
    best = -200
    for square in range(16):
        if marks[square] == 0 and best < beta:
            marks[square] = MARK[piece]
            best = max(best, giving(marks, rest, depth, max(alpha, best), beta))
            marks[square] = 0
    return best


def giving(marks: Numbers, rest: int, depth: int, alpha: int, beta: int) -> int:
    """What it is worth to have to give one."""
    best = -200
    for piece in range(16):
        if rest >> piece & 1 and best < beta:
            floor = max(alpha, best)
            best = max(best, -placing(marks, rest ^ 1 << piece, piece, depth - 1, -beta, -floor))
    return best


def minimax(state: State, legal: Sequence[Action], dice: Dice) -> Action:
    """The best of all moves, one of them by chance where several are."""
    if CALL in legal:
        return CALL
    given = state.selected
    left = [piece for piece in range(16) if piece not in state.board and piece != given]
    worth: dict[Action, int] = {}
    if given is None:
        for piece in left:
            rest = sum(1 << other for other in left if other != piece)
            marks = laid(state.board)
            worth[SELECTS[piece]] = -placing(marks, rest, piece, DEPTH - 1, -200, 200)
    else:
        rest = sum(1 << piece for piece in left)
        for square in range(16):
            if state.board[square] is None:
                board = (*state.board[:square], given, *state.board[square + 1 :])
                won = first_line(board) is not None
                after = 200 if won else giving(laid(board), rest, DEPTH, -200, 200) if left else 0
                worth[PLACES[square]] = after
    most = max(worth.values())
    return dice.choice([action for action, value in worth.items() if value == most])


def laid(board: Board) -> Numbers:
    marks = blank(16)
    for square, piece in enumerate(board):
        marks[square] = 0 if piece is None else MARK[piece]
    return marks


# --- games ------------------------------------------------------------------------------------


def thinking(bot: Opponent, thought_s: float) -> Player:
    def choose(state: State, legal: Sequence[Action], dice: Dice) -> Action:
        ends = process_time() + thought_s
        view = RULES.view(state, state.turn)
        return bot.choose(None, view, legal, dice, lambda: ends - process_time())

    return choose


OURS = thinking(BOTS["master"], THOUGHT_S)
COUNTING = Opponent("counting", Persona(title="", character=""), Reach(depth=DEPTH))
OTHERS = {"minimax": minimax, "minimax that counts safe pieces": thinking(COUNTING, 60.0)}


def result(players: Sequence[Player], seed: int) -> int | None:
    """Which of the players won; None: neither."""
    env = Env(0, Dice(b"env", seed))
    state = RULES.setup(Options(first=0), env)
    while state.outcome is None:
        legal = RULES.legal(RULES.view(state, state.turn))
        dice = Dice(b"%d" % seed, len(state.history), b"benchmark")
        action = players[state.turn](state, legal, dice)
        state = RULES.act(state, state.turn, action, env).state
    return state.outcome.winner


def results(other: Player, seeds: Sequence[int]) -> Counter[str]:
    """Won, drawn and lost; the level begins in every second game."""
    counted: Counter[str] = Counter()
    for seed in track(seeds, description="games"):
        ours = seed % 2
        winner = result((other, OURS) if ours else (OURS, other), seed)
        counted["drawn" if winner is None else "won" if winner == ours else "lost"] += 1
    return counted


def main() -> None:
    asks = asked(__doc__)
    solver.prepare()
    compile_into(globals(), completing, placing, giving)
    figures = []
    for name, other in OTHERS.items():
        counted = results(other, range(FEW if asks.quick else GAMES))
        total = counted.total()
        settings = {"games": total, "depth": DEPTH, "seconds a thought": THOUGHT_S}
        figures += [
            Figure(f"{what} against {name}", counted[what], "games", settings=settings)
            for what in ("won", "drawn", "lost")
        ]
    show("Quarto: master against minimax", figures, as_json=asks.json)


if __name__ == "__main__":
    main()
