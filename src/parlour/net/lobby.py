"""What every page asks before anything else: how this server is set up, and who plays now."""

from __future__ import annotations

import time
from typing import Any

from litestar import get
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from sqlalchemy import Select, case, func, select, text

from parlour.games.registry import all_rules
from parlour.net.errors import responses
from parlour.net.services import Services
from parlour.play.policy import shortest_silence
from parlour.settings import Settings
from parlour.store.api import Store
from parlour.store.schema import match, ticket

POLL_MS = 2000
"""How often a page asks that has no socket."""
COUNT_EVERY_SEC = 1.0


class FirebaseConfig(Struct, frozen=True, rename="camel"):
    """What Firebase's own library needs to sign somebody in."""

    api_key: str
    auth_domain: str
    project_id: str


class Config(Struct, frozen=True, rename="camel"):
    """What of the settings concerns a page."""

    firebase: FirebaseConfig | None
    """None: nobody signs in with Google here."""
    guests: bool
    games: tuple[str, ...]
    abandon_threshold_sec: float
    """Silence after which a win at Connect 4 may be claimed."""
    poll_interval_ms: int


class Lobby(Struct, frozen=True):
    """How many people play now, and how many look for an opponent, by game."""

    playing: dict[str, int]
    waiting: dict[str, int]


# In every other mode one person plays: against a bot, or both sides.
_PLAYING = (
    select(match.c.game, func.sum(case((match.c.mode == "online", 2), else_=1)).label("people"))
    .where(text("status = 'active'"))  # as the index has it
    .group_by(match.c.game)
)


_WAITING = select(ticket.c.game, func.count().label("people")).group_by(ticket.c.game)


class Headcount:
    """How many play or wait, counted at most once a second however many ask."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counted_at = float("-inf")
        nobody = dict.fromkeys(all_rules(), 0)
        self._counted = Lobby(nobody, nobody)

    async def now(self) -> Lobby:
        """By game; one that nobody plays has none."""
        now = time.monotonic()
        if now - self._counted_at >= COUNT_EVERY_SEC:
            self._counted_at = now
            self._counted = Lobby(await self._by_game(_PLAYING), await self._by_game(_WAITING))
        return self._counted

    async def _by_game(self, query: Select[Any]) -> dict[str, int]:
        found = {row["game"]: int(row["people"]) for row in await self._store.list_rows(query)}
        return {key: found.get(key, 0) for key in all_rules()}


def routes(services: Services) -> list[ControllerRouterHandler]:
    """The routes, on these services."""
    settings = services.settings
    silence_ms = shortest_silence(services.kernel.runtime.policies.values())
    headcount = Headcount(services.store)
    shown = Config(
        firebase=_firebase(settings),
        guests=settings.local_auth,
        games=tuple(all_rules()),
        abandon_threshold_sec=(silence_ms or 0) / 1000,
        poll_interval_ms=POLL_MS,
    )

    @get("/api/config", responses=responses(), tags=["server"])
    async def config() -> Config:
        """How this server is set up."""
        return shown

    @get("/api/lobby", responses=responses(503), tags=["server"])
    async def lobby() -> Lobby:
        """How many people play now, and how many look for an opponent."""
        return await headcount.now()

    return [config, lobby]


def _firebase(settings: Settings) -> FirebaseConfig | None:
    project, key = settings.firebase_project_id, settings.firebase_api_key
    if project is None or key is None:
        return None
    return FirebaseConfig(key, f"{project}.firebaseapp.com", project)
