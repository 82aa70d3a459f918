"""A user's wallet: what is in it, how it came to that, and word of every change."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal

import msgspec
from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from parlour.money import wallets
from parlour.net.auth import BEARER, SignedIn, signed_in
from parlour.net.drf import DRF, responses
from parlour.net.feeds import Feed, LetIn, NotUnderstood, Say, limited
from parlour.net.paging import SIZE, Cut, Page, PageNumber, PageSize
from parlour.net.services import Services
from parlour.net.session import framed
from parlour.net.sockets import socket
from parlour.net.surface import Part
from parlour.store.api import Store
from parlour.timekeeping import iso

KIND: Final = "wallet"
"""The word on the bus that a user's wallet changed."""


class Wallet(Struct, frozen=True):
    """What a user has."""

    currency: str
    balance: int


class Currency(Struct, frozen=True):
    """What money is called."""

    id: int
    ticker: str


class OwnWallet(Struct, frozen=True):
    """What a user has, and since when."""

    id: int
    owner: int
    """The user's id."""
    balance: int
    currency: Currency
    created_date: str
    modified_date: str


class WalletsPage(Page, frozen=True):
    """One's wallets; there is one currency, and so one wallet."""

    results: list[OwnWallet]


class WalletEntry(Struct, frozen=True):
    """One movement of money into or out of a wallet."""

    id: int
    action: str
    direction: Literal["credit", "debit"]
    amount: int
    balance: int
    """What the wallet held afterwards."""
    currency: str
    challenge: int | None
    """The Connect Five challenge it was for."""
    created_date: str


class WalletPage(Page, frozen=True):
    """Part of all that moved one's money."""

    results: list[WalletEntry]


class WalletUpdate(Struct, frozen=True, tag="update.wallet"):
    """What the wallet's socket says."""

    wallet: OwnWallet


Heard = LetIn | NotUnderstood | WalletUpdate


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""
    store, currency = services.store, services.settings.default_currency_ticker

    async def balance_of(user_id: str) -> int:
        """What a user has, who gets a wallet if there is none."""
        balance = await wallets.balance(store, user_id)
        if balance is None:
            start = services.settings.starting_balance
            now = services.kernel.runtime.clock()
            await wallets.open_wallet(store, user_id, start, now, currency)
            balance = await wallets.balance(store, user_id)
        return balance or 0

    @get("/", responses=responses())
    async def look_into_wallet(request: SignedIn) -> Wallet:
        """What one has."""
        return Wallet(currency, await balance_of(request.user.id))

    @get("/", responses=responses(404))
    async def list_wallets(
        request: SignedIn, page: PageNumber = 1, page_size: PageSize = SIZE
    ) -> WalletsPage:
        """All that one has."""
        me, cut = request.user.id, Cut.of(page, page_size)
        await balance_of(me)
        found = (await wallets.wallets(store, (me,), currency)).values()
        listed = [_wallet(wallet, currency) for wallet in found]
        return cut.page(WalletsPage, request, len(listed), listed)

    @get("/entries", responses=responses(404))
    async def list_entries(
        request: SignedIn, page: PageNumber = 1, page_size: PageSize = SIZE
    ) -> WalletPage:
        """All that moved one's money, the newest first."""
        cut = Cut.of(page, page_size)
        found, count = await wallets.entries(
            store, request.user.id, limit=cut.size, offset=cut.offset
        )
        return cut.page(WalletPage, request, count, [_shown(entry, currency) for entry in found])

    def answers(path: str, *handlers: HTTPRouteHandler) -> Part:
        return Part(
            path,
            route_handlers=handlers,
            guards=[signed_in],
            security=BEARER,
            opt=DRF.mounted,
            tags=["wallet"],
        )

    feed = Feed(services, KIND, WalletNews(store, currency))
    return [
        answers("/api/wallet", look_into_wallet, list_entries),
        answers("/api/wallets", list_wallets),
        socket("/ws/wallet/{user_id:str}", feed.attend, services, limited),
    ]


def _shown(entry: wallets.Entry, currency: str) -> WalletEntry:
    return WalletEntry(
        id=entry.position,
        action=entry.action,
        direction=entry.direction,
        amount=entry.amount,
        balance=entry.balance,
        currency=currency,
        challenge=entry.challenge,
        created_date=iso(entry.at),
    )


def _wallet(wallet: wallets.Wallet, currency: str) -> OwnWallet:
    return OwnWallet(
        id=wallet.number,
        owner=wallet.owner,
        balance=wallet.balance,
        currency=Currency(wallet.currency, currency),
        created_date=iso(wallet.created_at),
        modified_date=iso(wallet.modified_at),
    )


class WalletNews:
    """What each user was last told to have."""

    def __init__(self, store: Store, currency: str) -> None:
        self._store = store
        self._currency = currency
        self._told: dict[str, tuple[int | None, Say]] = {}

    async def begin(self, user_id: str, say: Say) -> None:
        """What is in the wallet by now is known."""
        self._told[user_id] = (await wallets.balance(self._store, user_id), say)

    async def look(self, users: Collection[str]) -> None:
        """Say what each has now, where that is something else."""
        balances = await wallets.balances(self._store, users)
        changed = [each for each, balance in balances.items() if self._is_news(each, balance)]
        for user_id, wallet in (
            await wallets.wallets(self._store, changed, self._currency)
        ).items():
            if self._is_news(user_id, wallet.balance):
                _, say = self._told[user_id]
                self._told[user_id] = (wallet.balance, say)
                update = WalletUpdate(_wallet(wallet, self._currency))
                say(framed(msgspec.json.encode(update)))

    def _is_news(self, user_id: str, balance: int) -> bool:
        told = self._told.get(user_id)
        return told is not None and told[0] != balance

    def end(self, user_id: str) -> None:
        """Nobody wants to know any more."""
        self._told.pop(user_id, None)
