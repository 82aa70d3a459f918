"""Runs many seeds: `python -m tests.simulation --seeds 1000 [--from 0]`, or one: `--seed 17`."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from time import monotonic

import structlog

from tests.simulation.world import simulate

TELL_EVERY = 200


def attempt(seed: int) -> tuple[int, dict[str, int] | None, str]:
    """One seed in a worker; what went wrong comes back as text."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        return seed, simulate(seed), ""
    except Exception as broken:  # noqa: BLE001 (a kernel that raises has failed as well)
        return seed, None, repr(broken)


def main() -> int:
    parser = ArgumentParser(description="Simulate the kernel under faults.")
    parser.add_argument("--seeds", type=int, default=200, help="how many")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first one")
    parser.add_argument("--seed", type=int, help="just this one, with its log")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    if args.seed is not None:
        sys.stdout.write(f"{simulate(args.seed)}\n")
        return 0
    began, failed, steps = monotonic(), 0, 0
    seeds = range(args.first, args.first + args.seeds)
    with ProcessPoolExecutor(args.workers) as pool:
        for done, (seed, found, wrong) in enumerate(pool.map(attempt, seeds, chunksize=4), 1):
            steps += found["steps"] if found else 0
            if found is None:
                failed += 1
                again = f"python -m tests.simulation --seed {seed}"
                sys.stdout.write(f"seed {seed}: {wrong}\n  repeat it: {again}\n")
            if done % TELL_EVERY == 0:
                sys.stdout.write(f"{done} seeds, {steps} steps, {failed} failed\n")
    took = monotonic() - began
    sys.stdout.write(f"{len(seeds)} seeds, {steps} steps, {failed} failed, {took:.0f} s\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
