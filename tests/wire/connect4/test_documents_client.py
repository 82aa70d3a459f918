"""Connect 4 as a client of the document plays it: by polling, and by the uid of its own sign-in."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from parlour.rates import Rate
from parlour.settings import Settings
from parlour.store.change import Change, PutTicket
from tests.servers.parlour import serving
from tests.wire.connect4.conftest import (
    WIN,
    Game,
    House,
    NewPlayer,
    Player,
    begin,
    finished,
    in_turn,
    live,
    nothing_changes,
    ok,
    play,
    refused,
    settled,
    way_to,
)


class DocumentsClient:
    """Knows itself by its uid alone, and the game by what it is answered."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.uid: str = player.me()["firebaseUid"]
        self.game: Game = {}

    def seek(self) -> None:
        """Wait for an opponent, asking without pause."""
        place = ok(self.player.post("/api/matchmaking/join"))
        while place["status"] == "queued":
            place = ok(self.player.get("/api/matchmaking/status"))
        assert place["status"] == "matched"
        self.look(place["publicId"])

    def look(self, public_id: str) -> None:
        self.game = ok(self.player.get(f"/api/games/by-public/{public_id}"))

    @property
    def number(self) -> int:
        """Which player it is: the one that carries its uid."""
        mine = [
            number
            for number in (1, 2)
            if (self.game[f"player{number}"] or {}).get("firebaseUid") == self.uid
        ]
        assert len(mine) == 1
        return mine[0]

    def play(self, columns: tuple[int, ...]) -> Game:
        """Drop the discs that are its own, looking without pause for its turn."""
        while self.game["status"] == "ACTIVE":
            if self.game["currentTurn"] == self.number:
                column = columns[len(self.game["moves"])]
                self.game = ok(self.player.move(self.game, column))["game"]
            else:
                self.look(self.game["publicId"])
        return self.game


@pytest.mark.spec("A2", "A7", "A12", "A136")
def test_two_who_poll_without_pause_play_a_whole_game(new_player: NewPlayer) -> None:
    clients = [DocumentsClient(new_player()) for _ in range(2)]

    def whole_game(client: DocumentsClient) -> Game:
        client.seek()
        return client.play(WIN)

    with ThreadPoolExecutor(2) as both:
        games = list(both.map(whole_game, clients))
    assert settled(games[0]) == settled(games[1])
    assert games[0]["status"] == "COMPLETED"
    assert games[0]["endedReason"] == "CONNECT4"


def uids(game: Game) -> dict[str, str]:
    """By player, every uid that a game shows."""
    players = {name: game[name] or {} for name in ("player1", "player2")}
    return {name: each["firebaseUid"] for name, each in players.items() if "firebaseUid" in each}


def test_one_sees_ones_own_uid_in_every_answer_and_nobody_elses(
    ann: Player, bob: Player, eve: Player
) -> None:
    ann_uid, bob_uid = ann.me()["firebaseUid"], bob.me()["firebaseUid"]
    of_ann, of_bob = {"player1": ann_uid}, {"player2": bob_uid}
    created = ok(ann.post("/api/games"), 201)["game"]
    assert uids(created) == of_ann
    game = ok(bob.post(f"/api/games/join/{created['code']}"))["game"]
    assert uids(game) == of_bob
    for look in (f"/api/games/{game['id']}", f"/api/games/by-public/{game['publicId']}"):
        assert uids(ok(ann.get(look))) == of_ann
        assert uids(ok(bob.get(look))) == of_bob
        assert not uids(ok(eve.get(look)))
    active = ann.active_game()
    assert active is not None
    assert uids(active) == of_ann
    first, second = in_turn(game, ann, bob)
    assert uids(ok(first.move(game, 3))["game"]) == (of_ann if first is ann else of_bob)
    assert uids(ok(second.resign(game))["game"]) == (of_ann if second is ann else of_bob)
    for player, own in ((ann, of_ann), (bob, of_bob)):
        (played,) = ok(player.get("/api/users/me/games"))["games"]
        assert uids(played) == own


async def test_the_live_socket_shows_no_uid(ann: Player, bob: Player, eve: Player) -> None:
    game = begin(ann, bob)
    async with live(ann, game) as mine, live(eve, game) as theirs:
        heard = [await each.event() for each in (mine, theirs)]
        ok(bob.resign(game))
        for each in (mine, theirs):
            while (event := await each.event())["type"] != "game_ended":
                pass
            heard.append(event)
    for player in (ann, bob):
        assert player.me()["firebaseUid"] not in str(heard)


# --- giving up --------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [0, 1])
def test_who_resigns_loses_rated(ann: Player, bob: Player, who: int) -> None:
    game = begin(ann, bob)
    loser, winner = ((ann, bob), (bob, ann))[who]
    over = ok(loser.resign(game))["game"]
    assert (over["status"], over["endedReason"]) == ("COMPLETED", "RESIGNED")
    assert over["result"] == ("P2_WIN", "P1_WIN")[who]
    assert over["winnerId"] == winner.id
    assert (over["p1RatingDelta"], over["p2RatingDelta"]) == ((-16, 16), (16, -16))[who]
    assert over["ratingAppliedAt"] == over["completedAt"] is not None
    assert settled(winner.look(game)) == settled(loser.look(game))
    assert (winner.me()["rating"], winner.me()["wins"]) == (1016, 1)
    assert (loser.me()["rating"], loser.me()["losses"]) == (984, 1)


def test_one_may_resign_when_the_other_is_to_move_or_gone(
    ann: Player, bob: Player, house: House
) -> None:
    game = begin(ann, bob)
    waits = in_turn(game, ann, bob)[1]
    house.pass_sec(40)
    assert ok(waits.resign(game))["game"]["endedReason"] == "RESIGNED"


def test_only_a_player_resigns_and_only_a_game_that_is_on(
    ann: Player, bob: Player, eve: Player
) -> None:
    game = ann.create()
    with nothing_changes(eve, game):
        refused(ann.resign(game), 409, "GAME_NOT_STARTED")
    bob.join(game)
    with nothing_changes(bob, game):
        refused(eve.resign(game), 403, "NOT_IN_GAME")
    ok(ann.resign(game))
    with nothing_changes(eve, game):
        for player in (ann, bob):
            refused(player.resign(game), 409, "GAME_NOT_ACTIVE")
    assert ann.me()["rating"] == 984


def test_two_tabs_resign_once(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    with ThreadPoolExecutor(4) as tabs:
        answers = list(tabs.map(lambda _: ann.resign(game), range(4)))
    assert sorted(each.status_code for each in answers) == [200, 409, 409, 409]
    assert (ann.me()["rating"], bob.me()["rating"]) == (984, 1016)


def test_a_waiting_game_is_called_off_by_posting_it(ann: Player, bob: Player, eve: Player) -> None:
    game = ann.create()
    cancel = f"/api/games/{game['id']}/cancel"
    with nothing_changes(eve, game):
        refused(bob.post(cancel), 403, "NOT_IN_GAME")
    assert ok(ann.post(cancel)) == {"success": True}
    refused(ann.post(cancel), 404, "GAME_NOT_FOUND")
    refused(bob.post(f"/api/games/join/{game['code']}"), 404, "GAME_NOT_FOUND")
    assert ann.active_game() is None
    on = begin(ann, bob)
    with nothing_changes(eve, on):
        refused(ann.post(f"/api/games/{on['id']}/cancel"), 409, "GAME_ALREADY_STARTED")


# --- the way to one's game --------------------------------------------------------------------


def test_who_is_queued_though_a_game_has_begun_is_led_there(
    ann: Player, bob: Player, house: House
) -> None:
    game = begin(ann, bob)
    services = house.served.services
    now = services.kernel.runtime.clock()
    late = PutTicket(
        id="late", game="connect4", user_id=ann.id, name="Ann", joined_at=now, seen_at=now
    )
    house.served.run(services.store.commit(Change((late,))))
    led = {"status": "already_queued", **way_to(game)}
    refused(ann.post("/api/matchmaking/join"), 409, "ALREADY_QUEUED", led)


def test_where_the_other_one_plays_is_not_told(ann: Player, bob: Player, eve: Player) -> None:
    game = finished(ann, bob)
    ok(ann.rematch(game))
    theirs = begin(ann, eve)
    with nothing_changes(eve, game, theirs):
        refused(bob.rematch(game), 409, "HAS_ACTIVE_GAME")
    ok(eve.resign(theirs))
    mine = begin(bob, eve)
    with nothing_changes(eve, game, mine):
        refused(bob.rematch(game), 409, "HAS_ACTIVE_GAME", way_to(mine))


# --- too much of it ---------------------------------------------------------------------------


@pytest.mark.spec("A69")
def test_two_tabs_that_post_the_same_move_make_one(ann: Player, bob: Player) -> None:
    game = begin(ann, bob)
    for number, mover in enumerate(in_turn(game, ann, bob) * 3):
        with ThreadPoolExecutor(4) as tabs:
            answers = list(tabs.map(lambda _, by=mover: by.move(game, 3), range(4)))
        assert min(each.status_code for each in answers) == 200
        late = [each.json()["code"] for each in answers if each.status_code != 200]
        assert len(late) == 3
        assert set(late) <= {"NOT_YOUR_TURN", "MOVE_CONFLICT"}
        assert len(mover.look(game)["moves"]) == number + 1
    assert play(game, *in_turn(game, ann, bob), (0,))["status"] == "move_applied"


def test_a_client_that_polls_without_pause_slows_down_nobody_else() -> None:
    settings = Settings.given(
        database_url="sqlite://", rate_limit_requests_per_user=Rate.read("60/10s")
    )
    with (
        serving(settings, rate_limits=True) as served,
        httpx.Client(base_url=served.url, timeout=20) as http,
    ):
        house = House(served, http)
        hasty, calm = house.new_player(), house.new_player()
        game = begin(hasty, calm)
        enough = threading.Event()

        def poll() -> list[httpx.Response]:
            answers = []
            while not enough.is_set():
                answers.append(hasty.get(f"/api/games/{game['id']}"))
            return answers

        with ThreadPoolExecutor(1) as beside:
            polling = beside.submit(poll)
            try:
                looked: list[Any] = [calm.look(game) for _ in range(50)]
                while not _limited(served.ask("GET", "/metrics").text):
                    pass
            finally:
                enough.set()
        refusals = [each for each in polling.result() if each.status_code != 200]
        assert refusals, "that was too much"
        assert {each.status_code for each in refusals} == {429}
        assert all(int(each.headers["Retry-After"]) >= 1 for each in refusals)
        assert all(settled(each) == settled(game) for each in looked)


def _limited(metrics: str) -> bool:
    return "parlour_rate_limited_total{" in metrics
