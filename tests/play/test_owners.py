"""Each part of a match in memory has one owner, and nobody else writes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import parlour
from parlour.play.resident import Resident

SOURCE = Path(parlour.__file__).parent
OWNERS = {
    "armed_at": {"timers"},
    "both_here": {"presence"},
    "claims": {"presence"},
    "here": {"presence"},
    "kept_at": {"presence"},
    "lock": set[str](),
    "match": {"steps"},
    "other_process": {"presence"},
    "policy": set[str](),
    "rules": set[str](),
    "timer": {"timers"},
    "touched_at": {"residents", "steps"},
    "watchers": {"watching"},
}
"""Which modules write it, besides `resident`, where it is made."""

MUTATING = {"append", "clear", "extend", "insert", "pop", "remove", "setdefault", "update"}


def attributes(target: ast.expr) -> Iterator[str]:
    """Of which attribute of a resident this is, or a part of it."""
    while isinstance(target, ast.Subscript):
        target = target.value
    if isinstance(target, ast.Tuple):
        for each in target.elts:
            yield from attributes(each)
    elif isinstance(target, ast.Attribute) and ast.unparse(target.value).endswith("resident"):
        yield target.attr


@cache
def written(source: str) -> set[str]:
    """What of residents a module writes."""
    found = set[str]()
    for node in ast.walk(ast.parse(source)):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            targets = [node.func.value] if node.func.attr in MUTATING else []
        for target in targets:
            found.update(attributes(target))
    return found


def test_every_part_has_an_owner() -> None:
    assert OWNERS.keys() == set(Resident.__slots__)


@pytest.mark.parametrize("part", OWNERS)
def test_only_its_owner_writes_it(part: str) -> None:
    writers = {
        path.stem for path in SOURCE.rglob("*.py") if part in written(path.read_text("utf-8"))
    }
    assert writers == OWNERS[part]


@pytest.mark.parametrize(
    "source",
    [
        "resident.here[seat] = NOWHERE",
        "del self.resident.here[0]",
        "now = resident.here = []",
        "resident.here, other = (), ()",
        "resident.here.clear()",
        "resident.here += [1]",
    ],
)
def test_what_writes_is_noticed(source: str) -> None:
    assert written(source) == {"here"}
