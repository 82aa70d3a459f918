"""Whatever a game refuses with has words for people, and nothing has words that is never said."""

from __future__ import annotations

import ast
import re

import pytest

from parlour.games.registry import all_rules
from tests.laws.imports import pure

CODE = re.compile(r"[A-Z0-9]+(_[A-Z0-9]+)*|[a-z0-9]+(_[a-z0-9]+)*")


def codes(key: str) -> set[str]:
    """Every code that a game's rules are written to refuse with."""
    found: set[str] = set()
    for path in pure(key):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                code = node.args[0]
                assert isinstance(code, ast.Constant), f"{path}: a code that is not written out"
                found.add(str(code.value))
    return found


@pytest.mark.parametrize("key", all_rules())
def test_every_code_has_words(key: str) -> None:
    words = all_rules()[key].words
    assert codes(key) == words.keys()
    for code, said in words.items():
        assert CODE.fullmatch(code)
        assert " " in said
        assert said[-1] == "."
