"""A worker process: it is handed one job after another, and answers each.

    python -m parlour.play.worker        (its standard input is a socket)

It ends when the other side of the socket does, so none outlives its server.
"""

from __future__ import annotations

import os
import pickle
import socket
import time
import traceback
from contextlib import suppress
from io import BufferedRWPair
from typing import Any, Final

from msgspec import Struct, json

from parlour import games
from parlour.games.registry import all_rules, bots

HEAD: Final = 4
"""Bytes before each message that tell its length."""
NICE: Final = 19
"""How far workers stand back: a player's move goes before any thought."""


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


def main() -> None:
    """Be one."""
    _stand_back()
    with socket.socket(fileno=os.dup(0)) as ours, ours.makefile("rwb") as line:
        try:
            serve(line)
        except ConnectionError:
            return  # the server is gone


if __name__ == "__main__":
    main()
