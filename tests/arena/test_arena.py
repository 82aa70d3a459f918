"""`parlour arena`, from its arguments to what it prints and keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from parlour.arena import command
from parlour.arena.contest import Budget, Contest
from parlour.arena.page import written
from parlour.arena.tournament import Bout, played
from parlour.commands import app
from parlour.games.registry import STRENGTHS, Strength, all_rules, bots

KEY = "memory"
NAMES = list(bots(KEY))
PAGE = "# Opponents\n\nWords before.\n"


def arena(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["arena", *arguments])


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with an empty page."""
    (tmp_path / "docs" / "images").mkdir(parents=True)
    (tmp_path / "docs" / "opponents.md").write_text(PAGE)
    (tmp_path / "src" / "parlour" / "games" / KEY).mkdir(parents=True)
    monkeypatch.setattr(command, "checkout", lambda: tmp_path)
    return tmp_path


def kept(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


def test_a_small_arena_from_beginning_to_end(root: Path) -> None:
    told = arena(KEY, "--games", "2", "--positions", "50", "--workers", "2", "--write")
    assert told.exit_code == 0, told.output
    strengths = root / "src" / "parlour" / "games" / KEY / STRENGTHS
    found = msgspec.json.decode(strengths.read_bytes(), type=dict[str, Strength])
    assert list(found) == NAMES
    assert {each.games for each in found.values()} == {2 * (len(NAMES) - 1)}
    again = f"parlour arena {KEY} --games 2 --positions 50 --seed 1"
    assert again in told.output
    page = (root / "docs" / "opponents.md").read_text()
    assert page.startswith(PAGE)
    assert f"Measured by `{again}`" in page
    for name, strength in found.items():
        assert f"{strength.rating} ± {strength.error}" in page
        assert str(strength.rating) in told.output
        assert bots(KEY)[name].persona.title in page
    assert (root / "docs" / "images" / f"opponents-{KEY}.svg").is_file()
    assert len(kept(root)) == 3, "nothing is left over"


def test_the_same_seed_is_the_same_game_and_both_sides_are_taken() -> None:
    bout = Bout(KEY, (NAMES[0], NAMES[-1]), 1, 1, Budget(50))
    assert played(bout) == played(bout)
    assert played(bout).games == 2
    seats = {bots(KEY)[name] for name in bout.pair}
    assert len(seats) == 2


def test_an_interrupted_arena_says_what_was_played_and_writes_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(bouts: Iterable[Any], *_: object, **__: object) -> Iterator[Any]:
        for number, each in enumerate(bouts):
            if number == 3:
                raise KeyboardInterrupt
            yield each

    monkeypatch.setattr(command, "track", interrupted)
    before = kept(root)
    told = arena(KEY, "--games", "2000", "--positions", "50", "--workers", "1", "--write")
    assert told.exit_code == 130
    assert "6 games" in told.output
    assert "nothing is written" in told.output
    assert kept(root) == before
    assert (root / "docs" / "opponents.md").read_text() == PAGE
    assert active_children() == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess"], "there is no game 'chess'"),
        ([KEY, "--games", "3"], "--games is even"),
        ([KEY, "--games", "0"], "--games"),
        ([KEY, "--levels", f"{NAMES[0]},nobody"], "no opponent 'nobody'"),
        ([KEY, "--levels", NAMES[0]], "two opponents or more"),
        ([KEY, "--positions", "5", "--seconds", "1"], "not by both"),
        ([KEY, "--levels", ",".join(NAMES[:2]), "--write"], "--write needs all"),
        ([KEY, "--workers", "0"], "--workers"),
    ],
)
def test_what_cannot_be_measured_is_said(root: Path, arguments: list[str], why: str) -> None:
    told = arena(*arguments)
    assert told.exit_code == 2
    assert why in told.output
    assert (root / "docs" / "opponents.md").read_text() == PAGE


@pytest.mark.parametrize("key", [key for key in all_rules() if bots(key)])
def test_every_game_can_be_played_out_in_the_arena(key: str) -> None:
    weakest = next(iter(bots(key).values()))
    outcome = Contest(all_rules()[key], (weakest, weakest), b"any", Budget(1)).play()
    assert outcome.winner in {0, 1, None}


def test_a_page_keeps_how_it_was_measured_until_that_is_done_again() -> None:
    opponents = tuple(bots(KEY).values())
    strengths = {name: Strength(rating=1500, error=9, games=40) for name in NAMES}
    page = written(PAGE, KEY, opponents, strengths, "parlour arena one")
    assert written(page, KEY, opponents, strengths) == page
    other = written(page, KEY, opponents, strengths, "parlour arena two")
    assert "arena two" in other
    assert "arena one" not in other
    assert "not measured" in written(page, KEY, opponents, {})
