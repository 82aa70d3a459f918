"""Games know nothing of each other: a fifth one is a folder of its own."""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations
from pathlib import Path

import grimp

from parlour.games.registry import all_rules


def test_no_game_imports_another() -> None:
    graph = grimp.build_graph("parlour")
    for one, other in permutations(all_rules(), 2):
        chains = graph.find_shortest_chains(f"parlour.games.{one}", f"parlour.games.{other}")
        direct = [chain for chain in chains if len(chain) == 2]
        assert not direct, direct


def test_layers_are_kept() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(  # noqa: S603 - a tool of ours
        [command, "--no-logo"],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
