"""Requests whose JSON is taken at its word: for a route's `data`, "3" is no 3 and true is no 1.

The framework decodes a body without knowing what is wanted and then bends it into shape; this
decodes it as what the route declares, in one go, and refuses what does not fit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import State

from parlour.net.errors import Problem

MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding JSON says of bytes that are none, or not of the type asked for."""


class StrictRequest(Request[Any, Any, State]):
    """The request of every route."""

    async def json(self) -> Any:
        """The body as the route declares it, or `INVALID_BODY`."""
        declared = self.route_handler.parsed_data_field
        wanted = Any if declared is None else declared.annotation
        try:
            return _decoder(wanted).decode(await self.body())
        except MALFORMED:
            raise Problem.general("INVALID_BODY") from None


@lru_cache(256)
def _decoder(wanted: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(wanted)
