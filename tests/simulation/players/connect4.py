"""Plays Connect 4: sits down by HTTP, hears and moves over the live socket, moves by HTTP too."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from parlour.games.connect4.answers import MoveBody
from parlour.net.errors import Problem
from parlour.play.match import Gone
from parlour.store.change import StoreError
from tests.simulation.line import HungUp, Line
from tests.simulation.process import NoAnswer

if TYPE_CHECKING:
    from tests.simulation.people import Person

PATH = "/ws/connect4/{public_id:str}"
NO_SUCH_GAME = 4404


async def play(person: Person) -> None:
    """Find a game, play it, and perhaps another one with the same opponent."""
    game = await _sit_down(person)
    while game is not None:
        visit = Visit(person, *game)
        try:
            await visit.run()
        finally:
            visit.line.hang_up()
        game = visit.following


async def _sit_down(person: Person) -> tuple[str, str] | None:
    """The ids of a game that one is in: by the queue, by a friend's code, or by an own one."""
    active = (await person.request("GET /api/users/me/active-game")).active_game
    if active is not None:
        return active.id, active.public_id
    codes = person.world.offers("connect4 codes")
    draw = person.random.random()
    if draw < 0.5:
        return await _queue(person)
    if codes:
        code = codes.pop(person.random.randrange(len(codes)))
        joined = await person.request("POST /api/games/join/{code:str}", code=code)
        return joined.game_id, joined.public_id
    created = await person.request("POST /api/games")
    codes.append(created.code)
    return created.game_id, created.public_id


async def _queue(person: Person) -> tuple[str, str] | None:
    answer = await person.request("POST /api/matchmaking/join")
    for _ in range(10):
        if hasattr(answer, "game_id"):
            return answer.game_id, answer.public_id
        await asyncio.sleep(person.random.uniform(0.1, 0.6))
        answer = await person.request("GET /api/matchmaking/status")
    await person.request("DELETE /api/matchmaking/leave")
    return None


class Visit:
    """One player at one game."""

    def __init__(self, person: Person, game_id: str, public_id: str) -> None:
        self.person = person
        self.random = person.random
        self.game_id = game_id
        self.public_id = public_id
        self.line: Line = self._connect()
        self.number: int | None = None
        self.turn: int | None = None
        self.columns: list[int] = []
        self.moves: list[tuple[int, tuple[str, int]]] = []
        self.following: tuple[str, str] | None = None
        self._over = False
        self._done = False

    def _connect(self) -> Line:
        line = self.person.connect(PATH, public_id=self.public_id)
        line.send(type="auth", token=self.person.name)
        return line

    async def run(self) -> None:
        while not self._done:
            try:
                if not await self.line.listen(3):
                    await self._wait_no_longer()
                    continue
                self._hear(await self.line.receive())
            except HungUp as ended:
                if ended.code == NO_SUCH_GAME or self._over:
                    return
                await asyncio.sleep(self.random.choice((0.0, 0.2, 1.0, 7.0)))
                self.person.tally["rejoin"] += 1
                self.line = self._connect()
                continue
            if self.person.stumble(self.line):
                continue
            if self.random.random() < self.person.world.cut / 2:
                self.person.tally["takeover"] += 1
                old, self.line = self.line, self._connect()
                old.hang_up()
            if self._over:
                await self._ask_for_another()
            elif self.turn is not None and self.turn == self.number:
                await self._move()

    async def _wait_no_longer(self) -> None:
        """Claim the win, or give up waiting for an opponent; neither may be allowed."""
        if self.person.world.over:
            return
        route = "POST /api/games/{game_id:str}/claim-abandoned"
        if self.number is None or self.turn is None:
            route = "DELETE /api/games/{game_id:str}"
        await self._ask(route)
        self._done = self.random.random() < 0.3

    async def _ask(self, route: str, **parts: Any) -> Any:
        """An answer, or None if there is none to be had."""
        self.person.auditor.unsure(self.game_id)
        try:
            return await self.person.request(route, game_id=self.game_id, **parts)
        except (Problem, Gone, StoreError, NoAnswer):
            return None

    def _hear(self, said: dict[str, Any]) -> None:
        payload = said["payload"]
        match said["type"]:
            case "game" | "game_started":
                self._see(payload)
            case "move_made":
                self.moves = [*self.moves, (payload["player"] - 1, ("drop", payload["column"]))]
                if len(self.moves) != payload["moveCount"]:
                    self.person.auditor.broken(f"a move of {self.game_id} was not told")
                self.person.auditor.saw(self.line, self.game_id, self.moves)
            case "turn_changed":
                self.turn, self.columns = payload["currentTurn"], payload["legalColumns"]
            case "game_ended":
                self._see(payload["game"])
                winner = payload["winner"]
                self.person.auditor.ended(self.game_id, None if winner is None else winner - 1)
            case "rematch_accepted":
                self.following = payload["newGameId"], payload["newPublicId"]
                self.person.tally["rematch"] += 1
                self._done = not self.person.world.over

    def _see(self, game: dict[str, Any]) -> None:
        self.moves = [(move["player"] - 1, ("drop", move["column"])) for move in game["moves"]]
        self.person.auditor.saw(self.line, self.game_id, self.moves)
        for number in (1, 2):
            player = game[f"player{number}"]
            if player is not None and player["username"] == self.person.username:
                self.number = number
        self._over = game["status"] in ("COMPLETED", "ABANDONED")
        if game["status"] == "ACTIVE":
            self.turn, self.columns = game["currentTurn"], game["legalColumns"]

    async def _ask_for_another(self) -> None:
        self.turn = None
        if self.person.world.over or self.following is not None:
            return
        if self.random.random() < 0.5:
            self._done = True
            return
        self.person.tally["rematch asked"] += 1
        answer = await self._ask("POST /api/games/{game_id:str}/rematch")
        if hasattr(answer, "new_game_id"):
            self.following = answer.new_game_id, answer.new_public_id
            self._done = True
        self._over = False  # once is enough

    async def _move(self) -> None:
        self.turn = None
        if self.person.world.over:
            return
        await self.person.pause()
        column = self.random.choice(self.columns) if self.columns else 0
        if self.random.random() < 0.02:
            column = self.random.randrange(-1, 8)
        if self.random.random() < 0.8:
            self.person.auditor.unsure(self.game_id)
            self.line.send(type="move", payload={"column": column})
        else:
            await self._ask("POST /api/games/{game_id:str}/move", data=MoveBody(column=column))
