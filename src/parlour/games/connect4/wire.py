"""Connect 4's public surface: what it answers under `/api`, and its live socket."""

from __future__ import annotations

from typing import Annotated
from weakref import WeakValueDictionary

from litestar import delete, get, post, put
from litestar.handlers import ASGIRouteHandler, HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.types import ControllerRouterHandler
from msgspec import UNSET, Struct
from msgspec.structs import replace
from websockets.frames import CloseCode

from parlour.games.connect4.answers import (
    ActiveGame,
    Cancelled,
    ClaimAnswer,
    Created,
    Game,
    GamePage,
    Joined,
    Left,
    Matched,
    MoveAnswer,
    MoveBody,
    NotQueued,
    Queued,
    RematchAccepted,
    RematchRequested,
    RematchWithdrawn,
    ResignAnswer,
    move_answer,
)
from parlour.games.connect4.commands import KEY, Commands, busy_with, playing_seat, way_to
from parlour.games.connect4.events import LiveError, Payload, event
from parlour.games.connect4.problems import (
    SURFACE,
    BusyError,
    QueueError,
    problem,
    problem_of,
    refuses,
)
from parlour.games.connect4.visitor import NO_SUCH_GAME, Visitor
from parlour.games.connect4.voice import GameVoice
from parlour.host.sight import Facts
from parlour.net.auth import BEARER, SignedIn, signed_in, who_asks
from parlour.net.basics import Me, myself
from parlour.net.errors import Problem
from parlour.net.failures import Gone
from parlour.net.services import Services
from parlour.net.session import Session
from parlour.net.sockets import socket
from parlour.net.surface import Part
from parlour.people.leaderboard import standing_of
from parlour.people.users import User
from parlour.play.player import Busy
from parlour.play.queue import AlreadyQueued
from parlour.store.change import PutTicket, Unavailable
from parlour.store.lists import REACH
from parlour.timekeeping import iso

MESSAGES = {"Payload": Payload}
"""What is said and heard on the socket."""
LIVE = "/ws/connect4/{public_id:str}"
PAGE = 10
LARGEST_PAGE = 50
FARTHEST = 10**9

Limit = Annotated[int, QueryParameter(description="at most 50 are given")]
Offset = Annotated[
    int,
    QueryParameter(
        ge=0, le=FARTHEST, description=f"from {REACH} on nothing is found: use `before`"
    ),
]
Before = Annotated[
    str | None, QueryParameter(description="the id of a game: only those that ended before it")
]
MoveTime = Annotated[
    int | None,
    QueryParameter(
        name="moveTimeSec",
        ge=1,
        le=FARTHEST,
        description="so long each may think about a move (30, 60 or 180); else as long as it takes",
    ),
]


def routes(services: Services) -> list[ControllerRouterHandler]:
    """Everything, on these services."""
    commands = Commands(services)
    services.short_ways.add("/api/games/", "game_id", "/move", SURFACE, commands.drop_and_show)
    answers = Part(
        "/api",
        route_handlers=[
            *_account(services, commands),
            *_queue(services, commands),
            *_games(commands),
        ],
        guards=[signed_in],
        security=BEARER,
        opt=SURFACE.mounted,
        tags=["Connect 4"],
    )
    return [answers, _live_socket(services, commands)]


# --- the user ---------------------------------------------------------------------------------


class Wish(Struct, frozen=True):
    """What a user would like to change about itself."""

    username: str | None = None


def _account(services: Services, commands: Commands) -> list[HTTPRouteHandler]:
    async def me(user: User) -> Me:
        standing = await standing_of(services.store, KEY, user.id)
        shown = myself(user)
        if standing is None:
            return shown
        return replace(
            shown,
            rating=standing.elo,
            wins=standing.wins,
            losses=standing.losses,
            draws=standing.draws,
            updated_at=iso(max(user.updated_at, standing.updated_at)),
        )

    @get("/users/me", responses=refuses())
    async def look_at_myself(request: SignedIn) -> Me:
        """Who one is, and how one has fared."""
        return await me(request.user)

    @put(
        "/users/me",
        responses=refuses(
            "INVALID_BODY", "INVALID_USERNAME", "USER_NOT_FOUND", "USERNAME_TAKEN", "BODY_TOO_LARGE"
        ),
    )
    async def change_myself(request: SignedIn, data: JSONBody[Wish]) -> Me:
        """Take another name."""
        user = request.user
        if data.username is not None:
            user = await services.users.rename(user.id, data.username)
        return await me(user)

    @get("/users/me/games", responses=refuses("INVALID_QUERY"))
    async def finished_games(
        request: SignedIn, limit: Limit = PAGE, offset: Offset = 0, before: Before = None
    ) -> GamePage:
        """The games one has finished, the newest first."""
        limit = min(max(limit, 1), LARGEST_PAGE)
        games, total = await commands.finished(request.user, limit, offset, before)
        return GamePage(tuple(games), total, limit, offset)

    @get("/users/me/active-game", responses=refuses())
    async def active_game(request: SignedIn) -> ActiveGame:
        """The game one is in, waiting or playing."""
        sight = await commands.host.matches.open_game(KEY, request.user.id)
        return ActiveGame(None if sight is None else await commands.show(sight, request.user))

    return [look_at_myself, change_myself, finished_games, active_game]


# --- the queue --------------------------------------------------------------------------------


def _queue(services: Services, commands: Commands) -> list[HTTPRouteHandler]:
    host, queue = commands.host, services.kernel.queue

    @post(
        "/matchmaking/join",
        status_code=200,
        responses=refuses(
            "INVALID_QUERY", "USER_NOT_FOUND", "ALREADY_QUEUED", "HAS_ACTIVE_GAME", body=QueueError
        ),
    )
    async def join_queue(request: SignedIn, move_time: MoveTime = None) -> Matched | Queued:
        """Play with whoever waits longest, or wait.

        A time for each move holds if both asked for the same.
        """
        user, wanted = request.user, commands.terms(move_time)
        options = None if wanted is UNSET else host.options(KEY, wanted)
        try:
            async with services.users.known(user.id):
                found = await queue.join(KEY, host.player(user), options=options)
        except AlreadyQueued:
            sight = await host.matches.open_game(KEY, user.id)
            led = way_to(sight.match if sight else None)
            raise problem("ALREADY_QUEUED", status="already_queued", **led) from None
        except Busy as busy:
            raise busy_with(busy.match, status="has_active_game") from None
        if isinstance(found, PutTicket):
            return _queued(found)
        if found.status == "waiting":
            raise busy_with(found, status="has_active_game")
        return _matched(found)

    @delete("/matchmaking/leave", status_code=200, responses=refuses("NOT_QUEUED", body=QueueError))
    async def leave_queue(request: SignedIn) -> Left:
        """Stop waiting."""
        if not await queue.leave(KEY, request.user.id):
            raise problem("NOT_QUEUED", status="not_queued")
        return Left()

    @get("/matchmaking/status", responses=refuses())
    async def queue_status(request: SignedIn) -> Matched | Queued | NotQueued:
        """Whether somebody came. Whoever waits has to ask now and then, or is taken to be gone."""
        found: Facts | PutTicket | None = await queue.poll(KEY, request.user.id)
        if isinstance(found, PutTicket):
            return _queued(found)
        if found is None:
            sight = await host.matches.open_game(KEY, request.user.id)
            found = sight.match if sight else None
        return _matched(found) if found is not None and found.status == "active" else NotQueued()

    return [join_queue, leave_queue, queue_status]


def _matched(match: Facts) -> Matched:
    return Matched(game_id=match.id, public_id=match.public_id)


def _queued(ticket: PutTicket) -> Queued:
    return Queued(queued_at=iso(ticket.joined_at))


# --- games ------------------------------------------------------------------------------------


def _games(commands: Commands) -> list[HTTPRouteHandler]:
    @post(
        "/games",
        responses=refuses(
            "INVALID_QUERY", "USER_NOT_FOUND", "HAS_ACTIVE_GAME", "MOVE_CONFLICT", body=BusyError
        ),
    )
    async def create_game(request: SignedIn, move_time: MoveTime = None) -> Created:
        """Open a private game and get the code that a friend joins by."""
        wanted = commands.terms(move_time)
        sight = await commands.open(request.user, who_asks(request), wanted)
        game = await commands.show(sight, request.user)
        assert game.code is not None
        return Created(game_id=game.id, public_id=game.public_id, code=game.code, game=game)

    @get("/games/by-public/{public_id:str}", responses=refuses("GAME_NOT_FOUND"))
    async def game_by_public_id(request: SignedIn, public_id: FromPath[str]) -> Game:
        """A game by the id in its address. Its players are seen to be there."""
        sight = await commands.find_public(public_id, request.user.id)
        commands.host.matches.saw(sight)
        return await commands.show(sight, request.user)

    @get("/games/{game_id:str}", responses=refuses("GAME_NOT_FOUND"))
    async def game_by_id(request: SignedIn, game_id: FromPath[str]) -> Game:
        """A game. Its players are seen to be there."""
        sight = await commands.find(game_id, request.user.id)
        commands.host.matches.saw(sight)
        return await commands.show(sight, request.user)

    @post(
        "/games/join/{code:str}",
        status_code=200,
        responses=refuses(
            "INVALID_CODE_FORMAT",
            "CANNOT_JOIN_OWN_GAME",
            "HAS_ACTIVE_GAME",
            "GAME_NOT_FOUND",
            "USER_NOT_FOUND",
            "GAME_ALREADY_STARTED",
            "MOVE_CONFLICT",
            body=BusyError,
        ),
    )
    async def join_game(request: SignedIn, code: FromPath[str]) -> Joined:
        """Sit down at a friend's game. Who moves first is drawn by lot."""
        game = await commands.show(await commands.join(code, request.user), request.user)
        return Joined(game_id=game.id, public_id=game.public_id, game=game)

    async def call_off(request: SignedIn, game_id: FromPath[str]) -> Cancelled:
        """Give up waiting for the second player; for the host alone."""
        await commands.cancel(await commands.find(game_id, request.user.id))
        return Cancelled()

    refusals = refuses("GAME_NOT_FOUND", "NOT_IN_GAME", "GAME_ALREADY_STARTED")
    delete_game = delete(
        "/games/{game_id:str}", status_code=200, responses=refusals, operation_id="DeleteGame"
    )(call_off)
    cancel_game = post(
        "/games/{game_id:str}/cancel",
        status_code=200,
        responses=refusals,
        operation_id="CancelGame",
    )(call_off)

    @post(
        "/games/{game_id:str}/move",
        status_code=200,
        responses=refuses(
            "INVALID_BODY",
            "GAME_NOT_FOUND",
            "GAME_NOT_STARTED",
            "GAME_NOT_ACTIVE",
            "NOT_IN_GAME",
            "USE_CLAIM_ABANDONED_ENDPOINT",
            "NOT_YOUR_TURN",
            "INVALID_COLUMN",
            "COLUMN_FULL",
            "MOVE_CONFLICT",
            "BODY_TOO_LARGE",
        ),
    )
    async def move(
        request: SignedIn, game_id: FromPath[str], data: JSONBody[MoveBody]
    ) -> MoveAnswer:
        """Drop a disc into a column."""
        sight = await commands.find(game_id, request.user.id)
        after = await commands.drop(sight, playing_seat(sight), data.column)
        return move_answer(await commands.show(after, request.user))

    @post(
        "/games/{game_id:str}/claim-abandoned",
        status_code=200,
        responses=refuses(
            "GAME_NOT_FOUND",
            "GAME_NOT_STARTED",
            "GAME_NOT_ACTIVE",
            "NOT_IN_GAME",
            "OPPONENT_NOT_ABANDONED",
            "MOVE_CONFLICT",
        ),
    )
    async def claim_abandoned(request: SignedIn, game_id: FromPath[str]) -> ClaimAnswer:
        """Take the win over an opponent who has not been seen for too long."""
        me = request.user
        after = await commands.claim(await commands.find(game_id, me.id), me.id)
        return ClaimAnswer(await commands.show(after, me))

    @post(
        "/games/{game_id:str}/resign",
        status_code=200,
        responses=refuses(
            "GAME_NOT_FOUND", "GAME_NOT_STARTED", "GAME_NOT_ACTIVE", "NOT_IN_GAME", "MOVE_CONFLICT"
        ),
    )
    async def resign(request: SignedIn, game_id: FromPath[str]) -> ResignAnswer:
        """Give the game up: the opponent wins, and it is rated."""
        me = request.user
        after = await commands.resign(await commands.find(game_id, me.id))
        return ResignAnswer(await commands.show(after, me))

    @post(
        "/games/{game_id:str}/rematch",
        status_code=200,
        responses=refuses(
            "GAME_NOT_FOUND",
            "GAME_NOT_FINISHED",
            "NO_OPPONENT",
            "NOT_IN_GAME",
            "HAS_ACTIVE_GAME",
            "MOVE_CONFLICT",
            body=BusyError,
        ),
    )
    async def rematch(
        request: SignedIn, game_id: FromPath[str]
    ) -> RematchRequested | RematchAccepted:
        """Ask for another game with the colours swapped, or agree to one."""
        me = request.user.id
        new = await commands.rematch(await commands.find(game_id, me), me)
        if new is None:
            return RematchRequested()
        return RematchAccepted(new_game_id=new.id, new_public_id=new.public_id)

    @delete(
        "/games/{game_id:str}/rematch",
        status_code=200,
        responses=refuses(
            "GAME_NOT_FOUND",
            "GAME_NOT_FINISHED",
            "NOT_IN_GAME",
            "GAME_ALREADY_STARTED",
            "MOVE_CONFLICT",
        ),
    )
    async def withdraw_rematch(request: SignedIn, game_id: FromPath[str]) -> RematchWithdrawn:
        """Want no other game after all, as long as the other has not agreed."""
        await commands.take_back_rematch(await commands.find(game_id, request.user.id))
        return RematchWithdrawn()

    return [
        create_game,
        game_by_public_id,
        game_by_id,
        join_game,
        delete_game,
        cancel_game,
        move,
        claim_abandoned,
        resign,
        rematch,
        withdraw_rematch,
    ]


# --- the live socket --------------------------------------------------------------------------


def _live_socket(services: Services, commands: Commands) -> ASGIRouteHandler:
    voices: WeakValueDictionary[str, GameVoice] = WeakValueDictionary()

    async def handle(session: Session) -> Visitor | None:
        try:
            user = await session.authenticate()
            sight = await commands.find_public(session.path["public_id"], user.id)
            voice = voices.setdefault(sight.match.id, GameVoice(commands.now))
            visitor = Visitor(commands, session, user.id, voice)
            try:
                await visitor.enter(sight.match)
            except BaseException:
                await visitor.ended()
                raise
        except (Problem, Gone) as refusal:
            session.close(NO_SUCH_GAME, problem_of(refusal).message)
        except Unavailable as refusal:
            session.close(CloseCode.TRY_AGAIN_LATER, problem_of(refusal).message)
        else:
            return visitor
        return None

    def limited(words: str) -> bytes:
        return event("error", LiveError("RATE_LIMITED", words), commands.now())

    return socket(LIVE, handle, services, limited)
