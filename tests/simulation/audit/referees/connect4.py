"""Connect 4: seven columns of six, four in a row, turn about; the absent may be claimed over."""

from __future__ import annotations

from tests.simulation.audit.books import Broken, decoded
from tests.simulation.audit.matches import Played

WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def judge(played: Played) -> None:
    """Drop every disc again."""
    board: dict[tuple[int, int], int] = {}
    turn: int | None = None
    result: tuple[int | None, str] | None = None
    name = played.match["id"]
    for entry in played.journal:
        if entry["kind"] != "act":
            continue
        if result is not None:
            raise Broken(f"{name} went on after {result}")
        seat, act = entry["seat"], decoded(entry["action"])
        other = 1 - seat
        seen = entry[f"seen_{other}"]
        gone = seen is not None and entry["at"] - seen > played.options["abandon_ms"]
        if act["type"] == "claim":
            if not gone:
                raise Broken(f"{name} was won by a claim over somebody who was there")
            result = (seat, "ABANDONED")
            continue
        if gone:
            raise Broken(f"{name} went on though {other} had gone")
        if turn not in (None, seat):
            raise Broken(f"{seat} moved out of turn in {name}")
        column = act["column"]
        row = sum(taken == column for taken, _ in board)
        if not (0 <= column < 7 and row < 6):
            raise Broken(f"there is no room in column {column} of {name}")
        board[column, row] = seat
        turn = other
        if any(_length(board, (column, row), way) >= 4 for way in WAYS):
            result = (seat, "CONNECT4")
        elif len(board) == 42:
            result = (None, "BOARD_FULL")
    stored = played.match["status"] == "finished"
    if stored != (result is not None):
        raise Broken(f"{name} is {played.match['status']}, and should be {result}")
    if result is not None and result != (played.match["winner"], played.match["reason"]):
        raise Broken(f"{name} did not end as {result}")


def _length(board: dict[tuple[int, int], int], at: tuple[int, int], way: tuple[int, int]) -> int:
    """How many of one's own stand in a row through a cell."""
    count = 1
    for sign in (1, -1):
        x, y = at[0] + sign * way[0], at[1] + sign * way[1]
        while board.get((x, y)) == board[at]:
            count, x, y = count + 1, x + sign * way[0], y + sign * way[1]
    return count
