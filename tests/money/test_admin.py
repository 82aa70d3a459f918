"""`parlour admin`: says what it would do, does it on a yes, and leaves a note of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from parlour.app import assemble
from parlour.commands import app
from parlour.games.connect_five.settings import ConnectFiveSettings
from parlour.games.connect_five.table import Purchase
from parlour.games.connect_five.terms import Terms
from parlour.money import wallets
from parlour.net.services import Services
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.settings import Settings
from parlour.store import queries, schema
from parlour.store.change import ChallengeRow, UserRow
from tests.money.conftest import Meddle

Work = Callable[[Services], Coroutine[Any, Any, Any]]


class House:
    """A server's database, the two who play on it, and the command line beside it."""

    def __init__(self, database: str) -> None:
        self._database = database
        self.ann, self.bob = self.inside(_come_in)

    def inside(self, work: Work, **settings: Any) -> Any:
        """Does something as a server would."""

        async def run() -> Any:
            services = assemble(Settings.given(database_url=self._database, **settings))
            async with AsyncExitStack() as stack:
                await services.store.start()
                stack.push_async_callback(services.store.close)
                await services.tokens.start()
                stack.push_async_callback(services.tokens.close)
                stack.push_async_callback(services.thinkers.close)
                stack.push_async_callback(services.kernel.drain)
                return await work(services)

        return asyncio.run(run())

    def challenge(self, stake: int, **settings: Any) -> ChallengeRow:
        async def work(services: Services) -> ChallengeRow:
            return await services.kernel.challenges.create(
                "connect_five",
                self.ann.id,
                self.bob.id,
                Terms(stake, 50, 300),
                services.settings.of(ConnectFiveSettings).challenge_ttl_ms,
            )

        challenge: ChallengeRow = self.inside(work, **settings)
        return challenge

    def match(self, stake: int, **settings: Any) -> Match:
        """A match under way, in which the challenger has bought two bombs."""
        challenge = self.challenge(stake)
        players = (
            Player(name="ann", user_id=self.ann.id),
            Player(name="bob", user_id=self.bob.id),
        )

        async def work(services: Services) -> Match:
            _, match = await services.kernel.challenges.accept(challenge.id, lambda _: players)
            if not settings:
                await services.kernel.steps.act(match.id, 0, Purchase("BOMB", 2))
            return match

        match: Match = self.inside(work, **settings)
        return match

    def state(self) -> tuple[list[int], list[dict[str, Any]]]:
        """What both have, and what operators have done."""

        async def work(services: Services) -> Any:
            held = await wallets.balances(services.store, [self.ann.id, self.bob.id])
            notes = await services.store.rows(
                select(schema.audit)
                .where(schema.audit.c.subject_id.like("admin:%"))
                .order_by(schema.audit.c.position)
            )
            told = [
                {"type": note["type"], **msgspec.json.decode(note["payload"])} for note in notes
            ]
            return [held[self.ann.id], held[self.bob.id]], told

        state: tuple[list[int], list[dict[str, Any]]] = self.inside(work)
        return state

    def admin(self, *words: str, code: int = 0) -> str:
        """What a command says, having ended with that code."""
        result = CliRunner().invoke(app, ["admin", *words])
        assert result.exit_code == code, result.output
        return result.output

    def denied(self, *words: str, because: str) -> None:
        before = self.state()
        assert because in self.admin(*words, "--yes", code=1)
        assert self.state() == before

    def command(self, *words: str) -> str:
        """A command first without and then with a yes; only the second changes anything."""
        before = self.state()
        assert "Nothing was done" in self.admin(*words)
        assert self.state() == before
        said = self.admin(*words, "--yes")
        assert "Nothing was done" not in said
        assert self.state()[1] == [
            *before[1],
            {"type": f"admin_{words[0]}", "operator": "olga"} | self.state()[1][-1],
        ]
        return said

    def sound(self) -> None:
        assert self.admin("audit") == "Everything adds up.\n"


async def _come_in(services: Services) -> tuple[UserRow, UserRow]:
    return (await services.users.make_guest("ann"))[1], (await services.users.make_guest("bob"))[1]


@pytest.fixture
def house(database: str, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("LOGNAME", "olga")
    return House(database)


@pytest.mark.spec("C103")
def test_mint_puts_money_into_a_wallet(house: House) -> None:
    said = house.command("mint", "ANN", "250")
    assert f"ann ({house.ann.id}): 1000 + 250 = 1250" in said
    house.admin("mint", house.bob.id, "1", "--yes")
    held, notes = house.state()
    assert held == [1250, 1001]
    assert [note["amount"] for note in notes] == [250, 1]
    house.sound()


def test_mint_refuses_what_makes_no_sense(house: House) -> None:
    house.denied("mint", "nobody", "5", because="there is no user 'nobody'")
    before = house.state()
    for amount in ("0", "-5", "1.5", "ten", "1000000000000001"):
        house.admin("mint", "--yes", "--", "ann", amount, code=2)
    assert house.state() == before


@pytest.mark.spec("C36", "C103")
def test_cancel_takes_back_a_pending_challenge(house: House) -> None:
    challenge = house.challenge(100)
    assert house.state()[0] == [900, 1000]
    house.command("cancel", challenge.id)
    assert house.state()[0] == [1000, 1000]
    house.denied("cancel", challenge.id, because="no open challenge")
    house.sound()


@pytest.mark.spec("C28", "C37", "C103")
@pytest.mark.parametrize("by", ["match", "challenge"])
def test_cancel_calls_off_a_match_and_refunds_both(house: House, by: str) -> None:
    match = house.match(100)
    assert house.state()[0] == [894, 900]
    assert match.escrow_id is not None
    said = house.command("cancel", match.id if by == "match" else match.escrow_id)
    assert "ann: 106 back" in said
    assert house.state()[0] == [1000, 1000]
    ended = house.inside(lambda services: services.kernel.finder.find(match.id))
    assert (ended.status, ended.reason) == ("cancelled", "cancelled")
    house.denied("cancel", match.id, because="the match is over already")
    house.sound()


@pytest.mark.spec("C26", "C103")
@pytest.mark.parametrize("by", ["match", "challenge"])
def test_cancel_leaves_a_match_whose_clock_ran_out_to_settle(house: House, by: str) -> None:
    match = house.match(100, connect_five_clock_scale=0.000001)
    assert match.escrow_id is not None
    target = match.id if by == "match" else match.escrow_id
    said = house.admin("cancel", target, code=1)
    assert "settle it" in said
    assert "back" not in said
    house.denied("cancel", target, because="settle it")
    stands = house.inside(lambda services: services.kernel.finder.find(match.id))
    assert (stands.status, stands.version) == (match.status, match.version)
    house.command("settle", target)
    house.sound()


def test_cancel_ends_a_match_without_money_too(house: House) -> None:
    players = (Player(name="ann", user_id=house.ann.id), Player(name="bob", user_id=house.bob.id))
    match = house.inside(lambda services: services.kernel.seating.start("connect4", players))
    house.command("cancel", match.id)
    ended = house.inside(lambda services: services.kernel.finder.find(match.id))
    assert ended.status == "cancelled"
    house.denied("cancel", "nowhere", because="no match 'nowhere'")


@pytest.mark.spec("C26", "C103")
def test_settle_ends_a_match_whose_clock_ran_out_unnoticed(house: House) -> None:
    match = house.match(100, connect_five_clock_scale=0.000001)
    said = house.command("settle", match.id)
    assert "finished, timeout" in said
    held, _ = house.state()
    assert sorted(held) == [900, 1100]
    house.denied("settle", match.id, because="settled already")
    house.sound()


@pytest.mark.spec("C36", "C103")
def test_settle_returns_the_stake_of_a_challenge_that_expired_unnoticed(house: House) -> None:
    challenge = house.challenge(100, challenge_ttl_sec=0.001)
    house.command("settle", challenge.id)
    assert house.state()[0] == [1000, 1000]
    stored = house.inside(lambda services: queries.challenge(services.store, challenge.id))
    assert stored.status == "expired"
    house.sound()


@pytest.mark.spec("C103")
def test_settle_leaves_alone_what_is_still_open(house: House) -> None:
    house.denied("settle", house.challenge(10).id, because="still open")
    house.denied("settle", house.match(10).id, because="still being played")
    house.denied("settle", "nowhere", because="no escrow of 'nowhere'")


@pytest.mark.spec("C34", "C35", "C37", "C103")
@pytest.mark.parametrize(
    ("ending", "held"),
    [
        ("status = 'finished', winner = 1, ended_at = 9", [894, 1106]),
        ("status = 'finished', ended_at = 9", [1000, 1000]),
        ("status = 'cancelled', ended_at = 9", [1000, 1000]),
    ],
    ids=["won", "drawn", "cancelled"],
)
def test_settle_repairs_a_pot_left_locked(
    house: House, meddle: Meddle, ending: str, held: list[int]
) -> None:
    match = house.match(100)
    last = "(SELECT max(version) FROM journal WHERE match_number = match.number)"
    ended = f"UPDATE match SET {ending}, version = {last} WHERE id = '{match.id}'"  # noqa: S608 -- ours
    asyncio.run(meddle(ended))
    assert "is locked (None), should be settled" in house.admin("audit", code=1)
    house.command("settle", match.id)
    assert house.state()[0] == held
    house.sound()


@pytest.mark.spec("C43", "C103", "C104")
def test_show_escrow_tells_all_there_is_to_know(house: House, meddle: Meddle) -> None:
    match = house.match(100)
    said = house.admin("show-escrow", match.id)
    assert f"{match.escrow_id}, locked" in said
    assert "holds 206, was paid 206" in said
    assert f"{house.ann.id}: 106 in, 0 out" in said
    for action in ("stake_lock", "stake_accept", "purchase", "challenge_created"):
        assert action in said
    assert "wrong" not in said
    asyncio.run(meddle("UPDATE account SET balance = balance + 1 WHERE kind = 'escrow'"))
    assert "wrong: holds 207 after 206 in and 0 out" in house.admin("show-escrow", match.id)
    assert "the audit found 3 mismatches" in house.admin("audit", code=1)
    house.admin("show-escrow", "nowhere", code=1)
