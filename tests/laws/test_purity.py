"""Rules and bots are pure: whatever they need of the world is handed to them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from parlour import games
from parlour.games.registry import all_rules

FOLDER = Path(games.__path__[0])
SHARED = {"parlour.games", "parlour.games.api", "parlour.games.away", "parlour.games.thinking"}
"""What rules and bots may import beside their own folder."""
IMPURE = {"asyncio", "datetime", "os", "random", "secrets", "socket", "threading", "time", "uuid"}


def imported(path: Path) -> set[str]:
    """Every module a file imports, at any depth; of names, the module they come from."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where a name comes from"
            assert node.module is not None
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {node.module} | {name for name in names if _file(name) is not None}
    return found


def _file(module: str) -> Path | None:
    """Where one of our modules is, if it is one."""
    place = FOLDER.parent.parent.joinpath(*module.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if module.startswith("parlour") and path.is_file():
            return path
    return None


def pure(key: str) -> set[Path]:
    """A game's rules and bots, and whatever of its folder they stand on."""
    found: set[Path] = set()
    waiting = {FOLDER / key / "rules.py", FOLDER / key / "bot.py"}
    while waiting := {path for path in waiting if path.is_file()} - found:
        found |= waiting
        waiting = {
            path
            for seen in waiting
            for module in imported(seen)
            if (path := _file(module)) is not None and path.is_relative_to(FOLDER / key)
        }
    return found


PURE = sorted(
    {path for name in SHARED if (path := _file(name)) is not None}.union(*map(pure, all_rules()))
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
