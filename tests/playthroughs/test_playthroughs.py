"""Every game has recorded playthroughs, and they still play out byte for byte."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from parlour.games.registry import all_rules
from tests.laws.game import game_of
from tests.playthroughs.record import FOLDER, paths, replayed, scripted

RECORDED = sorted(FOLDER.glob("*/*.json"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recorded_game_plays_out_the_same(path: Path) -> None:
    assert replayed(path.read_bytes()) == path.read_bytes()


@pytest.mark.parametrize("key", all_rules())
def test_every_script_is_recorded_and_nothing_else(key: str) -> None:
    game, wanted = game_of(key), paths(key)
    assert len(wanted) >= 3
    assert {path for path in RECORDED if path.parent.name == key} == set(wanted.values())
    for name, path in wanted.items():
        assert scripted(all_rules()[key], game, game.scripts[name]) == path.read_bytes()


@pytest.mark.parametrize("key", all_rules())
def test_the_records_of_a_game_show_every_kind_of_end(key: str) -> None:
    """A record of each way to end is what makes them worth replaying; one shows refusals."""
    steps = [
        step
        for path in paths(key).values()
        for step in msgspec.json.decode(path.read_bytes())["steps"]
    ]
    winners = {step["outcome"].get("winner") for step in steps if "outcome" in step}
    assert winners == {0, 1, None}
    assert len({step["refused"] for step in steps if "refused" in step}) >= 3
