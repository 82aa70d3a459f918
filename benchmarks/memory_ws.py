"""Memory over its socket: full games per second, and how soon a flip is on both screens.

    python -m benchmarks.memory_ws [--quick] [--json]

So many games are played at once, each by two sockets to one server with every step on disk. The
players remember every card they saw. Whoever is to move flips as soon as both have got the state
after the flip before, so the games keep the server busy without a pause; mismatched cards are
hidden at once. Who has finished a game plays again, with whomever the queue finds. The time of a
flip is counted from its sending until the later of both players has got the new state.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
from pathlib import Path
from time import perf_counter

import msgspec
import uvloop
from msgspec import Struct

from benchmarks.load import Http, Socket, Spent, cores, disk_of, frame, server
from benchmarks.report import Figure, asked, show

GAMES = (1, 100, 1_000)
SETTLE_SEC = 1.0
"""How long all play before it is measured."""
DOORS = 8
"""How many come in at a time."""

FLIPS = [frame(b'{"type":"flip_card","index":%d}' % index) for index in range(16)]
QUEUE = frame(b'{"type":"set_name","name":"Bench"}')
AGAIN = frame(b'{"type":"play_again"}')


class Card(Struct, rename="camel", gc=False):
    """A card as a player sees it."""

    index: int
    state: str
    pair_id: int = -1


class Seen(Struct, tag="game_state", rename="camel", gc=False):
    """What a player needs of a state."""

    cards: list[Card]
    your_turn: bool
    flipped_indices: list[int]
    phase: str


class Found(Struct, tag="match_found", rename="camel"):
    """Which game one is in."""

    game_id: str


class Over(Struct, tag="game_over"):
    """The last thing one hears of a game."""


class Waiting(Struct, tag="waiting_for_match"):
    """In the queue."""


DECODER = msgspec.json.Decoder(Found | Over | Waiting)
SEEN = msgspec.json.Decoder(Seen)
STATE = b'{"type":"game_state"'


class Table:
    """One game, played by both sides with what both have seen."""

    def __init__(self) -> None:
        self.players: list[Player] = []
        self.known: dict[int, int] = {}
        self.flipped_at = 0.0
        self.shown = 0

    def sees(self, bench: Bench, player: Player, said: bytes) -> None:
        """A state came to one of the two; once it is on both screens, the next flip goes out."""
        player.shown += 1
        if player is self.players[0]:
            player.said = said
        if len(self.players) < 2 or self.players[0].shown != self.players[1].shown:
            return
        if self.flipped_at:
            bench.flips.append(perf_counter() - self.flipped_at)
            self.flipped_at = 0.0
        first, second = self.players
        seen = SEEN.decode(first.said)
        for card in seen.cards:
            if card.state != "hidden":
                self.known[card.index] = card.pair_id
        if seen.phase == "resolve":
            return
        hidden = [card.index for card in seen.cards if card.state == "hidden"]
        if hidden:
            mover = first if seen.your_turn else second
            index = self._choice(hidden, seen.flipped_indices)
            self.flipped_at = perf_counter()
            mover.socket.send(FLIPS[index])

    def _choice(self, hidden: list[int], flipped: list[int]) -> int:
        unknown = [index for index in hidden if index not in self.known]
        remembered = {self.known[index]: index for index in hidden if index in self.known}
        if flipped:
            return remembered.get(self.known[flipped[0]], unknown[0] if unknown else hidden[0])
        for index in hidden:
            partner = remembered.get(self.known.get(index, -1), index)
            if partner != index:
                return index
        return unknown[0] if unknown else hidden[0]


class Player:
    """One socket, which plays one game after another."""

    socket: Socket

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._table: Table | None = None
        self.shown = 0
        self.said = b""

    def hear(self, said: bytes) -> None:
        """A message came."""
        if self._bench.over:
            return
        if said.startswith(STATE):
            assert self._table is not None
            self._table.sees(self._bench, self, said)
            return
        message = DECODER.decode(said)
        if isinstance(message, Found):
            self.shown = 0
            self._table = self._bench.tables.setdefault(message.game_id, Table())
            self._table.players.append(self)
            if len(self._table.players) == 2:
                del self._bench.tables[message.game_id]
        elif isinstance(message, Over):
            self._bench.finished += 1
            self.socket.send(AGAIN)


class Bench:
    """All players, and what is counted."""

    def __init__(self, games: int) -> None:
        self._games = games
        self.tables: dict[str, Table] = {}
        """Games of which one player has heard."""
        self.finished = 0
        """Players who heard the end of a game: two a game."""
        self.flips: list[float] = []
        self.over = False

    async def play(self, port: int, seconds: float) -> list[Figure]:
        """For so long, once all are at it."""
        players = [Player(self) for _ in range(2 * self._games)]
        await asyncio.gather(*(self._enter(port, players[n::DOORS]) for n in range(DOORS)))
        await asyncio.sleep(SETTLE_SEC)
        self.finished, self.flips = 0, []
        with Spent(port) as spent:
            await asyncio.sleep(seconds)
        finished, flips = self.finished / 2, self.flips
        self.over = True
        for player in players:
            player.socket.close()
        name = f"Memory, {self._games:,} at once"
        rate = Figure(f"{name}: whole games", finished / spent.sec, "games/s")
        return [*spent.figures(name, "flip", flips), rate]

    async def _enter(self, port: int, players: list[Player]) -> None:
        """One after the other comes in and begins to play."""
        http = await Http.open(port)
        for player in players:
            token = (await http.call("POST", "/api/auth/guest", body={}))["token"]
            player.socket = await Socket.open(port, "/ws", token, player.hear)
            player.socket.send(QUEUE)
        http.close()


SETTINGS = {"REVEAL_DURATION_MS": "0", "AI_PAIR_TIMEOUT_SEC": "100000"}


def main() -> None:
    """Measure and print."""
    how = asked(__doc__)
    gc.disable()  # the players' garbage is not the server's
    figures: list[Figure] = []
    for games in GAMES:
        with server(**SETTINGS) as port:
            figures += uvloop.run(Bench(games).play(port, 2.0 if how.quick else 15.0))
    where = f"{cores()} cores, database on {disk_of(Path(tempfile.gettempdir()))}"
    show(f"Memory over its socket ({where})", figures, as_json=how.json)


if __name__ == "__main__":
    main()
