"""A few hundred seeds; `make simulate SEEDS=100000` runs as many as you like."""

from __future__ import annotations

import pytest

from tests.simulation.world import simulate

SEEDS = 200


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_promise_is_kept(seed: int) -> None:
    try:
        checked = simulate(seed)
    except Exception as broken:  # noqa: BLE001 (a kernel that raises has failed as well)
        pytest.fail(f"{broken!r}\nrepeat it: python -m tests.simulation --seed {seed}")
    assert checked["told"] > 0
