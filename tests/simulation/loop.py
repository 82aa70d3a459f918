"""An event loop whose time is made up, and on which whole processes can die or stand still.

Time passes only when nobody has anything to do. Every callback belongs to the simulated process in
whose context it was asked for: those of a process that died are never run, as if the machine had
been switched off between two instructions; those of one that was stopped wait until it goes on.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from heapq import heappop, heappush
from typing import Any, Literal

from msgspec import Struct

RUNNING: Literal["running"] = "running"


class Scheduled:
    """Whose callbacks the loop runs, keeps for later, or forgets."""

    def __init__(self) -> None:
        self.state: Literal["running", "stopped", "dead"] = RUNNING
        self.kept: list[Handle] = []
        """What a stopped process will have to do when it goes on, and a dead one never does."""


OWNER: ContextVar[Scheduled | None] = ContextVar("OWNER", default=None)


class Stuck(Exception):
    """Nothing can ever happen again, and the simulation is not over."""


class Handle(Struct):
    """A callback, and as a timer also when; asyncio's own ones are several times as dear."""

    callback: Callable[..., object] | None
    args: Any
    context: Context
    at: float = 0.0

    def cancel(self) -> None:
        self.callback = None
        self.args = ()

    def cancelled(self) -> bool:
        return self.callback is None

    def when(self) -> float:
        return self.at


class FakeTimeLoop(asyncio.BaseEventLoop):
    """Deterministic: no threads, no files, no wall clock."""

    # The signatures below are those of asyncio, but for how precisely they say what is passed on.

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self._soon: deque[Handle] = deque()
        self._later: dict[float, list[Handle]] = {}
        self._times: list[float] = []
        """By time what is to be done then, and those times as a heap."""
        self.complaints: list[str] = []
        """What was raised where nobody could catch it."""

    def time(self) -> float:
        return self.now

    def call_soon(  # type: ignore[override]  # see above
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Any:
        handle = Handle(callback, args, context if context is not None else copy_context())
        self._soon.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]  # there are no threads

    def call_later(  # type: ignore[override]  # see above
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> Any:
        return self._at(self.now + delay, callback, args, context)

    def call_at(  # type: ignore[override]  # see above
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> Any:
        return self._at(when, callback, args, context)

    def _at(
        self, when: float, callback: Callable[..., object], args: Any, context: Context | None
    ) -> Handle:
        handle = Handle(callback, args, context if context is not None else copy_context(), when)
        others = self._later.get(when)
        if others is None:
            self._later[when] = [handle]
            heappush(self._times, when)
        else:
            others.append(handle)
        return handle

    def go_on(self, process: Scheduled) -> None:
        """A stopped process continues with what has come due."""
        process.state = RUNNING
        kept, process.kept = process.kept, []
        self._soon.extend(kept)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """An exception that nobody retrieved, or a callback's own."""
        self.complaints.append(f"{context.get('message')}: {context.get('exception')!r}")

    def _run_once(self) -> None:
        soon, later, times = self._soon, self._later, self._times
        while not self._stopping:  # type: ignore[attr-defined]  # asyncio's own, untyped
            while soon:
                handle = soon.popleft()
                callback = handle.callback
                if callback is None:
                    continue
                owner = handle.context.get(OWNER)
                if owner is not None and owner.state is not RUNNING:
                    owner.kept.append(handle)
                    continue
                try:
                    handle.context.run(callback, *handle.args)
                except (SystemExit, KeyboardInterrupt):
                    raise
                except BaseException as error:  # noqa: BLE001 (as asyncio's loops do)
                    self.call_exception_handler(
                        {"message": f"{callback!r} raised", "exception": error}
                    )
            if self._stopping:  # type: ignore[attr-defined]  # set by what was run
                return
            if not times:
                raise Stuck
            when = heappop(times)
            due = [handle for handle in later.pop(when) if handle.callback is not None]
            if due:
                self.now = max(self.now, when)
                soon.extend(due)

    def _process_events(self, event_list: list[Any]) -> None:
        """Nothing comes from outside."""

    def _write_to_self(self) -> None:
        """Nobody needs to be woken."""
