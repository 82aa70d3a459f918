"""Somebody is challenged by the hundreds, and telling of it costs no more than it must."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import pytest

from parlour.games.connect_five.terms import Terms
from parlour.net import feeds
from parlour.net.notices import Notices
from parlour.people import notifications
from parlour.store.change import ChallengeRow, NotificationRow, Write
from parlour.store.queries import LIST_LIMIT
from tests.servers.parlour import Served, serving
from tests.wire.connect_five.people import Person

SPAM = LIST_LIMIT + 100


async def spam(served: Served, senders: list[str], victim: str, count: int) -> None:
    kernel = served.services.kernel

    def notice(row: ChallengeRow) -> tuple[Write, ...]:
        made = NotificationRow(
            id=kernel.runtime.chance.id(),
            user_id=victim,
            type="CONNECT_FIVE_CHALLENGE",
            payload=b"{}",
            created_at=row.created_at,
        )
        return (made,)

    for number in range(count):
        sender = senders[number % len(senders)]
        await kernel.challenges.create(
            "connect_five", sender, victim, Terms(0, 0, 300), 300_000, notice
        )


def spied(answers: list[Any], ask: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def spy(*args: Any, **more: Any) -> Any:
        answers.append(await ask(*args, **more))
        return answers[-1]

    return spy


def test_a_look_reads_so_much_and_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[list[NotificationRow]] = []
    counts: list[int] = []
    said: list[bytes] = []
    with serving() as served:
        senders = [Person(served).uuid for _ in range(3)]
        victim = Person(served).uuid
        news = Notices(served.services.kernel.runtime, served.services.payloads)
        served.run(news.begin(victim, said.append))
        served.run(spam(served, senders, victim, SPAM))
        monkeypatch.setattr(notifications, "since", spied(read, notifications.since))
        monkeypatch.setattr(
            notifications, "unread_count", spied(counts, notifications.unread_count)
        )
        served.run(news.look([victim]))
    assert [len(rows) for rows in read] == [LIST_LIMIT] == [len(said)]
    assert counts == [SPAM]
    assert f'"total_unread_count":{SPAM}'.encode() in said[-1]


def test_many_words_of_one_user_share_a_look_and_each_is_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[None] = []
    look = Notices.look

    async def spy(news: Notices, users: Collection[str]) -> None:
        looks.append(None)
        await look(news, users)

    monkeypatch.setattr(Notices, "look", spy)
    with serving() as served:
        senders = [Person(served).uuid for _ in range(3)]
        victim = Person(served)
        began_at = time.monotonic()
        with victim.hearing("connect-five") as challenges, victim.hearing("notifications") as notes:
            served.run(spam(served, senders, victim.uuid, 200))
            heard = {challenges.hear()["challenge"]["id"] for _ in range(200)}
            told = {notes.hear()["notification"]["id"] for _ in range(200)}
            assert challenges.nothing_more()
            assert notes.nothing_more()
        took = time.monotonic() - began_at
    assert len(heard) == len(told) == 200
    # The round every few seconds, and a word as often as may be.
    assert len(looks) <= took / feeds.LOOK_SEC + took / feeds.APART_SEC + 2
