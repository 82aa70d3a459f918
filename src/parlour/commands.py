"""The commands of `parlour`."""

from __future__ import annotations

import asyncio
import sys
from typing import Annotated

import typer
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
    from parlour.serving import start  # noqa: PLC0415 (so that other commands are quick)

    raise typer.Exit(start(host, port))


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
