"""Parlour beside its peers: Connect 4 over sockets, each server alone on one core.

    make bench-peers [QUICK=1]

Parlour plays on SQLite at full durability: a move is told when it is on disk. Colyseus and a bare
server on `ws` keep theirs in memory. Servers take turns, so that what else the machine does meets
all of them. Players are a program in C where there is a compiler, and then once more in Node, where
they take longer to answer. The figures are printed and written to docs/benchmarks.md, with plots
beside it.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import msgspec

from benchmarks import before, cluster, growth, soak
from benchmarks.load import CORES, HOST, await_start, disk_of, free_port, place
from benchmarks.peers.page import Measured, Section, Where, page, plots, table
from benchmarks.report import asked

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs"
PEERS = ("parlour", "colyseus", "bare")
FINISH_WITHIN_SEC = 300
IDLE_SOCKETS = 5000
IDLE_SEC = 8


@contextmanager
def serving(peer: str) -> Iterator[tuple[int, int]]:
    """A fresh server on the first core; its port and process."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="parlour-peers-") as folder:
        settings = {
            "PORT": str(port),
            "HOST": HOST,
            "NODE_ENV": "production",
            "RATE_LIMITS": "off",
            "MAX_CONNECTIONS_PER_ADDRESS": "20000",
            "ABANDON_THRESHOLD_SEC": "3600",
            "DATABASE_URL": f"sqlite:///{folder}/parlour.db",
        }
        command = (
            [sys.executable, "-c", "from parlour.cli import main; main()", "serve"]
            if peer == "parlour"
            else ["node", str(HERE / f"{peer}.mjs")]
        )
        process = subprocess.Popen(
            command,
            env=os.environ | settings,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        place(process.pid, CORES[:1])
        try:
            await_start(port)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait()


@contextmanager
def compiled() -> Iterator[Path | None]:
    """The players of `players.c`; None: there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="parlour-players-") as folder:
        program = Path(folder) / "players"
        subprocess.run([compiler, "-O2", "-o", program, HERE / "players.c"], check=True)
        yield program


def load(
    peer: str, what: str, count: int, seconds: float, players: Path | None = None
) -> dict[str, float]:
    """What `load.mjs` measured of a fresh server, by its own players or those of a program."""
    by = {} if players is None else {"PLAYERS": str(players)}
    with serving(peer) as (port, pid):
        ran = subprocess.run(
            ["node", str(HERE / "load.mjs"), peer, *map(str, (port, pid, what, count, seconds))],
            env=os.environ | by,
            stdout=subprocess.PIPE,
            check=True,
            timeout=FINISH_WITHIN_SEC,
            preexec_fn=lambda: place(0, CORES[1:] or CORES),
        )
    found: dict[str, float] = msgspec.json.decode(ran.stdout)
    return found


def middle(rounds: list[dict[str, float]]) -> dict[str, float]:
    """Of each figure the middle one."""
    return {name: median(each[name] for each in rounds) for name in rounds[0]}


def measure(
    games: tuple[int, ...], rounds: int, seconds: float, players: Path | None
) -> list[Measured]:
    """Everything that is played, server by server within each round."""
    found: list[Measured] = []
    for count in games:
        taken: dict[str, list[dict[str, float]]] = {peer: [] for peer in PEERS}
        for _ in range(rounds):
            for peer in PEERS:
                taken[peer].append(load(peer, "play", count, seconds, players))
                print(f"{peer}, {count} games: {taken[peer][-1]['moves_per_sec']:,.0f} moves/s")
        found += [Measured(peer, count, middle(taken[peer])) for peer in PEERS]
    return found


def weigh(sockets: int) -> list[Measured]:
    """What so many cost that are idle."""
    found = [Measured(peer, 0, load(peer, "idle", sockets, IDLE_SEC)) for peer in PEERS]
    for each in found:
        print(f"{each.peer}, idle: {each.figures['kb_per_socket']:.1f} KB a socket")
    return found


def where() -> Where:
    """What it ran on."""
    git = ["git", "-C", str(HERE), "describe", "--always", "--dirty", "--abbrev=10"]
    cpu = [
        line.partition(": ")[2]
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    node = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, check=True)
    locked = msgspec.json.decode((HERE / "package.json").read_bytes())["dependencies"]
    return Where(
        commit=subprocess.run(git, stdout=subprocess.PIPE, check=True).stdout.decode().strip(),
        day=datetime.now(UTC).date().isoformat(),
        machine=f"{len(CORES)} cores of {cpu[0] if cpu else platform.machine()}",
        disk=disk_of(Path(tempfile.gettempdir())),
        python=platform.python_version(),
        node=node.stdout.decode().strip().removeprefix("v"),
        colyseus=locked["@colyseus/core"],
        ws=locked["ws"],
    )


def besides(*, quick: bool) -> tuple[list[Section], dict[str, str]]:
    """What Parlour has no peer for; and the pictures of it, by their file names."""
    earlier = before.figures(quick=quick)
    apart = cluster.figures(quick=quick)
    grown = growth.figures(quick=quick)
    soaked = soak.figures(quick=quick)
    sections = [
        Section(
            f"Beside {before.DB94B13}",
            "An earlier commit and this one in turn, driven by the same clients, each alone on the"
            " same core.",
            earlier,
        ),
        Section(
            "Two processes",
            "Connect 4 on PostgreSQL, both players at one process, and each at another of two that"
            " share a\ndatabase and a Valkey; processor time of all of Parlour's processes.",
            apart,
        ),
        Section(
            "As matches grow",
            "Fifty games are played while others rest in memory, or were played before.",
            grown,
            "benchmarks-growth.svg",
        ),
        Section(
            "Memory",
            "Games played to their end, one after another; what is over for a minute is put away.",
            [soaked[0], soaked[len(soaked) // 2], *soaked[-2:]],
            "benchmarks-memory.svg",
        ),
    ]
    pictures = {
        "benchmarks-growth.svg": growth.plot(grown),
        "benchmarks-memory.svg": soak.plot(soaked),
    }
    return sections, pictures


def main() -> None:
    quick = asked(__doc__).quick
    games, rounds, seconds = ((50, 500), 1, 2) if quick else ((1, 50, 500, 2000), 3, 6)
    in_node: list[Measured] = []
    with compiled() as players:
        found = measure(games, rounds, seconds, players)
        if players is not None:
            in_node = measure(games[-3:], 1, seconds, None)
    found += weigh(1000 if quick else IDLE_SOCKETS)
    print(table(found))
    print(table(in_node))
    sections, pictures = besides(quick=quick)
    (DOCS / "benchmarks.md").write_text(page(found, in_node, sections, where(), quick=quick))
    for name, drawn in (plots(found) | pictures).items():
        (DOCS / "images" / name).write_text(drawn)


if __name__ == "__main__":
    main()
