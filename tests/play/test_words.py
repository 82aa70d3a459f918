"""What one process says of a step is told by the others too, and nobody hears less without it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from parlour.games.api import Seat
from parlour.games.connect4.rules import Drop, View
from parlour.games.connect4.voice import GameVoice
from parlour.host.audience import Audience
from parlour.host.sight import Facts, Seats, StepSeen
from parlour.net.session import framed
from parlour.play.announcement import announced, stepped
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.store.change import JournalRow
from tests.play.conftest import MakeKernel, MakePlayer, until
from tests.simulation.bus import HubBus

NOW = "2023-11-14T22:13:20.000Z"
WON = (0, 1, 0, 1, 0, 1, 0)
"""Columns by which the first player wins."""


class Counted(GameVoice):
    """Connect 4's own, and how often it had to find words."""

    def __init__(self, name: str = GameVoice.name) -> None:
        super().__init__(lambda: NOW)
        self.name = name
        self.asked = 0

    def step(self, step: StepSeen[View]) -> Iterable[bytes]:
        self.asked += 1
        return super().step(step)


class Listener:
    """A viewer that keeps what it is sent."""

    reclaims = False

    def __init__(self, voice: Counted) -> None:
        self.voice = voice
        self.sent: list[bytes] = []
        self.over = False

    def send_framed(self, frames: bytes) -> None:
        self.sent.append(frames)

    def dismissed(self, match_id: str) -> None:
        raise AssertionError(match_id)

    def ended(self, match_id: str) -> None:
        del match_id
        self.over = True

    def goes_on(self, old_id: str, following_id: str) -> None:
        raise AssertionError((old_id, following_id))

    def claims(self, match: Facts) -> Seats:
        del match
        return ()

    async def reclaim(self, match_id: str, seat: Seat) -> None:
        raise AssertionError((match_id, seat))


async def at(kernel: Kernel, match: Match, *viewers: tuple[Listener, Seats]) -> Audience:
    """These are told of the match by this process."""
    audience = Audience(kernel, kernel.runtime.rules[match.game], match.id)
    await audience.listen()
    for viewer, seats in viewers:
        audience.enter(viewer, seats)
    return audience


async def begun(kernel: Kernel, player: MakePlayer) -> Match:
    return await kernel.seating.start("connect4", (await player("ann"), await player("bob")))


async def apart(
    make_kernel: MakeKernel, player: MakePlayer, ann: Listener, bob: Listener
) -> tuple[Kernel, Kernel, Match]:
    """Two at a game, each by another process."""
    here, there = make_kernel(), make_kernel()
    match = await begun(here, player)
    await at(here, match, (ann, (0,)))
    await at(there, match, (bob, (1,)))
    return here, there, match


def bus_of(kernel: Kernel) -> Any:
    bus = kernel.runtime.bus
    assert isinstance(bus, HubBus)
    return bus


async def play(kernel: Kernel, match: Match, columns: Iterable[int], first: int = 0) -> None:
    for number, column in enumerate(columns, first):
        await kernel.steps.act(match.id, (0, 1)[number % 2], Drop(column))


async def test_a_step_is_put_into_words_once_for_all_processes(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await begun(here, player)
    ann, bob, eve = Listener(Counted()), Listener(Counted()), Listener(Counted())
    await at(here, match, (ann, (0,)))
    follower = await at(there, match, (bob, (1,)), (eve, ()))

    await play(here, match, WON)
    await until(lambda: bob.over and eve.over)

    assert len(ann.sent) == len(WON)
    assert b"game_ended" in ann.sent[-1]
    assert bob.sent == eve.sent == ann.sent
    assert (ann.voice.asked, bob.voice.asked, eve.voice.asked) == (len(WON), 0, 0)
    assert follower.match.version == len(WON) + 1


async def test_both_processes_say_what_they_did_and_tell_what_the_other_said(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    ann, bob = Listener(Counted()), Listener(Counted())
    here, there, match = await apart(make_kernel, player, ann, bob)

    def both_were_told() -> bool:
        return len(ann.sent) == len(bob.sent) == number + 1

    for number, column in enumerate(WON):
        await play((here, there)[number % 2], match, (column,), number)
        await until(both_were_told)

    assert ann.sent == bob.sent
    assert ann.voice.asked + bob.voice.asked == len(WON)


@pytest.mark.parametrize("missing", ["room", "a name", "a voice"])
async def test_who_gets_no_words_finds_its_own(
    make_kernel: MakeKernel, player: MakePlayer, missing: str
) -> None:
    ann = Listener(Counted("" if missing == "a name" else GameVoice.name))
    bob = Listener(Counted("another" if missing == "a voice" else GameVoice.name))
    here, _, match = await apart(make_kernel, player, ann, bob)
    bus_of(here).roomy = missing != "room"

    await play(here, match, WON)
    await until(lambda: bob.over)

    assert bob.sent == ann.sent
    assert bob.voice.asked == len(WON)


async def test_after_a_gap_the_journal_is_told_and_then_words_again(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    ann, bob = Listener(Counted()), Listener(Counted())
    here, _, match = await apart(make_kernel, player, ann, bob)

    bus_of(here).cut = True
    await play(here, match, WON[:3])
    bus_of(here).cut = False
    await play(here, match, WON[3:4], 3)
    await until(lambda: len(bob.sent) == 4)
    await play(here, match, WON[4:], 4)
    await until(lambda: bob.over)

    assert bob.sent == ann.sent
    assert bob.voice.asked == 4


async def test_what_another_process_says_is_told_once_though_it_says_it_twice(
    make_kernel: MakeKernel, player: MakePlayer
) -> None:
    here, there = make_kernel(), make_kernel()
    match = await begun(here, player)
    bob = Listener(Counted())
    await at(there, match, (bob, (1,)))
    update = await here.steps.act(match.id, 0, Drop(3))
    await until(lambda: len(bob.sent) == 1)

    bus_of(here).publish(f"match:{match.id}", stepped(update.entry, {"connect4": b"again"}))
    update = await here.steps.act(match.id, 1, Drop(3))
    await until(lambda: len(bob.sent) == 2)

    assert b"again" not in b"".join(bob.sent)


async def test_word_of_a_step_is_understood_with_words_and_without() -> None:
    entry = JournalRow(match_id="m", version=4, at=5, kind="act", seat=1, action=b"{}")
    for said in ({}, {"connect4": framed(b"moved")}):
        word = announced(stepped(entry, said))
        assert word is not None
        assert (word.version, word.entry, word.said) == (4, entry, said)
    assert announced(b"") is announced(b"\xc1") is None
