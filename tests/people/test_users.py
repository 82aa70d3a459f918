"""Users on a real store: first sight, names, renaming and search."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.money.wallets import balance, opening
from parlour.people import names
from parlour.people.tokens import BadToken, Claims, Tokens
from parlour.people.users import NameRefused, UnknownUser, Users
from parlour.settings import Settings
from parlour.store.api import Store
from parlour.store.change import Change, UserRow

ADA = Claims("firebase:ada", "firebase", name="Ada Lovelace", email="ada@example.com")


@pytest.fixture
async def tokens(store: Store) -> Tokens:
    made = Tokens(Settings(), store)
    await made.start()
    return made


@pytest.fixture
def users(store: Store, tokens: Tokens) -> Users:
    return Users(store, tokens)


async def refused(code: str, users: Users, user_id: str, username: str) -> None:
    before = await users.by_id(user_id)
    with pytest.raises(NameRefused) as refusal:
        await users.rename(user_id, username)
    assert refusal.value.code == code
    assert await users.by_id(user_id) == before


@pytest.mark.spec("A11", "A12", "A13", "A14", "A15", "A18")
async def test_a_user_is_made_on_first_sight_and_known_from_then_on(users: Users) -> None:
    ada = await users.of(ADA)
    assert (ada.subject, ada.username, ada.email) == ("firebase:ada", "AdaLovelace", ADA.email)
    assert not ada.is_guest
    assert ada.created_at == ada.updated_at > 0
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", ada.id)
    assert await users.of(ADA) == ada
    assert await users.by_id(ada.id) == ada


async def test_first_sight_happens_once_however_many_look(users: Users) -> None:
    seen = await asyncio.gather(*(users.of(ADA) for _ in range(20)))
    assert len({user.id for user in seen}) == 1


async def test_two_people_of_one_name_get_two_usernames(users: Users) -> None:
    people = [Claims(f"firebase:{n}", "firebase", name="Ada Lovelace") for n in range(12)]
    made = await asyncio.gather(*map(users.of, people))
    assert len({user.username.lower() for user in made}) == 12
    assert all(user.username.startswith("AdaLovelace") for user in made)


@pytest.mark.parametrize("name", [None, "李小龍", "Al", "💥", "A" * 300])
async def test_everybody_gets_a_username_that_will_do(users: Users, name: str | None) -> None:
    user = await users.of(Claims("neon:x", "neon", name=name))
    assert names.clean(user.username) == user.username


@pytest.mark.spec("A145")
async def test_a_guest_gets_an_adjective_a_noun_and_a_number(users: Users, tokens: Tokens) -> None:
    token, guest = await users.make_guest()
    assert guest.is_guest
    assert guest.email is None
    adjectives, nouns = "|".join(names.ADJECTIVES), "|".join(names.NOUNS)
    assert re.fullmatch(rf"({adjectives})({nouns})(0|[1-9]\d{{0,2}})", guest.username)
    assert await users.of(await tokens.verify(token)) == guest


@pytest.mark.spec("A145")
def test_the_documents_words_are_among_ours() -> None:
    documents = "Swift Clever Bold Quick Bright Keen Lucky Happy Brave Calm"
    assert set(documents.split()) <= set(names.ADJECTIVES)
    documents = "Panda Falcon Tiger Wolf Eagle Fox Bear Hawk Lion Lynx"
    assert set(documents.split()) <= set(names.NOUNS)
    longest = max(map(len, names.ADJECTIVES)) + max(map(len, names.NOUNS)) + len("999")
    assert longest <= 15, "it fits wherever players are named"


@pytest.mark.spec("A146")
async def test_a_guest_and_an_account_stay_two_users(users: Users, tokens: Tokens) -> None:
    token, guest = await users.make_guest("Ada")
    assert (await users.of(ADA)).id != guest.id
    assert await users.of(await tokens.verify(token)) == guest


async def test_a_guest_may_wish_for_a_name(users: Users) -> None:
    _, guest = await users.make_guest("  Lucky_7 ")
    assert guest.username == "Lucky_7"
    for wish, code in (("lucky_7", "USERNAME_TAKEN"), ("no", "INVALID_USERNAME")):
        with pytest.raises(NameRefused) as refusal:
            await users.make_guest(wish)
        assert refusal.value.code == code
    assert [user.id for user in await users.search("lucky", but="")] == [guest.id]


async def test_without_guests_nobody_is_made(store: Store) -> None:
    strict = Users(store, Tokens(Settings(local_auth=False), store))
    with pytest.raises(BadToken):
        await strict.make_guest("Ada")
    assert await strict.search("ada", but="") == []


async def test_a_made_up_name_that_is_taken_is_drawn_again(store: Store, tokens: Tokens) -> None:
    draws: Iterator[int] = iter([1, 1, 1, 1, 1, 1, 1, 1, 2])
    users = Users(store, tokens, below=lambda _: next(draws))
    _, first = await users.make_guest()
    _, second = await users.make_guest()
    assert first.username == "CleverFalcon1"
    assert second.username == "CleverFalcon2"


async def test_when_no_name_is_left_it_says_so(store: Store, tokens: Tokens) -> None:
    users = Users(store, tokens, below=lambda _: 0)
    await users.make_guest()
    with pytest.raises(NameRefused):
        await users.make_guest()


@pytest.mark.spec("A14", "A18", "A127")
async def test_renaming(store: Store, tokens: Tokens) -> None:
    moments = iter((1_000, 2_000, 2_500, 3_000))
    users = Users(store, tokens, clock=lambda: next(moments))
    ada = await users.of(ADA)
    assert (ada.created_at, ada.updated_at) == (1_000, 1_000)
    renamed = await users.rename(ada.id, " Countess ")
    assert renamed.username == "Countess"
    assert (renamed.id, renamed.created_at, renamed.updated_at) == (ada.id, 1_000, 2_000)
    assert await users.of(ADA) == renamed
    assert (await users.rename(ada.id, "COUNTESS")).username == "COUNTESS"


@pytest.mark.spec("A14")
async def test_a_name_is_unique_regardless_of_case(users: Users) -> None:
    _, guest = await users.make_guest("Countess")
    ada = await users.of(ADA)
    await refused("USERNAME_TAKEN", users, ada.id, "cOUNTESS")
    await users.rename(guest.id, "Baroness")
    assert (await users.rename(ada.id, "countess")).username == "countess"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ab",
        "a" * 21,
        "with space",
        "Zoë",
        "semi;colon",
        "a\x00bc",
        "\uff11\uff12\uff13",
        "tab\tx",
    ],
)
async def test_a_name_that_will_not_do_changes_nothing(users: Users, name: str) -> None:
    ada = await users.of(ADA)
    await refused("INVALID_USERNAME", users, ada.id, name)


async def test_of_many_who_want_a_name_at_once_one_gets_it(users: Users) -> None:
    people = await asyncio.gather(
        *(users.of(Claims(f"firebase:{n}", "firebase")) for n in range(10))
    )
    answers = await asyncio.gather(
        *(users.rename(user.id, f"Chess{'Mm'[n % 2]}aster") for n, user in enumerate(people)),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, UserRow) for answer in answers) == 1
    assert all(isinstance(answer, UserRow | NameRefused) for answer in answers)


async def test_who_is_not_there_cannot_be_renamed_or_found(users: Users) -> None:
    with pytest.raises(UnknownUser):
        await users.rename("5f6d0c58-3f1f-4ad5-8a67-50b0c1f1b111", "Nobody")
    for user_id in ("5f6d0c58-3f1f-4ad5-8a67-50b0c1f1b111", "", "\x00", "x" * 1000, "'; --", "é"):
        assert await users.by_id(user_id) is None


@pytest.mark.spec("C93")
async def test_search_is_by_prefix_in_any_case_without_oneself(users: Users) -> None:
    made = {name: (await users.make_guest(name))[1] for name in ("Anna", "anNe", "Bann", "a_n")}
    found = await users.search("AN", but="")
    assert [user.username for user in found] == ["Anna", "anNe"]
    assert [u.username for u in await users.search("an", but=made["Anna"].id)] == ["anNe"]
    assert [user.username for user in await users.search("a_", but="")] == ["a_n"]


async def test_search_finds_ten_people_and_no_bots(users: Users, store: Store) -> None:
    for n in range(15):
        await users.make_guest(f"Player_{n:02}")
    bot = UserRow(
        id="ai:x",
        subject="ai:x",
        username="Player_bot",
        is_bot=True,
        created_at=1,
        updated_at=1,
    )
    await store.commit(Change((bot,)))
    found = await users.search("player", but="")
    assert [user.username for user in found] == [f"Player_{n:02}" for n in range(10)]
    assert await users.search("player_b", but="") == []


@pytest.mark.parametrize("prefix", ["", "%", "_%", "an%", "\\", "a b", "é", "\x00", "a" * 100])
async def test_a_search_for_what_no_name_has_finds_nobody(users: Users, prefix: str) -> None:
    await users.make_guest("Anna")
    assert await users.search(prefix, but="") == []


async def test_a_new_user_comes_with_what_the_house_gives(store: Store, tokens: Tokens) -> None:
    users = Users(store, tokens, welcome=lambda user: opening(user.id, 1000, user.created_at))
    _, guest = await users.make_guest()
    assert await balance(store, guest.id) == 1000
    again = await asyncio.gather(*(users.of(ADA) for _ in range(5)))
    assert await balance(store, again[0].id) == 1000


@given(st.text())
def test_a_clean_name_stays_clean(text: str) -> None:
    cleaned = names.clean(text)
    if cleaned is not None:
        assert 3 <= len(cleaned) <= 20
        assert names.clean(cleaned) == cleaned
        assert names.may_begin(cleaned)
