"""Everything an operator may set: names, meaning, bounds, and how they are read.

Settings come from the environment, or from a file `.env` where the environment is silent. They are
checked once, at start; a wrong one is a `SettingsError` whose text is a single line. What a game
wants to be set stands in its own `settings.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, TypeVar
from urllib.parse import SplitResult, urlsplit

from msgspec import Meta, Struct, field, structs

from parlour import variables
from parlour.games.registry import all_settings
from parlour.rates import Rate
from parlour.variables import Count, Declared, Duration, Port, SettingsError, Text, says

__all__ = ["Setting", "Settings", "SettingsError", "describe", "field_of", "parse_env"]

Game = TypeVar("Game", bound=Declared)


def _web_address(text: str) -> SplitResult:
    address = urlsplit(text)
    if address.scheme not in {"http", "https"} or not address.hostname:
        raise ValueError("expected http://… or https://…")
    return address


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip().rstrip("/") for part in text.split(",") if part.strip())
    for origin in origins:
        if _web_address(origin).path or urlsplit(origin).query:
            raise ValueError("an origin has no path")
    return tuple(origin.lower() for origin in origins)


def _base_url(text: str) -> str:
    _web_address(text)
    return text.rstrip("/")


def _database_url(text: str) -> str:
    if urlsplit(text).scheme not in {"sqlite", "postgresql", "postgres"}:
        raise ValueError("expected sqlite:///file or postgresql://…")
    if text.endswith(":memory:"):
        raise ValueError("a database that is not kept is sqlite://")
    _ = urlsplit(text).port  # complains of what is none
    return text


def _redis_url(text: str) -> str:
    if urlsplit(text).scheme not in {"redis", "rediss", "unix"}:
        raise ValueError("expected redis://…, rediss://… or unix://…")
    _ = urlsplit(text).port  # complains of what is none
    return text


def _ticker(text: str) -> str:
    if not re.fullmatch(r"[A-Z0-9]{1,10}", text):
        raise ValueError("expected 1 to 10 capital letters or digits")
    return text


def _usual() -> Mapping[str, Declared]:
    """The games' settings as they are when nobody says anything."""
    return MappingProxyType({key: declared() for key, declared in all_settings().items()})


class Settings(Declared, frozen=True, kw_only=True):
    """All settings, checked. Field names are the variables' names in lower case.

    >>> Settings.read({"PORT": "9000"}).port
    9000
    """

    spellings: ClassVar[Mapping[str, str]] = {"WS_PORT": "port"}
    readers: ClassVar[Mapping[str, Callable[[str], Any]]] = {
        "default_currency_ticker": _ticker,
        "allowed_origins": _origins,
        "neon_auth_base_url": _base_url,
        "database_url": _database_url,
        "redis_url": _redis_url,
    }

    # --- server
    host: Annotated[Text, says("address to listen on")] = "127.0.0.1"
    port: Annotated[Port, says("port to listen on; WS_PORT is read too, PORT wins")] = 8080
    database_url: Annotated[
        Text, says("sqlite:///file, sqlite:// (nothing is kept) or postgresql://…")
    ] = "sqlite:///parlour.db"
    redis_url: Annotated[Text | None, says("Redis or Valkey between several processes")] = None
    kafka_bootstrap_servers: Annotated[
        Text | None, says("Kafka brokers for analytics events; unset: none are written")
    ] = None
    kafka_topic: Annotated[Text, says("Kafka topic of the analytics events")] = "game-events"
    allowed_origins: Annotated[
        tuple[Text, ...], says("origins besides our own that may open sockets, comma-separated")
    ] = ()
    max_latency_ms: Annotated[Duration, says("handling that takes longer is logged")] = 500
    max_connections: Annotated[
        Count | None, says("open at once; unset: what the file limit allows")
    ] = None
    max_connections_per_address: Annotated[
        Count | None,
        says("of one IPv4 address or IPv6 /64; unset: 2,000, and at most half of all"),
    ] = None
    thinkers: Annotated[
        Count | None, says("processes in which computer opponents think; unset: one for each core")
    ] = None

    # --- rate limits
    rate_limits: Annotated[
        bool, says("limit how often things may be done; off for load tests and closed networks")
    ] = True
    rate_limit_requests_per_user: Annotated[
        Rate, says("requests of one user: so many in that time, and as many at once")
    ] = Rate.read("500/10s")
    rate_limit_requests_per_address: Annotated[
        Rate, says("requests of all users at one address")
    ] = Rate.read("4000/10s")
    rate_limit_anonymous_requests_per_address: Annotated[
        Rate, says("requests from one address without a token, or with one not seen of late")
    ] = Rate.read("1000/10s")
    rate_limit_files_per_address: Annotated[
        Rate, says("pages, scripts and pictures asked for from one address")
    ] = Rate.read("20000/20s")
    rate_limit_messages_per_user: Annotated[Rate, says("messages on sockets of one user")] = (
        Rate.read("200/2s")
    )
    rate_limit_messages_per_address: Annotated[
        Rate, says("messages on sockets from one address")
    ] = Rate.read("10000/10s")
    rate_limit_refused_messages_per_user: Annotated[
        Rate, says("messages that were answered with an error; beyond it the socket is closed")
    ] = Rate.read("100/20s")
    rate_limit_refused_messages_per_address: Annotated[
        Rate, says("such messages from one address")
    ] = Rate.read("4000/20s")
    rate_limit_sockets_per_user: Annotated[Rate, says("sockets opened by one user")] = Rate.read(
        "60/m"
    )
    rate_limit_sockets_per_address: Annotated[Rate, says("sockets opened from one address")] = (
        Rate.read("3000/m")
    )
    rate_limit_sign_ups_per_address: Annotated[Rate, says("new users from one address")] = (
        Rate.read("1000/10m")
    )
    rate_limit_recoveries_per_address: Annotated[
        Rate, says("recovery codes tried from one address")
    ] = Rate.read("30/10m")
    rate_limit_rooms_per_user: Annotated[Rate, says("private games and rooms of one user")] = (
        Rate.read("120/10m")
    )
    rate_limit_rooms_per_address: Annotated[
        Rate, says("private games and rooms from one address")
    ] = Rate.read("3000/10m")
    rate_limit_computer_games_per_user: Annotated[
        Rate, says("games against the computer, and searches for a game of Memory, of one user")
    ] = Rate.read("120/10m")
    rate_limit_computer_games_per_address: Annotated[Rate, says("such games from one address")] = (
        Rate.read("3000/10m")
    )
    rate_limit_analyses_per_user: Annotated[
        Rate, says("hints, and games of which an analysis is begun, of one user")
    ] = Rate.read("200/10m")
    rate_limit_analyses_per_address: Annotated[
        Rate, says("such hints and analyses from one address")
    ] = Rate.read("2000/10m")
    rate_limit_challenges_per_user: Annotated[Rate, says("challenges by one user")] = Rate.read(
        "60/10m"
    )
    rate_limit_challenges_per_address: Annotated[Rate, says("challenges from one address")] = (
        Rate.read("2000/10m")
    )
    rate_limit_challenges_to_one_per_user: Annotated[
        Rate, says("challenges by one user to the same person")
    ] = Rate.read("10/10m")
    rate_limit_challenges_to_one_per_address: Annotated[
        Rate, says("challenges from one address to the same person")
    ] = Rate.read("60/10m")

    # --- identity
    local_auth: Annotated[bool, says("let guests in with tokens of our own")] = True
    firebase_project_id: Annotated[Text | None, says("accept this Firebase project's tokens")] = (
        None
    )
    firebase_api_key: Annotated[
        Text | None, says("its web API key, which is no secret: lets pages sign in with Google")
    ] = None
    neon_auth_base_url: Annotated[Text | None, says("accept this Neon Auth's tokens")] = None

    # --- play money
    starting_balance: Annotated[
        int, Meta(ge=0, le=10**15), says("play money in a new player's wallet")
    ] = 1000
    default_currency_ticker: Annotated[
        Text, says("what the play money is called; a database keeps to the first one")
    ] = "TNB"

    # --- games
    games: Mapping[str, Declared] = field(default_factory=_usual)
    """What each game that has settings declares, by its key."""

    def of(self, declared: type[Game]) -> Game:
        """What one game declares."""
        return next(each for each in self.games.values() if isinstance(each, declared))

    @classmethod
    def given(cls, **values: Any) -> Settings:
        """As usual but for these fields, whoever declares them."""
        return cls().changed(**values)

    def changed(self, **values: Any) -> Settings:
        """These settings but for some fields, whoever declares them; checked."""
        games = {
            key: structs.replace(game, **_part(values, type(game)))
            for key, game in self.games.items()
        }
        own = {name: value for name, value in values.items() if name in self.__struct_fields__}
        if unknown := values.keys() - own.keys() - set(field_of().values()):
            raise TypeError(f"there is no setting of this name: {', '.join(sorted(unknown))}")
        settings = structs.replace(self, **own, games=MappingProxyType(games))
        for each in (settings, *games.values()):
            each.check()
        return settings

    def remarks(self) -> Iterator[str]:
        """What an operator should be told when the server starts."""
        for game in self.games.values():
            yield from game.remarks()

    @classmethod
    def load(cls, directory: Path = Path()) -> Settings:
        """What the environment and `directory/.env` say."""
        file = directory / ".env"
        try:
            lines = file.read_text("utf-8") if file.is_file() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file}: cannot be read: {error}") from None
        ours = {name: value for name, value in os.environ.items() if name in field_of()}
        return cls.read(parse_env(lines), ours)

    @classmethod
    def read(cls, *sources: Mapping[str, str]) -> Settings:
        """The settings these variables describe; later sources win over earlier ones.

        An empty value counts as none; a name nobody knows is an error.
        """
        given: dict[str, Any] = {}
        for texts in sources:
            for name in sorted(texts, key=_precedence):
                field = field_of().get(name)
                if field is None:
                    raise SettingsError(f"{name}: there is no setting of this name")
                if text := texts[name].strip():
                    given[field] = variables.value(_declared_by()[field], field, name, text)
        return cls.given(**given)


class Setting(Struct, frozen=True):
    """One setting as an operator sees it."""

    name: str
    value: str
    default: str
    meaning: str


def describe(settings: Settings) -> Iterator[Setting]:
    """Every setting with its value, default and meaning; passwords are masked."""
    for part in (settings, *settings.games.values()):
        usual = type(part)()
        for name, meaning in variables.fields(type(part)).items():
            yield Setting(
                name=name.upper(),
                value=variables.shown(getattr(part, name)),
                default=variables.shown(getattr(usual, name)),
                meaning=meaning,
            )


def parse_env(text: str) -> dict[str, str]:
    """The variables of an `.env` file: `NAME=value` lines, blank lines and `#` comments.

    >>> parse_env("PORT=9000 # mine\\nHOST='::1'")
    {'PORT': '9000', 'HOST': '::1'}
    """
    variables: dict[str, str] = {}
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip().removeprefix("export ").lstrip()
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name:
            raise SettingsError(f".env line {number}: expected NAME=value")
        if name not in field_of():
            raise SettingsError(f".env line {number}: there is no setting named {name}")
        quote = value[:1]
        if quote in {"'", '"'} and value.find(quote, 1) > 0:
            value = value[1 : value.find(quote, 1)]
        else:
            value = value.partition(" #")[0].rstrip()
        variables[name] = value
    return variables


@cache
def _declared_by() -> Mapping[str, type[Declared]]:
    """Who declares each field; no two may declare the same."""
    found: dict[str, type[Declared]] = {}
    for declared in _parts():
        for name in variables.fields(declared):
            assert name not in found, f"{name} is declared twice"
            found[name] = declared
    return found


@cache
def field_of() -> Mapping[str, str]:
    """Every name that is understood, and the field it sets."""
    return {name.upper(): name for name in _declared_by()} | {
        spelling: name for declared in _parts() for spelling, name in declared.spellings.items()
    }


def _parts() -> Iterator[type[Declared]]:
    yield Settings
    yield from all_settings().values()


def _part(values: Mapping[str, Any], declared: type[Declared]) -> dict[str, Any]:
    """Those of the values that one of the declared sets."""
    return {name: values[name] for name in declared.__struct_fields__ if name in values}


def _precedence(name: str) -> tuple[bool, str]:
    """Alternative spellings are applied first, so that a setting's own name wins."""
    return (field_of().get(name, "").upper() == name, name)
