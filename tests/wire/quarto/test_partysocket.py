"""The published client library plays as it is: its address, its reconnecting, our rooms."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.generated import ROOT
from tests.wire.quarto.conftest import House

LIBRARY = ROOT / "web" / "node_modules" / "partysocket" / "dist" / "index.js"
SCRIPT = Path(__file__).with_name("partysocket_game.mjs")


@pytest.mark.skipif(not LIBRARY.is_file(), reason="the web app's packages are not installed")
@pytest.mark.spec("D3", "D16", "D49", "D52")
@pytest.mark.parametrize("words_on_return", ["RECONNECT", "nothing"])
def test_partysocket_plays_a_whole_game_through_a_cut(house: House, words_on_return: str) -> None:
    node = shutil.which("node")
    assert node is not None
    # Node 20 has the browser's WebSocket only when asked for it.
    asked = [node, "--experimental-websocket", str(SCRIPT)]
    done = subprocess.run(  # noqa: S603 - our own script
        [*asked, str(house.served.port), LIBRARY.as_uri(), house.room, words_on_return],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["cuts"] == 1
    assert sorted(seen["reconnected"]) == [0, 1], "both took their seats again by themselves"
    for game in seen["over"]:
        assert game["status"] == "finished"
        assert game["board"]["positions"][:4] == [8, 9, 10, 11]
        assert game["winningLine"] == [0, 1, 2, 3]
        assert [entry["type"] for entry in game["history"]] == ["select", "place"] * 4 + ["quarto"]
    assert set(seen["errors"]) <= {"NOT_YOUR_TURN"}, "only what was said into the cut line"
