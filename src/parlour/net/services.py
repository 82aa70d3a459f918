"""What a surface may use: one object, made by the wiring and handed to every route."""

from __future__ import annotations

from msgspec import Struct, field

from parlour.bus.api import Bus
from parlour.net.limits import Limits, Who
from parlour.net.metrics import Metrics
from parlour.net.payloads import Payloads
from parlour.net.short_ways import ShortWays
from parlour.people.recovery import Recovery
from parlour.people.tokens import Claims, Tokens
from parlour.people.users import User, Users
from parlour.play.kernel import Kernel
from parlour.play.thinkers import Thinkers
from parlour.settings import Settings
from parlour.store.api import Store
from parlour.timekeeping import Timekeeper


class Services(Struct, kw_only=True):
    """Everything a server is made of. The parts stand from before the first request on."""

    settings: Settings
    store: Store
    clock: Timekeeper
    bus: Bus
    kernel: Kernel
    thinkers: Thinkers
    """Where bots think."""
    tokens: Tokens
    users: Users
    recovery: Recovery
    metrics: Metrics
    limits: Limits
    short_ways: ShortWays = field(default_factory=ShortWays)
    """Past the routes, for what is asked most."""
    payloads: Payloads = field(default_factory=Payloads)
    """What notifications tell."""

    async def user_of(self, token: str, address: str | None) -> User:
        """Who a bearer token belongs to, or `BadToken`; `RateLimited` if too many are new."""
        return await self.known_as(await self.tokens.verify(token), address)

    async def at_socket(self, claims: Claims, address: str | None) -> User:
        """The same for a socket, which knows its user for as long as it is open: who was looked up
        a moment ago is not looked up again.
        """
        return self.users.remembered(claims.subject) or await self.known_as(claims, address)

    async def known_as(self, claims: Claims, address: str | None) -> User:
        """The user whom a token names, made on first sight; `RateLimited` if too many are new."""
        who = Who(claims.subject, address)
        return await self.users.of(claims, lambda: self.limits.sign_ups.admit(who))
