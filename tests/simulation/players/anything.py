"""Plays any registered game through the kernel, knowing nothing but its rules and its policy."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from parlour.games.api import Refused
from parlour.games.connect_five.terms import Terms
from parlour.games.registry import bots
from parlour.play.match import Match, Update
from parlour.play.player import Busy, Player
from parlour.store.change import ChallengeRow, Conflict, InsufficientFunds, StoreError, Taken
from tests.simulation.process import NoAnswer, Process

if TYPE_CHECKING:
    from tests.simulation.people import Person

STEPS = 300
TAKEN_BACK = 0.15
"""How often a move against the computer is taken back instead of the next one made."""
CHALLENGE_MS = 10_000
TIME_LIMIT_S = 300


class Stream:
    """A watcher: passes on to the auditor what it hears."""

    def __init__(self, person: Person) -> None:
        self._auditor = person.auditor
        self.match: Match | None = None
        self._first: Match | None = None
        self._loop = asyncio.get_running_loop()
        self._waiter: asyncio.Future[None] | None = None

    def begin(self, match: Match) -> None:
        """From there on it hears of everything; of some it may have heard before it is told so."""
        if self._first is None:
            self.match = match
        else:
            self._auditor.follows(match.id, match.version, self._first.version)

    def moved(self, update: Update) -> None:
        after = update.after
        if self.match is None:
            self._first = after
        else:
            self._auditor.follows(after.id, self.match.version, after.version)
        self.match = after
        self._wake()
        told(self._auditor, update)

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        pass

    async def more(self, seconds: float) -> None:
        """Until there is news, but no longer than that."""
        self._waiter = self._loop.create_future()
        timer = self._loop.call_later(seconds, self._wake)
        await self._waiter
        timer.cancel()

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)


def told(auditor: Any, update: Update) -> None:
    """Somebody heard of a step."""
    entry = update.entry
    auditor.told(entry.match_id, entry.version, entry.kind, entry.seat, entry.action)


async def play(person: Person, game: str) -> None:
    """Sit down by one of the ways that there are, then play."""
    process = person.process()
    policy = process.world.policies[game]
    ways = [_queue, _room]
    if policy.stand_ins and bots(game):
        ways.append(_with_bot)
    if not process.world.policies[game].sole and bots(game):
        ways.append(_practice)
    if policy.stakes is not None:
        ways = [_challenge]
    player = Sitting(person, game, process)
    match = await person.random.choice(ways)(player)
    while match is not None:
        match = await player.play(match)


class Sitting:
    """Somebody at a process, about to play or playing."""

    def __init__(self, person: Person, game: str, process: Process) -> None:
        self.person = person
        self.game = game
        self.process = process
        self.random = person.random
        self.connection = ""

    @property
    def kernel(self) -> Any:
        return self.process.kernel

    async def as_player(self, *, connected: bool) -> Player:
        user = await self.person.user()
        self.connection = f"{user.id}-{self.random.getrandbits(40):x}"
        return Player(
            name=user.username,
            user_id=user.id,
            connection=self.connection if connected else None,
            process_id=self.kernel.runtime.process_id if connected else None,
        )

    # --- playing ----------------------------------------------------------------------------

    async def play(self, match: Match) -> Match | None:
        """To the end, if it is reached; then perhaps once more."""
        person, user = self.person, await self.person.user()
        seat = match.seat_of(user.id)
        if seat is None:
            return None
        held = self.process.world.policies[self.game].held
        stream: Stream | None = None
        try:
            for _ in range(STEPS):
                await person.pause()
                if stream is None or not self.process.alive:
                    stream = await self._connect(match.id, seat, held=held)
                now = stream.match
                assert now is not None
                if now.over:
                    return await self._again(now, seat)
                try:
                    if not await self._act(now, seat):
                        await stream.more(1.0)
                except (NoAnswer, StoreError):
                    stream = None  # come back, perhaps to another process
                    continue
                if held and self.random.random() < person.world.cut:
                    await self._vanish(match.id, seat, stream)
                    stream = None
            return None
        finally:
            if stream is not None and self.process.alive:
                self.kernel.watching.unwatch(match.id, stream)

    async def _connect(self, match_id: str, seat: int, *, held: bool) -> Stream:
        self.process = self.person.process()
        stream = Stream(self.person)
        stream.begin(await self.process.ask(self.kernel.watching.watch(match_id, stream)))
        if held:
            self.connection = f"{self.person.name}-{self.random.getrandbits(40):x}"
            await self.process.ask(
                self.kernel.connections.arrive(match_id, seat, self.connection, lambda: None)
            )
        return stream

    async def _vanish(self, match_id: str, seat: int, stream: Stream) -> None:
        self.person.tally["departure"] += 1
        self.kernel.watching.unwatch(match_id, stream)
        await self.process.ask(self.kernel.connections.depart(match_id, seat, self.connection))
        await asyncio.sleep(self.random.choice((0.1, 1, 7)))

    async def _act(self, now: Match, seat: int) -> bool:
        """One action, sensible or not; False: there is nothing to do."""
        if now.status != "active":
            return False
        if now.with_bot and self.random.random() < TAKEN_BACK:
            return await self._take_back(now, seat)
        rules = self.kernel.runtime.rules[self.game]
        # What is the other's to do is nonsense for oneself.
        whose = 1 - seat if self.random.random() < 0.03 else seat
        legal = tuple(rules.legal(rules.view(now.state, whose)))
        if not legal:
            return False
        action = self.random.choice(legal)
        auditor = self.person.auditor
        try:
            update = await self.process.ask(self.kernel.steps.act(now.id, seat, action))
        except (Refused, Conflict, InsufficientFunds, Taken):
            return True
        except (StoreError, NoAnswer, asyncio.CancelledError):
            auditor.unsure(now.id)
            raise
        auditor.acted(now.id)
        told(auditor, update)
        return True

    async def _take_back(self, now: Match, seat: int) -> bool:
        """Go back, where one may."""
        try:
            update = await self.process.ask(self.kernel.takebacks.take_back(now.id, seat))
        except (Refused, Conflict):
            return True
        self.person.tally["takeback"] += 1
        told(self.person.auditor, update)
        return True

    async def _again(self, match: Match, seat: int) -> Match | None:
        policy = self.process.world.policies[self.game]
        if match.status != "finished" or policy.stakes or self.random.random() < 0.6:
            return None
        keep = match.code is not None and policy.held
        asking = self.kernel.rematches.ask(match.id, seat, swap=not keep, keep_code=keep)
        new: Match | None = await self.process.ask(asking)
        if new is not None:
            self.person.tally["rematch"] += 1
        return new


# --- ways to sit down -------------------------------------------------------------------------


async def _queue(who: Sitting) -> Match | None:
    """Over a line that is told, or by asking again and again."""
    held = who.process.world.policies[who.game].held
    player = await who.as_player(connected=held)
    matched: list[Match] = []
    queue = who.kernel.queue
    join = queue.join(who.game, player, matched.append) if held else queue.join(who.game, player)
    try:
        found = await who.process.ask(join)
    except Busy as busy:
        return busy.match if busy.user_id == player.user_id else None
    for _ in range(12):
        if isinstance(found, Match) or matched:
            return found if isinstance(found, Match) else matched[0]
        await asyncio.sleep(who.random.uniform(0.1, 0.6))
        if not held:
            found = await who.process.ask(queue.poll(who.game, player.user_id))
            if found is None:
                break
    if found is not None and not await who.process.ask(queue.leave(who.game, player.user_id)):
        who.person.tally["left too late"] += 1
    open_match: Match | None = await who.process.ask(
        who.kernel.finder.open_match_of(who.game, player.user_id)
    )
    return open_match


async def _room(who: Sitting) -> Match | None:
    """By a code that somebody passes on."""
    offers = who.person.world.offers(f"{who.game} by kernel")
    held = who.process.world.policies[who.game].held
    player = await who.as_player(connected=held)
    seating = who.kernel.seating
    if offers and who.random.random() < 0.8:
        code = offers.pop(who.random.randrange(len(offers)))
        match: Match | None = await who.process.ask(who.kernel.finder.find_code(who.game, code))
        if match is None:
            return None
        update: Update = await who.process.ask(seating.join(match.id, player))
        told(who.person.auditor, update)
        return update.after
    opened: Match = await who.process.ask(seating.open(who.game, player))
    assert opened.code is not None
    offers.append(opened.code)
    for _ in range(10):
        await asyncio.sleep(0.3)
        now: Match | None = await who.process.ask(who.kernel.finder.find(opened.id))
        if now is None or now.status != "waiting":
            return now
    await who.process.ask(seating.cancel(opened.id, 0))
    return None


async def _with_bot(who: Sitting) -> Match | None:
    player = await who.as_player(connected=who.process.world.policies[who.game].held)
    name = who.random.choice(tuple(bots(who.game)))
    bot = await who.process.ask(who.kernel.bot_accounts.player(who.game, name))
    match: Match = await who.process.ask(
        who.kernel.seating.start(who.game, (player, bot), mode="ai")
    )
    return match


async def _practice(who: Sitting) -> Match | None:
    """Against the easiest computer, for nothing."""
    player = await who.as_player(connected=who.process.world.policies[who.game].held)
    name = next(iter(bots(who.game)))
    match: Match = await who.process.ask(
        who.kernel.seating.start(who.game, (player, Player(name=name, bot=name)), mode="ai")
    )
    return match


async def _challenge(who: Sitting) -> Match | None:
    """Invite somebody, or answer an invitation."""
    user = await who.person.user()
    offers = who.person.world.offers(f"{who.game} to {user.id}")
    challenges = who.kernel.challenges
    if offers:
        challenge_id = offers.pop(0)
        if who.random.random() < 0.1:
            await who.process.ask(challenges.cancel(challenge_id))
            return None
        _, match = await who.process.ask(challenges.accept(challenge_id, _both))
        return match  # type: ignore[no-any-return]  # kernels are many, and not typed here
    others = [other for other in who.person.world.known_users() if other != user.id]
    if not others:
        return None
    opponent = who.random.choice(others)
    terms = Terms(who.random.choice((0, 5, 400, 2000)), 50, TIME_LIMIT_S)
    challenge: ChallengeRow | None = await who.process.ask(
        challenges.create(who.game, user.id, opponent, terms, CHALLENGE_MS)
    )
    assert challenge is not None
    who.person.world.offers(f"{who.game} to {opponent}").append(challenge.id)
    for _ in range(10):
        await asyncio.sleep(0.5)
        challenge = await who.process.ask(challenges.find(challenge.id))
        if challenge is None or challenge.status != "pending":
            break
    if challenge is None or challenge.match_id is None:
        return None
    found: Match | None = await who.process.ask(who.kernel.finder.find(challenge.match_id))
    return found


def _both(challenge: ChallengeRow) -> tuple[Player, Player]:
    return (
        Player(name=challenge.challenger_id, user_id=challenge.challenger_id),
        Player(name=challenge.opponent_id, user_id=challenge.opponent_id),
    )
