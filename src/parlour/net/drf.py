"""Refusals in the shape of Django REST framework, for the surfaces whose document asks for it.

`{"field": ["text"]}` says what is wrong with the form of a request; everything else is
`{"detail": "text", "code": "slug"}`. Mount a router with `opt=DRF.mounted`, and raise `Rejected`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from litestar.openapi import ResponseSpec
from msgspec import Struct

from parlour.net.errors import TOO_MUCH, Problem
from parlour.net.surface import Surface

NO_FIELD = "non_field_errors"

Fields = Mapping[str, list[str]]


class Rejected(Problem):
    """A refusal by its slug."""

    def __init__(
        self, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(code, status, detail, headers=headers)

    @classmethod
    def fields(cls, errors: Fields) -> Rejected:
        """The request's form is wrong, in these fields."""
        rejected = cls(400, "invalid", "")
        rejected.form = errors
        return rejected


def detailed(problem: Problem) -> Mapping[str, Any]:
    """What is wrong with each field, if that is it; else why, and a slug."""
    slug = _SLUGS.get(problem.code, problem.code.lower())
    return problem.form or {"detail": problem.message, "code": slug}


_SLUGS: Final[Mapping[str, str]] = {
    "UNAUTHORIZED": "not_authenticated",
    "INVALID_BODY": "invalid",
    "INVALID_QUERY": "invalid",
    "INTERNAL_ERROR": "error",
}

DRF: Final = Surface(shape=detailed)


class Detail(Struct, frozen=True):
    """Why a request was refused."""

    detail: str
    code: str


def responses(*statuses: int) -> dict[int, ResponseSpec]:
    """For a route's `responses`: that it refuses in this shape with these statuses."""
    forms: Any = Detail | dict[str, list[str]]
    return TOO_MUCH | {
        status: ResponseSpec(
            forms if status == 400 else Detail, description="refused", generate_examples=False
        )
        for status in (400, 401, *statuses, 429, 503)
    }


def form_of(complaints: Iterable[Mapping[str, Any]]) -> Fields:
    """What the framework says of parameters that it does not understand."""
    return dict(map(_field, complaints))


def _field(complaint: Mapping[str, Any]) -> tuple[str, list[str]]:
    key = complaint.get("key", "data")
    if key == "data":
        return NO_FIELD, ["Please send a JSON object."]
    return key, [plain(str(complaint.get("message", "")))]


def plain(complaint: str) -> str:
    """A decoder's complaint in the words of a form.

    >>> plain("Expected `int` <= 100")
    'Ensure this value is less than or equal to 100.'
    >>> plain("Expected `int`, got `str`")
    'A valid integer is required.'
    """
    complaint = complaint.partition(" - at ")[0]
    if complaint.startswith("Expected `int` >= "):
        return f"Ensure this value is greater than or equal to {complaint[18:]}."
    if complaint.startswith("Expected `int` <= "):
        return f"Ensure this value is less than or equal to {complaint[18:]}."
    if complaint.startswith("Invalid enum value "):
        return f'"{complaint[19:].strip(chr(39))}" is not a valid choice.'
    if complaint.startswith(("Expected `int", "Integer")):
        return "A valid integer is required."
    if complaint.startswith("Expected `str"):
        return "Not a valid string."
    return "Not a valid value."
