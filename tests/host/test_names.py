"""A game is a folder of its own: nothing outside of what belongs to it knows its name."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from parlour.games.registry import all_rules
from tests.generated import OPENAPI, ROOT, SOCKETS

WITHOUT_A_DOCUMENT = [key for key in all_rules() if not find_spec(f"parlour.games.{key}.wire")]

GENERATED = {OPENAPI, SOCKETS, *(ROOT / "web" / "src" / "core").glob("*.gen.ts")}
ABOUT_ALL = {ROOT / "README.md", ROOT / "CHANGELOG.md"}


def tracked() -> list[Path]:
    """Every file of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - as everybody has it
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    files = (ROOT / name for name in listed.stdout.split("\0") if name)
    return [path for path in files if path.is_file()]


def belongs(path: Path, key: str) -> bool:
    """Whether a file is the game's own, comes from it, or tells people of it."""
    inside = path.relative_to(ROOT)
    own = (
        Path("src/parlour/games") / key,
        Path("web/src/games") / key,
        Path("tests/playthroughs") / key,
        Path("tests/laws/games") / f"{key}.py",
        Path("docs"),
    )
    return (
        path in GENERATED | ABOUT_ALL
        or any(inside.is_relative_to(each) for each in own)
        or (inside.parts[0] == "tests" and inside.name.startswith(f"test_{key}"))
    )


def test_there_is_such_a_game() -> None:
    assert WITHOUT_A_DOCUMENT


@pytest.mark.parametrize("key", WITHOUT_A_DOCUMENT)
def test_nothing_else_names_it(key: str) -> None:
    words = key.replace("_", "[ _-]?")
    named = re.compile(rf"(?<![a-z]){words}".encode(), re.IGNORECASE)
    naming = [
        path for path in tracked() if not belongs(path, key) and named.search(path.read_bytes())
    ]
    assert [str(path.relative_to(ROOT)) for path in naming] == []
