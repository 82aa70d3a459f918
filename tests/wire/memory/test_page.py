"""The page about the protocol shows every message, and none that is not one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.games.memory.messages import ClientMessage, ServerMessage

PAGE = Path(__file__).parents[3] / "docs" / "protocol" / "memory.md"


def examples(side: str) -> list[Any]:
    blocks = re.findall(rf"```json {side}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return [json.loads(line) for block in blocks for line in block.splitlines()]


@pytest.mark.spec("B39", "B77")
@pytest.mark.parametrize(("side", "union"), [("client", ClientMessage), ("server", ServerMessage)])
def test_examples_are_messages_and_all_are_there(side: str, union: Any) -> None:
    shown = examples(side)
    for example in shown:
        message = msgspec.convert(example, union)
        told = json.loads(msgspec.json.encode(message))
        absent = dict.fromkeys(set(told) - set(example))
        assert told == example | absent, "no field too many, none missing"
    tags = {each.__struct_config__.tag for each in union.__args__}
    assert {example["type"] for example in shown} == tags
