"""Connect Five's public surface: challenges and matches under `/api/connect-five`, and the socket
by which a user hears of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from litestar import MediaType, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from litestar.types import ControllerRouterHandler

from parlour.games.connect_five.alarms import Alarms
from parlour.games.connect_five.answers import (
    KEY,
    AfterMove,
    AfterPurchase,
    Challenge,
    ChallengePage,
    Heard,
    MatchPage,
    MatchSnapshot,
    MatchStatus,
    snapshot,
)
from parlour.games.connect_five.asks import MoveWish, NewChallenge, PurchaseWish
from parlour.games.connect_five.commands import Commands
from parlour.games.connect_five.events import EventPage, events_of
from parlour.games.connect_five.listing import Mine, challenges_of, matches_of
from parlour.games.connect_five.news import KIND, MatchNews, Words
from parlour.games.connect_five.notices import DECLINED, NOTIFICATION, Notices
from parlour.games.connect_five.numbers import Numbers
from parlour.host.host import Host
from parlour.net.auth import BEARER, SignedIn, signed_in, who_asks
from parlour.net.drf import DRF, responses
from parlour.net.feeds import Feed, limited
from parlour.net.forms import Form
from parlour.net.once import HEADER, LONGEST, TIDY_SEC, Keep, Once
from parlour.net.paging import SIZE, Cursor, Cut, PageNumber, PageSize, Walk
from parlour.net.services import Services
from parlour.net.sockets import socket
from parlour.net.surface import Part
from parlour.store.change import ChallengeStatus
from parlour.store.lists import Place

MESSAGES = {"Heard": Heard}
"""What is said and heard on the socket."""

Unfiltered = Literal[""]
"""A filter that is named but left empty filters nothing."""
ChallengeFilter = Annotated[ChallengeStatus | Unfiltered | None, QueryParameter()]
MatchFilter = Annotated[MatchStatus | Unfiltered | None, QueryParameter()]
MineFilter = Annotated[Mine | Unfiltered | None, QueryParameter()]
AnyMine = Annotated[str | None, QueryParameter(description="changes nothing: all are one's own")]
Key = Annotated[
    str | None,
    HeaderParameter(name=HEADER, description=f"1 to {LONGEST} characters, good for a day"),
]


def routes(services: Services) -> list[ControllerRouterHandler]:
    """Everything, on these services."""
    kernel, host = services.kernel, Host(services)
    alarms, words = Alarms(services), Words(services.bus)
    kernel.keeper.alarm(alarms.overdue)
    host.matches.follow(KEY, alarms.stepped)
    host.matches.follow(KEY, words.stepped)
    kernel.challenges.watch(words.challenged)
    once = Once(kernel.runtime)
    kernel.keeper.periodic(TIDY_SEC, once.tidy)
    numbers = Numbers(services.store)
    commands = Commands(services, host, alarms, numbers)
    ways, matches = services.short_ways, "/api/connect-five/matches/"
    ways.add(matches, "match_id", "/move", DRF, commands.move_and_show)
    ways.add(matches, "match_id", "/purchase", DRF, commands.purchase_and_show)
    for type_ in (NOTIFICATION, DECLINED):
        services.payloads.put(type_, Notices(services.store).told)
    answers = Part(
        "/api/connect-five",
        route_handlers=[
            *_challenges(services, commands, once),
            *_matches(services, host, commands, once, numbers),
        ],
        guards=[signed_in],
        security=BEARER,
        opt=DRF.mounted,
        tags=["Connect Five"],
    )
    feed = Feed(services, KIND, MatchNews(services, host, numbers))
    return [answers, socket("/ws/connect-five/{user_id:str}", feed.attend, services, limited)]


def _json(answer: bytes, status: int = 200) -> Response[Any]:
    return Response(answer, status_code=status, media_type=MediaType.JSON)


# --- challenges -------------------------------------------------------------------------------


def _challenges(services: Services, commands: Commands, once: Once) -> list[HTTPRouteHandler]:
    store = services.store

    @post(
        "/challenges",
        dto=Form[NewChallenge],
        return_dto=None,
        responses=responses(404, 409, 422),
    )
    async def create_challenge(
        request: SignedIn, data: JSONBody[NewChallenge], idempotency_key: Key = None
    ) -> Response[Challenge]:
        """Invite somebody. The stake is locked until the challenge comes to something."""

        async def create(keep: Keep) -> bytes:
            return await commands.create(request.user, data, keep, who_asks(request))

        answer = await once.answer(request, idempotency_key, data, create)
        return _json(await commands.made(answer), status=201)

    @get("/challenges", responses=responses(404))
    async def list_challenges(
        request: SignedIn,
        status: ChallengeFilter = None,
        mine: MineFilter = None,
        page: PageNumber = 1,
        page_size: PageSize = SIZE,
        cursor: Cursor = None,
    ) -> ChallengePage:
        """The challenges one has sent and received, the newest first."""
        walk = Walk.of(page, page_size, cursor)
        found, count = await challenges_of(
            store, request.user.id, mine or None, status or None, walk
        )
        places = [Place(named.row.created_at, named.row.id) for named in found]
        shown = [named.shown for named in found]
        return walk.page(ChallengePage, request, count, shown, places)

    @get("/challenges/{challenge_id:str}", responses=responses(404))
    async def show_challenge(request: SignedIn, challenge_id: FromPath[str]) -> Challenge:
        """A challenge to or from oneself."""
        return (await commands.challenge(request.user.id, challenge_id)).shown

    @post(
        "/challenges/{challenge_id:str}/accept",
        status_code=200,
        responses=responses(403, 404, 409, 410, 422),
    )
    async def accept_challenge(
        request: SignedIn, challenge_id: FromPath[str], idempotency_key: Key = None
    ) -> Response[MatchSnapshot]:
        """Pay as much as the challenger, and play."""

        async def accept(keep: Keep) -> bytes:
            return await commands.accept(request.user, challenge_id, keep)

        return _json(
            await commands.begun(await once.answer(request, idempotency_key, None, accept))
        )

    @post(
        "/challenges/{challenge_id:str}/cancel",
        status_code=200,
        responses=responses(403, 404, 409, 422),
    )
    async def cancel_challenge(
        request: SignedIn, challenge_id: FromPath[str], idempotency_key: Key = None
    ) -> Response[Challenge]:
        """Take back a challenge that nobody has answered; the stake returns."""

        async def cancel(keep: Keep) -> bytes:
            return await commands.cancel(request.user, challenge_id, keep)

        return _json(await once.answer(request, idempotency_key, None, cancel))

    @post(
        "/challenges/{challenge_id:str}/decline",
        status_code=200,
        responses=responses(403, 404, 409, 422),
    )
    async def decline_challenge(
        request: SignedIn, challenge_id: FromPath[str], idempotency_key: Key = None
    ) -> Response[Challenge]:
        """Stay away from a challenge to oneself; it is cancelled, and the stake returns."""

        async def decline(keep: Keep) -> bytes:
            return await commands.decline(request.user, challenge_id, keep)

        return _json(await once.answer(request, idempotency_key, None, decline))

    return [
        create_challenge,
        list_challenges,
        show_challenge,
        accept_challenge,
        cancel_challenge,
        decline_challenge,
    ]


# --- matches ----------------------------------------------------------------------------------


def _matches(
    services: Services, host: Host, commands: Commands, once: Once, numbers: Numbers
) -> list[HTTPRouteHandler]:
    store, clock = services.store, services.kernel.runtime.clock
    currency = services.settings.default_currency_ticker

    @get("/matches", responses=responses(404))
    async def list_matches(
        request: SignedIn,
        status: MatchFilter = None,
        mine: AnyMine = None,
        page: PageNumber = 1,
        page_size: PageSize = SIZE,
        cursor: Cursor = None,
    ) -> MatchPage:
        """One's matches, the newest first."""
        del mine
        walk, me = Walk.of(page, page_size, cursor), request.user.id
        places, count = await matches_of(store, me, status or None, walk)
        sights = await host.matches.look_at_all((place.id for place in places[: walk.size]), me)
        called = await numbers.of_all(sight.match.id for sight in sights)
        now = clock()
        shown = [
            snapshot(sight, called[sight.match.id], now, currency)
            for sight in sights
            if sight.match.id in called and sight.begun
        ]
        return walk.page(MatchPage, request, count, shown, places)

    @get("/matches/{match_id:str}", responses=responses(404))
    async def show_match(request: SignedIn, match_id: FromPath[str]) -> MatchSnapshot:
        """A match of one's own."""
        sight, called = await commands.match(request.user.id, match_id)
        return snapshot(sight, called, clock(), currency)

    @get("/matches/{match_id:str}/events", responses=responses(404))
    async def list_events(
        request: SignedIn,
        match_id: FromPath[str],
        page: PageNumber = 1,
        page_size: PageSize = SIZE,
    ) -> EventPage:
        """All that happened to a match, the oldest first."""
        sight, called = await commands.match(request.user.id, match_id)
        cut = Cut.of(page, page_size)
        found, count = await events_of(store, sight, called, cut)
        return cut.page(EventPage, request, count, found)

    @post(
        "/matches/{match_id:str}/move",
        status_code=200,
        dto=Form[MoveWish],
        return_dto=None,
        responses=responses(403, 404, 409, 410),
    )
    async def make_move(
        request: SignedIn, match_id: FromPath[str], data: JSONBody[MoveWish]
    ) -> Response[AfterMove]:
        """Place pieces, or bomb one."""
        return _json(await commands.move(request.user.id, match_id, data))

    @post(
        "/matches/{match_id:str}/purchase",
        status_code=200,
        dto=Form[PurchaseWish],
        return_dto=None,
        responses=responses(404, 409, 422),
    )
    async def buy_specials(
        request: SignedIn,
        match_id: FromPath[str],
        data: JSONBody[PurchaseWish],
        idempotency_key: Key = None,
    ) -> Response[AfterPurchase]:
        """Buy specials, whoever is to move. Without a key, asking twice buys twice."""

        async def purchase(keep: Keep) -> bytes:
            return await commands.purchase(request.user.id, match_id, data, keep)

        return _json(await once.answer(request, idempotency_key, data, purchase))

    return [list_matches, show_match, list_events, make_move, buy_specials]
