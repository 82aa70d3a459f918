"""What is a question rather than a conversation: which games are played here, where one sits."""

from __future__ import annotations

from typing import Literal

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from sqlalchemy import Text, and_, bindparam, select

from parlour.games.options import Option, offered
from parlour.games.registry import AnyBot, AnyRules, bots, strengths
from parlour.host.host import Host
from parlour.host.messages import Table
from parlour.host.refusals import WORDS
from parlour.host.shown import table_of
from parlour.net.auth import BEARER, MaybeSignedIn, SignedIn, maybe_signed_in, signed_in
from parlour.net.errors import Problem, responses
from parlour.net.failures import Gone
from parlour.net.services import Services
from parlour.play.policy import Policy
from parlour.store.schema import match, seat

SHOWN = 20
"""How many open tables are listed, the newest first."""


class Opponent(Struct, frozen=True):
    """Who the computer can be."""

    name: str
    """By which `play_bot` asks for it."""
    title: str
    """What it is called at the table."""
    character: str
    """How it plays, in one sentence."""
    rating: int | None
    """As measured against the game's other opponents; null: not measured."""
    error: int | None
    """The rating lies within so much of that, 95 times of 100."""


class PlayedHere(Struct, frozen=True):
    """A game, and what one may choose before it begins."""

    key: str
    rated: bool
    opponents: tuple[Opponent, ...]
    """Its computer players, from the weakest on."""
    options: tuple[Option, ...]
    """What players may choose, as a start page draws it."""


class OpenTable(Struct, frozen=True):
    """A table where somebody sits and the game is not over."""

    match: str
    public_id: str
    """By which addresses name it."""
    game: str
    mode: str
    status: Literal["waiting", "active"]
    opponent: str | None
    """None while nobody has come."""
    challenge: str | None
    """The challenge that it came of, if it is played for stakes."""


class WaitingTable(Struct, frozen=True):
    """Who keeps a seat free somewhere."""

    by: str | None
    """Null: nobody waits there."""


_MINE, _THEIRS = seat.alias("mine"), seat.alias("theirs")
_OPEN = (
    select(
        match.c.id.label("match"),
        match.c.public_id,
        match.c.game,
        match.c.mode,
        match.c.status,
        match.c.created_at,
        match.c.escrow_id.label("challenge"),
        _THEIRS.c.name.label("opponent"),
    )
    .select_from(
        _MINE.join(match, match.c.id == _MINE.c.match_id).outerjoin(
            _THEIRS,
            and_(_THEIRS.c.match_id == _MINE.c.match_id, _THEIRS.c.seat != _MINE.c.seat),
        )
    )
    .where(
        _MINE.c.user_id == bindparam("user_id", type_=Text),
        _MINE.c.game == bindparam("game", type_=Text),
        _MINE.c.ending == "open",
    )
    .order_by(_MINE.c.created_at.desc(), _MINE.c.match_id.desc())
    .limit(SHOWN)
)


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""
    host, runtime = Host(services), services.kernel.runtime
    shown = tuple(_shown(rules, runtime.policies[key]) for key, rules in runtime.rules.items())

    @get("/api/play/games", tags=["play"])
    async def games() -> tuple[PlayedHere, ...]:
        """The games that are played here."""
        return shown

    @get(
        "/api/play/tables",
        guards=[signed_in],
        security=BEARER,
        responses=responses(401, 503),
        tags=["play"],
    )
    async def open_tables(request: SignedIn) -> list[OpenTable]:
        """One's open tables of all games, the newest first."""
        found = [
            row
            for key in runtime.rules
            for row in await services.store.rows(_OPEN, user_id=request.user.id, game=key)
        ]
        found.sort(key=lambda row: -row["created_at"])
        return [msgspec.convert(dict(row), OpenTable) for row in found[:SHOWN]]

    @get(
        "/api/play/tables/{match_id:str}",
        guards=[maybe_signed_in],
        responses=responses(401, 404, 503),
        tags=["play"],
    )
    async def one_table(request: MaybeSignedIn, match_id: FromPath[str]) -> Table:
        """A table as it stands: as one sees it from one's own seat, or as everybody may."""
        try:
            sight = await host.matches.look_at(
                match_id, None if request.user is None else request.user.id
            )
        except Gone:
            raise Problem("NO_SUCH_TABLE", 404, WORDS["NO_SUCH_TABLE"]) from None
        return table_of(sight, runtime.clock())

    @get(
        "/api/play/waiting/{game:str}/{name:str}",
        responses=responses(503),
        tags=["play"],
    )
    async def waiting_table(game: FromPath[str], name: FromPath[str]) -> WaitingTable:
        """Who waits at a table of that code, or of that name in addresses."""
        match = await host.matches.waiting(game, name)
        return WaitingTable(None if match is None else match.seats[0].name)

    return [games, open_tables, one_table, waiting_table]


def _shown(rules: AnyRules, policy: Policy) -> PlayedHere:
    return PlayedHere(
        key=rules.key,
        rated=rules.rating is not None,
        opponents=tuple(_opponent(rules.key, bot) for bot in bots(rules.key).values()),
        options=offered(rules, policy.options),
    )


def _opponent(key: str, bot: AnyBot) -> Opponent:
    measured = strengths(key).get(bot.name)
    return Opponent(
        name=bot.name,
        title=bot.persona.title,
        character=bot.persona.character,
        rating=None if measured is None else measured.rating,
        error=None if measured is None else measured.error,
    )
