"""Clocks over the wire: they run whoever is there, and what comes too late finds the match over."""

from __future__ import annotations

import time

import pytest

from parlour.play.clock import wall_clock
from parlour.settings import Settings
from parlour.store import queries
from tests.servers.parlour import Served, serving
from tests.wire.connect_five.conftest import Host
from tests.wire.connect_five.people import (
    C5,
    Json,
    Person,
    audited,
    pair,
    playing,
    unchanged,
)


def leap(served: Served, span_ms: int) -> None:
    """The server's clock jumps ahead, with nobody to notice but who asks."""

    async def jump() -> None:
        kernel = served.services.kernel
        await kernel.keeper.stop()
        kernel.runtime.clock = lambda: wall_clock() + span_ms

    served.run(jump())


def timed_out(match: Json, loser: Person, winner: Person) -> None:
    assert (match["status"], match["finish_reason"]) == ("finished_timeout", "timeout")
    assert (match["winner"], match["active_player"]) == (winner.id, None)
    players = {match["player_a"]["id"]: "a", match["player_b"]["id"]: "b"}
    left = {each: match[f"clock_{players[each.id]}_remaining_ms"] for each in (loser, winner)}
    assert left[loser] == 0
    assert left[winner] > 0
    assert (loser.balance, winner.balance) == (900, 1100)


@pytest.mark.spec("C6", "C26", "C34", "C50", "C82")
def test_a_flag_falls_on_time_though_nobody_does_anything() -> None:
    with serving(
        Settings.given(database_url="sqlite://", connect_five_clock_scale=0.001)
    ) as served:
        ann, bob = pair(served)
        with ann.hearing("connect-five") as ear:
            match, first, second = playing(ann, bob)
            assert match["time_limit_seconds"] == 300
            assert match["clock_a_remaining_ms"] == 300
            told = match
            while told["status"] == "active":
                told = ear.hear().get("match", told)
        timed_out(told, first, second)
        timed_out(second.look(match), first, second)
        timeout, settlement = ann.events(match)[-2:]
        assert (timeout["event_type"], timeout["actor"]) == ("timeout", None)
        assert timeout["payload"] == {"player": first.id}
        assert settlement["payload"]["payouts"] == {str(first.id): 0, str(second.id): 200}
        audited(served)


@pytest.mark.spec("C26", "C50", "C76", "C77")
@pytest.mark.parametrize("doing", ["move", "purchase", "look"])
def test_what_comes_after_the_flag_commits_the_timeout_first(doing: str) -> None:
    """No timer and no sweep: the request itself must find out."""
    with serving() as served:
        ann, bob = pair(served)
        match, first, second = playing(ann, bob)
        leap(served, 300_000)
        if doing == "move":
            assert first.move(match, 0, 0, status=410)["code"] == "match_ended"
        elif doing == "purchase":
            assert second.buy(match, "H2", status=409)["code"] == "match_ended"
        timed_out(first.look(match), first, second)
        audited(served)


@pytest.mark.spec("C20", "C36", "C72", "C73")
@pytest.mark.parametrize("doing", ["accept", "cancel", "look"])
def test_what_comes_after_a_challenge_expired_commits_the_expiry_first(doing: str) -> None:
    with serving() as served:
        ann, bob = pair(served)
        made = ann.challenge(bob)
        leap(served, 300_000)
        if doing == "accept":
            assert bob.accept(made, status=410)["code"] == "challenge_expired"
        elif doing == "cancel":
            assert ann.cancel(made, status=409)["code"] == "challenge_expired"
        assert bob.get(f"{C5}/challenges/{made['id']}")["status"] == "expired"
        assert (ann.balance, bob.balance) == (1000, 1000)
        audited(served)


@pytest.mark.spec("C48", "C49", "C61")
def test_a_refused_request_costs_no_time(served: Served) -> None:
    ann, bob = pair(served)
    match, first, second = playing(ann, bob)
    with unchanged(served):
        first.move(match, 14, 14, status=400)
        second.move(match, 0, 0, status=403)
        first.buy(match, "H2", 11, status=422)
    seen = first.look(match)
    assert seen["turn_started_at"] == match["turn_started_at"]
    assert seen["clock_a_remaining_ms"] == seen["clock_b_remaining_ms"] == 300_000


@pytest.mark.spec("C6")
def test_a_clock_does_not_care_who_is_connected(served: Served) -> None:
    ann, bob = pair(served)
    match, first, _ = playing(ann, bob)
    with unchanged(served), first.hearing("connect-five"):
        pass
    assert first.look(match)["turn_started_at"] == match["turn_started_at"]


@pytest.mark.spec("C15", "C47", "C53", "C101", "C105")
def test_clocks_and_challenges_run_on_while_the_server_is_down(host: Host) -> None:
    before = host.start()
    ann, bob = pair(before)
    made = ann.challenge(bob, stake_amount=7)
    match, first, second = playing(ann, bob, stake_amount=100)
    first.move(match, 0, 0)
    playing_on = first.look(match)
    host.stop(before)
    assert playing_on["status"] == "active"
    after = host.start(later_ms=300_000)

    async def ended() -> bool:
        stored = await queries.match_by_id(after.services.store, match["uuid"])
        challenge = await queries.challenge(after.services.store, made["uuid"])
        assert stored is not None
        assert challenge is not None
        return (stored.match.status, challenge.status) == ("finished", "expired")

    while not after.run(ended()):
        time.sleep(0.05)
    first, second = first.at(after), second.at(after)
    timed_out(second.look(match), loser=second, winner=first)
    assert second.look(match)["board_state"] == playing_on["board_state"]
    audited(after)


@pytest.mark.spec("C47", "C105")
def test_a_match_goes_on_after_a_restart_as_it_was(host: Host) -> None:
    before = host.start()
    ann, bob = pair(before)
    match, first, second = playing(ann, bob)
    first.buy(match, "CROSS4")
    first.move(match, 5, 5, "CROSS4")
    second.buy(match, "BOMB")
    seen = second.look(match)
    events = second.events(match)
    host.stop(before)

    after = host.start()
    first, second = first.at(after), second.at(after)
    assert second.look(match) | {"server_time": ""} == seen | {"server_time": ""}
    assert second.events(match) == events
    with first.hearing("connect-five") as ear:
        moved = second.move(match, 4, 5, "BOMB")
        told = ear.hear("update.connect_five_match")["match"]
    assert told["board_state"] == moved["board_state"]
    assert told["active_player"]["id"] == first.id
    spent = sum(300_000 - told[f"clock_{each}_remaining_ms"] for each in "ab")
    assert spent > 0
    audited(after)
