"""No refusal is only a code: whatever is tried at a table, who is refused reads why."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from parlour.games.registry import all_rules
from tests.host.conftest import Enter
from tests.host.test_play import seated
from tests.laws.game import game_of

TRIES = 40


@pytest.mark.parametrize("game", all_rules())
async def test_whatever_is_refused_is_refused_in_words(enter: Enter, game: str) -> None:
    host, guest, table = await seated(enter, game)
    random, match, codes = Random(7), table["match"], set()
    version = table["version"]
    for number in range(TRIES):
        player = (host, guest)[number % 2]
        action = msgspec.to_builtins(game_of(game).wild(random))
        if action == msgspec.to_builtins(all_rules()[game].resignation):
            continue
        answer = await player.asks("act", match=match, version=version, action=action)
        if answer["type"] == "error":
            assert " " in answer["message"], answer
            assert answer["message"] != answer["code"]
            codes.add(answer["code"])
        shown = await player.asks("watch", match=match)
        version = shown["version"]
    assert codes
    if all_rules()[game].resignation is not None and shown["status"] == "active":
        await host.asks("resign", match=match)
        error = await guest.asks("resign", match=match)
        assert (error["type"], " " in error["message"]) == ("error", True)
