"""The user: made on first sight, named, rated, and what it has played."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest

from parlour.games.connect4.rules import Drop, Options
from parlour.people.names import ADJECTIVES, NOUNS
from parlour.play import player as players
from parlour.settings import Settings
from parlour.store.change import Change, UserRow
from tests.servers import plain
from tests.servers.parlour import Served
from tests.wire.connect4.conftest import (
    DRAW,
    WIN,
    House,
    NewPlayer,
    Player,
    begin,
    finished,
    in_turn,
    just_before,
    nothing_changes,
    ok,
    opened,
    play,
    refused,
    settled,
    to_anyone,
)

ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.mark.spec("A11", "A12", "A13", "A15", "A16", "A17", "A18", "A128")
def test_one_sees_oneself_as_the_schema_has_it(ann: Player) -> None:
    me = ann.me()
    assert set(me) == {
        "id",
        "number",
        "firebaseUid",
        "email",
        "username",
        "isGuest",
        "rating",
        "wins",
        "losses",
        "draws",
        "createdAt",
        "updatedAt",
    }
    assert str(UUID(me["id"])) == me["id"]
    assert me["firebaseUid"]
    assert (me["email"], me["isGuest"]) == (None, True)
    assert (me["rating"], me["wins"], me["losses"], me["draws"]) == (1000, 0, 0, 0)
    assert ISO.fullmatch(me["createdAt"])
    assert ISO.fullmatch(me["updatedAt"])


@pytest.mark.spec("A145", "A6")
def test_a_guest_is_named_by_adjective_noun_and_number(new_player: NewPlayer) -> None:
    pattern = re.compile(f"({'|'.join(ADJECTIVES)})({'|'.join(NOUNS)})" + r"(\d|[1-9]\d{1,2})")
    for _ in range(5):
        assert pattern.fullmatch(new_player().username)


@pytest.mark.spec("A127", "A14")
def test_a_user_may_take_another_name(ann: Player, bob: Player) -> None:
    before = ann.me()
    name = f"Ann_{before['id'][:8]}"
    renamed = ok(ann.ask("PUT", "/api/users/me", json={"username": f"  {name} "}))
    assert renamed["username"] == name
    assert ann.me() == renamed
    for taken in (name, name.upper()):
        refused(bob.ask("PUT", "/api/users/me", json={"username": taken}), 409, "USERNAME_TAKEN")
    assert bob.me()["username"] == bob.username
    assert ok(ann.ask("PUT", "/api/users/me", json={"username": name.upper()}))["username"] == (
        name.upper()
    ), "one may change the case of one's own name"


@pytest.mark.parametrize("body", [{}, {"username": None}, {"nickname": "Nobody"}])
def test_without_a_name_nothing_changes(ann: Player, body: object) -> None:
    before = ann.me()
    assert ok(ann.ask("PUT", "/api/users/me", json=body)) == before


@pytest.mark.parametrize(
    "name", ["", "ab", "a" * 21, "two words", "Ünal", "a-b-c", "<script>", "a\u0000b", "   "]
)
def test_what_is_no_name_is_refused(ann: Player, name: str) -> None:
    before = ann.me()
    refused(ann.ask("PUT", "/api/users/me", json={"username": name}), 400, "INVALID_USERNAME")
    assert ann.me() == before


@pytest.mark.parametrize(
    "content",
    [b"", b"null", b"[]", b'"Ann"', b"{", b"\xff", b'{"username": 3}', b'{"username": []}'],
)
def test_what_is_no_wish_is_refused(ann: Player, content: bytes) -> None:
    before = ann.me()
    refused(ann.ask("PUT", "/api/users/me", content=content), 400, "INVALID_BODY")
    assert ann.me() == before


@pytest.mark.spec("A1", "A70", "A66", "A67", "A72")
def test_results_are_counted_and_ratings_move(new_player: NewPlayer) -> None:
    ann, bob = new_player(), new_player()
    first = finished(ann, bob)
    for player in (ann, bob):
        assert player.me()["updatedAt"] == first["completedAt"]
    winner, loser = (ann, bob) if first["winnerId"] == ann.id else (bob, ann)
    assert standing(winner) == (1016, 1, 0, 0)
    assert standing(loser) == (984, 0, 1, 0)
    second = finished(winner, loser, DRAW)
    assert (second["p1RatingBefore"], second["p2RatingBefore"]) == (1016, 984)
    assert (second["p1RatingDelta"], second["p2RatingDelta"]) == (-1, 1)
    assert standing(winner) == (1015, 1, 0, 1)
    assert standing(loser) == (985, 0, 1, 1)


def standing(player: Player) -> tuple[int, int, int, int]:
    me = player.me()
    return me["rating"], me["wins"], me["losses"], me["draws"]


@pytest.mark.spec("A133")
def test_a_user_who_is_gone_is_not_found(tmp_path: Path) -> None:
    path = tmp_path / "parlour.db"
    with opened(Settings(database_url=f"sqlite:///{path}")) as house:
        ann, host = house.new_player(), house.new_player()
        game = host.create()
        services = house.served.services
        known = house.served.run(services.users.by_id(ann.id))
        assert known is not None
        again = UserRow(**{name: getattr(known, name) for name in UserRow.__struct_fields__})

        async def delete() -> None:
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.execute('DELETE FROM "user" WHERE id = ?', (ann.id,))

        for part, call, method, path_asked in (
            (services.users, "rename", "PUT", "/api/users/me"),
            (services.kernel.seating, "open", "POST", "/api/games"),
            (services.kernel.seating, "join", "POST", f"/api/games/join/{game['code']}"),
            (services.kernel.queue, "join", "POST", "/api/matchmaking/join"),
        ):
            with nothing_changes(host, game), just_before(part, call, delete):
                answer = ann.ask(method, path_asked, json={"username": "Nobody"})
                refused(answer, 404, "USER_NOT_FOUND")
            house.served.run(services.store.commit(Change((again,))))


# --- history ----------------------------------------------------------------------------------


@pytest.mark.spec("A129", "A19")
def test_finished_games_are_listed_newest_first(new_player: NewPlayer) -> None:
    ann, bob = new_player(), new_player()
    played = [finished(ann, bob, DRAW if n == 1 else (0, 1, 0, 1, 0, 1, 0)) for n in range(3)]
    open_game = begin(ann, bob)
    for player in (ann, bob):
        page = ok(player.get("/api/users/me/games"))
        assert (page["total"], page["limit"], page["offset"]) == (3, 10, 0)
        assert [game["id"] for game in page["games"]] == [game["id"] for game in reversed(played)]
    newest = ok(ann.get("/api/users/me/games"))["games"][0]
    assert newest == ann.look(newest)
    assert open_game["id"] not in [game["id"] for game in page["games"]]


def test_a_listed_game_tells_when_its_players_were_seen(
    ann: Player, bob: Player, house: House
) -> None:
    game = begin(ann, bob)
    first, second = in_turn(game, ann, bob)
    play(game, first, second, WIN[:-1])
    house.pass_sec(10)
    seen = f"player{3 - game['currentTurn']}LastSeen"
    looked = second.look(game)[seen]
    house.pass_sec(10)
    over = ok(first.move(game, WIN[-1]))["game"]
    assert over["completedAt"] > over[seen] == looked
    # A sighting is written down a moment later, at nobody's cost.
    while to_anyone(ok(ann.get("/api/users/me/games"))["games"][0]) != to_anyone(over):
        pass


@pytest.mark.spec("A129")
def test_history_comes_in_pages_of_ten(new_player: NewPlayer) -> None:
    ann, bob = new_player(), new_player()
    played = [finished(ann, bob)["id"] for _ in range(12)][::-1]

    def page(query: str) -> tuple[list[str], int, int, int]:
        found = ok(ann.get(f"/api/users/me/games{query}"))
        ids = [game["id"] for game in found["games"]]
        return ids, found["total"], found["limit"], found["offset"]

    assert page("") == (played[:10], 12, 10, 0)
    assert page("?offset=10") == (played[10:], 12, 10, 10)
    assert page("?limit=10&offset=0") == page("")
    assert page("?limit=2&offset=9") == (played[9:11], 12, 2, 9)
    assert page("?limit=50") == (played, 12, 50, 0)
    assert page("?offset=12") == ([], 12, 10, 12)
    assert page(f"?before={played[0]}") == (played[1:11], 12, 10, 0)
    assert page(f"?before={played[10]}") == (played[11:], 12, 10, 0)
    # Another game is over meanwhile: that moves offsets, but no place in the list.
    finished(ann, bob)
    assert page("?offset=10")[0] == played[9:]
    assert page(f"?before={played[9]}")[0] == played[10:]


@pytest.mark.spec("A129")
def test_a_page_has_ten_games_unless_more_are_asked_for(
    new_player: NewPlayer, served: Served
) -> None:
    ann, bob = new_player(), new_player()
    newest_first = served.run(played(served, ann, bob, 23))[::-1]

    def listed(query: str) -> list[str]:
        page = ok(ann.get(f"/api/users/me/games{query}"))
        assert page["total"] == 23
        return [game["id"] for game in page["games"]]

    assert listed("") == newest_first[:10]
    assert listed("?offset=10") == newest_first[10:20]
    assert listed("?offset=20") == newest_first[20:]
    assert listed("?limit=15&offset=5") == newest_first[5:20]
    assert listed("?limit=50") == newest_first


async def played(served: Served, first: Player, second: Player, count: int) -> list[str]:
    """That many finished games, the oldest first."""
    kernel = served.services.kernel
    one, other = (players.Player(name=each.username, user_id=each.id) for each in (first, second))
    ids = []
    for _ in range(count):
        match = await kernel.seating.start("connect4", (one, other), options=Options(starter=0))
        for column in WIN:
            await kernel.steps.act(match.id, column, Drop(column))
        ids.append(match.id)
    return ids


@pytest.mark.parametrize(
    ("asked", "given"), [("0", 1), ("-5", 1), ("1", 1), ("50", 50), ("51", 50), ("9" * 30, 50)]
)
def test_a_page_has_one_to_fifty_games(ann: Player, asked: str, given: int) -> None:
    assert ok(ann.get(f"/api/users/me/games?limit={asked}"))["limit"] == given


@pytest.mark.parametrize(
    "query",
    [
        "limit=ten",
        "limit=",
        "limit=3.5",
        "offset=-1",
        "offset=x",
        f"offset={'9' * 30}",
        "before=",
        "before=nowhere",
        "before=%00",
        f"before={UUID(int=7)}",
    ],
)
def test_bad_questions_about_history_are_refused(ann: Player, query: str) -> None:
    refused(ann.get(f"/api/users/me/games?{query}"), 400, "INVALID_QUERY")


# --- the open game ----------------------------------------------------------------------------


@pytest.mark.spec("A130", "A124")
def test_the_open_game_is_found_again(ann: Player, bob: Player) -> None:
    assert ann.active_game() is None
    waiting = ann.create()
    active = ann.active_game()
    assert active is not None
    assert settled(active) == settled(waiting)
    game = bob.join(waiting)
    for player in (ann, bob):
        active = player.active_game()
        assert active is not None
        assert (active["id"], active["status"]) == (game["id"], "ACTIVE")
    first, second = in_turn(game, ann, bob)
    for number, column in enumerate((0, 1, 0, 1, 0, 1, 0)):
        ok((first, second)[number % 2].move(game, column))
    assert ann.active_game() is None
    assert bob.active_game() is None


# --- tokens -----------------------------------------------------------------------------------

GUARDED = (
    ("GET", "/api/users/me"),
    ("PUT", "/api/users/me"),
    ("GET", "/api/users/me/games"),
    ("GET", "/api/users/me/active-game"),
    ("POST", "/api/matchmaking/join"),
    ("DELETE", "/api/matchmaking/leave"),
    ("GET", "/api/matchmaking/status"),
    ("POST", "/api/games"),
    ("GET", "/api/games/by-public/ABCDEFGH"),
    ("GET", "/api/games/{id}"),
    ("DELETE", "/api/games/{id}"),
    ("POST", "/api/games/join/ABCDEF"),
    ("POST", "/api/games/{id}/move"),
    ("POST", "/api/games/{id}/claim-abandoned"),
    ("POST", "/api/games/{id}/rematch"),
)


@pytest.mark.spec("A125", "A126", "A148")
def test_only_health_needs_no_token(served: Served, ann: Player, bob: Player, eve: Player) -> None:
    assert ok(served.ask("GET", "/api/health"))["status"] == "ok"
    game = begin(ann, bob)
    forged = ann.token[:-6] + ("AAAAAA" if not ann.token.endswith("AAAAAA") else "BBBBBB")
    bad = (
        {},
        *({"Authorization": value} for value in ("", "Bearer", "Bearer x.y.z", "Basic eA==")),
    )
    with nothing_changes(eve, game), plain.Client(base_url=served.url) as http:
        for method, path in GUARDED:
            for headers in (*bad, {"Authorization": f"Bearer {forged}"}):
                answer = http.request(method, path.format(id=game["id"]), headers=headers)
                refused(answer, 401, "UNAUTHORIZED")


@pytest.mark.spec("A146")
def test_a_guest_stays_a_guest(ann: Player) -> None:
    ok(ann.ask("PUT", "/api/users/me", json={"isGuest": False, "email": "ann@example.org"}))
    assert (ann.me()["isGuest"], ann.me()["email"]) == (True, None)
