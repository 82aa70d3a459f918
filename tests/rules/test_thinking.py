"""Looking deeper while there is time, and the same search compiled."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from parlour.games.thinking import deepen

PER_LEVEL = 10


class Search:
    """A pretended search: each depth takes ten times the positions, at a thousand a second."""

    def __init__(self, worth: dict[int, dict[str, int]], seconds: float) -> None:
        self.worth = worth
        self.left = seconds
        self.looks: list[tuple[int, int, int]] = []

    def time_left(self) -> float:
        return self.left

    def look(self, options: Sequence[str], depth: int, allowed: int) -> tuple[dict[str, int], int]:
        needed = PER_LEVEL**depth
        seen = min(needed, allowed + 1)
        self.left -= seen / 1000
        self.looks.append((depth, allowed, seen))
        worth = self.worth[depth] if seen == needed else dict.fromkeys(options, 999)
        return {option: worth[option] for option in options}, seen

    def best(self, *options: str, deepest: int = 5) -> str:
        return deepen(options, self.look, self.time_left, surely=1, deepest=deepest, decided=100)


LEVELS = {depth: {"a": 0, "b": depth, "c": -depth} for depth in range(1, 6)}


def test_it_looks_as_deep_as_it_may() -> None:
    search = Search(LEVELS, seconds=10_000)
    assert search.best("a", "b", "c", deepest=4) == "b"
    assert [depth for depth, *_ in search.looks][-1] == 4


def test_it_is_back_in_time_and_forgets_what_it_could_not_finish() -> None:
    for seconds in (0.0, 0.06, 0.2, 1.0, 3.0, 30.0):
        search = Search(LEVELS, seconds)
        assert search.best("a", "b", "c") == "b"
        assert search.left >= min(0, seconds - PER_LEVEL / 1000)


def test_without_time_it_looks_as_far_as_it_surely_does() -> None:
    search = Search(LEVELS, seconds=0.0)
    assert search.best("a", "b", "c") == "b"
    assert [depth for depth, *_ in search.looks] == [1]


def test_of_what_is_worth_the_same_the_first_is_taken() -> None:
    alike = {depth: {"a": 1, "b": 1, "c": 1} for depth in range(1, 6)}
    assert Search(alike, seconds=0.1).best("c", "a", "b") == "c"


def test_what_is_decided_is_not_looked_into_further() -> None:
    for worth in (100, -100):
        search = Search({1: {"a": worth, "b": -200}}, seconds=10_000)
        assert search.best("a", "b") == "a"
        assert len(search.looks) == 1


def test_a_single_option_needs_no_thought() -> None:
    search = Search({}, seconds=10_000)
    assert search.best("a") == "a"
    assert search.looks == []


COMPARE = """
import json
from random import Random
from parlour.games.connect4 import search as connect4
from parlour.games.connect4.board import COLUMNS, fours, landing

random = Random(6)

def connect4_scores():
    random.seed(6)
    found = []
    while len(found) < 100:
        mine = occupied = 0
        for _ in range(random.randrange(34)):
            disc = random.choice([d for c in range(COLUMNS) if (d := landing(occupied, c))])
            mine, occupied = mine ^ occupied, occupied | disc
            if fours(mine ^ occupied):
                break
        else:
            tables = connect4.blank(1), connect4.blank(1009), connect4.blank(1009)
            tables[0][0] = 10**6
            found.append(int(connect4.negamax(mine, occupied, 4, -1000, 1000, *tables)))
    return found

plain = connect4_scores()
connect4.prepare()
compiled = connect4_scores()
print(json.dumps([plain, compiled, hasattr(connect4.negamax, "py_func")]))
"""


def test_compiled_searches_find_the_same() -> None:
    """In a process of its own, as compiling changes the modules for good."""
    done = subprocess.run([sys.executable, "-c", COMPARE], capture_output=True, check=True)  # noqa: S603 our own text
    plain, compiled, was_compiled = json.loads(done.stdout)
    assert was_compiled
    assert compiled == plain
    assert len(set(plain)) > 20
