"""How often what may be done, by each user and from each address.

    await services.limits.rooms.admit(who)      # or `RateLimited`

Laws:

* What is refused costs nothing, and nothing is done.
* However much was saved up, an address begins things at a steady pace: who comes faster waits for
  its turn, so that nobody else has to wait for all of it.
* What is spent here is soon spent in every process, without anybody asking (see spending.py).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, Literal

import structlog
from litestar.types import Scope
from msgspec import Struct

from parlour.bus.api import Bus
from parlour.net.addresses import address_group
from parlour.net.metrics import Metrics
from parlour.net.spending import Spending
from parlour.rates import Buckets, Nanos, Rate
from parlour.settings import Settings

SEC: Final[Nanos] = 1_000_000_000
LONGEST_TURN: Final[Nanos] = 4 * SEC
"""Who would wait for its turn longer than this is refused."""
HASTE = 1.5
"""How much quicker than its rate a bucket may be spent."""
BUCKET_LASTS_SEC = 25
"""… unless a whole bucket would last longer than this,"""
SLOWEST_PACE = 20.0
"""… or fewer than this were begun in a second."""
LOG_EVERY_SEC = 10.0

WORDS: Final = {
    "requests": "requests",
    "anonymous_requests": "requests",
    "files": "requests",
    "messages": "messages",
    "refused_messages": "messages that make no sense",
    "sockets": "connections",
    "sign_ups": "new players from your network",
    "recoveries": "recovery codes",
    "rooms": "new games",
    "computer_games": "new games",
    "analyses": "hints and games to look at",
    "challenges": "challenges",
    "challenges_to_one": "challenges to the same person",
}

By = Literal["user", "address"]

log = structlog.get_logger()


class Who(Struct, frozen=True):
    """Whose deeds are counted together: a user's, and an address's; None: not known."""

    user: str | None
    address: str | None


class RateLimited(Exception):
    """Too much at once. The text is for people."""

    def __init__(self, limit: str, wait: Nanos) -> None:
        self.limit = limit
        self.retry_after_sec = max(1, -(-wait // SEC))
        seconds = f"{self.retry_after_sec} second{'s' if self.retry_after_sec > 1 else ''}"
        super().__init__(f"Too many {WORDS[limit]}. Please wait {seconds}.")


class Limit:
    """One thing that may be done so often."""

    __slots__ = (
        "_address",
        "_address_name",
        "_complaints",
        "_pace",
        "_spending",
        "_user",
        "_user_name",
        "name",
    )

    def __init__(
        self,
        name: str,
        spending: Spending,
        complaints: Complaints,
        *,
        user: Buckets | None,
        address: Buckets | None,
        pace: Buckets | None,
    ) -> None:
        self.name = name
        self._spending = spending
        self._complaints = complaints
        self._user = user
        self._address = address
        self._pace = pace
        self._user_name, self._address_name = f"{name}/user", f"{name}/address"
        for known_as, buckets in ((self._user_name, user), (self._address_name, address)):
            if buckets is not None:
                spending.share(known_as, buckets)

    async def admit(self, who: Who, to: str = "") -> None:
        """Counts one and waits for its turn, or `RateLimited`."""
        if wait := self.take(who, to):
            await asyncio.sleep(wait)

    def take(self, who: Who, to: str = "") -> float:
        """Counts one; how many seconds its turn is away, mostly none. `RateLimited` if too many.

        With `to`, those to another person are counted apart.
        """
        if self._user is None and self._address is None:
            return 0.0
        turn = self.check(who, to)
        if self._user is not None and who.user is not None:
            self._user.spend(who.user + to)
            self._spending.note(self._user_name, who.user + to, self._user.rate)
        if self._address is not None and who.address is not None:
            self._address.spend(who.address + to)
            self._spending.note(self._address_name, who.address + to, self._address.rate)
            if self._pace is not None:
                self._pace.spend(who.address + to)
        return turn / SEC

    def is_free(self, who: Who) -> bool:
        """Whether `take` would neither refuse nor say to wait."""
        user, address = who.user, who.address
        if self._user is not None and user is not None and self._user.wait(user):
            return False
        if self._address is None or address is None:
            return True
        paced = self._pace is not None and self._pace.wait(address)
        return not paced and not self._address.wait(address)

    def check(self, who: Who, to: str = "") -> Nanos:
        """The same without counting."""
        if self._user is not None and who.user is not None:
            wait = self._user.wait(who.user + to)
            if wait:
                raise self._refusal("user", who.user, wait)
        if self._address is None or who.address is None:
            return 0
        wait = self._address.wait(who.address + to)
        turn = 0 if self._pace is None else self._pace.wait(who.address + to)
        if wait or turn > LONGEST_TURN:
            raise self._refusal("address", who.address, max(wait, turn))
        return turn

    def _refusal(self, by: By, key: str, wait: Nanos) -> RateLimited:
        self._complaints.refused(self.name, by, key)
        return RateLimited(self.name, wait)


class Limits:
    """All of them, as the settings have them."""

    def __init__(
        self,
        settings: Settings,
        bus: Bus,
        metrics: Metrics,
        *,
        clock: Callable[[], Nanos] = time.monotonic_ns,
    ) -> None:
        self.on = settings.rate_limits
        self._settings = settings
        self._clock = clock
        self._spending = Spending(bus)
        self._complaints = Complaints(metrics)
        self.requests = self._limit("requests")
        # Who is nobody in particular may come in haste, but not for long.
        self.anonymous_requests = self._limit("anonymous_requests", haste=3.0)
        self.files = self._limit("files")
        self.messages = self._limit("messages")
        self.refused_messages = self._limit("refused_messages", haste=None)
        self.sockets = self._limit("sockets")
        self.sign_ups = self._limit("sign_ups")
        self.recoveries = self._limit("recoveries", haste=None)
        self.rooms = self._limit("rooms")
        self.computer_games = self._limit("computer_games")
        self.analyses = self._limit("analyses")
        self.challenges = self._limit("challenges")
        self.challenges_to_one = self._limit("challenges_to_one", haste=None)

    def start(self) -> None:
        """From now on other processes are heard."""
        self._spending.start()

    def close(self) -> None:
        """Tell them the last."""
        self._spending.close()

    def _limit(self, name: str, *, haste: float | None = HASTE) -> Limit:
        address = self._rate(name, "address")
        return Limit(
            name,
            self._spending,
            self._complaints,
            user=self._buckets(self._rate(name, "user")),
            address=self._buckets(address),
            pace=None if address is None or haste is None else self._pace(address, haste),
        )

    def _rate(self, name: str, by: By) -> Rate | None:
        rate: Rate | None = getattr(self._settings, f"rate_limit_{name}_per_{by}", None)
        return rate if self.on else None

    def _buckets(self, rate: Rate | None) -> Buckets | None:
        """What other processes granted at the same time is owed, up to a bucket's worth."""
        if rate is None:
            return None
        return Buckets(rate, owed_ns=rate.per_ms * 1_000_000, clock=self._clock)

    def _pace(self, rate: Rate, haste: float) -> Buckets:
        return Buckets(pace_of(rate, haste), owed_ns=2 * LONGEST_TURN, clock=self._clock)


def pace_of(rate: Rate, haste: float = HASTE) -> Rate:
    """How much of a rate may be begun at once, and how soon as much again.

    >>> pace_of(Rate.read("4000/10s")), pace_of(Rate.read("1000/10m"))
    (Rate(count=30, per_ms=50), Rate(count=5, per_ms=125))
    """
    steady = haste * rate.count * 1000 / rate.per_ms
    a_second = max(steady, rate.count / BUCKET_LASTS_SEC, SLOWEST_PACE)
    at_once = max(5, round(a_second / 20))
    return Rate(at_once, max(1, round(at_once * 1000 / a_second)))


class Complaints:
    """Counts what was refused, and logs it once in a while."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._times: dict[str, int] = {}
        self._log_after: dict[str, float] = {}

    def refused(self, limit: str, by: By, key: str) -> None:
        """This user or address wanted more than it may."""
        self._metrics.rate_limited.labels(limit, by).inc()
        self._times[limit] = self._times.get(limit, 0) + 1
        now = time.monotonic()
        if now >= self._log_after.get(limit, 0.0):
            self._log_after[limit] = now + LOG_EVERY_SEC
            log.warning("rate limited", limit=limit, by=by, key=key, times=self._times.pop(limit))


def address_of(scope: Scope) -> str | None:
    """Whose address a request came from, as the server before us has it; None over no network."""
    client = scope.get("client")
    return None if client is None else address_group(client[0])
