"""Plays Connect Five: asks by HTTP, with keys against doubles, and hears over its feed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from parlour.games.connect_five.asks import MoveWish, NewChallenge, PurchaseWish
from parlour.net.drf import Rejected
from parlour.store.change import StoreError
from tests.simulation.line import HungUp, Line
from tests.simulation.process import NoAnswer

if TYPE_CHECKING:
    from tests.simulation.people import Person

FEED = "/ws/connect-five/{user_id:str}"
API = "/api/connect-five"
SPECIALS = ("H2", "V2", "CROSS4", "BOMB")
STAKES = (0, 5, 400, 2000)
TRIES = 3


async def play(person: Person) -> None:
    """Challenge somebody, or wait to be challenged, and play what comes of it."""
    user = await person.user()
    visit = Visit(person, user.id)
    try:
        await visit.run()
    finally:
        visit.line.hang_up()


class Visit:
    """One player with a feed, in any number of matches."""

    def __init__(self, person: Person, me: str) -> None:
        self.person = person
        self.random = person.random
        self.me = me
        self.line: Line = self._connect()
        self.matches: dict[int, dict[str, Any]] = {}
        """Those that go on, as they were last told."""
        self.left = 40

    def _connect(self) -> Line:
        line = self.person.connect(FEED, user_id=self.me)
        line.send(type="auth", token=self.person.name)
        return line

    async def run(self) -> None:
        await self._look_around()
        if not self.matches:
            await self._challenge()
        while self.left > 0 or self.person.world.over:
            self.left -= 1
            try:
                if await self.line.listen(self.random.uniform(0.5, 2)):
                    await self._hear(await self.line.receive())
                elif not self.matches and not self.person.world.over:
                    return
            except HungUp:
                await self.person.pause()
                self.person.tally["rejoin"] += 1
                self.line = self._connect()
                await self._look_around()
                continue
            if not self.person.stumble(self.line):
                await self._act()

    async def _look_around(self) -> None:
        """What the lists say: a feed only tells what is new."""
        page = await self._ask(f"GET {API}/matches", status="active")
        for shown in page.results if page is not None else ():
            self._see(msgspec.to_builtins(shown))
        page = await self._ask(f"GET {API}/challenges", status="pending", mine="received")
        for shown in page.results if page is not None else ():
            await self._answer(msgspec.to_builtins(shown))

    async def _ask(self, route: str, **parts: Any) -> Any:
        """An answer, or None if it was refused or did not come."""
        try:
            return await self.person.request(route, **parts)
        except (Rejected, StoreError, NoAnswer):
            return None

    async def _once(self, route: str, **parts: Any) -> Any:
        """Asks again with the same key until there is an answer: it happens at most once."""
        key = f"{self.random.getrandbits(64):x}"
        for attempt in range(TRIES):
            try:
                answer = await self.person.request(route, idempotency_key=key, **parts)
            except Rejected:
                return None
            except (StoreError, NoAnswer):
                self.person.tally["asked again"] += attempt == 0
                continue
            return msgspec.json.decode(answer.content)
        return None

    async def _challenge(self) -> None:
        others = [user for user in self.person.world.known_users() if user != self.me]
        if others:
            wish = NewChallenge(self.random.choice(others), self.random.choice(STAKES), 40, 300)
            await self._once(f"POST {API}/challenges", data=wish)

    async def _hear(self, said: dict[str, Any]) -> None:
        match said["type"]:
            case "update.connect_five_challenge":
                await self._answer(said["challenge"])
            case "update.connect_five_match":
                self._see(said["match"])

    async def _answer(self, challenge: dict[str, Any]) -> None:
        if challenge["status"] != "pending" or self.person.world.over:
            return
        mine = challenge["challenger"]["uuid"] == self.me
        draw = self.random.random()
        route = f"POST {API}/challenges/{{challenge_id:str}}"
        if mine and draw < 0.1:
            await self._once(f"{route}/cancel", challenge_id=str(challenge["id"]))
        elif not mine and draw < 0.8:
            shown = await self._once(f"{route}/accept", challenge_id=str(challenge["id"]))
            if shown is not None:
                self._see(shown)

    def _see(self, match: dict[str, Any]) -> None:
        auditor = self.person.auditor
        known = self.matches.get(match["id"])
        if known is not None and known["version"] > match["version"]:
            return
        last, seats = match["last_move"], (match["player_a"]["id"], match["player_b"]["id"])
        auditor.saw_version(match["uuid"], match["version"])
        if match["status"] == "active":
            self.matches[match["id"]] = match
            return
        self.matches.pop(match["id"], None)
        if match["status"] != "cancelled":
            winner = match["winner"]
            auditor.ended(match["uuid"], None if winner is None else seats.index(winner))
        del last

    async def _act(self) -> None:
        """In one of the matches where it is one's turn, or buy something anywhere."""
        if self.person.world.over:
            return
        mine = [match for match in self.matches.values() if self._is_mine(match)]
        if not mine:
            return
        match = self.random.choice(mine)
        self.left += 1
        await self.person.pause()
        route = f"POST {API}/matches/{{match_id:str}}"
        if self.random.random() < 0.1:
            wish = PurchaseWish(self.random.choice(SPECIALS), self.random.choice((1, 1, 2)))
            self.person.auditor.unsure(match["uuid"])
            shown = await self._once(f"{route}/purchase", match_id=str(match["id"]), data=wish)
            if shown is not None:
                self._done(shown, ("purchase", wish.special_type, wish.quantity))
            return
        kind = self.random.choice([kind for kind, cells in match["legal"].items() if "1" in cells])
        at = self.random.choice([at for at, cell in enumerate(match["legal"][kind]) if cell == "1"])
        move = MoveWish(kind, at % 14, at // 14)
        self.person.auditor.unsure(match["uuid"])
        answer = await self._ask(f"{route}/move", match_id=str(match["id"]), data=move)
        if answer is not None:
            self._done(msgspec.json.decode(answer.content), ("move", kind, move.x, move.y))
        else:
            self.matches.pop(match["id"], None)

    def _is_mine(self, match: dict[str, Any]) -> bool:
        """Whether it is one's turn."""
        active = match["active_player"]
        return active is not None and bool(active["uuid"] == self.me)

    def _done(self, shown: dict[str, Any], action: tuple[Any, ...]) -> None:
        self.person.auditor.did(shown["uuid"], shown["version"], action)
        self._see(shown)
