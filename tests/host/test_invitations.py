"""Invitations are answered once: by coming, or by declining, of which everybody concerned hears."""

from __future__ import annotations

from tests.host.conftest import Client, Enter, Message
from tests.servers.parlour import Served


def notified(house: Served, who: Client) -> list[Message]:
    """The invitations that somebody finds in the list, and whether each was read."""
    bearer = {"Authorization": f"Bearer {who.token}"}
    listed = house.ask("GET", "/api/notifications", headers=bearer)
    assert listed.status_code == 200, listed.text
    found: list[Message] = listed.json()["results"]
    return found


async def test_who_declines_closes_the_table_and_its_maker_hears_of_it(
    enter: Enter, house: Served
) -> None:
    host, guest = await enter(), await enter()
    other_window = await enter(guest.token, guest.user)
    table = await host.asks("invite", game="quarto", user=guest.user["id"])
    for window in (guest, other_window):
        assert (await window.hears("invitation"))["match"] == table["match"]
    assert [row["is_read"] for row in notified(house, guest)] == [False]

    done = await guest.asks("withdraw", match=table["match"])
    assert done["type"] == "done", done
    step = await host.hears("step")
    assert (step["kind"], step["by"], step["status"]) == ("cancel", 1, "cancelled")
    assert await host.hears("left") == {
        "type": "left",
        "match": table["match"],
        "why": "declined",
    }
    assert await other_window.hears("left") == {
        "type": "left",
        "match": table["match"],
        "why": "answered",
    }
    assert [row["is_read"] for row in notified(house, guest)] == [True]
    await guest.hears_nothing()
    assert await guest.refused("withdraw", match=table["match"]) == "NOT_SEATED"
    assert await guest.refused("join", game="quarto", code=table["code"]) == "NO_SUCH_TABLE"


async def test_who_comes_has_answered_too(enter: Enter, house: Served) -> None:
    host, guest = await enter(), await enter()
    other_window = await enter(guest.token, guest.user)
    table = await host.asks("invite", game="quarto", user=guest.user["id"])
    await other_window.hears("invitation")
    await guest.asks("join", game="quarto", code=table["code"])
    assert (await other_window.hears("left"))["why"] == "answered"
    assert [row["is_read"] for row in notified(house, guest)] == [True]
    assert await guest.refused("withdraw", match=table["match"]) == "GAME_ALREADY_STARTED"


async def test_only_who_was_invited_can_decline(enter: Enter) -> None:
    host, guest, stranger = await enter(), await enter(), await enter()
    table = await host.asks("invite", game="quarto", user=guest.user["id"])
    assert await stranger.refused("withdraw", match=table["match"]) == "NOT_SEATED"
    joined = await guest.asks("join", game="quarto", code=table["code"])
    assert joined["status"] == "active"


async def test_an_invitation_that_came_to_nothing_can_be_put_away(
    enter: Enter, house: Served
) -> None:
    host, guest = await enter(), await enter()
    table = await host.asks("invite", game="quarto", user=guest.user["id"])
    await guest.hears("invitation")
    await host.asks("withdraw", match=table["match"])
    assert (await guest.asks("withdraw", match=table["match"]))["type"] == "done"
    assert [row["is_read"] for row in notified(house, guest)] == [True]


async def test_nobody_is_invited_twice_to_the_same(enter: Enter, house: Served) -> None:
    host, guest = await enter(), await enter()
    table = await host.asks("invite", game="memory", user=guest.user["id"])
    again = await host.asks("invite", game="memory", user=guest.user["id"])
    assert (again["type"], again["match"]) == ("table", table["match"])
    assert len(notified(house, guest)) == 1
    other = {"game": "memory", "user": guest.user["id"], "options": {"rows": 6}}
    assert await host.refused("invite", **other) == "ALREADY_INVITED"
    assert len(notified(house, guest)) == 1
    await guest.asks("withdraw", match=table["match"])
    await host.hears("left")
    fresh = await host.asks("invite", **other)
    assert fresh["match"] != table["match"]
    assert len(notified(house, guest)) == 2


async def test_who_waits_elsewhere_is_told_that_the_game_has_begun(
    enter: Enter, house: Served
) -> None:
    host, guest = await enter(), await enter()
    table = await host.asks("open", game="quarto")
    await host.asks("unwatch", match=table["match"])
    await guest.asks("join", game="quarto", code=table["code"])
    (word,) = notified(house, host)
    assert (word["notification_type"], word["is_read"]) == ("GAME_BEGUN", False)
    assert word["payload"] == {
        "notification_type": "GAME_BEGUN",
        "match": table["match"],
        "public_id": table["public_id"],
        "game": "quarto",
        "mode": "online",
        "code": table["code"],
        "challenge": None,
        "opponent": guest.user["username"],
    }


async def test_who_sits_there_sees_it_and_is_not_told(enter: Enter, house: Served) -> None:
    host, guest = await enter(), await enter()
    table = await host.asks("open", game="quarto")
    await guest.asks("join", game="quarto", code=table["code"])
    assert (await host.hears("table"))["status"] == "active"
    assert notified(house, host) == []
