"""Memory of a server over thousands of games that are played to their end.

    python -m benchmarks.soak [--quick] [--json]

Pairs of guests play Connect 4 over the live socket, game after game: a new room, both sockets, the
shortest win, and both leave. Every game is a new match, and every so many games two new guests come
in place of two others. What the server holds (its resident memory) is noted at even distances; of
the second half of the run the slope says whether it levels off.
"""

from __future__ import annotations

import asyncio

import uvloop

from benchmarks.connect4_http import MOVES, Pair, meet, sit_down
from benchmarks.drawing import lines
from benchmarks.load import Http, resident_mb, server
from benchmarks.report import Figure, asked, show

AT_ONCE = 20
WIN = (0, 1, 0, 1, 0, 1, 0)
STAY = 50
"""So many games two guests play before others take their place."""
NOTES = 20


async def play_on(port: int, games: list[int], notes: list[float], every: int) -> None:
    """Until no game is left to play."""
    http = await Http.open(port)
    pair: Pair | None = None
    played = 0
    while games:
        number = games.pop()
        if pair is None or played % STAY == 0:
            pair = await meet(http, None)
        else:
            code = (await http.call("POST", "/api/games", pair.tokens[0]))["code"]
            joined = await http.call("POST", f"/api/games/join/{code}", pair.tokens[1])
            pair.public_id, pair.first = joined["publicId"], joined["game"]["currentTurn"] - 1
        played += 1
        table = await sit_down(port, pair)
        for turn, column in enumerate(WIN):
            table.sockets[(pair.first + turn) % 2].send(MOVES[column])
            await table.both_have_seen()
        table.close()
        if number % every == 0:
            notes.append(resident_mb(port))
    http.close()


async def run(port: int, count: int) -> list[Figure]:
    """So many games, and how much the server held meanwhile; `settings` say after how many."""
    games = list(range(count))
    notes = [resident_mb(port)]
    every = count // NOTES
    await asyncio.gather(*(play_on(port, games, notes, every) for _ in range(AT_ONCE)))
    figures = [
        Figure(f"after {place * every:,} games", held, "MB", settings={"games": place * every})
        for place, held in enumerate(notes)
    ]
    half = notes[len(notes) // 2 :]
    grown = (half[-1] - half[0]) / (len(half) - 1) / every * 1000
    figures.append(Figure("growth in the second half", grown, "MB per 1,000 games"))
    return figures


def figures(*, quick: bool) -> list[Figure]:
    """All notes, and the slope at last."""
    with server(ABANDON_THRESHOLD_SEC="3600") as port:
        return uvloop.run(run(port, 1_000 if quick else 20_000))


def plot(found: list[Figure]) -> str:
    """What was held, over the games played."""
    notes = [(float(each.settings["games"]), each.value) for each in found if each.settings]
    return lines("Resident memory, MB", {"server": notes}, "games played", powers=False)


def main() -> None:
    """Measure and print."""
    options = asked(__doc__)
    show("Memory over many games", figures(quick=options.quick), as_json=options.json)


if __name__ == "__main__":
    main()
