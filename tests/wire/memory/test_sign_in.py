"""Who plays: tokens, and the names that others see."""

from __future__ import annotations

import json
from typing import Any

import pytest

from parlour.net import session as sessions
from parlour.people import names
from tests.servers.keys import KeyServer
from tests.wire.memory.conftest import CALM, Client, Parlour, issued, parlour_of


@pytest.mark.spec("B44", "B56")
async def test_a_good_token_is_answered_by_nothing(parlour: Parlour) -> None:
    ann = await parlour.client()
    await ann.hears_nothing()
    assert await ann.refused("auth", token=ann.token) == "You are signed in already."


async def test_a_token_in_the_header_will_do(parlour: Parlour) -> None:
    token, user = parlour.served.guest()
    line = await parlour.line(additional_headers={"Authorization": f"Bearer {token}"})
    ann = Client(line, token, user)
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")


@pytest.mark.spec("B44", "B47")
@pytest.mark.parametrize(
    "said",
    [
        {"type": "auth", "token": "forged"},
        {"type": "auth", "token": ""},
        {"type": "auth"},
        {"type": "auth", "token": 7},
        {"type": "set_name", "name": "Ann"},
        {"type": "flip_card", "index": 0},
        {"type": "rejoin_my_game"},
        {"type": "ping"},
        {"type": "nonsense"},
        "auth",
        b"\x00\xff",
    ],
    ids=str,
)
async def test_whoever_does_not_sign_in_is_told_so_and_shown_out(
    parlour: Parlour, said: Any
) -> None:
    stranger = Client(await parlour.line(), "", {})
    await stranger.line.send(said if isinstance(said, bytes) else json.dumps(said))
    message = await stranger.hears("error")
    assert message["message"].startswith("Sign in first: ")
    assert await stranger.closed() == 4401


async def test_whoever_stays_silent_is_shown_out(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "SIGN_IN_SEC", 0.01)
    stranger = Client(await parlour.line(), "", {})
    await stranger.hears("error")
    assert await stranger.closed() == 4401


@pytest.mark.spec("B82")
async def test_without_any_issuer_nobody_can_sign_in() -> None:
    async with parlour_of(local_auth=False) as parlour:
        stranger = Client(await parlour.line(), "", {})
        await stranger.say("auth", token="whatever")
        assert await stranger.hears("error") == {
            "type": "error",
            "message": "Server auth not configured.",
            "code": "AUTH_NOT_CONFIGURED",
        }
        assert await stranger.closed() == 4401


# --- names ------------------------------------------------------------------------------------


async def called(parlour: Parlour, token: str, name: str) -> str:
    """What an opponent is told that player is called."""
    ann, bob = await parlour.client(token), await parlour.client()
    await ann.say("set_name", name=name)
    await ann.hears("waiting_for_match")
    await bob.say("set_name", name="Bob")
    await bob.hears("waiting_for_match", "match_found")
    await bob.say("leave_game")
    return str(bob.found["opponentName"])


@pytest.mark.spec("B67", "B80", "B81")
async def test_a_tokens_name_goes_before_the_one_that_is_said(neon: KeyServer) -> None:
    async with parlour_of(neon_auth_base_url=neon.origin) as parlour:
        grace = issued(neon, sub="u-1", name="Grace Hopper")
        assert await called(parlour, grace, "Somebody") == "Grace"
        assert await called(parlour, issued(neon, sub="u-2"), "Somebody") == "Somebody"
        long = issued(neon, sub="u-3", name="X" * 60)
        assert await called(parlour, long, "Somebody") == "X" * 24
        ann = await parlour.client(grace)
        for bad in ("", "X" * 25):
            await ann.refused("set_name", name=bad)


@pytest.mark.spec("B81")
async def test_the_same_subject_is_the_same_user(neon: KeyServer) -> None:
    async with parlour_of(neon_auth_base_url=neon.origin) as parlour:
        here = await parlour.client(issued(neon, sub="u-1", name="Grace"))
        there = await parlour.client(issued(neon, sub="u-1", name="Grace"))
        bob = await parlour.client()
        await here.say("set_name", name="Grace")
        await here.hears("waiting_for_match")
        await bob.say("set_name", name="Bob")
        await bob.hears("waiting_for_match", "match_found", "game_state")
        await there.say("rejoin_my_game")
        await there.hears("match_found", "game_state")
        assert there.found["opponentUserId"] == bob.user["id"]


@pytest.mark.spec("B5", "B6", "B40", "B64")
@pytest.mark.parametrize("name", ["A", "Ann Lee", "Zoë", "x" * 24, "👩‍🚀" * 8, " Ann "])
async def test_a_guest_is_called_as_it_says(parlour: Parlour, name: str) -> None:
    token, _ = parlour.served.guest()
    assert await called(parlour, token, name) == name.strip()


@pytest.mark.spec("B6", "B40", "B64")
@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "a\nb", "a\x00", "\u202eevil", "\u200d"])
async def test_a_name_nobody_may_have_is_refused(parlour: Parlour, name: str) -> None:
    ann = await parlour.client()
    assert await ann.refused("set_name", name=name) == "A name has 1 to 24 characters."
    await ann.refused("leave_queue")
    await ann.say("set_name", name="Ann")
    await ann.hears("waiting_for_match")


@pytest.mark.spec("B64", "B79")
async def test_how_long_a_name_may_be_is_a_setting() -> None:
    async with parlour_of(CALM, max_name_length=3) as parlour:
        ann = await parlour.client()
        assert await ann.refused("set_name", name="Anna") == "A name has 1 to 3 characters."
        await ann.say("set_name", name="Ann")
        await ann.hears("waiting_for_match")


def test_names_keep_what_scripts_need_and_nothing_that_controls() -> None:
    assert names.displayed("क्\u200dष", 24) == "क्\u200dष"
    assert names.displayed("a\u2028b", 24) is None
    assert names.displayed("a\ue000", 24) is None
