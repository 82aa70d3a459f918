"""The commands `parlour admin …`.

Those that change something only say what they would do until they are called with `--yes`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated, Any

import typer

from parlour.settings import Settings
from parlour.store.change import Conflict, Unavailable

if TYPE_CHECKING:
    from parlour.operators import Operator

AMOUNT_MAX = 10**15

app = typer.Typer(
    name="admin", help="Look after money and matches.", no_args_is_help=True, add_completion=False
)

Yes = Annotated[bool, typer.Option("--yes", help="Do it; otherwise it is only said what would be.")]
Id = Annotated[str, typer.Argument(help="The id of a challenge or of its match.")]


@app.command()
def mint(
    who: Annotated[str, typer.Argument(metavar="USER", help="A username or a user's id.")],
    amount: Annotated[
        int, typer.Argument(min=1, max=AMOUNT_MAX, help="How much of the play money.")
    ],
    yes: Yes = False,
) -> None:
    """Put new money into a user's wallet."""
    _run(lambda operator: operator.mint(who, amount), yes=yes)


@app.command()
def cancel(target: Id, yes: Yes = False) -> None:
    """Call off a pending challenge or a match; everyone gets back what they paid in."""
    _run(lambda operator: operator.cancel(target), yes=yes)


@app.command()
def settle(target: Id, yes: Yes = False) -> None:
    """Pay out a pot that is still locked although its match or challenge should be over."""
    _run(lambda operator: operator.settle(target), yes=yes)


@app.command("show-escrow")
def show_escrow(target: Id) -> None:
    """Show a pot: who paid in, what became of it, and whether it adds up."""
    _run(lambda operator: operator.show_escrow(target))


@app.command()
def audit() -> None:
    """Work out balances and escrows again, and look at journals; ends with 1 if any is wrong."""
    _run(lambda operator: operator.audit())


@app.command()
def snapshot(yes: Yes = False) -> None:
    """Write every match down as it stands, as an older version of Parlour needs it."""
    _run(lambda operator: operator.snapshot(), yes=yes)


def _run(command: Callable[[Operator], Coroutine[Any, Any, None]], *, yes: bool = False) -> None:
    """Lets an operator act on the database and the bus that the settings name."""
    settings = Settings.load()
    # Loaded only here, so that the other commands answer at once.
    from parlour.app import assemble  # noqa: PLC0415 (so that --help is quick)
    from parlour.games.api import Refused  # noqa: PLC0415 (so that --help is quick)
    from parlour.money.wallets import adopt  # noqa: PLC0415 (so that --help is quick)
    from parlour.operators import Denied, Operator  # noqa: PLC0415 (so that --help is quick)
    from parlour.store.migrate import check  # noqa: PLC0415 (so that --help is quick)

    async def run() -> None:
        # Starting a store would make one where an operator mistook the address.
        await check(settings.database_url)
        services = assemble(settings)
        async with AsyncExitStack() as stack:
            await services.store.start()
            stack.push_async_callback(services.store.close)
            await services.clock.start()
            stack.push_async_callback(services.clock.close)
            await adopt(services.store, settings.default_currency_ticker)
            await services.bus.start()
            stack.push_async_callback(services.bus.close)
            stack.push_async_callback(services.thinkers.close)
            stack.push_async_callback(services.kernel.drain)
            # Nothing happens to what an operator looks at but what was asked for.
            services.kernel.timers.unsubscribe()
            await command(Operator(services, yes=yes))

    try:
        asyncio.run(run())
    except Denied as denied:
        reason = str(denied)
    except Refused as refused:
        reason = refused.detail or refused.code
    except Conflict:
        reason = "it has changed in the meantime; look again"
    except Unavailable as unavailable:
        reason = str(unavailable) or "the database does not answer"
    else:
        return
    typer.echo(f"parlour: {reason}", err=True)
    raise typer.Exit(1)
