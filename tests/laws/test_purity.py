"""Rules and bots are pure: whatever they need of the world is handed to them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from parlour.games.registry import all_rules
from tests.laws.imports import FOLDER, file_of, imported, pure

SHARED = {
    "parlour.games.clocks",
    "parlour.games.giving_up",
    "parlour.games.turn_limit",
    "parlour.games",
    "parlour.games.api",
    "parlour.games.away",
    "parlour.games.options",
    "parlour.games.thinking",
}
"""What rules and bots may import beside their own folder."""
IMPURE = {"asyncio", "datetime", "os", "random", "secrets", "socket", "threading", "time", "uuid"}


PURE = sorted(
    {path for name in SHARED if (path := file_of(name)) is not None}.union(*map(pure, all_rules()))
)


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(FOLDER)))
def test_nothing_pure_reaches_for_the_world(path: Path) -> None:
    modules = imported(path)
    assert not {name.split(".")[0] for name in modules} & IMPURE
    own = f"parlour.games.{path.relative_to(FOLDER).parts[0]}"
    ours = {name for name in modules if name.split(".")[0] == "parlour"}
    assert not {name for name in ours - SHARED if name != own and not name.startswith(f"{own}.")}


@pytest.mark.parametrize("key", all_rules())
def test_a_game_is_a_folder_of_its_own_name_that_exports_its_rules(key: str) -> None:
    tree = ast.parse((FOLDER / key / "__init__.py").read_text(encoding="utf-8"))
    exported = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    assert exported == [["RULES"]]


def test_the_eye_that_looks_for_imports_sees_them(tmp_path: Path) -> None:
    source = tmp_path / "sly.py"
    source.write_text("import os.path\ndef now():\n    from time import time\n    return time()\n")
    assert imported(source) == {"time", "os.path"}
    assert FOLDER / "quarto" / "board.py" in pure("quarto")
    assert FOLDER / "quarto" / "search.py" in pure("quarto")
