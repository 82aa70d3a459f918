"""Finds the games: every package beside this file that exports `RULES`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any, Final, cast

import msgspec
from msgspec import Struct

from parlour import games
from parlour.games.api import Analyst, Bot, Rules
from parlour.variables import Declared

AnyRules = Rules[Any, Any, Any]
AnyBot = Bot[Any, Any, Any]
AnyAnalyst = Analyst[Any, Any, Any]

STRENGTHS: Final = "strengths.json"
"""In a game's folder: how strong its opponents were measured to be (`parlour arena`)."""


class Strength(Struct, frozen=True, kw_only=True):
    """How strong an opponent was measured to be, among those of its game."""

    rating: int
    """On the Elo scale; see docs/opponents.md for its zero."""
    error: int
    """It lies within so much of that, 95 times of 100."""
    games: int
    """So many games it rests on."""


@cache
def all_rules() -> Mapping[str, AnyRules]:
    """The rules of every game, by key, in alphabetical order."""
    packages = sorted(module.name for module in iter_modules(games.__path__) if module.ispkg)
    rules = [import_module(f"{games.__name__}.{name}").RULES for name in packages]
    return MappingProxyType({each.key: each for each in rules})


@cache
def bots(key: str) -> Mapping[str, AnyBot]:
    """The opponents a game offers, by name, weakest first; empty if it has none."""
    package = f"{games.__name__}.{key}"
    if find_spec(package) is None or find_spec(f"{package}.bot") is None:
        return MappingProxyType({})
    return MappingProxyType(import_module(f"{package}.bot").BOTS)


@cache
def strengths(key: str) -> Mapping[str, Strength]:
    """How strong the opponents of a game were measured to be, by name; some or all may not be."""
    package = f"{games.__name__}.{key}"
    if find_spec(package) is None:
        return MappingProxyType({})
    kept = files(package).joinpath(STRENGTHS)
    if not kept.is_file():
        return MappingProxyType({})
    return MappingProxyType(msgspec.json.decode(kept.read_bytes(), type=dict[str, Strength]))


@cache
def analyst(key: str) -> AnyAnalyst | None:
    """Who weighs the positions of a game; None: nobody can."""
    name = f"{games.__name__}.{key}.analyst"
    if key not in all_rules() or find_spec(name) is None:
        return None
    return cast("AnyAnalyst", import_module(name).ANALYST)


@cache
def all_settings() -> Mapping[str, type[Declared]]:
    """What operators may set for each game that has settings, by key."""
    modules = {key: f"{games.__name__}.{key}.settings" for key in all_rules()}
    return MappingProxyType(
        {key: import_module(name).SETTINGS for key, name in modules.items() if find_spec(name)}
    )


def prepare_bots(*keys: str) -> None:
    """Have bots that can be compiled compiled in this process, which may take seconds.

    Those of these games, or of all.
    """
    for key in keys or all_rules():
        if bots(key):
            prepare = getattr(import_module(f"{games.__name__}.{key}.bot"), "prepare", None)
            if prepare is not None:
                prepare()
