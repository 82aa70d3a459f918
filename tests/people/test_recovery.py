"""Recovery codes on a real store: told once, kept as hashes, good for one return."""

from __future__ import annotations

import asyncio
import re

import pytest
from sqlalchemy import select

from parlour.people.recovery import TAKEN_AGAIN_MS, NotAGuest, Recovery, UnknownCode
from parlour.people.tokens import Claims, Tokens
from parlour.people.users import Users
from parlour.settings import Settings
from parlour.store.api import Store
from parlour.store.change import UserRow
from parlour.store.schema import recovery as kept

NOW = 1_700_000_000_000


class Clock:
    """Goes when it is told to."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


@pytest.fixture
async def tokens(store: Store) -> Tokens:
    made = Tokens(Settings(), store)
    await made.start()
    return made


@pytest.fixture
def users(store: Store, tokens: Tokens) -> Users:
    return Users(store, tokens)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def recovery(store: Store, tokens: Tokens, users: Users, clock: Clock) -> Recovery:
    return Recovery(store, tokens, users, clock=clock)


@pytest.fixture
async def guest(users: Users) -> UserRow:
    return (await users.make_guest())[1]


async def test_a_guest_comes_back_as_the_same_guest(
    recovery: Recovery, users: Users, tokens: Tokens, guest: UserRow
) -> None:
    code = await recovery.new_code(guest)
    assert re.fullmatch(r"([A-HJ-NP-Z2-9]{4}-){4}[A-HJ-NP-Z2-9]{4}", code)
    token, back = await recovery.redeem(f" {code.lower().replace('-', ' ')} ")
    assert back == guest
    assert await users.of(await tokens.verify(token)) == guest


async def test_what_is_kept_gives_nothing_away(
    store: Store, recovery: Recovery, guest: UserRow
) -> None:
    code = await recovery.new_code(guest)
    (row,) = await store.rows(select(kept))
    said = " ".join(map(str, tuple(row)))
    assert code not in said
    assert code.replace("-", "") not in said


async def test_a_code_is_good_for_one_return(
    recovery: Recovery, guest: UserRow, clock: Clock
) -> None:
    code = await recovery.new_code(guest)
    clock.now += 400 * 24 * 3_600_000
    await recovery.redeem(code)
    # The answer may have been lost, so the one who asked asks again.
    clock.now += TAKEN_AGAIN_MS - 1
    assert (await recovery.redeem(code))[1] == guest
    clock.now += 1
    with pytest.raises(UnknownCode):
        await recovery.redeem(code)


async def test_a_new_code_takes_the_place_of_the_last(recovery: Recovery, guest: UserRow) -> None:
    first = await recovery.new_code(guest)
    second = await recovery.new_code(guest)
    with pytest.raises(UnknownCode):
        await recovery.redeem(first)
    await recovery.redeem(second)
    third = await recovery.new_code(guest)
    assert (await recovery.redeem(third))[1] == guest


@pytest.mark.parametrize("code", ["", "K7QF", "A" * 20, "A" * 10_000, "\0" * 20, "Ä" * 20])
async def test_what_is_no_code_opens_nothing(recovery: Recovery, guest: UserRow, code: str) -> None:
    await recovery.new_code(guest)
    with pytest.raises(UnknownCode):
        await recovery.redeem(code)


async def test_only_our_own_guests_have_codes(recovery: Recovery, users: Users) -> None:
    ada = await users.of(Claims("firebase:ada", "firebase", name="Ada"))
    anonymous = await users.of(Claims("firebase:x", "firebase", is_guest=True))
    for each in (ada, anonymous):
        with pytest.raises(NotAGuest):
            await recovery.new_code(each)


async def test_codes_made_at_once_leave_one(recovery: Recovery, guest: UserRow) -> None:
    codes = await asyncio.gather(*(recovery.new_code(guest) for _ in range(5)))
    outcomes = await asyncio.gather(*map(recovery.redeem, codes), return_exceptions=True)
    assert sum(isinstance(each, tuple) for each in outcomes) == 1
