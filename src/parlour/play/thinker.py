"""One worker process as the server has it: started, asked one thing at a time, ended.

Laws:

* Whatever the process does (it dies, hangs, raises, says what makes no sense), who asked hears of
  it in time, as `Failed`; such a process is not asked again.
* It is ended for good: nothing of it is left running.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol

import msgspec

from parlour import games
from parlour.play.worker import DECODER, HEAD, Answer, Failure, Told, framed

COMMAND: Final = (sys.executable, "-P", "-m", "parlour.play.worker")
LARGEST: Final = 64 * 1024
"""Bytes of an answer. A longer one is none of ours."""

Why = Literal["died", "hung", "raised", "nonsense"]


class Failed(Exception):
    """A worker process is of no use any more."""

    def __init__(self, why: Why, detail: str = "") -> None:
        super().__init__(why, detail)
        self.why: Why = why
        self.detail = detail


class Asked(Protocol):
    """Something to be worked out elsewhere; it is pickled on its way."""

    def run(self, time_left: Callable[[], float]) -> Any:
        """In the worker process: an answer that JSON can tell."""
        ...

    def read(self, answer: Any) -> Any:
        """Here: what it means; `ValueError` if it makes no sense."""
        ...


class Thinker(asyncio.Protocol):
    """A worker process and the socket to it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._told: asyncio.Future[Told] | None = None
        self.failed: Failed | None = None
        """Why it is of no use any more, be it that nobody asked it anything."""

    @classmethod
    async def start(
        cls,
        prepare: Callable[[], object] | None,
        patience_s: float,
        command: Sequence[str] = COMMAND,
    ) -> Thinker:
        """A process that is ready, after it has called `prepare`; or `Failed`."""
        ours, theirs = socket.socketpair()
        with theirs:
            # It returns once the program is loaded: a millisecond, and nothing to clean up after
            # who is cancelled meanwhile.
            process = subprocess.Popen(  # noqa: S603, ASYNC220 (a program of our own; see above)
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(p or "." for p in sys.path)},
                # Ctrl-C in a terminal is for the server. A session of its own would have a share of
                # the processor of its own, too, where the system shares it out by sessions.
                process_group=0,
            )
        thinker = cls(process)
        try:
            await asyncio.get_running_loop().create_unix_connection(lambda: thinker, sock=ours)
            await thinker._ask(pickle.dumps((list(games.__path__), prepare)), patience_s)
        except BaseException:
            await asyncio.shield(thinker.end())
            raise
        return thinker

    @property
    def pid(self) -> int:
        """Which process it is."""
        return self._process.pid

    async def ask(self, job: Asked, budget_s: float, patience_s: float) -> Any:
        """What it answers, given that much time; `Failed` once its time and patience are over."""
        told = await self._ask(pickle.dumps((budget_s, job)), budget_s + patience_s)
        if isinstance(told, Failure):
            raise Failed("raised", told.text)
        if not isinstance(told, Answer):
            raise Failed("nonsense", repr(told))
        try:
            return job.read(told.value)
        except ValueError as error:
            raise Failed("nonsense", str(error)) from None

    async def _ask(self, body: bytes, patience_s: float) -> Told:
        if self.failed is not None:
            raise self.failed
        assert self._transport is not None
        loop = asyncio.get_running_loop()
        self._told = loop.create_future()
        self._transport.write(framed(body))
        patience = loop.call_later(patience_s, self._fail, Failed("hung"))
        try:
            return await self._told
        finally:
            patience.cancel()
            self._told = None

    async def end(self) -> None:
        """Whatever it is at. Once this is over, so is the process."""
        self._process.kill()
        if self._transport is not None:
            self._transport.abort()
        await asyncio.to_thread(self._process.wait)

    # --- what the socket brings -------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It can be spoken to."""
        self._transport = transport  # type: ignore[assignment]  # uvloop's is no subclass

    def data_received(self, data: bytes) -> None:
        """A message, or a part of one."""
        self._received += data
        size = int.from_bytes(self._received[:HEAD], "big")
        if len(self._received) < HEAD or len(self._received) < HEAD + size <= HEAD + LARGEST:
            return
        body, self._received = self._received[HEAD:], b""
        try:
            told = DECODER.decode(body)
        except msgspec.DecodeError as error:
            self._fail(Failed("nonsense", str(error)))
            return
        if self._told is None or self._told.done():
            self._fail(Failed("nonsense", "it spoke unasked"))
        else:
            self._told.set_result(told)

    def connection_lost(self, exc: Exception | None) -> None:
        """The process is gone."""
        self._fail(Failed("died", repr(exc) if exc else ""))

    def _fail(self, failed: Failed) -> None:
        self.failed = self.failed or failed
        if self._told is not None and not self._told.done():
            self._told.set_exception(self.failed)
