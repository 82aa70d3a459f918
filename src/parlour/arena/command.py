"""The command `parlour arena`: a game's opponents play each other, to see how strong they are."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Final, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

import parlour
from parlour.arena.contest import Budget
from parlour.arena.page import IMAGES, PAGE, drawn, image_of, written
from parlour.arena.ratings import fitted
from parlour.arena.tournament import Tally, Workers, bouts_of
from parlour.games.registry import STRENGTHS, Strength, all_rules, bots

USUAL_S: Final = 0.35
"""About what a server that is not busy gives a thought."""
INTERRUPTED: Final = 130


def measure(
    game: Annotated[str, typer.Argument(help="Whose opponents, by the game's key.")],
    games: Annotated[
        int, typer.Option(min=2, help="Games of each pair, half of them from either side.")
    ] = 40,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Processes; one for each core.")
    ] = None,
    positions: Annotated[
        int | None, typer.Option(min=1, help="A thought counts so many: the same everywhere.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.0, max=60.0, help=f"… or takes so long; {USUAL_S} if nothing is said."),
    ] = None,
    levels: Annotated[
        str | None, typer.Option(help="Only these opponents, by name, with commas between.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Other games than those of another.")] = 1,
    write: Annotated[
        bool, typer.Option("--write", help="Keep the ratings, and write docs/opponents.md.")
    ] = False,
) -> None:
    """Measure the opponents of a game: each plays each, and ratings are fitted to the scores.

    Ratings are on the Elo scale, and their mean is 1500. They lie within the error that is told, 95
    times of 100.
    """
    names = _chosen(game, levels)
    if games % 2:
        _wrong("--games is even, as each pair plays as many games from either side")
    if positions is not None and seconds is not None:
        _wrong("a thought is bounded by --positions or by --seconds, not by both")
    if write and levels is not None:
        _wrong("--write needs all opponents, for what is kept is compared")
    kept_in = checkout() if write else None
    budget = Budget(positions, USUAL_S if seconds is None else seconds)
    thought = f"--positions {positions}" if positions else f"--seconds {budget.seconds:g}"
    command = f"parlour arena {game} --games {games} {thought} --seed {seed}"
    command += "" if levels is None else f" --levels {','.join(names)}"

    tally, finished = _played(game, names, games, seed, budget, workers)
    ratings = fitted(names, tally.scores)
    _show(game, tally, ratings)
    _say(f"{tally.games} games: {command}")
    if not finished:
        _say("Interrupted: this is what was played, and nothing is written.")
        raise typer.Exit(INTERRUPTED)
    if kept_in is not None and ratings is not None:
        _keep(game, ratings, kept_in, command)


def _played(
    game: str, names: tuple[str, ...], games: int, seed: int, budget: Budget, workers: int | None
) -> tuple[Tally, bool]:
    """What came of all games; or of those that were played before somebody interrupted."""
    screen = Console(stderr=True)
    tally = Tally(names)
    bouts = bouts_of(game, names, games, seed, budget)
    try:
        with Workers(game, workers) as pool:
            for bout, score in track(
                pool.play(bouts),
                f"Playing {game}",
                len(bouts),
                console=screen,
                disable=not screen.is_terminal,
            ):
                tally.add(bout.pair, score)
    except KeyboardInterrupt:
        return tally, False
    return tally, True


def _chosen(game: str, levels: str | None) -> tuple[str, ...]:
    """Those that play, from the weakest on."""
    if game not in all_rules():
        _wrong(f"there is no game {game!r}; there are {', '.join(all_rules())}")
    there = tuple(bots(game))
    wanted = there if levels is None else tuple(name.strip() for name in levels.split(","))
    for name in wanted:
        if name not in there:
            _wrong(f"{game} has no opponent {name!r}; it has {', '.join(there) or 'none'}")
    names = tuple(name for name in there if name in wanted)
    if len(names) < 2:
        _wrong(f"{game} needs two opponents or more to be measured, not {len(names)}")
    return names


def _show(game: str, tally: Tally, ratings: dict[str, Strength] | None) -> None:
    """The strongest first: its rating, and of a hundred games how many points against each."""
    order = list(reversed(tally.names))
    if ratings is not None:
        order.sort(key=lambda name: -ratings[name].rating)
    table = Table("", "", box=None, pad_edge=False)
    for heading in ("rating", "±", "games", *order):
        table.add_column(heading, justify="right")
    for name in order:
        kept = None if ratings is None else ratings[name]
        row = [] if kept is None else [str(kept.rating), str(kept.error), str(kept.games)]
        against = (_percent(tally, name, other) for other in order)
        table.add_row(name, bots(game)[name].persona.title, *(row or ["-"] * 3), *against)
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def _percent(tally: Tally, one: str, other: str) -> str:
    score = None if one == other else tally.between(one, other)
    return "" if score is None or not score.games else f"{100 * score.points / score.games:.0f} %"


def checkout() -> Path:
    """Where sources and pages stand that can be written."""
    root = Path(parlour.__file__).parents[2]
    if not (root / "docs" / PAGE).is_file():
        _wrong("--write needs a checkout: this is an installed copy, which has no docs")
    return root


def _keep(game: str, ratings: dict[str, Strength], root: Path, command: str) -> None:
    """The ratings in the game's folder, its picture, and its part of the page."""
    opponents = tuple(bots(game).values())
    docs = root / "docs"
    page = docs / PAGE
    kept = msgspec.json.format(msgspec.json.encode(ratings), indent=2) + b"\n"
    files = {
        root / "src" / "parlour" / "games" / game / STRENGTHS: kept.decode(),
        docs / IMAGES / image_of(game): drawn(game, opponents, ratings),
        page: written(page.read_text("utf-8"), game, opponents, ratings, command),
    }
    for path, text in files.items():
        _replace(path, text)
        _say(f"wrote {os.path.relpath(path)}")


def _replace(path: Path, text: str) -> None:
    """All of it or nothing."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


def _say(words: str) -> None:
    typer.echo(words)


def _wrong(words: str) -> NoReturn:
    typer.echo(f"parlour: {words}", err=True)
    raise typer.Exit(2)
