"""A finished game, looked at: how it was played, and what each move was worth."""

from __future__ import annotations

from typing import Any, Final

from litestar import MediaType, Response, get
from litestar.openapi import ResponseSpec
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler
from msgspec import Raw, Struct

from parlour.games.api import Refused, Seat
from parlour.host.host import Host
from parlour.host.refusals import WORDS
from parlour.host.sight import Sight, StepSeen
from parlour.net.auth import MaybeSignedIn, maybe_signed_in
from parlour.net.errors import Problem, responses
from parlour.net.failures import Gone
from parlour.net.limits import Who, address_of
from parlour.net.services import Services
from parlour.play.analyses import Progress
from parlour.play.analysis import Analysis

UNDER_WAY: Final = 202
STATUSES: Final = {"NO_ANALYST": 404, "TOO_MANY_ANALYSES": 503}


class PositionSeen(Struct, frozen=True, kw_only=True):
    """A position of a finished game, and the step that led there."""

    version: int
    kind: str
    by: Seat | None
    action: Any
    """None: no action, or one that one may not know of."""
    turn: Seat | None
    view: Any


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""
    host, analyses = Host(services), services.kernel.analyses

    async def finished(request: MaybeSignedIn, match_id: str) -> Sight[Any]:
        user_id = None if request.user is None else request.user.id
        try:
            return await host.replays.look_at(match_id, user_id)
        except Gone:
            raise Problem("NO_SUCH_TABLE", 404, WORDS["NO_SUCH_TABLE"]) from None

    @get(
        "/api/matches/{match_id:str}/positions",
        guards=[maybe_signed_in],
        responses=responses(401, 404, 409, 503),
        tags=["play"],
    )
    async def positions(request: MaybeSignedIn, match_id: FromPath[str]) -> list[PositionSeen]:
        """How a finished game was played: each position as one saw it from one's own seat, or as
        everybody may. What was taken back was not played.
        """
        sight = await finished(request, match_id)
        return [_shown(step) for step in await host.replays.steps(sight)]

    @get(
        "/api/matches/{match_id:str}/analysis",
        guards=[maybe_signed_in],
        responses={
            UNDER_WAY: ResponseSpec(
                Progress, description="it is being made", generate_examples=False
            )
        }
        | responses(401, 404, 409, 503),
        tags=["play"],
    )
    async def analysis(request: MaybeSignedIn, match_id: FromPath[str]) -> Response[Analysis]:
        """What each move of a finished game was worth. It is made when it is first asked for; how
        far that is, is told here and to whoever watches the game on `/ws/play`.
        """
        sight = await finished(request, match_id)
        found: bytes | Progress | None = await analyses.find(sight.match)
        if found is None:
            subject = None if request.user is None else request.user.subject
            await services.limits.analyses.admit(Who(subject, address_of(request.scope)))
            try:
                found = analyses.begin(sight.match)
            except Refused as refusal:
                status = STATUSES.get(refusal.code, 409)
                raise Problem(refusal.code, status, refusal.detail) from None
        ready = isinstance(found, bytes)
        answer: Any = Raw(found) if isinstance(found, bytes) else found
        status = 200 if ready else UNDER_WAY
        return Response(answer, status_code=status, media_type=MediaType.JSON)

    return [positions, analysis]


def _shown(step: StepSeen[Any]) -> PositionSeen:
    after = step.after
    return PositionSeen(
        version=after.match.version,
        kind=step.kind,
        by=step.by,
        action=step.action,
        turn=after.turn,
        view=after.view,
    )
