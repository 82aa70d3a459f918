"""A worker process: it is handed one job after another, and answers each.

    python -m parlour.play.worker        (its standard input is a socket)

It ends when the other side of the socket does, so none outlives its server.

Laws:

* Whoever else wants a processor has it within `GIVE_WAY_S`, whatever a job is at.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import socket
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedRWPair
from typing import Any, Final

from msgspec import Struct, json

from parlour import games
from parlour.games.registry import all_rules, bots

HEAD: Final = 4
"""Bytes before each message that tell its length."""
NICE: Final = 19
"""How far workers stand back: a player's move goes before any thought."""
GIVE_WAY_S: Final = 0.0002
"""How often a thought lets others go first: what a move takes is of that order."""


class Ready(Struct, frozen=True, tag="ready"):
    """It has loaded all it needs, and compiled what it was to compile."""


class Answer(Struct, frozen=True, tag="answer"):
    """What came of a job."""

    value: Any


class Failure(Struct, frozen=True, tag="failure"):
    """Nothing came of a job: it raised this."""

    text: str


Told = Ready | Answer | Failure

DECODER: Final = json.Decoder(Told)


def framed(body: bytes) -> bytes:
    """A message as it goes over the socket."""
    return len(body).to_bytes(HEAD, "big") + body


def serve(line: BufferedRWPair) -> None:
    """Answer until nobody asks any more."""
    # Who can write here is the server that started this process.
    found_in, prepare = pickle.loads(_heard(line))  # noqa: S301 (see above)
    games.__path__[:] = found_in
    for key in all_rules():
        bots(key)
    if prepare is not None:
        prepare()
    _say(line, Ready())
    while body := _heard(line):
        budget_s, job = pickle.loads(body)  # noqa: S301 (see above)
        ends = time.monotonic() + budget_s
        try:
            with _giving_way():
                told: Told = Answer(job.run(lambda ends=ends: ends - time.monotonic()))
        except Exception:  # noqa: BLE001 (it is told, and the server decides)
            told = Failure(traceback.format_exc())
        _say(line, told)


def _heard(line: BufferedRWPair) -> bytes:
    """The next message; empty: there is none any more."""
    head = line.read(HEAD)
    size = int.from_bytes(head, "big") if len(head) == HEAD else 0
    body = line.read(size)
    return body if len(body) == size else b""


def _say(line: BufferedRWPair, told: Told) -> None:
    line.write(framed(json.encode(told)))
    line.flush()


def _stand_back() -> None:
    """Run when nobody else would, so that who wakes up need not wait for a thought to pause."""
    os.nice(NICE)
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):  # where that is not allowed, being nice has to do
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _yield_when_told() -> None:
    """Have SIGALRM give the processor to whoever else wants it.

    Its handler is the system call itself. One in Python would have to wait until compiled code
    returns, which may be as long as the thought.
    """
    if not hasattr(signal, "setitimer"):
        return
    libc = ctypes.CDLL(None)
    libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    libc.signal.restype = ctypes.c_void_p
    libc.signal(signal.SIGALRM, ctypes.cast(libc.sched_yield, ctypes.c_void_p))


@contextmanager
def _giving_way() -> Iterator[None]:
    """Let others go first, again and again.

    To be idle is not enough: a process that had to wait for its share, however small, is then let
    run on until the system looks at its clock again, which may be 4 ms later.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, GIVE_WAY_S, GIVE_WAY_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main() -> None:
    """Be one."""
    _stand_back()
    _yield_when_told()
    with socket.socket(fileno=os.dup(0)) as ours, ours.makefile("rwb") as line:
        try:
            serve(line)
        except ConnectionError:
            return  # the server is gone


if __name__ == "__main__":
    main()
