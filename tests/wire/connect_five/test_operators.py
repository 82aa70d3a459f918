"""What operators do beside a running server: players hear of it, and the books stay right."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from parlour.app import assemble
from parlour.operators import Operator
from parlour.settings import Settings
from parlour.store import queries
from tests.wire.connect_five.conftest import Host
from tests.wire.connect_five.people import C5, audited, pair, playing

MATCH = "update.connect_five_match"


def operate(
    host: Host, command: Callable[[Operator], Coroutine[Any, Any, None]], *, yes: bool = True
) -> None:
    """As `parlour admin` would: on the same database, and no bus between them."""

    async def act() -> None:
        services = assemble(Settings(database_url=host.database))
        await services.store.start()
        try:
            await command(Operator(services, yes=yes))
            await services.kernel.drain()
        finally:
            await services.store.close()

    asyncio.run(act())


@pytest.mark.spec("C28", "C37", "C103", "C105")
def test_players_hear_that_their_match_was_called_off(host: Host) -> None:
    served = host.start()
    ann, bob = pair(served)
    match, first, second = playing(ann, bob)
    first.buy(match, "CROSS4")
    with second.hearing("connect-five") as ear, first.hearing("wallet") as purse:
        operate(host, lambda operator: operator.cancel(match["uuid"]), yes=False)
        assert first.look(match)["status"] == "active"
        operate(host, lambda operator: operator.cancel(match["uuid"]))
        assert first.look(match)["status"] == "cancelled"
        assert ear.hear(MATCH)["match"]["finish_reason"] == "cancelled"
        assert purse.hear("update.wallet")["wallet"]["balance"] == 1000
    assert first.move(match, 0, 0, status=409)["code"] == "match_not_active"
    assert (ann.balance, bob.balance) == (1000, 1000)
    kinds = [event["event_type"] for event in bob.events(match)]
    assert kinds[-2:] == ["cancelled", "settlement"]
    audited(served)


@pytest.mark.spec("C36", "C103")
def test_players_hear_that_their_challenge_was_cancelled(host: Host) -> None:
    served = host.start()
    ann, bob = pair(served)
    made = ann.challenge(bob)
    with bob.hearing("connect-five") as ear:
        operate(host, lambda operator: operator.cancel(made["uuid"]))
        told = ear.hear("update.connect_five_challenge")["challenge"]
    assert (told["id"], told["status"]) == (made["id"], "cancelled")
    assert bob.accept(made, status=409)["code"] == "challenge_cancelled"
    assert ann.get(f"{C5}/challenges?status=cancelled")["count"] == 1
    assert ann.balance == 1000
    audited(served)


def test_minted_money_shows_up_in_the_wallet(host: Host) -> None:
    served = host.start()
    ann, _ = pair(served)
    with ann.hearing("wallet") as purse:
        operate(host, lambda operator: operator.mint(ann.name, 250))
        assert purse.hear("update.wallet")["wallet"]["balance"] == 1250
    entry = ann.get("/api/wallet/entries")["results"][0]
    assert (entry["action"], entry["amount"], entry["balance"]) == ("grant", 250, 1250)
    audited(served)


def test_matches_are_listed_as_they_stand_and_written_down_when_asked_for(host: Host) -> None:
    served = host.start()
    ann, bob = pair(served)
    match, first, second = playing(ann, bob)
    for step in range(3):
        first.move(match, step, 0)
        second.move(match, step, 2)

    def row() -> tuple[int, int]:
        found = served.run(queries.match_by_id(served.services.store, match["uuid"]))
        assert found is not None
        return found.match.version, found.version

    before = row()
    assert before[1] == 7
    stands = first.look(match) | {"server_time": ""}
    # Lists are read from the store, whatever the process that plays remembers.
    (listed,) = first.get(f"{C5}/matches?status=active")["results"]
    assert listed | {"server_time": ""} == stands
    operate(host, lambda operator: operator.audit())
    operate(host, lambda operator: operator.snapshot(), yes=False)
    assert row() == before
    operate(host, lambda operator: operator.snapshot())
    assert row() == (7, 7)
    assert first.look(match) | {"server_time": ""} == stands
    first.move(match, 9, 9)
    audited(served)
