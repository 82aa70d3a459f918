"""How each part of the API refuses: in which shape, and by which names and words of its own.

The router that mounts a surface says so, `Part("/api/wallet", opt=DRF.mounted)`; what nobody says
is plain. `Mounts` remembers it for what no route answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from litestar import Router
from litestar.handlers import BaseRouteHandler
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from parlour.net.errors import GENERAL, Problem
from parlour.net.failures import failure_of

_OPT: Final = "surface"

Shape = Callable[[Problem], Mapping[str, Any]]
"""What a client gets of a refusal."""


def coded(problem: Problem) -> Mapping[str, Any]:
    """The code, twice; the words; and what stands beside them."""
    said = {"error": problem.code, "code": problem.code, "message": problem.message}
    return {**said, **problem.beside}


class Surface(Struct, frozen=True):
    """One part of the API."""

    shape: Shape = coded
    codes: Mapping[str, str] = {}
    """What it calls what it did not name."""
    words: Mapping[str, tuple[int, str]] = {}
    """Codes of its own: status and words."""

    @property
    def mounted(self) -> dict[str, Any]:
        """For the `opt` of the router, or route, that mounts it."""
        return {_OPT: self}

    def problem(self, code: str, **beside: str) -> Problem:
        """The refusal of that code, with further fields."""
        status, words = self.status_and_words(code)
        return Problem(code, status, words, beside=beside)

    def status_and_words(self, code: str) -> tuple[int, str]:
        """Of a code of its own, or of one that any route may answer with."""
        return self.words.get(code) or GENERAL[code]

    def problem_of(self, error: Exception) -> Problem:
        """What the layers below refused, or a `Problem` as it is."""
        if isinstance(error, Problem):
            return error
        failure = failure_of(error)
        code = self.codes.get(failure.code) or _CODES.get(failure.code, failure.code)
        if code in self.words or code != failure.code:
            return self.problem(code)
        return Problem(code, failure.status, failure.words)


_CODES: Final[Mapping[str, str]] = {"BAD_TOKEN": "UNAUTHORIZED", "INVALID_MESSAGE": "INVALID_BODY"}
"""What is called otherwise over HTTP than at a table."""

PLAIN: Final = Surface()


def surface_of(handler: BaseRouteHandler) -> Surface:
    """The one that a route belongs to."""
    found: Surface = handler.opt.get(_OPT, PLAIN)
    return found


class Part(Router):
    """Routes below one path, on one application: nobody else has them, so they need no copy."""

    def __deepcopy__(self, _: dict[int, Any]) -> Part:
        return self


class Mounts:
    """Which surface stands where, for what is refused before or beside any route."""

    def __init__(self, routes: Iterable[ControllerRouterHandler]) -> None:
        found = [
            (f"{path.rstrip('/')}/", each.opt[_OPT])
            for each in routes
            if isinstance(each, Router | BaseRouteHandler) and _OPT in each.opt
            for path in ([each.path] if isinstance(each, Router) else each.paths)
        ]
        self._found: list[tuple[str, Surface]] = sorted(found, key=lambda each: -len(each[0]))

    def at(self, path: str) -> Surface:
        """The innermost one that the path leads to."""
        inside = f"{path}/"
        return next((surface for under, surface in self._found if inside.startswith(under)), PLAIN)
