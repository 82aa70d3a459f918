"""Bodies of requests, taken at their word: numbers are JSON numbers, and all faults are named.

    @post("/challenges", dto=Form[NewChallenge], return_dto=None)
    async def create(data: JSONBody[NewChallenge]) -> Challenge: ...

The framework's own decoding would take "5" and 5.0 for 5, and stop at the first fault.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from litestar.dto import AbstractDTO, DTOFieldDefinition
from litestar.openapi.spec import Reference, Schema
from litestar.typing import FieldDefinition
from msgspec import NODEFAULT, Raw, Struct, structs

from parlour.net.bodies import MALFORMED
from parlour.net.drf import NO_FIELD, Rejected, plain

S = TypeVar("S", bound=Struct)

_OBJECT = msgspec.json.Decoder(dict[str, Raw])


def decoded(body: bytes, form: type[S]) -> S:
    """The form that a body fills in, or `Rejected` with everything that is wrong with it."""
    try:
        given = _OBJECT.decode(body)
    except msgspec.ValidationError:
        raise Rejected.fields({NO_FIELD: ["Please send a JSON object."]}) from None
    except MALFORMED:
        raise Rejected(400, "parse_error", "This is not JSON.") from None
    values: dict[str, Any] = {}
    errors: dict[str, list[str]] = {}
    for field in _fields(form):
        raw = given.get(field.shown)
        if raw is None:
            if field.required:
                errors[field.shown] = ["This field is required."]
            continue
        try:
            values[field.name] = field.decoder.decode(raw)
        except MALFORMED as error:
            missing = bytes(raw).strip() == b"null"
            words = "This field may not be null." if missing else plain(str(error))
            errors[field.shown] = [words]
    if errors:
        raise Rejected.fields(errors)
    return form(**values)


class _Field(Struct, frozen=True):
    """A field of a form, by its name and by the one that clients know."""

    name: str
    shown: str
    required: bool
    decoder: msgspec.json.Decoder[Any]


@cache
def _fields(form: type[Struct]) -> tuple[_Field, ...]:
    """Looked at once, as that takes longer than filling in many forms."""
    return tuple(
        _Field(
            field.name,
            field.encode_name,
            field.default is NODEFAULT,
            msgspec.json.Decoder(field.type),
        )
        for field in structs.fields(form)
    )


def canonical_id(text: str) -> str | None:
    """An id as the store spells it; None if it can be none."""
    try:
        return str(UUID(text))
    except ValueError:
        return None


NUMBER_MAX = 2**53 - 1
"""Larger integers are not the same ones any more to a client that counts in doubles."""
_NUMBER = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)


def given_id(given: int | str) -> int | str | None:
    """What a client names something by: a number, or an id as the store spells it; None if it can
    be neither.

    >>> given_id("12"), given_id(12), given_id("0"), given_id(2**63)
    (12, 12, None, None)
    """
    if isinstance(given, str):
        if not _NUMBER.fullmatch(given):
            return canonical_id(given)
        given = int(given)
    return given if 0 < given <= NUMBER_MAX else None


class Form(AbstractDTO[S]):
    """For a route's `dto`: its `data` is decoded as above, and described as what it is."""

    def decode_bytes(self, value: bytes) -> S:
        return decoded(value, self.model_type)

    @classmethod
    def create_for_field_definition(
        cls, field_definition: FieldDefinition, handler_id: str, backend_cls: object = None
    ) -> None:
        """Nothing is transferred from one model to another."""

    @classmethod
    def create_openapi_schema(
        cls, field_definition: FieldDefinition, handler_id: str, schema_creator: Any
    ) -> Reference | Schema:
        del field_definition, handler_id
        schema: Reference | Schema = schema_creator.for_field_definition(
            FieldDefinition.from_annotation(cls.model_type)
        )
        return schema

    @classmethod
    def generate_field_definitions(
        cls, model_type: type[Any]
    ) -> Generator[DTOFieldDefinition, None, None]:
        del model_type
        yield from ()

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        del field_definition
        return False
