"""Plays Memory over its socket."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.simulation.line import HungUp, Line

if TYPE_CHECKING:
    from tests.simulation.people import Person

PATH = "/ws"
REPLACED = 4409


async def play(person: Person) -> None:
    """Queue for an opponent, play, perhaps again."""
    visit = Visit(person)
    visit.line.send(type="set_name", name=person.name)
    try:
        await visit.run()
    finally:
        visit.line.hang_up()


class Visit:
    """One player, over as many sockets as it takes."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.random = person.random
        self.line: Line = self._connect()
        self.match: dict[str, Any] | None = None
        """What was said when the game was found; None: there is none to go on with."""
        self.state: dict[str, Any] | None = None
        self._done = False

    def _connect(self) -> Line:
        line = self.person.connect(PATH)
        line.send(type="auth", token=self.person.name)
        return line

    async def run(self) -> None:
        while not self._done:
            try:
                if not await self.line.listen(4):
                    self._lose_patience()
                    continue
                self._hear(await self.line.receive())
            except HungUp as ended:
                if not await self._return(ended.code):
                    return
                continue
            if self.person.stumble(self.line):
                continue
            if self.match is not None and self.random.random() < self.person.world.cut / 2:
                self._go_elsewhere()
            await self._act()

    def _lose_patience(self) -> None:
        if self.person.world.over:
            return
        if self.match is None:
            self.person.tally["leave queue"] += 1
            self.line.send(type="leave_queue")
            self._done = True
        elif self.random.random() < 0.2:
            self._leave()
        else:
            self.line.send(type="ping")

    def _leave(self) -> None:
        assert self.match is not None
        self.person.tally["leave"] += 1
        self.line.send(type="leave_game")
        self.person.auditor.unsure(self.match["gameId"])

    async def _return(self, code: int) -> bool:
        if self.match is None or code == REPLACED:
            return False
        await asyncio.sleep(self.random.choice((0.0, 0.2, 1.0, 7.0)))
        self.person.tally["rejoin"] += 1
        self._rejoin()
        return True

    def _go_elsewhere(self) -> None:
        """On with the same game over another socket, while the first one is still open."""
        self.person.tally["takeover"] += 1
        self._rejoin()

    def _rejoin(self) -> None:
        assert self.match is not None
        self.line = self._connect()
        self.state = None
        if self.random.random() < 0.5:
            self.line.send(type="rejoin_my_game")
        else:
            token = self.match["rejoinToken"]
            self.line.send(type="rejoin", gameId=self.match["gameId"], rejoinToken=token)

    def _hear(self, said: dict[str, Any]) -> None:
        match said["type"]:
            case "match_found":
                self.match = said
            case "game_state":
                self.state = said
                self._check(said)
            case "game_over":
                self._ended({"win": True, "lose": False, "draw": None}[said["result"]])
            case "opponent_disconnected":
                self._ended(True)
            case "error" if self.match is None and self.state is None:
                self._refused(said["message"])
            case "error" if "over" in said["message"] or "no game" in said["message"]:
                self._go_on()

    def _refused(self, words: str) -> None:
        if "rejoin_my_game" in words:
            self.person.tally["rejoin"] += 1
            self.line.send(type="rejoin_my_game")
            self.state = {}
        elif "already waiting" not in words:
            self._done = True

    def _check(self, state: dict[str, Any]) -> None:
        auditor = self.person.auditor
        for card in state["cards"]:
            if card["state"] == "hidden" and "pairId" in card:
                auditor.broken(f"a hidden card was shown to {self.person.name}")
        assert self.match is not None
        scores = {self.person.name: state["you"]["score"]}
        auditor.saw_score(self.line, self.match["gameId"], sum(scores.values()))

    def _ended(self, won: bool | None) -> None:
        assert self.match is not None
        self.person.auditor.ended_for(self.match["gameId"], self.match["rejoinToken"], won)
        self._go_on()

    def _go_on(self) -> None:
        self.match = self.state = None
        if self.random.random() < 0.6 and not self.person.world.over:
            self.person.tally["play again"] += 1
            self.line.send(type="play_again")
        else:
            self._done = not self.person.world.over

    async def _act(self) -> None:
        state = self.state
        if not state or not state["yourTurn"] or state["phase"] == "resolve":
            return
        if self.match is None or self.person.world.over:
            return
        self.state = None
        await self.person.pause()
        hidden = [card["index"] for card in state["cards"] if card["state"] == "hidden"]
        draw = self.random.random()
        if draw < 0.01:
            self._leave()
            return
        self.person.auditor.unsure(self.match["gameId"])
        if draw < 0.2 and state["hand"] and state["phase"] == "first_flip":
            power_up = self.random.choice(state["hand"])["powerUpId"]
            target = self.random.choice((None, self.random.choice(hidden or [0])))
            self.line.send(type="use_power_up", powerUpId=power_up, cardIndex=target)
            self.state = state
        elif hidden:
            self.line.send(type="flip_card", index=self.random.choice(hidden))
