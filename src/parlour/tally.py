"""The command `parlour analytics`: what the events on Kafka's topic add up to, as they come."""

from __future__ import annotations

import sys
import time
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct
from rich.live import Live
from rich.table import Table

from parlour.events.analytics import DAY, HOUR, Analytics, Figures
from parlour.games.api import Millis
from parlour.games.registry import all_rules
from parlour.settings import Settings, SettingsError
from parlour.timekeeping import wall_clock

REFRESH_SEC = 1.0
WINNERS = 10


class Summary(Struct, frozen=True):
    """What happened to the games of one kind, or to all of them (`all`)."""

    game: str
    active: int
    hour: Figures
    day: Figures


def analytics(
    once: Annotated[
        bool, typer.Option("--once", help="Print what there is, one JSON object a game, and end.")
    ] = False,
) -> None:
    """Count games, moves, players and durations over the last hour and day."""
    settings = Settings.load()
    if settings.kafka_bootstrap_servers is None:
        raise SettingsError("KAFKA_BOOTSTRAP_SERVERS: needed, as events are counted from Kafka")
    # Only who uses Kafka needs its client installed.
    from parlour.events.reader import read  # noqa: PLC0415 (only with the extra)

    counted = Analytics()
    events = read(settings.kafka_bootstrap_servers, settings.kafka_topic, wall_clock() - DAY)
    with Live(auto_refresh=False, transient=once) as screen:
        shown_at = 0.0
        for event in events:
            if event is not None:
                counted.take(*event)
            elif once:
                break
            if not once and time.monotonic() - shown_at >= REFRESH_SEC:
                shown_at = time.monotonic()
                screen.update(table(summaries(counted, wall_clock())), refresh=True)
    if once:
        for summary in summaries(counted, wall_clock()):
            sys.stdout.write(msgspec.json.encode(summary).decode() + "\n")


def summaries(counted: Analytics, now: Millis) -> list[Summary]:
    """All games together, then each kind."""
    return [
        Summary(
            game or "all",
            counted.active(game),
            counted.figures(HOUR, now, game),
            counted.figures(DAY, now, game),
        )
        for game in (None, *all_rules())
    ]


def table(found: list[Summary]) -> Table:
    """The same for a screen: this hour / this day."""
    shown = Table("", *(summary.game for summary in found), title="last hour / last day")
    shown.add_row("active now", *(str(summary.active) for summary in found))
    for name in ("started", "completed", "moves", "players"):
        shown.add_row(name, *(_pair(summary, name, str) for summary in found))
    for name in ("shortest_ms", "average_ms", "longest_ms"):
        label = name.removesuffix("_ms")
        shown.add_row(f"{label} game", *(_pair(summary, name, _seconds) for summary in found))
    shown.add_row("most wins", *(_winners(summary.day) for summary in found))
    return shown


def _pair(summary: Summary, name: str, text: Any) -> str:
    return f"{text(getattr(summary.hour, name))} / {text(getattr(summary.day, name))}"


def _seconds(span: Millis | None) -> str:
    return "-" if span is None else f"{span / 1000:.1f} s"


def _winners(figures: Figures) -> str:
    return "\n".join(f"{player}: {wins}" for player, wins in figures.wins[:WINNERS])
