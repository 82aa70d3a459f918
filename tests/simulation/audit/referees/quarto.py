"""Quarto: select for the other, place, call; who stays away too long or leaves has lost."""

from __future__ import annotations

from tests.simulation.audit.books import Broken, Row, decoded
from tests.simulation.audit.matches import Played

LINES = [
    *([4 * row + column for column in range(4)] for row in range(4)),
    *([4 * row + column for row in range(4)] for column in range(4)),
    [0, 5, 10, 15],
    [3, 6, 9, 12],
]


def judge(played: Played) -> None:
    """Play every piece again."""
    game = _Game(played)
    for entry in played.journal:
        if game.result is not None and entry["kind"] in ("act", "expire", "gone", "back"):
            raise Broken(f"{game.name} went on after {game.result}")
        game.step(entry)
    match = played.match
    if (match["status"] == "finished") != (game.result is not None):
        raise Broken(f"{game.name} is {match['status']}, and should be {game.result}")
    if game.result is not None and game.result != (match["winner"], match["reason"]):
        raise Broken(f"{game.name} did not end as {game.result}")


class _Game:
    def __init__(self, played: Played) -> None:
        self.name = played.match["id"]
        self._options = played.options
        self._board: dict[int, int] = {}
        self._hand: int | None = None
        self._turn: int | None = None
        self._away: dict[int, int] = {}
        self._call_until: int | None = None
        self.result: tuple[int | None, str] | None = None

    def step(self, entry: Row) -> None:
        kind, seat, at = entry["kind"], entry["seat"], entry["at"]
        if kind == "gone":
            self._away.setdefault(seat, at + self._options["reconnect_ms"])
        elif kind == "back":
            self._away.pop(seat, None)
        elif kind == "expire":
            self._expire(at)
        elif kind == "act":
            due = self._due()
            if due is not None and due <= at:
                raise Broken(f"{self.name} went on after a window had closed")
            self._act(seat, decoded(entry["action"]), at)

    def _due(self) -> int | None:
        waits = [*self._away.values(), *([self._call_until] if self._call_until else [])]
        return min(waits, default=None)

    def _expire(self, at: int) -> None:
        due = self._due()
        if due is None or due > at:
            raise Broken(f"{self.name} ended before its time")
        if due == self._call_until:
            self.result = (None, "uncalled")
            return
        missing = [seat for seat, until in self._away.items() if until == due]
        self.result = (1 - missing[0] if len(missing) == 1 else None, "timeout")

    def _act(self, seat: int, act: dict[str, object], at: int) -> None:
        kind = act["type"]
        if kind == "leave":
            self.result = (1 - seat, "forfeit")
            return
        if self._turn not in (None, seat):
            raise Broken(f"{seat} acted out of turn in {self.name}")
        self._turn = seat
        if kind == "call":
            if not self._line():
                raise Broken(f"a Quarto was called in {self.name} where there is none")
            self.result = (seat, "quarto")
        elif kind == "select":
            piece = act["piece"]
            if self._hand is not None or piece in self._board.values() or piece not in range(16):
                raise Broken(f"{piece} could not be selected in {self.name}")
            assert isinstance(piece, int)
            self._hand, self._turn = piece, 1 - seat
        else:
            self._place(act["position"], at)

    def _place(self, position: object, at: int) -> None:
        if self._hand is None or position in self._board or position not in range(16):
            raise Broken(f"nothing could be placed at {position} in {self.name}")
        assert isinstance(position, int)
        self._board[position], self._hand = self._hand, None
        if len(self._board) == 16:
            if self._line():
                self._call_until = at + self._options["final_call_ms"]
            else:
                self.result = (None, "board_full")

    def _line(self) -> bool:
        full = [
            [self._board[at] for at in line]
            for line in LINES
            if all(at in self._board for at in line)
        ]
        return any(
            len({piece >> trait & 1 for piece in pieces}) == 1
            for pieces in full
            for trait in range(4)
        )
