"""Memory of a server over tens of thousands of games that are played to their end.

    python -m benchmarks.soak [--quick] [--json]

Pairs of guests play Connect 4 over the live socket, game after game: a new room, both sockets, the
shortest win, and both leave. Every game is a new match, and every so many games two new guests come
in place of two others. What the server holds (its resident memory) is noted at even times.

What is kept, and for how long: a match until nobody has used it for a minute, looked at every ten
seconds; tokens and users that were asked for, 10,000 of each for a minute; the last 1,000 games as
they were shown. So what it holds rises for somewhat more than a minute, by as much as is played in
that time, and should be level from then on: the run takes five, and the slope is that of the last
three.
"""

from __future__ import annotations

import asyncio
import time

import uvloop

from benchmarks.connect4_http import MOVES, Pair, meet, sit_down
from benchmarks.drawing import lines
from benchmarks.load import Http, resident_mb, server
from benchmarks.report import Figure, asked, show

AT_ONCE = 20
WIN = (0, 1, 0, 1, 0, 1, 0)
STAY = 50
"""So many games two guests play before others take their place."""
SECONDS = 300.0
KEPT_SECONDS = 120.0
"""By when as much is put away as is added: a minute, and a while to get to it."""
NOTES = 20


class Course:
    """How far it has come."""

    def __init__(self, seconds: float) -> None:
        self.until = time.monotonic() + seconds
        self.games = 0


async def play_on(port: int, course: Course) -> None:
    """Until the time is over."""
    http = await Http.open(port)
    pair: Pair | None = None
    played = 0
    while time.monotonic() < course.until:
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
        course.games += 1
    http.close()


async def take_notes(port: int, course: Course, seconds: float) -> list[Figure]:
    """What is held at even times, from the beginning to the end."""
    began_at = course.until - seconds
    figures = []
    for place in range(NOTES + 1):
        at = seconds * place / NOTES
        await asyncio.sleep(began_at + at - time.monotonic())
        told = {"seconds": round(at, 1), "games": course.games}
        name = f"after {at:,.0f} s, {course.games:,} games"
        figures.append(Figure(name, resident_mb(port), "MB", settings=told))
    return figures


async def run(port: int, seconds: float) -> list[Figure]:
    """That long, and how much the server held meanwhile; the slope at last."""
    course = Course(seconds)
    playing = [asyncio.ensure_future(play_on(port, course)) for _ in range(AT_ONCE)]
    notes = await take_notes(port, course, seconds)
    await asyncio.gather(*playing)
    since = min(KEPT_SECONDS, seconds / 2)
    level = [note for note in notes if note.settings["seconds"] >= since]
    first, last = level[0], level[-1]
    games = last.settings["games"] - first.settings["games"]
    grown = (last.value - first.value) / max(games, 1) * 1000
    return [*notes, Figure(f"growth after {since:,.0f} s", grown, "MB per 1,000 games")]


def figures(*, quick: bool) -> list[Figure]:
    """All notes, and the slope at last."""
    with server(ABANDON_THRESHOLD_SEC="3600") as port:
        return uvloop.run(run(port, 5.0 if quick else SECONDS))


def plot(found: list[Figure]) -> str:
    """What was held, over the time."""
    notes = [(float(each.settings["seconds"]), each.value) for each in found if each.settings]
    return lines("Resident memory, MB", {"server": notes}, "seconds of games", powers=False)


def main() -> None:
    """Measure and print."""
    options = asked(__doc__)
    show("Memory over many games", figures(quick=options.quick), as_json=options.json)


if __name__ == "__main__":
    main()
