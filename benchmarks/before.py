"""This tree beside an earlier commit: REST moves, Memory, Connect Five and the start of a server.

    python -m benchmarks.before [--quick] [--json] [--only NAME] [--commit db94b13]

Both servers are driven by the same clients, in turn, each alone on the same core with its database
on the same disk at full durability (PostgreSQL shares the cores). The commit is unpacked and
installed by its own Makefile, once, in the system's temporary folder, and this tree too has only
what the server needs (`.venv-runtime`), and runs by the same Python, as Makefiles choose it in
different ways. Of each figure the middle one
of all rounds is shown, with the least and the greatest; a ratio is that of the two middle ones.
"""

from __future__ import annotations

import argparse
import gc
import http.client
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import uvloop
from msgspec import Struct
from msgspec.structs import replace

from benchmarks import connect4_http, connect_five, memory_ws
from benchmarks.load import CORES, HOST, cores, disk_of, free_port, place, server, start
from benchmarks.report import Figure, digits, show
from tests.servers.postgres import Postgres, shared

ROOT = Path(__file__).parent.parent
DB94B13 = "db94b13"
START_WITHIN_SEC = 60.0
MAKE = ("make", f"PYTHON={Path(sys.base_prefix) / 'bin' / 'python3'}")


class Plan(Struct, frozen=True):
    """How much is measured of each."""

    rounds: int
    games: int
    """One after another, over REST."""
    seconds: float
    starts: int


Work = Callable[[str, Plan], list[Figure]]
"""Measures the Parlour of one Python."""


def rest(python: str, plan: Plan) -> list[Figure]:
    """Connect 4 over REST."""
    with server(python, ABANDON_THRESHOLD_SEC="3600") as port:
        found = uvloop.run(connect4_http.measure(port, "rest", 100, plan.games))
    return _named("Connect 4 over", found)


def memory(python: str, plan: Plan) -> list[Figure]:
    """Memory over its socket."""
    with server(python, **memory_ws.SETTINGS) as port:
        return uvloop.run(memory_ws.Bench(100).play(port, plan.seconds))


def five(matches: int, postgres: Postgres | None) -> Work:
    """Connect Five with so many matches at once."""

    def work(python: str, plan: Plan) -> list[Figure]:
        with ExitStack() as stack:
            told, engine = {}, "SQLite"
            if postgres is not None:
                told["DATABASE_URL"] = stack.enter_context(connect_five.new_database(postgres))
                engine = "PostgreSQL"
            port = stack.enter_context(server(python, **told))
            wanted = connect_five.Plan((matches,), plan.seconds * (2 if matches > 100 else 1))
            return _named("Connect Five on", uvloop.run(connect_five.run(wanted, port, engine)))

    return work


def _named(game: str, found: list[Figure]) -> list[Figure]:
    return [replace(each, name=f"{game} {each.name}") for each in found]


class Starts:
    """Times starts of a server on a database that is there."""

    def __init__(self) -> None:
        self._folders: dict[str, tempfile.TemporaryDirectory[str]] = {}

    def __call__(self, python: str, plan: Plan) -> list[Figure]:
        if python not in self._folders:
            self._folders[python] = tempfile.TemporaryDirectory(prefix="parlour-start-")
            self._start(python)  # makes the database, and compiles what is imported
        took = [self._start(python) for _ in range(plan.starts)]
        return [Figure("start to first answer", median(took) * 1000, "ms")]

    def _start(self, python: str) -> float:
        port, began_at = free_port(), time.perf_counter()
        process = start(Path(self._folders[python].name), port, python)
        place(process.pid, CORES[:1])
        try:
            while not _answers(port):
                if time.perf_counter() - began_at > START_WITHIN_SEC:
                    raise TimeoutError("the server did not start")
                time.sleep(0.002)
            return time.perf_counter() - began_at
        finally:
            process.terminate()
            process.wait()


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=START_WITHIN_SEC)
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def installed(commit: str) -> str:
    """The Python that has the Parlour of that commit."""
    folder = Path(tempfile.gettempdir()) / f"parlour-before-{commit}"
    python = folder / ".venv" / "bin" / "python"
    if not (folder / ".venv" / ".runtime").exists():
        folder.mkdir(exist_ok=True)
        packed = subprocess.run(
            ["git", "archive", commit], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)
        subprocess.run([*MAKE, "-C", str(folder), ".venv/.runtime"], stdout=sys.stderr, check=True)
    return str(python)


def installed_here() -> str:
    """The same for this tree, without what only developers need."""
    made = ".venv-runtime/.runtime"
    subprocess.run([*MAKE, "VENV=.venv-runtime", made], cwd=ROOT, stdout=sys.stderr, check=True)
    return str(ROOT / ".venv-runtime" / "bin" / "python")


def check_same(*pythons: str) -> None:
    """Two that were installed at different times may be by different Pythons; then it ends here."""
    ask = "import sys; print(sys.version, sys.base_prefix)"
    told = {subprocess.check_output([python, "-c", ask]) for python in pythons}
    if len(told) > 1:
        folders = ", ".join(str(Path(python).parent.parent) for python in pythons)
        raise SystemExit(f"These are of different Pythons: {folders}. Remove them and try again.")


def compare(work: Work, before: str, now: str, commit: str, plan: Plan) -> list[Figure]:
    """Both in turn; the first of a round is the second of the next."""
    taken: dict[tuple[str, str], list[Figure]] = {}
    sides = [(commit, before), ("now", now)]
    for _ in range(plan.rounds):
        for side, python in sides:
            for figure in work(python, plan):
                taken.setdefault((side, figure.name), []).append(figure)
        sides.reverse()
    found: list[Figure] = []
    names = dict.fromkeys(name for _, name in taken)
    for name in names:
        old, new = taken[commit, name], taken["now", name]
        was = median(figure.value for figure in old)
        found.append(_middle(f"{name}, {commit}", old))
        is_now = _middle(f"{name}, now", new)
        ratio = Figure(
            is_now.name, is_now.value, is_now.unit, is_now.value / was, commit, is_now.settings
        )
        found.append(ratio)
    return found


def _middle(name: str, rounds: list[Figure]) -> Figure:
    values = sorted(figure.value for figure in rounds)
    spread = " to ".join(f"{value:,.{digits(value)}f}" for value in (values[0], values[-1]))
    return Figure(
        name, median(values), rounds[0].unit, settings={"from": spread, **rounds[-1].settings}
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a minute or two, for a first look")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--only", action="append", help="one of what is measured, by its name")
    parser.add_argument("--commit", default=DB94B13, help="what it is compared with")
    given = parser.parse_args()
    found = figures(quick=given.quick, commit=given.commit, only=given.only)
    where = f"{cores()} cores, databases on {disk_of(Path(tempfile.gettempdir()))}"
    show(f"Beside {given.commit} ({where})", found, as_json=given.json)


def figures(
    *, quick: bool, commit: str = DB94B13, only: Collection[str] | None = None
) -> list[Figure]:
    """All that is compared, or some of it."""
    plan = Plan(1, 2, 3, 3) if quick else Plan(3, 4, 6, 5)
    gc.disable()  # the players' garbage is not the server's
    before, now = installed(commit), installed_here()
    check_same(before, now)
    postgres = shared("before", synced=True)
    works: dict[str, Work] = {
        "rest": rest,
        "memory": memory,
        "five-100": five(100, None),
        "five-1000": five(1000, None),
        "five-pg-100": five(100, postgres),
        "five-pg-1000": five(1000, postgres),
        "start": Starts(),
    }
    found: list[Figure] = []
    try:
        for name, work in works.items():
            if only is None or name in only:
                found += compare(work, before, now, commit, plan)
    finally:
        gc.enable()
        postgres.remove()
    return found


if __name__ == "__main__":
    main()
