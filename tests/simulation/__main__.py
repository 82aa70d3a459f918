"""Runs many seeds: `python -m tests.simulation --seeds 1000 [--from 0]`, or one: `--seed 17`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from time import monotonic

from tests.simulation.plan import plan_of
from tests.simulation.runner import again, attempt, pool

TELL_EVERY_S = 10.0


def main() -> int:
    parser = ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="how many")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first one")
    parser.add_argument("--seed", type=int, help="just this one")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.seeds) if args.seed is None else [args.seed]
    began = told = monotonic()
    failed, total = 0, Counter[str]()
    with pool(min(args.workers, len(seeds))) as workers:
        for done, found in enumerate(workers.map(attempt, seeds, chunksize=1), 1):
            total.update(found.tally)
            if found.wrong:
                failed += 1
                _say(f"seed {found.seed} ({plan_of(found.seed).kind}) failed: {found.wrong}")
                _say(f"  repeat it: {again(found.seed)}")
            if monotonic() - told > TELL_EVERY_S:
                told = monotonic()
                _say(_progress(done, total, failed, told - began))
    _say(_progress(len(seeds), total, failed, monotonic() - began))
    for what, count in sorted(total.items()):
        _say(f"  {count:>9} {what}")
    return 1 if failed else 0


def _progress(done: int, total: Counter[str], failed: int, took: float) -> str:
    seconds = max(1, total["cpu_ms"]) / 1000
    return (
        f"{done} seeds, {total['matches']} games, {total['steps']} steps, {failed} failed;"
        f" {took:.0f} s, {total['steps'] / seconds:.0f} steps and"
        f" {total['matches'] / seconds:.0f} games per second of processor"
    )


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
