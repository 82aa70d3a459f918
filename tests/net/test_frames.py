"""Frames: whole messages out of any bytes, with the `websockets` library as the second opinion."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Close, CloseCode, Frame, Opcode
from websockets.protocol import OPEN, SERVER, Protocol

from parlour.net.frames import Control, Message, Reader, close_frame, control_frame, text_frame

LARGEST = 1000


def client_frame(opcode: int, payload: bytes, *, fin: bool = True) -> bytes:
    return Frame(Opcode(opcode), payload, fin).serialize(mask=True)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:stop] for start, stop in itertools.pairwise(places)]


def read(data: bytes, cuts: list[int] | None = None) -> tuple[list[Message], int | None]:
    reader = Reader(LARGEST)
    out = [message for piece in pieces(data, cuts or []) for message in reader.feed(piece)]
    return out, reader.failure.code if reader.failure else None


TEXTS = st.text(max_size=300)
DATA = st.binary(max_size=1000)
SPLITS = st.lists(st.integers(0, 1200), max_size=4)
CUTS = st.lists(st.integers(0, 100_000), max_size=12)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[bytes, list[Message]]:
    """What a well-behaved client sends, fragmented at will, and what should come out."""
    sent = b""
    said: list[Message] = []
    for _ in range(draw(st.integers(0, 6))):
        control = draw(st.none() | st.sampled_from([Opcode.PING, Opcode.PONG]))
        if control is not None:
            payload = draw(st.binary(max_size=125))
            sent += client_frame(control, payload)
            said.append(Control(control, payload))
            continue
        message: str | bytes = draw(TEXTS) if draw(st.booleans()) else draw(DATA)
        opcode = Opcode.TEXT if isinstance(message, str) else Opcode.BINARY
        payload = message.encode() if isinstance(message, str) else message
        parts = pieces(payload, draw(SPLITS)) or [b""]
        for n, part in enumerate(parts):
            sent += client_frame(opcode if n == 0 else Opcode.CONT, part, fin=n == len(parts) - 1)
            if draw(st.booleans()):
                sent += client_frame(Opcode.PING, b"between")
                if n < len(parts) - 1:
                    said.append(Control(Opcode.PING, b"between"))
                    continue
                said += [message, Control(Opcode.PING, b"between")]
                break
        else:
            said.append(message)
    return sent, said


@given(conversations(), CUTS)
def test_messages_come_out_whole_once_and_in_order(
    conversation: tuple[bytes, list[Message]], cuts: list[int]
) -> None:
    sent, said = conversation
    assert read(sent, cuts) == (said, None)


@given(st.binary(max_size=400), CUTS)
@example(b"\x81\xff" + b"\xff" * 20, [])
def test_no_bytes_break_the_reader(junk: bytes, cuts: list[int]) -> None:
    at_once, failure = read(junk)
    assert read(junk, cuts) == (at_once, failure)
    assert failure in {None, 1002, 1007, 1009}


HEADERS = st.tuples(
    st.integers(0, 255), st.booleans(), st.binary(max_size=130), st.sampled_from([0, 126, 127])
)


def any_frame(first: int, masked: bool, payload: bytes, form: int) -> bytes:
    size = len(payload)
    if form == 127:
        length = bytes([127]) + size.to_bytes(8, "big")
    elif form == 126 or size > 125:
        length = bytes([126]) + size.to_bytes(2, "big")
    else:
        length = bytes([size])
    header = bytes([first, length[0] | (0x80 if masked else 0)]) + length[1:]
    return header + (b"\0\0\0\0" if masked else b"") + payload


@given(st.lists(HEADERS, max_size=5))
def test_we_and_the_websockets_library_agree_on_what_is_allowed(
    frames: list[tuple[int, bool, bytes, int]],
) -> None:
    data = b"".join(any_frame(*frame) for frame in frames)
    ours, failure = read(data)
    theirs = Protocol(SERVER, state=OPEN, max_size=LARGEST)
    theirs.receive_data(data)
    heard = [event for event in theirs.events_received() if isinstance(event, Frame)]
    closed = next((frame for frame in heard if frame.opcode is Opcode.CLOSE), None)
    if closed is not None:
        # Neither side reads on after a goodbye.
        place = next(n for n, said in enumerate(ours) if _is_close(said))
        assert bytes(closed.data) == ours[place].payload  # type: ignore[union-attr] # it is one
        return
    if failure in {1002, 1009}:
        assert theirs.close_sent is not None
        assert theirs.close_sent.code == failure
    elif failure is None:
        assert theirs.parser_exc is None


def _is_close(message: Message) -> bool:
    return isinstance(message, Control) and message.opcode is Opcode.CLOSE


@pytest.mark.parametrize("size", [LARGEST + 1, 65535, 2**31, 2**63 - 1, 2**64 - 1])
def test_what_is_too_large_is_refused_by_its_header(size: int) -> None:
    header = b"\x81\xff" + size.to_bytes(8, "big")
    assert read(header) == ([], 1009)


def test_fragments_count_together() -> None:
    part = client_frame(Opcode.TEXT, b"a" * 600, fin=False)
    rest = client_frame(Opcode.CONT, b"a" * 401)
    assert read(part + rest) == ([], 1009)
    rest = client_frame(Opcode.CONT, b"a" * 400)
    assert read(part + rest) == (["a" * 1000], None)


def test_what_came_before_a_violation_is_heard_and_nothing_after() -> None:
    good, bad = client_frame(Opcode.TEXT, b"good"), b"\x83\x80\0\0\0\0"
    assert read(good + bad + good) == (["good"], 1002)
    reader = Reader(LARGEST)
    reader.feed(bad)
    assert reader.feed(good) == []


@given(conversations(), CUTS, st.integers(0, 5000))
def test_a_farewell_hears_the_goodbye_whatever_comes_before(
    conversation: tuple[bytes, list[Message]], cuts: list[int], at: int
) -> None:
    sent = conversation[0] + client_frame(Opcode.TEXT, b"x" * 900)
    before, after = sent[:at], sent[at:]
    reader = Reader(LARGEST)
    reader.feed(before)
    farewell = reader.farewell()
    assert not any(farewell.heard(piece) for piece in [b"", *pieces(after, cuts)])
    assert farewell.heard(client_frame(Opcode.CLOSE, b"")[:2])


@pytest.mark.parametrize(
    ("payload", "failure"),
    [
        (b"", None),
        (b"\x03", 1002),
        (Close(1000, "bye").serialize(), None),
        (b"\x03\xed", 1002),  # 1005 is never sent
        (b"\x03\xe8\xff", 1007),
        (b"\x0f\xa0", None),
    ],
)
def test_a_goodbye_must_be_well_formed(payload: bytes, failure: int | None) -> None:
    heard, found = read(client_frame(Opcode.CLOSE, payload))
    assert found == failure
    assert len(heard) == (failure is None)


def test_text_must_be_utf8() -> None:
    assert read(client_frame(Opcode.TEXT, b"\xff")) == ([], CloseCode.INVALID_DATA)
    split = "€".encode()
    halves = client_frame(Opcode.TEXT, split[:1], fin=False) + client_frame(Opcode.CONT, split[1:])
    assert read(halves) == (["€"], None)


def test_frames_of_every_kind_are_counted() -> None:
    reader = Reader(LARGEST)
    reader.feed(client_frame(Opcode.TEXT, b"", fin=False) + client_frame(Opcode.PING, b"") * 3)
    assert reader.frames == 4
    reader.feed(b"")
    assert reader.frames == 0


@given(st.binary(max_size=70_000) | st.sampled_from([b"a" * 125, b"a" * 126, b"a" * 65536]))
def test_what_we_write_others_can_read(payload: bytes) -> None:
    assert text_frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


@given(st.text(max_size=200))
def test_a_long_reason_is_cut_between_characters(reason: str) -> None:
    frame = close_frame(4401, reason)
    assert len(frame) <= 127
    assert reason.startswith(Close.parse(frame[2:]).reason)
    assert control_frame(Opcode.CLOSE, frame[2:]) == frame
