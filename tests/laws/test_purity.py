"""Rules and bots are pure: whatever they need of the world is handed to them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from parlour import games
from parlour.games.registry import all_rules

FOLDER = Path(games.__path__[0])
SURFACES = {"wire", "engine"}
IMPURE = {"asyncio", "datetime", "os", "random", "secrets", "socket", "threading", "time", "uuid"}

PURE = [FOLDER / "api.py"] + [
    path
    for key in all_rules()
    for path in sorted((FOLDER / key).rglob("*.py"))
    if path.relative_to(FOLDER / key).with_suffix("").parts[0] not in SURFACES
]


def imported(path: Path) -> set[str]:
    """Every module a file imports, at any depth."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where a name comes from"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(FOLDER)))
def test_nothing_pure_reaches_for_the_world(path: Path) -> None:
    modules = imported(path)
    assert not {name.split(".")[0] for name in modules} & IMPURE
    own = f"parlour.games.{path.relative_to(FOLDER).parts[0]}."
    ours = {name for name in modules if name.split(".")[0] == "parlour"}
    assert not {name for name in ours if not name.startswith(("parlour.games.api.", own))}


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
    source.write_text(
        "def now():\n    from time import time\n    import os.path\n    return time()\n"
    )
    assert imported(source) == {"time.time", "os.path"}
