"""What players may choose before a game begins: as a start page draws it, and as it is checked.

A game names what it offers in `Rules.offered`. What each option may be is said with its field in
`options_type`: bounds and choices by `offer`, else by the field's own type.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, Literal

from msgspec import UNSET, Meta, Struct, inspect, structs

from parlour.games.api import Refused, Rules

Value = int | str | bool | None

INVALID: Final = "INVALID_OPTIONS"


class Choice(Struct, frozen=True):
    """One value, and what it is called."""

    value: Value
    label: str


class Option(Struct, frozen=True, kw_only=True):
    """One thing that players may choose."""

    name: str
    title: str
    description: str | None = None
    kind: Literal["number", "choice", "switch"]
    default: Value
    """What it is when nobody chooses."""
    least: int | None = None
    most: int | None = None
    choices: tuple[Choice, ...] = ()

    def flaw(self, value: Any) -> str | None:
        """Why it cannot be that, in words for people; None: it can."""
        if self.kind == "switch":
            return None if isinstance(value, bool) else "choose yes or no"
        if self.kind == "choice":
            known = any(
                type(each.value) is type(value) and each.value == value for each in self.choices
            )
            return None if known else f"choose one of {', '.join(c.label for c in self.choices)}"
        if type(value) is not int:
            return "choose a whole number"
        if (self.least is not None and value < self.least) or (
            self.most is not None and value > self.most
        ):
            return f"choose from {self.least} to {self.most}"
        return None


def offer(
    title: str,
    description: str | None = None,
    *,
    least: int | None = None,
    most: int | None = None,
    choices: Mapping[Any, str] | None = None,
) -> Meta:
    """How a field is offered: its title, and what of all that it could be players may choose."""
    extra = {"least": least, "most": most, "choices": choices}
    return Meta(
        title=title,
        description=description,
        extra={name: value for name, value in extra.items() if value is not None},
    )


def offered(rules: Rules[Any, Any, Any], given: Any) -> tuple[Option, ...]:
    """What players may choose; `given` is what it is when they do not."""
    if not rules.offered:
        return ()
    types = inspect.type_info(rules.options_type)
    assert isinstance(types, inspect.StructType)
    of = {field.name: field.type for field in types.fields}
    usual = {name: getattr(given, name) for name in rules.offered}
    return tuple(
        _option(name, of[name], None if value is UNSET else value) for name, value in usual.items()
    )


def chosen(rules: Rules[Any, Any, Any], given: Any, asked: Mapping[str, Any]) -> Any:
    """The options of a match where somebody asks for some; or `Refused`, naming the field."""
    known = {option.name: option for option in offered(rules, given)}
    for name, value in asked.items():
        if name not in known:
            raise Refused(INVALID, f"There is nothing of that name to choose{_of(known)}.", name)
        if flaw := known[name].flaw(value):
            raise Refused(INVALID, f"{known[name].title}: {flaw}.", name)
    try:
        return structs.replace(given, **asked)
    except ValueError as error:
        words = str(error)
        raise Refused(
            INVALID, f"{words[:1].upper()}{words[1:]}.", next(iter(asked), None)
        ) from None


def _of(known: Collection[str]) -> str:
    return f": there is {', '.join(known)}" if known else " in this game"


def _option(name: str, kind: inspect.Type, default: Value) -> Option:
    said: dict[str, Any] = {}
    words: dict[str, str] = {}
    if isinstance(kind, inspect.Metadata):
        said, words = kind.extra or {}, kind.extra_json_schema or {}
        kind = kind.type
    title = words.get("title") or name.replace("_", " ").capitalize()
    described: dict[str, Any] = {
        "name": name,
        "title": title,
        "description": words.get("description"),
    }
    labels = said.get("choices")
    if labels is None and isinstance(kind, inspect.LiteralType):
        labels = {value: str(value) for value in kind.values}
    if labels is not None:
        # An operator may have set what no player would be offered.
        labels = labels if default in labels else {default: "as usual", **labels}
        choices = tuple(Choice(value, label) for value, label in labels.items())
        return Option(**described, kind="choice", default=default, choices=choices)
    if isinstance(kind, inspect.BoolType):
        return Option(**described, kind="switch", default=default)
    assert isinstance(kind, inspect.IntType), f"{name}: offer choices for what is no number"
    least, most = said.get("least", kind.ge), said.get("most", kind.le)
    return Option(**described, kind="number", default=default, least=least, most=most)
