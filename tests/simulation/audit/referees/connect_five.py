"""Connect Five: shapes on 14 by 14, five in a row, specials that are bought, a clock for each."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.simulation.audit.books import Broken, Row, decoded
from tests.simulation.audit.matches import Played

SHAPES = {
    "SINGLE": [(0, 0)],
    "H2": [(0, 0), (1, 0)],
    "V2": [(0, 0), (0, 1)],
    "CROSS4": [(0, -1), (-1, 0), (1, 0), (0, 1)],
}
PRICES = {"H2": 4, "V2": 4, "CROSS4": 8, "BOMB": 3}
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def judge(played: Played) -> None:
    """Make every move again, and let the clocks run again."""
    game = _Game(played)
    written: tuple[int, int] | None = None
    for entry in played.journal:
        if game.result is not None and entry["kind"] in ("act", "expire"):
            raise Broken(f"{game.name} went on after {game.result}")
        game.step(entry)
        if entry["version"] == played.match["version"]:
            written = (game.spent[0], game.spent[1])
    match = played.match
    if (match["status"] == "finished") != (game.result is not None):
        raise Broken(f"{game.name} is {match['status']}, and should be {game.result}")
    if game.result is not None and game.result != (match["winner"], match["reason"]):
        raise Broken(f"{game.name} did not end as {game.result}")
    spent = (game.spent[0], game.spent[1])
    paid = spent if match["escrow_id"] is not None else written
    if tuple(played.state["spent"]) != written or written != paid:
        raise Broken(f"what was spent in {game.name} is not what was bought")


class _Game:
    def __init__(self, played: Played) -> None:
        limit = played.options["time_limit_ms"]
        self.name = played.match["id"]
        self._most = played.options["max_spend"]
        self._left = [limit, limit]
        self._turn: int | None = None
        self._since = 0
        self._board: dict[tuple[int, int], int] = {}
        self._owned: Counter[tuple[int, str]] = Counter()
        self.spent: Counter[int] = Counter()
        self.result: tuple[int | None, str] | None = None
        # Who begins is drawn by lot: it shows in who first makes a move, or runs out of time.
        first = [
            entry["seat"]
            for entry in played.journal
            if entry["kind"] == "act" and decoded(entry["action"])["type"] == "move"
        ]
        self._turn = first[0] if first else played.state["clocks"]["running"]

    def step(self, entry: Row) -> None:
        at = entry["at"]
        if entry["kind"] == "start":
            self._since = at
        elif entry["kind"] in ("act", "expire"):
            assert self._turn is not None
            left = self._left[self._turn] - max(0, at - self._since)
            if (left <= 0) != (entry["kind"] == "expire"):
                raise Broken(f"a clock of {self.name} showed {left} at {entry['kind']}")
            self._left[self._turn], self._since = left, max(at, self._since)
            if entry["kind"] == "expire":
                self.result = (1 - self._turn, "timeout")
            else:
                self._act(entry["seat"], decoded(entry["action"]))

    def _act(self, seat: int, act: dict[str, Any]) -> None:
        if act["type"] == "purchase":
            kind, quantity = act["special_type"], act["quantity"]
            self.spent[seat] += PRICES[kind] * quantity
            self._owned[seat, kind] += quantity
            if quantity < 1 or self.spent[seat] > self._most:
                raise Broken(f"{seat} bought more than allowed in {self.name}")
            return
        if seat != self._turn:
            raise Broken(f"{seat} moved out of turn in {self.name}")
        kind, x, y = act["move_type"], act["x"], act["y"]
        if kind != "SINGLE":
            self._owned[seat, kind] -= 1
            if self._owned[seat, kind] < 0:
                raise Broken(f"{seat} used a {kind} in {self.name} that it did not have")
        self._turn = 1 - seat
        if kind == "BOMB":
            if self._board.pop((x, y), None) != 1 - seat:
                raise Broken(f"a bomb of {self.name} hit nothing")
            return
        self._place(seat, [(x + dx, y + dy) for dx, dy in SHAPES[kind]])

    def _place(self, seat: int, cells: list[tuple[int, int]]) -> None:
        for x, y in cells:
            if (x, y) in self._board or not (0 <= x < 14 and 0 <= y < 14):
                raise Broken(f"{(x, y)} was not free in {self.name}")
            self._board[x, y] = seat
        if any(self._length(cell, way) >= 5 for cell in cells for way in WAYS):
            self.result = (seat, "connect5")
        elif len(self._board) == 196:
            self.result = (None, "draw")

    def _length(self, at: tuple[int, int], way: tuple[int, int]) -> int:
        count = 1
        for sign in (1, -1):
            x, y = at[0] + sign * way[0], at[1] + sign * way[1]
            while self._board.get((x, y)) == self._board[at]:
                count, x, y = count + 1, x + sign * way[0], y + sign * way[1]
        return count
