"""A user's wallet: what is in it, how it came to that, and word of every change."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal

import msgspec
from litestar import Router, get
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from parlour.money import wallets
from parlour.net.auth import BEARER, SignedIn, signed_in
from parlour.net.drf import DRF, responses
from parlour.net.feeds import Feed, LetIn, NotUnderstood, Say, limited
from parlour.net.paging import SIZE, Cut, Page, PageNumber, PageSize
from parlour.net.services import Services
from parlour.net.sockets import framed, socket
from parlour.net.times import iso
from parlour.store.api import Store

KIND: Final = "wallet"
"""The word on the bus that a user's wallet changed."""


class Wallet(Struct, frozen=True):
    """What a user has."""

    currency: str
    balance: int


class WalletEntry(Struct, frozen=True):
    """One movement of money into or out of a wallet."""

    id: int
    action: str
    direction: Literal["credit", "debit"]
    amount: int
    balance: int
    """What the wallet held afterwards."""
    currency: str
    challenge: str | None
    """The Connect Five challenge it was for."""
    created_date: str


class WalletPage(Page, frozen=True):
    """Part of all that moved one's money."""

    results: list[WalletEntry]


class WalletUpdate(Struct, frozen=True, tag="update.wallet"):
    """What the wallet's socket says."""

    wallet: Wallet


Heard = LetIn | NotUnderstood | WalletUpdate


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""
    store, currency = services.store, services.settings.default_currency_ticker

    @get("/", responses=responses())
    async def look_into_wallet(request: SignedIn) -> Wallet:
        """What one has."""
        user = request.user
        balance = await wallets.balance(store, user.id)
        if balance is None:
            start = services.settings.starting_balance
            now = services.kernel.runtime.clock()
            await wallets.open_wallet(store, user.id, start, now, currency)
            balance = await wallets.balance(store, user.id)
        return Wallet(currency, balance or 0)

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

    answers = Router(
        "/api/wallet",
        route_handlers=[look_into_wallet, list_entries],
        guards=[signed_in],
        security=BEARER,
        opt=DRF.mounted,
        tags=["wallet"],
    )
    feed = Feed(services, KIND, WalletNews(store, currency))
    return [answers, socket("/ws/wallet/{user_id:str}", feed.attend, services, limited)]


def _shown(entry: wallets.Entry, currency: str) -> WalletEntry:
    return WalletEntry(
        id=entry.position,
        action=entry.action,
        direction=entry.direction,
        amount=entry.amount,
        balance=entry.balance,
        currency=currency,
        challenge=entry.escrow_id,
        created_date=iso(entry.at),
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
        for user_id, balance in (await wallets.balances(self._store, users)).items():
            told = self._told.get(user_id)
            if told is not None and told[0] != balance:
                self._told[user_id] = (balance, told[1])
                shown = WalletUpdate(Wallet(self._currency, balance))
                told[1](framed(msgspec.json.encode(shown)))

    def end(self, user_id: str) -> None:
        """Nobody wants to know any more."""
        self._told.pop(user_id, None)
