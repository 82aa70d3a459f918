"""The host's protocol: any game that has rules is found, played, watched, resumed and rematched."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from parlour.bus.local import LocalBus
from parlour.games.connect4.rules import Drop
from parlour.games.registry import all_rules, bots
from parlour.play.kernel import Kernel
from parlour.play.match import Match
from parlour.play.player import Player
from parlour.store import queries
from parlour.store.change import Arrive, Change, Unavailable
from tests.host.conftest import Client, Enter, Message
from tests.servers.parlour import Served

GAMES = tuple(all_rules())
PLAIN = "connect4"
"""A game whose moves the tests write by hand."""


async def seated(enter: Enter, game: str = PLAIN) -> tuple[Client, Client, Message]:
    """Two people at a table of their own, and how the second one sees it."""
    host, guest = await enter(), await enter()
    waiting = await host.asks("open", game=game)
    assert waiting["status"] == "waiting"
    table = await guest.asks("join", game=game, code=waiting["code"])
    assert table["type"] == "table"
    assert (await host.hears("table"))["match"] == table["match"]
    assert (await host.hears("presence"))["here"] == [True, True]
    return host, guest, table


async def mover_first(pair: tuple[Client, Client], table: Message) -> tuple[Client, Client]:
    host, guest = pair
    return (host, guest) if table["turn"] == 0 else (guest, host)


# --- whole games --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_played_to_its_end_by_what_the_server_says(
    enter: Enter, game: str
) -> None:
    """Nothing but legal actions is known here, so a game without any other surface is served."""
    random = Random(5)
    host, guest, table = await seated(enter, game)
    look = {host: await host.asks("watch", match=table["match"]), guest: table}
    for _ in range(all_rules()[game].longest):
        mover = next(who for who in (host, guest) if look[who]["seat"] == look[who]["turn"])
        standing = look[mover]
        action = random.choice([each for each in standing["legal"] if each["type"] != "purchase"])
        await mover.say("act", match=table["match"], version=standing["version"], action=action)
        for who in (host, guest):
            step = await who.hears("step")
            while step["version"] < standing["version"] + 1 or (
                step["status"] == "active" and step["turn"] is None
            ):
                step = await who.hears("step")
            look[who] = look[who] | step
        # What moves by itself (cards that are hidden again) may come meanwhile.
        while look[host]["version"] != look[guest]["version"] or not (
            look[host]["legal"] or look[guest]["legal"] or look[host]["status"] == "finished"
        ):
            behind = min((host, guest), key=lambda who: look[who]["version"])
            look[behind] = look[behind] | await behind.hears("step")
        if look[host]["status"] == "finished":
            break
    assert look[host]["status"] == look[guest]["status"] == "finished"
    assert look[host]["result"] == look[guest]["result"]
    assert look[host]["legal"] == look[guest]["legal"] == []


@pytest.mark.parametrize("game", [game for game in GAMES if bots(game)])
async def test_every_game_with_bots_is_played_against_them(enter: Enter, game: str) -> None:
    me = await enter()
    name = next(iter(bots(game)))
    table = await me.asks("play_bot", game=game, bot=name, seat=1)
    assert table["seat"] == 1
    assert table["players"][0]["bot"] == name
    assert table["players"][0]["here"]
    if table["turn"] == 0:
        step = await me.hears("step")
        assert step["by"] == 0
        assert step["version"] > table["version"]


async def test_two_who_seek_find_each_other(enter: Enter) -> None:
    one, other = await enter(), await enter()
    assert (await one.asks("seek", game=PLAIN))["type"] == "seeking"
    await other.say("seek", game=PLAIN)
    first, second = await one.hears("table"), await other.hears("table")
    assert first["match"] == second["match"]
    assert {first["seat"], second["seat"]} == {0, 1}
    assert [each["name"] for each in first["players"]] == [
        who.user["username"] for who in sorted((one, other), key=lambda who: who is other)
    ]


async def test_a_seek_can_be_withdrawn(enter: Enter) -> None:
    one, other = await enter(), await enter()
    await one.asks("seek", game="memory")
    assert (await one.asks("withdraw", game="memory"))["type"] == "done"
    assert (await other.asks("seek", game="memory"))["type"] == "seeking"
    assert await one.refused("withdraw", game="memory") == "NOT_SEEKING"
    await one.hears_nothing()
    await other.asks("withdraw", game="memory")


@pytest.mark.parametrize("game", GAMES)
async def test_who_gives_up_just_when_somebody_came_sits_down(
    enter: Enter, house: Served, game: str
) -> None:
    """Somebody on another process, of whom no word has come yet."""
    services = house.services
    runtime = services.kernel.runtime
    there = Kernel(services.store, LocalBus(), runtime.rules, runtime.policies, services.thinkers)
    one, (_, user) = await enter(), await asyncio.to_thread(house.guest)
    await one.asks("seek", game=game)
    partner = Player(name="Partner", user_id=user["id"])
    match = await asyncio.to_thread(house.run, there.queue.join(game, partner))
    assert isinstance(match, Match)
    await one.say("withdraw", game=game, ref=0)
    table = await one.hears("table")
    assert (table["match"], table["seat"]) == (match.id, 0)
    assert (await one.hears("done"))["ref"] == 0


async def test_a_seat_that_the_store_could_not_vouch_for_is_not_held(
    enter: Enter, house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _, table = await seated(enter)
    again = await enter(host.token, host.user)
    store = house.services.store
    real = store.commit

    async def landed_unheard(change: Change) -> None:
        await real(change)
        if isinstance(change.writes[0], Arrive):
            monkeypatch.setattr(store, "commit", real)
            raise Unavailable

    monkeypatch.setattr(store, "commit", landed_unheard)
    assert await again.refused("join", match=table["match"]) == "UNAVAILABLE"
    rows = await asyncio.to_thread(house.run, queries.presence(store, table["match"]))
    assert rows[0].connection is None
    assert (await again.asks("join", match=table["match"]))["seat"] == 0


@pytest.mark.parametrize("meanwhile", [False, True], ids=["quiet", "a step meanwhile"])
async def test_who_fails_to_sit_down_hears_on_as_before(
    enter: Enter, house: Served, monkeypatch: pytest.MonkeyPatch, meanwhile: bool
) -> None:
    host, guest, table = await seated(enter)
    mover, other = await mover_first((host, guest), table)
    match, version, store = table["match"], table["version"], house.services.store
    kernel, real = house.services.kernel, store.commit

    async def unanswered(change: Change) -> None:
        if isinstance(change.writes[0], Arrive):
            raise Unavailable
        await real(change)

    async def step(number: int) -> None:
        await kernel.steps.act(match, (table["turn"] + number) % 2, Drop(3))

    arrive = kernel.connections.arrive

    async def overtaken(*seat: Any, **how: Any) -> Any:
        await step(0)
        return await arrive(*seat, **how)

    monkeypatch.setattr(store, "commit", unanswered)
    if meanwhile:
        monkeypatch.setattr(kernel.connections, "arrive", overtaken)
    assert await other.refused("join", match=match) == "UNAVAILABLE"
    monkeypatch.undo()
    if not meanwhile:
        await asyncio.to_thread(house.run, step(0))
    await asyncio.to_thread(house.run, step(1))
    for who in (mover, other):
        while (await who.hears("step"))["version"] < version + 2:
            pass


async def test_two_at_one_device(enter: Enter) -> None:
    me = await enter()
    table = await me.asks("open", game=PLAIN, local=True)
    assert table["seats"] == [0, 1]
    for move in range(7):
        answer = await me.asks(
            "act",
            match=table["match"],
            version=table["version"] + move,
            action={"type": "drop", "column": move % 2},
        )
        assert answer["type"] == "done"
    last = await me.asks("watch", match=table["match"])
    assert last["result"]["reason"] == "CONNECT4"
    assert last["result"]["rating_changes"] == [None, None]


# --- acting -------------------------------------------------------------------------------------


async def test_a_step_tells_each_what_it_may_do(enter: Enter) -> None:
    host, guest, table = await seated(enter)
    mover, other = await mover_first((host, guest), table)
    await mover.asks(
        "act", match=table["match"], version=table["version"], action={"type": "drop", "column": 3}
    )
    step = await other.hears("step")
    assert step["kind"] == "act"
    assert step["by"] == table["turn"]
    assert step["action"] == {"type": "drop", "column": 3}
    assert step["turn"] == 1 - table["turn"]
    assert len(step["legal"]) == 7


async def test_an_action_on_an_older_version_is_stale_and_shows_the_table(enter: Enter) -> None:
    host, guest, table = await seated(enter)
    mover, other = await mover_first((host, guest), table)
    drop = {"type": "drop", "column": 3}
    await mover.asks("act", match=table["match"], version=table["version"], action=drop)
    await other.hears("step")
    await other.say("act", ref="late", match=table["match"], version=table["version"], action=drop)
    error = await other.hear()
    assert (error["type"], error["code"], error["ref"]) == ("error", "STALE", "late")
    shown = await other.hear()
    assert shown["type"] == "table"
    assert shown["version"] == table["version"] + 1
    await mover.hears_nothing()


async def test_the_same_action_again_is_answered_as_the_first_time(enter: Enter) -> None:
    host, guest, table = await seated(enter)
    mover, other = await mover_first((host, guest), table)
    wish = {
        "match": table["match"],
        "version": table["version"],
        "action": {"type": "drop", "column": 2},
    }
    first = await mover.asks("act", **wish)
    again = await mover.asks("act", **wish)
    assert first["version"] == again["version"] == table["version"] + 1
    await other.hears("step")
    await other.hears_nothing()


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"type": "drop", "column": 9}, "INVALID_COLUMN"),
        ({"type": "drop"}, "INVALID_ACTION"),
        ({"type": "fly"}, "INVALID_ACTION"),
        ([[[]]], "INVALID_ACTION"),
        (None, "INVALID_ACTION"),
    ],
)
async def test_what_cannot_be_done_is_refused_and_changes_nothing(
    enter: Enter, action: object, code: str
) -> None:
    host, guest, table = await seated(enter)
    mover, other = await mover_first((host, guest), table)
    wish = {"match": table["match"], "version": table["version"], "action": action}
    assert await mover.refused("act", **wish) == code
    await other.hears_nothing()
    assert (await other.asks("watch", match=table["match"]))["version"] == table["version"]


async def test_only_who_sits_there_acts(enter: Enter) -> None:
    _, _, table = await seated(enter)
    stranger = await enter()
    watched = await stranger.asks("watch", match=table["match"])
    assert watched["seat"] is None
    assert watched["legal"] == []
    assert watched["code"] is None
    for kind in ("resign", "rematch"):
        assert await stranger.refused(kind, match=table["match"]) == "NOT_SEATED"
    wish = {"match": table["match"], "version": 1, "action": {"type": "drop", "column": 0}}
    assert await stranger.refused("act", **wish) == "NOT_SEATED"
    assert await stranger.refused("join", match=table["match"]) == "NOT_SEATED"


async def test_giving_up_and_once_more(enter: Enter) -> None:
    host, guest, table = await seated(enter)
    await host.asks("resign", match=table["match"])
    ended = await guest.hears("step")
    assert ended["result"]["winner"] == table["seat"]
    assert ended["result"]["reason"] == "RESIGNED"
    assert sorted(ended["result"]["rating_changes"]) == [-16, 16]

    await host.asks("rematch", match=table["match"])
    offer = await guest.hears("rematch")
    assert offer["by"] == 1 - table["seat"]
    assert offer["next"] is None
    await guest.say("rematch", match=table["match"])
    mine, theirs = await guest.hears("table"), await host.hears("table")
    assert mine["match"] == theirs["match"] != table["match"]
    assert mine["status"] == "active"
    assert (mine["seat"], theirs["seat"]) == (1 - table["seat"], table["seat"])


async def test_a_wish_for_another_game_is_withdrawn(enter: Enter) -> None:
    host, guest, table = await seated(enter)
    await host.asks("resign", match=table["match"])
    await host.asks("rematch", match=table["match"])
    assert (await guest.hears("rematch"))["by"] == 1 - table["seat"]
    assert await guest.refused("withdraw", match=table["match"]) == "NOT_ASKED"
    await host.asks("withdraw", match=table["match"])
    assert (await guest.hears("rematch"))["by"] is None
    await guest.asks("rematch", match=table["match"])
    assert (await host.hears("rematch"))["by"] == table["seat"]


async def test_the_computer_always_wants_another_game(enter: Enter) -> None:
    me = await enter()
    table = await me.asks("play_bot", game="quarto", bot="easy", seat=0)
    await me.asks("resign", match=table["match"])
    await me.say("rematch", match=table["match"])
    again = await me.hears("table")
    assert again["match"] != table["match"]
    assert again["status"] == "active"
    assert again["seat"] == 1


# --- coming and going ---------------------------------------------------------------------------


async def test_another_window_takes_over_and_the_first_is_told(enter: Enter) -> None:
    host, guest, table = await seated(enter)
    window = await enter(guest.token, guest.user)
    again = await window.asks("join", match=table["match"])
    assert again["seat"] == table["seat"]
    assert (await guest.hears("left"))["why"] == "taken_over"
    assert await guest.refused("resign", match=table["match"]) == "NOT_SEATED"
    await host.asks("resign", match=table["match"])
    assert (await window.hears("step"))["status"] == "finished"


async def test_going_and_coming_back_is_told(enter: Enter) -> None:
    host, guest, table = await seated(enter, "quarto")
    await guest.hang_up()
    assert (await host.hears("step"))["kind"] == "gone"
    assert (await host.hears("presence"))["here"] == [True, False]
    again = await enter(guest.token, guest.user)
    shown = await again.asks("join", match=table["match"])
    assert [each["here"] for each in shown["players"]] == [True, True]
    assert (await host.hears("presence"))["here"] == [True, True]


async def test_a_table_that_nobody_came_to_can_be_let_go(enter: Enter) -> None:
    host, watcher = await enter(), await enter(None)
    table = await host.asks("open", game=PLAIN)
    await watcher.asks("watch", match=table["match"])
    assert (await host.asks("withdraw", match=table["match"]))["type"] == "done"
    assert (await watcher.hears("left"))["why"] == "closed"
    late = await enter()
    assert await late.refused("join", game=PLAIN, code=table["code"]) == "NO_SUCH_TABLE"


async def test_watching_needs_no_token_and_playing_does(enter: Enter) -> None:
    host, guest, table = await seated(enter)
    watcher = await enter(None)
    assert (await watcher.asks("watch", match=table["match"]))["status"] == "active"
    for kind, fields in (
        ("seek", {"game": PLAIN}),
        ("open", {"game": PLAIN}),
        ("join", {"match": table["match"]}),
        ("play_bot", {"game": PLAIN, "bot": "easy"}),
    ):
        assert await watcher.refused(kind, **fields) == "UNAUTHORIZED"
    await host.asks("resign", match=table["match"])
    assert (await watcher.hears("step"))["status"] == "finished"
    assert (await watcher.asks("unwatch", match=table["match"]))["type"] == "left"
    await guest.asks("rematch", match=table["match"])
    await watcher.hears_nothing()


async def test_one_connection_plays_many_tables(enter: Enter) -> None:
    me = await enter()
    tables = [
        await me.asks("play_bot", game="quarto", bot="easy", seat=0),
        await me.asks("open", game="quarto", local=True),
        await me.asks("open", game=PLAIN),
    ]
    assert len({table["match"] for table in tables}) == 3
    await me.asks("resign", match=tables[0]["match"])
    shown = await me.asks("watch", match=tables[1]["match"])
    assert shown["status"] == "active"


# --- invitations --------------------------------------------------------------------------------


async def test_somebody_is_invited_by_name_and_comes(enter: Enter) -> None:
    host, guest = await enter(), await enter()
    table = await host.asks("invite", game="quarto", user=guest.user["username"].upper())
    assert table["status"] == "waiting"
    asked = await guest.hears("invitation")
    assert asked["match"] == table["match"]
    assert asked["by"]["username"] == host.user["username"]
    joined = await guest.asks("join", game=asked["game"], code=asked["code"])
    assert joined["status"] == "active"


async def test_who_comes_later_still_finds_the_invitation(enter: Enter) -> None:
    host, guest = await enter(), await enter()
    await guest.hang_up()
    table = await host.asks("invite", game="quarto", user=guest.user["id"])
    back = await enter(guest.token, guest.user)
    assert (await back.hears("invitation"))["match"] == table["match"]


async def test_nobody_invites_nobody_or_oneself(enter: Enter) -> None:
    host = await enter()
    assert await host.refused("invite", game=PLAIN, user="No_Such_Name_1") == "UNKNOWN_USER"
    assert (
        await host.refused("invite", game=PLAIN, user=host.user["username"])
        == "CANNOT_INVITE_YOURSELF"
    )


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "fields", "code"),
    [
        ("seek", {"game": "chess"}, "UNKNOWN_GAME"),
        ("open", {"game": "chess"}, "UNKNOWN_GAME"),
        ("open", {"game": PLAIN, "options": {"abandon_ms": 1}}, "INVALID_OPTIONS"),
        ("open", {"game": PLAIN, "options": []}, "INVALID_OPTIONS"),
        ("play_bot", {"game": PLAIN, "bot": "nobody"}, "UNKNOWN_BOT"),
        ("join", {"match": "no-such-match"}, "NO_SUCH_TABLE"),
        ("join", {"game": PLAIN, "code": "NOSUCH"}, "NO_SUCH_TABLE"),
        ("join", {}, "INVALID_MESSAGE"),
        ("withdraw", {}, "INVALID_MESSAGE"),
        ("watch", {"match": "no-such-match"}, "NO_SUCH_TABLE"),
        ("unwatch", {"match": "no-such-match"}, "NO_SUCH_TABLE"),
        ("auth", {"token": "again"}, "SIGNED_IN"),
    ],
)
async def test_what_makes_no_sense_is_refused_by_code(
    enter: Enter, kind: str, fields: Message, code: str
) -> None:
    me = await enter()
    assert await me.refused(kind, **fields) == code
    await me.hears_nothing()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"type":"fly"}',
        '{"type":"seek"}',
        '{"type":"seek","game":1}',
        '{"type":"seek","game":"quarto","more":1}',
        '{"type":"ping","ref":"' + "r" * 65 + '"}',
        "[" * 5000,
    ],
)
async def test_what_is_not_understood_gets_an_error_and_the_socket_stays(
    enter: Enter, text: str
) -> None:
    me = await enter()
    await me.line.send(text)
    error = await me.hear()
    assert (error["type"], error["code"]) == ("error", "INVALID_MESSAGE")
    await me.hears_nothing()


async def test_binary_data_is_no_message(enter: Enter) -> None:
    me = await enter()
    await me.line.send(b"\xff\x00")
    assert (await me.hear())["code"] == "INVALID_MESSAGE"
    await me.hears_nothing()


async def test_a_bad_token_is_refused_and_may_be_followed_by_a_good_one(enter: Enter) -> None:
    known = await enter()
    me = await enter(None)
    assert await me.refused("auth", token="nonsense") == "BAD_TOKEN"
    assert (await me.asks("auth", token=known.token))["type"] == "welcome"


async def test_who_is_in_a_game_is_told_which(enter: Enter) -> None:
    me = await enter()
    table = await me.asks("open", game=PLAIN)
    answer = await me.asks("open", game=PLAIN)
    assert (answer["code"], answer["match"]) == ("BUSY", table["match"])
