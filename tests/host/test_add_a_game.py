"""The page on adding a game is true: what it says is done, and the game is served and played."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.generated import ROOT

PAGE = ROOT / "docs" / "add-a-game.md"
BLOCK = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAMES = "src/parlour/games/"


def test_the_game_on_the_page_is_served_and_played(tmp_path: Path) -> None:
    written = BLOCK.findall(PAGE.read_text("utf-8"))
    assert {name.removeprefix(GAMES) for name, _ in written} == {
        "nim/__init__.py",
        "nim/rules.py",
        "nim/bot.py",
    }
    for name, text in written:
        path = tmp_path / name.removeprefix(GAMES)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-m", "tests.host.newcomer", tmp_path, "nim"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # Of a multiple of four whoever begins loses to one who counts.
    assert done.stdout.splitlines()[-1] == "finished last_stick 1"
