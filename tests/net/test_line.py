"""Lines of one server: what is read in a turn of the loop, heard after it, and written at last."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any, cast

import pytest
import structlog
from websockets.frames import Frame, Opcode

from parlour.microtasks import Microtasks
from parlour.net import tidying
from parlour.net.admission import Slot
from parlour.net.frames import text_frame
from parlour.net.line import AT_LEISURE, UNREAD, Line, Lines


class Wire:
    """The other end of a transport: every write, and how it was closed."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.aborted = False
        self.unread = 0

    def write(self, data: bytes) -> None:
        assert not self.aborted
        self.writes.append(data)

    def abort(self) -> None:
        self.aborted = True

    def close(self) -> None: ...

    def get_extra_info(self, name: str) -> None:
        del name

    def is_closing(self) -> bool:
        return self.aborted

    def can_write_eof(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return self.unread


class Listens:
    """Says back what it hears."""

    def __init__(self, line: Line, heard: list[str]) -> None:
        self._line = line
        self._heard = heard
        self.gone: int | None = None

    def hear(self, message: str | bytes) -> None:
        assert isinstance(message, str)
        if message == "break":
            raise RuntimeError("secret detail")
        self._heard.append(message)
        self._line.say(message.encode())

    def hang_up(self, code: int, why: str) -> None:
        del why
        self.gone = code

    def finish(self) -> None: ...


class Server:
    """Lines with somebody at both ends."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.heard: list[str] = []
        self.lines = Lines(loop, set(), set(), Microtasks(), ping_every_sec=3600)

    def line(self) -> tuple[Line, Wire, Listens]:
        wire = Wire()
        line = Line(self.lines, cast("Any", wire), cast("Slot", Released()))
        listens = Listens(line, self.heard)
        line.open(listens)
        return line, wire, listens


class Released:
    """A place that nobody waits for."""

    def release(self) -> None: ...


def said(*words: str) -> bytes:
    """As a client sends them."""
    return b"".join(Frame(Opcode.TEXT, word.encode()).serialize(mask=True) for word in words)


def framed(*words: str) -> bytes:
    """As a client is sent them."""
    return b"".join(text_frame(word.encode()) for word in words)


async def a_turn() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_what_comes_is_heard_in_order_and_each_line_is_written_to_once() -> None:
    server = Server()
    (one, to_one, _), (other, to_other, _) = server.line(), server.line()
    one.data_received(said("a"))
    other.data_received(said("b"))
    one.data_received(said("c", "d"))
    assert server.heard == [], "everything is read before anything is heard"
    await a_turn()
    assert server.heard == ["a", "b", "c", "d"]
    assert to_one.writes == [framed("a", "c", "d")]
    assert to_other.writes == [framed("b")]


async def test_what_was_read_before_a_line_was_lost_is_heard() -> None:
    server = Server()
    line, wire, listens = server.line()
    line.data_received(said("last words"))
    line.connection_lost(None)
    assert server.heard == ["last words"]
    assert listens.gone is not None
    await a_turn()
    assert wire.writes == [], "there is nobody to hear it"


async def test_who_cannot_be_heard_keeps_nobody_else_from_being_heard() -> None:
    server = Server()
    (one, to_one, _), (other, to_other, _) = server.line(), server.line()
    one.data_received(said("break"))
    other.data_received(said("well"))
    with structlog.testing.capture_logs() as logs:
        await a_turn()
    assert [entry["event"] for entry in logs] == ["line failed"]
    assert to_one.aborted
    assert to_other.writes == [framed("well")]


class Circle:
    """What holds itself."""

    def __init__(self) -> None:
        self.itself = self


async def test_now_and_then_garbage_is_looked_for_when_all_was_written() -> None:
    server = Server()
    line, wire, _ = server.line()
    gc.disable()
    try:
        left = weakref.ref(Circle())
        for number in range(tidying.EVERY):
            assert left() is not None
            line.data_received(said(str(number)))
            await a_turn()
    finally:
        gc.enable()
    assert left() is None
    assert len(wire.writes) == tidying.EVERY


async def test_much_is_heard_and_written_at_once() -> None:
    server = Server()
    line, wire, _ = server.line()
    words = ["x" * 100] * (AT_LEISURE // 100 + 1)
    line.data_received(said("first"))
    line.data_received(said(*words))
    assert server.heard == ["first", *words], (
        "nothing piles up, and what came before is heard first"
    )
    assert sum(map(len, wire.writes)) > AT_LEISURE
    await a_turn()
    assert b"".join(wire.writes) == framed("first", *words)


async def test_a_goodbye_comes_after_all_that_was_said() -> None:
    server = Server()
    line, wire, listens = server.line()
    line.say(b"before")
    line.close(4000, "bye")
    line.say(b"after")
    await a_turn()
    (written,) = wire.writes
    assert written.startswith(framed("before") + b"\x88")
    assert b"after" not in written
    assert listens.gone == 4000


async def test_a_dropped_line_writes_nothing_any_more() -> None:
    server = Server()
    line, wire, _ = server.line()
    line.say(b"too late")
    line.drop("silent")
    await a_turn()
    assert wire.writes == []


@pytest.mark.parametrize(("unread", "dropped"), [(UNREAD, False), (UNREAD + 1, True)])
async def test_who_does_not_read_is_dropped(unread: int, dropped: bool) -> None:
    server = Server()
    line, wire, _ = server.line()
    line.pause_writing()
    wire.unread = unread
    line.say(b"one more")
    await a_turn()
    assert wire.aborted is dropped


async def test_what_came_with_the_handshake_is_heard() -> None:
    server = Server()
    wire = Wire()
    line = Line(server.lines, cast("Any", wire), cast("Slot", Released()))
    line.data_received(said("in haste"))
    await a_turn()
    line.open(Listens(line, server.heard))
    await a_turn()
    assert server.heard == ["in haste"]
    assert wire.writes == [framed("in haste")]
