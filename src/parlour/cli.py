"""The command `parlour`."""

from __future__ import annotations

import asyncio
import gc
import sys
from typing import Annotated

import structlog
import typer
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

import parlour
from parlour import admin, solve, tally
from parlour.arena import command as arena
from parlour.settings import Settings, SettingsError, describe
from parlour.store.change import Unavailable

app = typer.Typer(
    name="parlour",
    help="One server for two-player board games on the web.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(admin.app)
app.add_typer(solve.app)
app.command("arena")(arena.measure)
app.command()(tally.analytics)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on, instead of HOST.")] = None,
    port: Annotated[
        int | None, typer.Option(help="Port, instead of PORT.", min=0, max=65535)
    ] = None,
) -> None:
    """Start the server."""
    settings = Settings.load()
    settings = replace(
        settings,
        host=settings.host if host is None else host,
        port=settings.port if port is None else port,
    )
    # Loaded only here, so that the other commands answer at once.
    from parlour.app import create_server  # noqa: PLC0415 (so that other commands are quick)
    from parlour.net import logs  # noqa: PLC0415 (so that other commands are quick)
    from parlour.net.admission import raise_file_limit  # noqa: PLC0415 (so that other commands are quick)
    from parlour.net.server import listen  # noqa: PLC0415 (so that other commands are quick)

    logs.configure()
    for remark in settings.remarks():
        structlog.get_logger().warning(remark)
    raise_file_limit()
    serving = create_server(settings)
    try:
        listening = listen(settings.host, settings.port)
    except (OSError, TypeError, ValueError) as error:  # a host may be no name at all
        why = getattr(error, "strerror", None) or error
        typer.echo(f"parlour: cannot listen on {settings.host}:{settings.port}: {why}", err=True)
        raise typer.Exit(1) from None
    set_pace()
    serving.run([listening])


def set_pace() -> None:
    """Set Python up for many small steps.

    What a move makes is gone when its references are, and looking for cycles among it is in vain:
    by default that takes a fifth of a move's time. A thread that waited for the disk is soon let
    in again, for many players wait for it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    sys.setswitchinterval(0.0003)


@app.command("settings")
def show_settings() -> None:
    """List every setting with its value, its default and its meaning."""
    table = Table("name", "value", "default", "meaning", box=None, pad_edge=False)
    for setting in describe(Settings.load()):
        table.add_row(setting.name, setting.value, setting.default, setting.meaning)
    Console(width=None if sys.stdout.isatty() else 160).print(table)


@app.command()
def migrate() -> None:
    """Create the database, or bring it up to date. `serve` does so by itself."""
    settings = Settings.load()
    from parlour.store.migrate import migrate as bring_up_to_date  # noqa: PLC0415 (so that other commands are quick)

    try:
        asyncio.run(bring_up_to_date(settings.database_url))
    except Unavailable as error:
        typer.echo(f"parlour: {str(error) or 'the database does not answer'}", err=True)
        raise typer.Exit(1) from None


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(parlour.__version__)


def main() -> None:
    """Runs the command; a wrong setting stops it with one line."""
    try:
        app()
    except SettingsError as error:
        typer.echo(f"parlour: {error}", err=True)
        sys.exit(2)
