"""What our modules import, read from their source."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from parlour import games

FOLDER = Path(games.__path__[0])


@cache
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
            found |= {node.module} | {name for name in names if file_of(name) is not None}
    return found


def file_of(module: str) -> Path | None:
    """Where one of our modules is, if it is one."""
    place = FOLDER.parent.parent.joinpath(*module.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if module.startswith("parlour") and path.is_file():
            return path
    return None


def stands_on(key: str, *modules: str) -> set[Path]:
    """Those modules of a game, and whatever of its folder they import, at any depth."""
    found: set[Path] = set()
    waiting = {FOLDER / key / f"{name}.py" for name in modules}
    while waiting := {path for path in waiting if path.is_file()} - found:
        found |= waiting
        waiting = {
            path
            for seen in waiting
            for module in imported(seen)
            if (path := file_of(module)) is not None and path.is_relative_to(FOLDER / key)
        }
    return found


def pure(key: str) -> set[Path]:
    """A game's rules and bots, and whatever of its folder they stand on."""
    return stands_on(key, "rules", "bot")
