"""Plays Quarto over its rooms' sockets, as the document's clients do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.simulation.line import HungUp, Line

if TYPE_CHECKING:
    from tests.simulation.people import Person

PATH = "/party/{room_id:str}"
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
REPLACED = 4409
NAMES = {"select": "select", "place": "place", "quarto": "call"}
"""What the history calls an action, and what the journal does."""


async def play(person: Person) -> None:
    """Open a room or come to one, and play there as long as it is fun."""
    rooms = person.world.offers("quarto rooms")
    if rooms and person.random.random() < 0.7:
        visit = Visit(person, rooms.pop(person.random.randrange(len(rooms))))
        visit.first = {"type": "JOIN_ROOM", "playerName": person.name}
    else:
        visit = Visit(person, "".join(person.random.choices(LETTERS, k=6)))
        visit.first = {"type": "CREATE_ROOM", "playerName": person.name}
        draw = person.random.random()
        if draw < 0.1:
            visit.first["opponent"] = person.random.choice(("local", "easy", "medium"))
        else:
            rooms.append(visit.code)
    try:
        await visit.run()
    finally:
        visit.line.hang_up()


class Visit:
    """One player in a room, over as many sockets as it takes."""

    def __init__(self, person: Person, code: str) -> None:
        self.person = person
        self.random = person.random
        self.code = code
        self.first: dict[str, Any] = {}
        self.secret: str | None = None
        self.seats: tuple[int, ...] = ()
        self.game: dict[str, Any] | None = None
        """As it was last shown, until something was done about it."""
        self.match_id: str | None = None
        self.line: Line = self._connect()
        self._older: Line | None = None
        """The one it went away from, which should be taken over."""
        self._done = False

    def _connect(self) -> Line:
        line = self.person.connect(PATH, room_id=self.code)
        if self.random.random() < 0.7:
            line.send(type="auth", token=self.person.name)
        return line

    async def run(self) -> None:
        self.line.send(**self.first)
        while not self._done:
            try:
                if not await self.line.listen(4):
                    self._say_something()
                    continue
                self._hear(await self.line.receive())
            except HungUp as ended:
                if not await self._return(ended.code):
                    return
                continue
            if self.person.stumble(self.line):
                continue
            if self.secret is not None and self.random.random() < self.person.world.cut / 2:
                self._go_elsewhere()
            await self._act()

    def _say_something(self) -> None:
        """Nothing has been heard for long: leave, or go on waiting."""
        if self.person.world.over:
            return
        if self.game is None and self.random.random() < 0.5:
            self._leave()
            self._done = True
        else:
            self.line.send(type="WATCH")

    def _leave(self) -> None:
        whose = self.match_id or self.secret
        if whose is not None:
            self.person.tally["leave"] += 1
            self.person.auditor.unsure(whose)
            self.line.send(type="LEAVE_ROOM")

    async def _return(self, code: int) -> bool:
        """After the line broke: to the same seat, if one had one."""
        if self.person.world.over and code != REPLACED:
            await asyncio.sleep(1)
        if self.secret is None or (code == REPLACED and self.random.random() < 0.5):
            return False
        await asyncio.sleep(self.random.choice((0.0, 0.2, 1.0, 7.0)))
        self.person.tally["rejoin"] += 1
        self.line = self._connect()
        self.line.send(type="RECONNECT", playerId=self.secret)
        return True

    def _go_elsewhere(self) -> None:
        """The same seat from another socket, while the first one is still open."""
        self.person.tally["takeover"] += 1
        self._older, self.line = self.line, self._connect()
        self.line.send(type="RECONNECT", playerId=self.secret)

    def _hear(self, said: dict[str, Any]) -> None:
        match said["type"]:
            case "ROOM_CREATED":
                self.secret = said["playerId"]
            case "ROOM_JOINED":
                self.secret = said["playerId"]
            case "ERROR":
                self._refused(said["code"])
            case "GAME_OVER":
                winner = said["winner"]
                self.person.auditor.ended(said["game"]["id"], None if winner == "draw" else winner)
                self._think_of_another()
        if "game" in said:
            self._see(said["game"])

    def _refused(self, code: str) -> None:
        if code in ("ROOM_NOT_FOUND", "ROOM_FULL"):
            self._done = True
        elif code == "UNAVAILABLE" and self._older is not None:
            # Nobody looks at the older one any more, though it was not taken over.
            self._older.hang_up()
            self._older = None
            self.line.send(type="RECONNECT", playerId=self.secret)

    def _see(self, game: dict[str, Any]) -> None:
        self.seats = tuple(
            seat
            for seat, player in enumerate(game["players"])
            if player["id"] == self.secret or game["mode"] == "local"
        )
        self.person.auditor.saw(
            self.line,
            game["id"],
            [(entry["player"], _action(entry)) for entry in game["history"]],
        )
        self.game = game
        self.match_id = game["id"]

    def _think_of_another(self) -> None:
        draw = self.random.random()
        if draw < 0.6:
            self.person.tally["rematch asked"] += 1
            self.line.send(type="REMATCH")
        elif not self.person.world.over:
            self._done = True

    async def _act(self) -> None:
        game = self.game
        if game is None or game["status"] != "playing" or game["currentTurn"] not in self.seats:
            return
        self.game = None  # until the next one comes
        if self.person.world.over:
            return
        await self.person.pause()
        draw = self.random.random()
        if draw < 0.03:
            self._leave()
            return
        self.person.auditor.unsure(game["id"])
        if draw < 0.15 or not game["availablePieces"]:
            self.line.send(type="CALL_QUARTO")
            self.game = game if draw < 0.5 else None
        elif game["phase"] == "selecting":
            self.line.send(type="SELECT_PIECE", pieceId=self.random.choice(game["availablePieces"]))
        else:
            free = [at for at, piece in enumerate(game["board"]["positions"]) if piece is None]
            self.line.send(type="PLACE_PIECE", position=self.random.choice(free))


def _action(entry: dict[str, Any]) -> tuple[Any, ...]:
    """An entry of the history in the words of the journal."""
    kind = NAMES[entry["type"]]
    where = {"select": "pieceId", "place": "position"}.get(kind)
    return (kind, entry[where]) if where else (kind,)
