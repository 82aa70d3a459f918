"""Everything an operator may set: names, meaning, bounds, and how they are read.

Settings come from the environment, or from a file `.env` where the environment is silent. They are
checked once, at start; a wrong one is a `SettingsError` whose text is a single line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints
from urllib.parse import SplitResult, urlsplit

from msgspec import Meta, Struct, ValidationError, convert, structs

from parlour.games.api import Millis
from parlour.rates import Rate


class SettingsError(ValueError):
    """A setting is wrong. The text names it and says what it should be, on one line."""


Text = Annotated[str, Meta(max_length=2000)]
Port = Annotated[int, Meta(ge=0, le=65535)]
Seconds = Annotated[float, Meta(ge=0, le=10**8)]
PositiveSeconds = Annotated[float, Meta(gt=0, le=10**8)]
Duration = Annotated[int, Meta(ge=0, le=10**9)]
Count = Annotated[int, Meta(ge=1, le=10**6)]
Side = Annotated[int, Meta(ge=1, le=20)]


def _says(meaning: str) -> Meta:
    return Meta(description=meaning)


class Settings(Struct, frozen=True, kw_only=True):
    """All settings, checked. Field names are the variables' names in lower case.

    >>> Settings(turn_limit_sec=1.5).turn_limit_ms
    1500
    >>> Settings.read({"PORT": "9000"}).port
    9000
    """

    # --- server
    host: Annotated[Text, _says("address to listen on")] = "127.0.0.1"
    port: Annotated[Port, _says("port to listen on; WS_PORT is read too, PORT wins")] = 8080
    database_url: Annotated[
        Text, _says("sqlite:///file, sqlite:// (nothing is kept) or postgresql://…")
    ] = "sqlite:///parlour.db"
    redis_url: Annotated[Text | None, _says("Redis or Valkey between several processes")] = None
    kafka_bootstrap_servers: Annotated[
        Text | None, _says("Kafka brokers for analytics events; unset: none are written")
    ] = None
    kafka_topic: Annotated[Text, _says("Kafka topic of the analytics events")] = "game-events"
    allowed_origins: Annotated[
        tuple[Text, ...], _says("origins besides our own that may open sockets, comma-separated")
    ] = ()
    max_latency_ms: Annotated[Duration, _says("handling that takes longer is logged")] = 500
    max_connections: Annotated[
        Count | None, _says("open at once; unset: what the file limit allows")
    ] = None
    max_connections_per_address: Annotated[
        Count | None,
        _says("of one IPv4 address or IPv6 /64; unset: 2,000, and at most half of all"),
    ] = None

    # --- rate limits
    rate_limits: Annotated[
        bool, _says("limit how often things may be done; off for load tests and closed networks")
    ] = True
    rate_limit_requests_per_user: Annotated[
        Rate, _says("requests of one user: so many in that time, and as many at once")
    ] = Rate.read("500/10s")
    rate_limit_requests_per_address: Annotated[
        Rate, _says("requests of all users at one address")
    ] = Rate.read("4000/10s")
    rate_limit_anonymous_requests_per_address: Annotated[
        Rate, _says("requests from one address without a token, or with one not seen of late")
    ] = Rate.read("1000/10s")
    rate_limit_files_per_address: Annotated[
        Rate, _says("pages, scripts and pictures asked for from one address")
    ] = Rate.read("20000/20s")
    rate_limit_messages_per_user: Annotated[Rate, _says("messages on sockets of one user")] = (
        Rate.read("200/2s")
    )
    rate_limit_messages_per_address: Annotated[
        Rate, _says("messages on sockets from one address")
    ] = Rate.read("10000/10s")
    rate_limit_refused_messages_per_user: Annotated[
        Rate, _says("messages that were answered with an error; beyond it the socket is closed")
    ] = Rate.read("100/20s")
    rate_limit_refused_messages_per_address: Annotated[
        Rate, _says("such messages from one address")
    ] = Rate.read("4000/20s")
    rate_limit_sockets_per_user: Annotated[Rate, _says("sockets opened by one user")] = Rate.read(
        "60/m"
    )
    rate_limit_sockets_per_address: Annotated[Rate, _says("sockets opened from one address")] = (
        Rate.read("3000/m")
    )
    rate_limit_sign_ups_per_address: Annotated[Rate, _says("new users from one address")] = (
        Rate.read("1000/10m")
    )
    rate_limit_rooms_per_user: Annotated[Rate, _says("private games and rooms of one user")] = (
        Rate.read("120/10m")
    )
    rate_limit_rooms_per_address: Annotated[
        Rate, _says("private games and rooms from one address")
    ] = Rate.read("3000/10m")
    rate_limit_computer_games_per_user: Annotated[
        Rate, _says("games against the computer, and searches for a game of Memory, of one user")
    ] = Rate.read("120/10m")
    rate_limit_computer_games_per_address: Annotated[Rate, _says("such games from one address")] = (
        Rate.read("3000/10m")
    )
    rate_limit_challenges_per_user: Annotated[Rate, _says("challenges by one user")] = Rate.read(
        "60/10m"
    )
    rate_limit_challenges_per_address: Annotated[Rate, _says("challenges from one address")] = (
        Rate.read("2000/10m")
    )
    rate_limit_challenges_to_one_per_user: Annotated[
        Rate, _says("challenges by one user to the same person")
    ] = Rate.read("10/10m")
    rate_limit_challenges_to_one_per_address: Annotated[
        Rate, _says("challenges from one address to the same person")
    ] = Rate.read("60/10m")

    # --- identity
    local_auth: Annotated[bool, _says("let guests in with tokens of our own")] = True
    firebase_project_id: Annotated[Text | None, _says("accept this Firebase project's tokens")] = (
        None
    )
    firebase_api_key: Annotated[
        Text | None, _says("its web API key, which is no secret: lets pages sign in with Google")
    ] = None
    neon_auth_base_url: Annotated[Text | None, _says("accept this Neon Auth's tokens")] = None

    # --- Connect 4
    abandon_threshold_sec: Annotated[
        PositiveSeconds, _says("silence after which the opponent may claim the win")
    ] = 30.0
    queue_stale_sec: Annotated[
        PositiveSeconds, _says("silence after which a queue entry lapses")
    ] = 30.0
    waiting_game_ttl_sec: Annotated[
        PositiveSeconds, _says("life of a private game nobody joined, since its host was seen")
    ] = 900.0
    active_game_ttl_sec: Annotated[
        PositiveSeconds, _says("life of a running game that nobody touches")
    ] = 86400.0

    # --- Memory
    board_rows: Annotated[Side, _says("rows of cards")] = 4
    board_cols: Annotated[Side, _says("columns of cards; rows times columns must be even")] = 4
    reveal_duration_ms: Annotated[Duration, _says("how long a mismatch stays open")] = 1000
    max_name_length: Annotated[
        int, Meta(ge=1, le=100), _says("longest display name, in characters")
    ] = 24
    ai_pair_timeout_sec: Annotated[Seconds, _says("wait before a robot steps in")] = 15.0
    turn_limit_sec: Annotated[Seconds, _says("time for a turn; 0: no limit")] = 60.0
    turn_countdown_show_sec: Annotated[Seconds, _says("show the countdown for the last …")] = 30.0
    reconnect_timeout_sec: Annotated[
        PositiveSeconds, _says("time to come back before the game is lost")
    ] = 120.0
    powerup_clairvoyance_reveal_ms: Annotated[Duration, _says("how long clairvoyance shows")] = 2000
    necromancy_revives_itself: Annotated[
        bool, _says("necromancy brings back the pair that grants it, too")
    ] = True
    powerup_shuffle_cost: Annotated[int | None, _says("read, without effect")] = None

    # --- Connect Five
    challenge_ttl_sec: Annotated[PositiveSeconds, _says("life of an unanswered challenge")] = 300.0
    starting_balance: Annotated[
        int, Meta(ge=0, le=10**15), _says("play money in a new player's wallet")
    ] = 1000
    default_currency_ticker: Annotated[
        Text, _says("what the play money is called; a database keeps to the first one")
    ] = "TNB"
    connect_five_clock_scale: Annotated[
        float, Meta(gt=0, le=1000), _says("multiplies all clocks; below 1 for demos and tests")
    ] = 1.0

    # --- Quarto
    quarto_reconnect_sec: Annotated[
        PositiveSeconds, _says("time to come back before the game is lost")
    ] = 120.0
    quarto_room_ttl_sec: Annotated[PositiveSeconds, _says("life of a room nobody is in")] = 1800.0
    quarto_final_call_sec: Annotated[
        PositiveSeconds, _says("time to call Quarto on a full board")
    ] = 30.0

    @property
    def abandon_threshold_ms(self) -> Millis:
        return _ms(self.abandon_threshold_sec)

    @property
    def queue_stale_ms(self) -> Millis:
        return _ms(self.queue_stale_sec)

    @property
    def waiting_game_ttl_ms(self) -> Millis:
        return _ms(self.waiting_game_ttl_sec)

    @property
    def active_game_ttl_ms(self) -> Millis:
        return _ms(self.active_game_ttl_sec)

    @property
    def ai_pair_timeout_ms(self) -> Millis:
        return _ms(self.ai_pair_timeout_sec)

    @property
    def turn_limit_ms(self) -> Millis:
        return _ms(self.turn_limit_sec)

    @property
    def turn_countdown_show_ms(self) -> Millis:
        return _ms(self.turn_countdown_show_sec)

    @property
    def reconnect_timeout_ms(self) -> Millis:
        return _ms(self.reconnect_timeout_sec)

    @property
    def challenge_ttl_ms(self) -> Millis:
        return _ms(self.challenge_ttl_sec)

    @property
    def quarto_reconnect_ms(self) -> Millis:
        return _ms(self.quarto_reconnect_sec)

    @property
    def quarto_room_ttl_ms(self) -> Millis:
        return _ms(self.quarto_room_ttl_sec)

    @property
    def quarto_final_call_ms(self) -> Millis:
        return _ms(self.quarto_final_call_sec)

    @classmethod
    def load(cls, directory: Path = Path()) -> Settings:
        """What the environment and `directory/.env` say."""
        file = directory / ".env"
        try:
            lines = file.read_text("utf-8") if file.is_file() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file}: cannot be read: {error}") from None
        ours = {name: value for name, value in os.environ.items() if name in FIELD_OF}
        return cls.read(parse_env(lines), ours)

    @classmethod
    def read(cls, *sources: Mapping[str, str]) -> Settings:
        """The settings these variables describe; later sources win over earlier ones.

        An empty value counts as none; a name nobody knows is an error.
        """
        given: dict[str, Any] = {}
        for variables in sources:
            for name in sorted(variables, key=_precedence):
                field = FIELD_OF.get(name)
                if field is None:
                    raise SettingsError(f"{name}: there is no setting of this name")
                if text := variables[name].strip():
                    given[field] = _value(name, field, text)
        settings = cls(**given)
        _check_together(settings)
        return settings


class Setting(Struct, frozen=True):
    """One setting as an operator sees it."""

    name: str
    value: str
    default: str
    meaning: str


def describe(settings: Settings) -> Iterator[Setting]:
    """Every setting with its value, default and meaning; passwords are masked."""
    for field in structs.fields(Settings):
        yield Setting(
            name=field.name.upper(),
            value=_shown(getattr(settings, field.name)),
            default=_shown(field.default),
            meaning=_MEANING[field.name],
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
        if name not in FIELD_OF:
            raise SettingsError(f".env line {number}: there is no setting named {name}")
        quote = value[:1]
        if quote in {"'", '"'} and value.find(quote, 1) > 0:
            value = value[1 : value.find(quote, 1)]
        else:
            value = value.partition(" #")[0].rstrip()
        variables[name] = value
    return variables


FIELD_OF: dict[str, str] = {name.upper(): name for name in Settings.__struct_fields__} | {
    "WS_PORT": "port",
    "TurnLimitSec": "turn_limit_sec",
    "TurnCountdownShowSec": "turn_countdown_show_sec",
    "ReconnectTimeoutSec": "reconnect_timeout_sec",
}
"""Every name that is understood, and the field it sets."""

_TYPE_OF = get_type_hints(Settings, include_extras=True)
_MEANING: dict[str, str] = {
    field: next(meta.description for meta in get_args(hint)[1:] if meta.description)
    for field, hint in _TYPE_OF.items()
    if field in Settings.__struct_fields__
}
_WORDS = {"1": True, "true": True, "yes": True, "on": True} | {
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


def _precedence(name: str) -> tuple[bool, str]:
    """Alternative spellings are applied first, so that a setting's own name wins."""
    return (FIELD_OF.get(name, "").upper() == name, name)


def _value(name: str, field: str, text: str) -> Any:
    hint = _TYPE_OF[field]
    reader = _READERS.get(field)
    if get_args(hint)[0] is bool:
        if text.lower() not in _WORDS:
            raise SettingsError(f"{name}: expected true or false, got {text!r}")
        return _WORDS[text.lower()]
    try:
        return convert(reader(text) if reader else text, hint, strict=False)
    except ValidationError as error:
        raise SettingsError(f"{name}: {_plain(str(error))}, got {_masked(text)!r}") from None
    except ValueError as error:
        raise SettingsError(f"{name}: {error}, got {_masked(text)!r}") from None


def _plain(problem: str) -> str:
    """A decoder's complaint in an operator's words."""
    problem = problem.partition(" - at ")[0].partition(", got")[0]
    problem = problem.replace("`int | null`", "`int`").replace("`str | null`", "`str`")
    problem = problem.replace("`int`", "a whole number").replace("`float`", "a number")
    return problem[:1].lower() + problem[1:]


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


_READERS: dict[str, Callable[[str], Any]] = {
    "default_currency_ticker": _ticker,
    "allowed_origins": _origins,
    "neon_auth_base_url": _base_url,
    "database_url": _database_url,
    "redis_url": _redis_url,
} | {name: Rate.read for name in Settings.__struct_fields__ if name.startswith("rate_limit_")}


def _check_together(settings: Settings) -> None:
    cards = settings.board_rows * settings.board_cols
    if cards % 2 or cards < 4:
        raise SettingsError(
            f"BOARD_ROWS, BOARD_COLS: expected an even number of cards, 4 or more, got {cards}"
        )


def _ms(seconds: float) -> Millis:
    return round(seconds * 1000)


def _shown(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:g}"
        case tuple():
            return ", ".join(map(str, value))
        case _:
            return _masked(str(value))


def _masked(text: str) -> str:
    """The same address without its password."""
    scheme, mark, rest = text.partition("://")
    userinfo, at, where = rest.rpartition("@")
    if not mark or not at:
        return text
    user, colon, _ = userinfo.partition(":")
    return f"{scheme}://{user}{':***' if colon else ''}@{where}"
