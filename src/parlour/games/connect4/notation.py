"""The board in the two notations of the wire, spelt out beforehand."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeVar

from msgspec import Raw

from parlour.games.connect4.board import BOTTOM, ROWS, TOP_ROW
from parlour.games.connect4.rules import OPEN, State

Disc = Literal["", "red", "yellow"]
DISCS: Final[tuple[Disc, Disc, Disc]] = ("", "red", "yellow")

# A row has one of 3**7 fillings, so all of them can be spelt out beforehand. A filling's key has
# red's discs at each column's first bit, and yellow's at its second.

_FIRST = sum(BOTTOM)
T = TypeVar("T", str, tuple[Disc, ...])


def _spelt(no_disc: T, red: T, yellow: T) -> dict[int, T]:
    """All fillings by their keys, put together of what stands for each disc."""
    spelt = {0: no_disc[:0]}
    for bottom in BOTTOM:
        discs = ((0, no_disc), (bottom, red), (2 * bottom, yellow))
        spelt = {key + bit: so_far + disc for key, so_far in spelt.items() for bit, disc in discs}
    return spelt


_TEXT = _spelt("0", "1", "2")
_CELLS = _spelt(*((disc,) for disc in DISCS))
_JSON = {
    key: f"[{listed[:-1]}]" for key, listed in _spelt(*(f'"{disc}",' for disc in DISCS)).items()
}
_LEGAL = {top: tuple(drop.column for drop in drops) for top, drops in OPEN.items()}


def board_text(state: State) -> str:
    """42 characters, the top row first."""
    red, yellow = state.red, state.yellow
    return "".join(
        _TEXT[red >> row & _FIRST | (yellow >> row & _FIRST) << 1]
        for row in range(ROWS - 1, -1, -1)
    )


def cells(state: State) -> tuple[tuple[Disc, ...], ...]:
    """Six rows of seven discs, the bottom row first."""
    red, yellow = state.red, state.yellow
    return tuple(
        [_CELLS[red >> row & _FIRST | (yellow >> row & _FIRST) << 1] for row in range(ROWS)]
    )


def cells_as_json(state: State) -> Any:
    """The same (as JSON that is passed on) as it goes out with every move, where encoding 42 words
    would take longest.
    """
    red, yellow, first, second, spelt = state.red, state.yellow << 1, _FIRST, _FIRST << 1, _JSON
    # Written out: a loop over six rows takes as long again as what is done in it.
    return Raw(
        f"[{spelt[red & first | yellow & second]}"
        f",{spelt[red >> 1 & first | yellow >> 1 & second]}"
        f",{spelt[red >> 2 & first | yellow >> 2 & second]}"
        f",{spelt[red >> 3 & first | yellow >> 3 & second]}"
        f",{spelt[red >> 4 & first | yellow >> 4 & second]}"
        f",{spelt[red >> 5 & first | yellow >> 5 & second]}]"
    )


def open_columns(state: State) -> tuple[int, ...]:
    """The columns that have room."""
    return _LEGAL[(state.red | state.yellow) & TOP_ROW]
