"""What every benchmark shares: its two flags, and figures as a table or as JSON, one a line."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table


class Asked(Struct, frozen=True):
    """How a benchmark was called."""

    quick: bool
    json: bool


def asked(description: str | None) -> Asked:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="a few seconds, for a first look")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    found = parser.parse_args()
    return Asked(found.quick, found.json)


class Figure(Struct, frozen=True):
    """One measured number, and how it compares."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
    """How many times the figure named by `ratio_to`."""
    ratio_to: str | None = None
    settings: dict[str, Any] = {}


def show(title: str, figures: list[Figure], *, as_json: bool) -> None:
    """Print them."""
    if as_json:
        for figure in figures:
            sys.stdout.write(msgspec.json.encode(figure).decode() + "\n")
        return
    table = Table(title=title, title_justify="left")
    for heading in ("", "value", "unit", "ratio", "to", "settings"):
        table.add_column(heading, justify="right" if heading in ("value", "ratio") else "left")
    for figure in figures:
        table.add_row(
            figure.name,
            f"{figure.value:,.{digits(figure.value)}f}",
            figure.unit,
            "" if figure.ratio is None else f"{figure.ratio:.2f}",
            figure.ratio_to or "",
            ", ".join(f"{name} {value}" for name, value in figure.settings.items()),
        )
    # A pipe has no width of its own; nothing should be cut there.
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def digits(value: float) -> int:
    """Three figures' worth of decimals."""
    return 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
