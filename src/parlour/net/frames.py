"""WebSocket frames (RFC 6455) as a server reads and writes them; bytes in, messages out.

Laws:

* A message, however it was fragmented, comes out whole and once, in the order it was sent.
* Nothing larger than the limit is ever kept: a frame is refused by its header.
* The first violation ends it: `failure` says how to close, and no message comes out any more.
"""

from __future__ import annotations

import struct

from msgspec import Struct
from websockets.exceptions import ProtocolError
from websockets.frames import Close, CloseCode, Opcode

try:
    from websockets.speedups import apply_mask
except ImportError:  # where no compiled wheel fits
    from websockets.utils import apply_mask

LARGEST_CONTROL = 125

_FIN = 0x80
_MASKED = 0x80
_TEXT = _FIN | Opcode.TEXT
_CONTROLS = frozenset({Opcode.CLOSE, Opcode.PING, Opcode.PONG})
_LONE = {2 + 4 + size: bytes((_TEXT, _MASKED | size)) for size in range(126)}
"""How bytes of that length begin that are one short text, its header and mask included."""
_LONG = _TEXT << 8 | 126
_LONG_HEADER = struct.Struct(">HH").pack
_SHORT_HEADERS = tuple(bytes((_TEXT, size)) for size in range(126))


class Control(Struct, frozen=True):
    """A ping, a pong or a close."""

    opcode: Opcode
    payload: bytes


class Failure(Struct, frozen=True):
    """How the peer broke the protocol."""

    code: int
    reason: str


Message = str | bytes | Control
"""Text, binary data, or a control frame."""


def text_frame(payload: bytes) -> bytes:
    """The frame of a text message, given as UTF-8.

    >>> text_frame(b"hi").hex(" ")
    '81 02 68 69'
    """
    size = len(payload)
    if 126 <= size < 65536:  # as most are, and there is one for every player at every step
        return _LONG_HEADER(_LONG, size) + payload
    return text_header(size) + payload


def text_header(size: int) -> bytes:
    """What stands before the text in such a frame.

    >>> text_header(258).hex(" ")
    '81 7e 01 02'
    """
    if size < 126:
        return _SHORT_HEADERS[size]
    if size < 65536:
        return _LONG_HEADER(_LONG, size)
    return b"\x81\x7f" + size.to_bytes(8, "big")


def control_frame(opcode: Opcode, payload: bytes = b"") -> bytes:
    """The frame of a ping, a pong or a close.

    >>> control_frame(Opcode.PONG, b"x").hex(" ")
    '8a 01 78'
    """
    return bytes((_FIN | opcode, len(payload))) + payload


def close_frame(code: int, reason: str = "") -> bytes:
    """The frame that says goodbye, and why; a long reason is cut."""
    short = reason.encode()[: LARGEST_CONTROL - 2].decode(errors="ignore")
    return control_frame(Opcode.CLOSE, Close(code, short).serialize())


def _measured(data: bytes | bytearray, at: int) -> tuple[int, int] | None:
    """Where the mask of a frame begins and how long its payload is; None: more bytes are needed."""
    start, size = at + 2, data[at + 1] & 0x7F
    if size < 126:
        return start, size
    width = 2 if size == 126 else 8
    if len(data) < start + width:
        return None
    return start + width, int.from_bytes(data[start : start + width], "big")


class Farewell:
    """Passes over all that still comes in, until the other side says goodbye too."""

    __slots__ = ("_begun", "_skip")

    def __init__(self, begun: bytes) -> None:
        self._begun = bytearray(begun)
        """The beginning of a frame."""
        self._skip = 0
        """How many bytes of a frame that is of no interest are still to come."""

    def heard(self, data: bytes) -> bool:
        """Whether the goodbye is among these bytes."""
        skipped = min(self._skip, len(data))
        self._skip -= skipped
        self._begun += data[skipped:]
        while len(self._begun) >= 2 and (measured := _measured(self._begun, 0)):
            if self._begun[0] & 0x0F == Opcode.CLOSE:
                return True
            start, size = measured
            stop = start + 4 + size
            self._skip = max(0, stop - len(self._begun))
            del self._begun[:stop]
        return False


class Reader:
    """Turns what a client sends into messages of at most `largest` bytes."""

    __slots__ = (
        "_building",
        "_building_text",
        "_fresh",
        "_largest",
        "_need",
        "_pending",
        "failure",
        "frames",
    )

    def __init__(self, largest: int) -> None:
        self.failure: Failure | None = None
        self.frames = 0
        """How many frames, of whatever kind, the bytes that were last fed completed."""
        self._largest = largest
        self._pending: bytearray | None = None
        """The beginning of a frame that is not complete."""
        self._need = 2
        """How many bytes of `_pending` it takes to go on."""
        self._building: bytearray | None = None
        """The parts so far of a fragmented message."""
        self._building_text = False
        self._fresh = True
        """Whether nothing has begun or failed: what comes is the beginning of a message."""

    def lone_text(self, data: bytes) -> str | None:
        """The message, if these bytes are one short text and nothing else; else they are to be fed.

        That is how nearly all messages come, and it takes a third of the time.
        """
        header = _LONE.get(len(data))
        if header is None or not self._fresh or not data.startswith(header):
            return None
        try:
            return apply_mask(data[6:], data[2:6]).decode()
        except UnicodeDecodeError:
            return None

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are complete with these bytes."""
        self.frames = 0
        messages = [] if self.failure is not None else self._fed(data)
        self._fresh = self._pending is None and self._building is None and self.failure is None
        return messages

    def _fed(self, data: bytes) -> list[Message]:
        if self._pending is not None:
            self._pending += data
            if len(self._pending) < self._need:
                return []
            data, self._pending = bytes(self._pending), None
        messages: list[Message] = []
        at, end = 0, len(data)
        while end - at >= 2:
            measured = _measured(data, at)
            if measured is None:
                self._need = 1 + end - at
                break
            start, size = measured
            first = data[at]
            self.failure = self._objection(first, data[at + 1], size)
            if self.failure is not None:
                break
            stop = start + 4 + size
            if stop > end:
                self._need = stop - at
                break
            payload = apply_mask(data[start + 4 : stop], data[start : start + 4])
            at = stop
            self.frames += 1
            message = self._text(payload) if first == _TEXT else self._other(first, payload)
            if message is not None:
                messages.append(message)
            elif self.failure is not None:
                break
        if at < end:
            self._pending = bytearray(data[at:])
            if end - at < 2:
                self._need = 2
        return messages

    def farewell(self) -> Farewell:
        """How to go on without listening, from where this has got to without a failure."""
        return Farewell(bytes(self._pending or b""))

    def _objection(self, first: int, second: int, size: int) -> Failure | None:
        """What is wrong with a frame, as far as its header tells."""
        opcode = first & 0x0F
        reason = ""
        if first & 0x70:
            reason = "reserved bits are set"
        elif not second & _MASKED:
            reason = "frame is not masked"
        elif opcode in _CONTROLS:
            if size > LARGEST_CONTROL or not first & _FIN:
                reason = "control frame is too large or split"
        elif opcode > Opcode.BINARY:
            reason = "unknown kind of frame"
        elif (opcode == Opcode.CONT) != (self._building is not None):
            reason = "fragments out of order"
        elif len(self._building or b"") + size > self._largest:
            return Failure(CloseCode.MESSAGE_TOO_BIG, f"more than {self._largest} bytes")
        return Failure(CloseCode.PROTOCOL_ERROR, reason) if reason else None

    def _text(self, payload: bytes | bytearray) -> str | None:
        try:
            return payload.decode()
        except UnicodeDecodeError:
            self.failure = Failure(CloseCode.INVALID_DATA, "text is not UTF-8")
            return None

    def _other(self, first: int, payload: bytes) -> Message | None:
        opcode = first & 0x0F
        if opcode >= 8:
            return self._control(Opcode(opcode), payload)
        if self._building is None:
            if first & _FIN:
                return payload
            self._building = bytearray(payload)
            self._building_text = opcode == Opcode.TEXT
            return None
        self._building += payload
        if not first & _FIN:
            return None
        whole, self._building = self._building, None
        return self._text(whole) if self._building_text else bytes(whole)

    def _control(self, opcode: Opcode, payload: bytes) -> Control | None:
        if opcode is Opcode.CLOSE:
            try:
                Close.parse(payload)
            except ProtocolError:
                self.failure = Failure(CloseCode.PROTOCOL_ERROR, "close frame is malformed")
                return None
            except UnicodeDecodeError:
                self.failure = Failure(CloseCode.INVALID_DATA, "close reason is not UTF-8")
                return None
        return Control(opcode, payload)
