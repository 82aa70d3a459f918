"""Settings as structs: how each field is called, what it means, and how its text is read.

The server's own settings and those of every game are declared in this way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, get_args, get_type_hints

from msgspec import Meta, Struct, ValidationError, convert, structs


class SettingsError(ValueError):
    """A setting is wrong. The text names it and says what it should be, on one line."""


Text = Annotated[str, Meta(max_length=2000)]
Port = Annotated[int, Meta(ge=0, le=65535)]
Seconds = Annotated[float, Meta(ge=0, le=10**8)]
PositiveSeconds = Annotated[float, Meta(gt=0, le=10**8)]
Duration = Annotated[int, Meta(ge=0, le=10**9)]
Count = Annotated[int, Meta(ge=1, le=10**6)]

_WORDS = {"1": True, "true": True, "yes": True, "on": True} | {
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


def says(meaning: str) -> Meta:
    """What a setting means, for operators."""
    return Meta(description=meaning)


def milliseconds(seconds: float) -> int:
    """A span as rules and play count it."""
    return round(seconds * 1000)


class Declared(Struct, frozen=True, kw_only=True):
    """Settings that belong together. Fields are named as their variables, in lower case."""

    spellings: ClassVar[Mapping[str, str]] = {}
    """Other names that are understood, and the field each of them sets."""
    readers: ClassVar[Mapping[str, Callable[[str], Any]]] = {}
    """How a field's text is read where its type does not know it; `ValueError` in few words."""

    def check(self) -> None:
        """`SettingsError` for values that do not go together."""

    def remarks(self) -> Iterator[str]:
        """What an operator should be told when the server starts."""
        yield from ()


def fields(declared: type[Declared]) -> Mapping[str, str]:
    """The fields that can be set, in order, and what each of them means."""
    meanings = {}
    hints = _hints(declared)
    for field in structs.fields(declared):
        metas = [meta for meta in get_args(hints[field.name])[1:] if isinstance(meta, Meta)]
        if meaning := next((meta.description for meta in metas if meta.description), None):
            meanings[field.name] = meaning
    return meanings


def value(declared: type[Declared], field: str, name: str, text: str) -> Any:
    """What a variable of that name sets the field to; `SettingsError` if it cannot be that."""
    hint = _hints(declared)[field]
    reader = declared.readers.get(field) or getattr(get_args(hint)[0], "read", None)
    if get_args(hint)[0] is bool:
        if text.lower() not in _WORDS:
            raise SettingsError(f"{name}: expected true or false, got {text!r}")
        return _WORDS[text.lower()]
    try:
        return convert(reader(text) if reader else text, hint, strict=False)
    except ValidationError as error:
        raise SettingsError(f"{name}: {_plain(str(error))}, got {masked(text)!r}") from None
    except ValueError as error:
        raise SettingsError(f"{name}: {error}, got {masked(text)!r}") from None


def shown(value: object) -> str:
    """A value as an operator may see it: passwords are masked."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:g}"
        case tuple():
            return ", ".join(map(str, value))
        case _:
            return masked(str(value))


def masked(text: str) -> str:
    """The same address without its password."""
    scheme, mark, rest = text.partition("://")
    userinfo, at, where = rest.rpartition("@")
    if not mark or not at:
        return text
    user, colon, _ = userinfo.partition(":")
    return f"{scheme}://{user}{':***' if colon else ''}@{where}"


@cache
def _hints(declared: type[Declared]) -> Mapping[str, Any]:
    return get_type_hints(declared, include_extras=True)


def _plain(problem: str) -> str:
    """A decoder's complaint in an operator's words."""
    problem = problem.partition(" - at ")[0].partition(", got")[0]
    problem = problem.replace("`int | null`", "`int`").replace("`str | null`", "`str`")
    problem = problem.replace("`int`", "a whole number").replace("`float`", "a number")
    return problem[:1].lower() + problem[1:]
