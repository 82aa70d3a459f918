"""What is said of a match, byte for byte as the types say it that the API's document is made of."""

from __future__ import annotations

import pytest
from msgspec import Struct
from msgspec.json import decode, encode
from msgspec.structs import replace

from parlour.games.api import Dice, Env, Seat
from parlour.games.connect_five.answers import (
    AfterMove,
    AfterPurchase,
    MatchSight,
    MatchSnapshot,
    MatchUpdate,
    snapshot,
)
from parlour.games.connect_five.numbers import MatchNumbers
from parlour.games.connect_five.rules import RULES
from parlour.games.connect_five.said import moved, purchased, told
from parlour.games.connect_five.table import Action, Move, Options, Purchase
from parlour.host.sight import Sight
from parlour.play.match import Match
from parlour.store.change import SeatRow

NOW = 1_700_000_000_007
NUMBERS = MatchNumbers(5, 6, (70, 80))


def match_after(*actions: tuple[Seat, Action], over: bool = False) -> Match:
    env = Env(now=NOW, dice=Dice(b"seed", 1))
    state = RULES.setup(Options(first=0, max_spend=40), env)
    for seat, action in actions:
        state = RULES.act(state, seat, action, env).state
    names = ('"legal":null,"server_time":""}', "Zoë \\ 100 %s 日本")
    match = Match(
        id="a-match",
        game=RULES.key,
        public_id="ABCD",
        status="active",
        version=1 + len(actions),
        state=state,
        options=b"{}",
        seed=b"seed",
        seats=tuple(SeatRow(seat=at, user_id=f"u{at}", name=names[at]) for at in (0, 1)),
        created_at=NOW,
        updated_at=NOW,
        acted_at=(NOW, None),
        escrow_id="a-pot",
        pot=(100, 104),
    )
    if not over:
        return match
    return replace(match, status="finished", winner=0, reason="connect5", ended_at=NOW)


BOUGHT = ((0, Purchase("H2", 2)), (0, Move("H2", 3, 4)), (1, Purchase("BOMB")))
WON = tuple(
    (seat, Move("SINGLE", x, seat)) for x in range(5) for seat in (0, 1) if (x, seat) != (4, 1)
)
MATCHES = [match_after(), match_after(*BOUGHT), match_after(*WON, over=True)]


def sights(match: Match) -> list[MatchSight]:
    return [Sight(RULES, match, (seat,), (True, False)) for seat in (0, 1)]


def respelt(said: bytes, as_type: type[Struct]) -> bytes:
    return encode(decode(said, type=as_type))


@pytest.mark.parametrize("match", MATCHES)
def test_what_is_put_together_is_what_its_type_would_be(match: Match) -> None:
    for sight in sights(match):
        plain = snapshot(sight, NUMBERS, NOW, "TNB")
        assert decode(encode(plain), type=MatchSnapshot) == plain
        update = told(sight, NUMBERS, NOW, "TNB")
        assert update == encode(MatchUpdate(plain))
        step = moved(sight, NUMBERS, NOW, "TNB")
        assert step == respelt(step, AfterMove)
        assert decode(step, type=MatchSnapshot) == plain
        bought = purchased(sight, NUMBERS, NOW, "TNB")
        assert bought == respelt(bought, AfterPurchase)
        assert decode(bought, type=MatchSnapshot) == plain


def test_each_is_shown_its_own_and_what_holds_now() -> None:
    match = match_after(*BOUGHT)
    shown = [decode(told(each, NUMBERS, NOW, "TNB"), type=MatchUpdate) for each in sights(match)]
    assert shown[0].match.legal is None
    assert shown[1].match.legal is not None
    later = decode(told(sights(match)[0], NUMBERS, NOW + 1, "TNB"), type=MatchUpdate)
    assert replace(later.match, server_time=shown[0].match.server_time) == shown[0].match
    assert later.match.server_time > shown[0].match.server_time
    other_name = told(sights(match)[0], MatchNumbers(9, 6, (70, 80)), NOW, "TNB")
    assert decode(other_name, type=MatchUpdate).match.id == 9
