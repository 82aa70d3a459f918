"""A game's surface is handed what a viewer may see: it reaches neither matches nor their states."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from parlour.games.registry import all_rules
from tests.laws.imports import FOLDER, imported, pure, stands_on

KERNEL = {f"parlour.play.{name}" for name in ("finding", "match", "resident", "residents", "steps")}
"""Where matches are kept with their states."""
MATCHES = {"after", "before", "found", "following", "match", "old", "resident"}
"""What a match, or a step from one to another, is called."""
REACHING = {
    "connect4/engine.py",
}
"""Modules that are still to be put on the host."""


def surface(key: str) -> set[Path]:
    """What a game's surface stands on, but for what is pure."""
    return stands_on(key, "wire", "engine") - pure(key)


SURFACES = sorted(set[Path]().union(*map(surface, all_rules())))


def states_of_matches(path: Path) -> set[str]:
    """Where a file names the state of a match."""
    return {
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr == "state"
        and ast.unparse(node.value).rpartition(".")[2] in MATCHES
    }


def reaches(path: Path) -> set[str]:
    """What a surface has no business with."""
    return imported(path) & KERNEL | states_of_matches(path)


@pytest.mark.parametrize("path", SURFACES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_surface_reaches_for_no_match(path: Path) -> None:
    if str(path.relative_to(FOLDER)) in REACHING:
        assert reaches(path), "it does not any more: strike it from the list"
    else:
        assert not reaches(path)


def test_only_modules_that_exist_are_excused() -> None:
    assert {str(path.relative_to(FOLDER)) for path in SURFACES} >= REACHING


def test_what_reaches_for_a_match_is_noticed(tmp_path: Path) -> None:
    source = tmp_path / "sly.py"
    source.write_text(
        "def deck(resident, view, card):\n"
        "    from parlour.play import match\n"
        "    return resident.match.state, view.state, card.state\n"
    )
    assert reaches(source) == {"parlour.play.match", "resident.match.state"}
    assert FOLDER / "memory" / "voice.py" in surface("memory")
