"""Tokens: whom we believe, and everything we must not."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from typing import Any, cast

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parlour.people import keys as keys_module
from parlour.people import tokens as tokens_module
from parlour.people.guest_key import KID, GuestKey
from parlour.people.keys import RemoteKeys
from parlour.people.tokens import BadToken, Tokens
from parlour.settings import Settings
from parlour.store.api import Store
from parlour.timekeeping import wall_clock
from tests.servers.keys import NEVER, Keys, KeyServer

DAY_MS = 24 * 3600 * 1000
PROJECT = "parlour-test"
UNUSED = cast(Store, None)
"""The store where no guests are welcome: nothing is kept of anybody else's tokens."""
FIREBASE = {"iss": f"https://securetoken.google.com/{PROJECT}", "aud": PROJECT, "sub": "uid-1"}


@pytest.fixture(scope="module")
def rsa() -> Keys:
    keys = Keys()
    keys.make("first")
    keys.make("second")
    return keys


@pytest.fixture
def google(rsa: Keys) -> Iterator[KeyServer]:
    """Firebase's key server, knowing the first key only."""
    known = Keys()
    known._private = {"first": rsa._private["first"]}
    with KeyServer(known).running() as server:
        yield server


@pytest.fixture
def firebase(google: KeyServer) -> Tokens:
    return Tokens(
        Settings(firebase_project_id=PROJECT, local_auth=False),
        UNUSED,
        firebase_keys=f"{google.origin}/keys",
    )


async def refused(tokens: Tokens, token: str) -> None:
    with pytest.raises(BadToken):
        await tokens.verify(token)


# --- our own


@pytest.mark.spec("A6")
async def test_a_guest_is_who_its_token_says(store: Store) -> None:
    tokens = Tokens(Settings(), store)
    await tokens.start()
    claims = await tokens.verify(tokens.issue_guest("abc"))
    assert (claims.subject, claims.is_guest, claims.name, claims.email) == (
        "guest:abc",
        True,
        None,
        None,
    )
    assert tokens.configured
    assert tokens.guests_welcome


async def test_what_verifies_tokens_is_there_before_anybody_shows_one(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens_module, "READY_AFTER_SEC", 0)
    tokens = Tokens(Settings(), memory_store)
    await tokens.start()
    assert tokens._guest_key is not None
    assert tokens._getting_ready is not None
    assert "signing" not in vars(tokens._guest_key)
    await tokens._getting_ready
    assert "signing" in vars(tokens._guest_key)


async def test_who_stops_before_that_waits_for_nothing(memory_store: Store) -> None:
    tokens = Tokens(Settings(), memory_store)
    await tokens.start()
    await tokens.close()
    assert tokens._getting_ready is not None
    with pytest.raises(asyncio.CancelledError):
        await tokens._getting_ready


async def test_processes_that_start_at_once_share_one_key(store: Store) -> None:
    started = [Tokens(Settings(), store) for _ in range(8)]
    await asyncio.gather(*(tokens.start() for tokens in started))
    token = started[0].issue_guest("abc")
    for tokens in started:
        assert (await tokens.verify(token)).subject == "guest:abc"
        assert tokens.jwks() == started[0].jwks()


async def test_others_can_verify_a_guests_token_with_our_published_key(
    memory_store: Store,
) -> None:
    tokens = Tokens(Settings(), memory_store)
    await tokens.start()
    (published,) = tokens.jwks()["keys"]
    assert "d" not in published
    claims = jwt.decode(
        tokens.issue_guest("abc"), jwt.PyJWK(published), ["EdDSA"], audience="parlour"
    )
    assert claims["sub"] == "abc"


async def test_a_guests_token_lives_for_a_year_and_not_longer(memory_store: Store) -> None:
    long_ago = Tokens(Settings(), memory_store, clock=lambda: wall_clock() - 366 * DAY_MS)
    lately = Tokens(Settings(), memory_store, clock=lambda: wall_clock() - 364 * DAY_MS)
    tokens = Tokens(Settings(), memory_store)
    for each in (long_ago, lately, tokens):
        await each.start()
    await refused(tokens, long_ago.issue_guest("abc"))
    assert (await tokens.verify(lately.issue_guest("abc"))).subject == "guest:abc"


async def test_without_local_auth_guests_are_not_believed(memory_store: Store) -> None:
    issuing, strict = (
        Tokens(Settings(), memory_store),
        Tokens(Settings(local_auth=False), memory_store),
    )
    await issuing.start()
    await strict.start()
    await refused(strict, issuing.issue_guest("abc"))
    assert not strict.configured
    assert strict.jwks() == {"keys": []}
    with pytest.raises(BadToken):
        strict.issue_guest("abc")


async def test_another_servers_guest_is_not_ours(memory_store: Store) -> None:
    tokens = Tokens(Settings(), memory_store)
    await tokens.start()
    keys = Keys()
    keys.make(KID, "EdDSA")
    claims = {"iss": GuestKey.issuer, "aud": GuestKey.issuer, "sub": "abc"}
    await refused(tokens, keys.token(KID, claims))


# --- Firebase


@pytest.mark.spec("A6", "A12")
async def test_a_firebase_token_is_believed(firebase: Tokens, rsa: Keys) -> None:
    token = rsa.token("first", {**FIREBASE, "name": "Ada Lovelace", "email": "ada@example.com"})
    claims = await firebase.verify(token)
    assert claims.subject == "firebase:uid-1"
    assert (claims.name, claims.email, claims.is_guest) == (
        "Ada Lovelace",
        "ada@example.com",
        False,
    )


async def test_an_anonymous_firebase_user_is_a_guest(firebase: Tokens, rsa: Keys) -> None:
    token = rsa.token("first", {**FIREBASE, "firebase": {"sign_in_provider": "anonymous"}})
    assert (await firebase.verify(token)).is_guest


@pytest.mark.parametrize(
    "wrong",
    [
        {"iss": "https://securetoken.google.com/other"},
        {"iss": NEVER},
        {"iss": [FIREBASE["iss"]]},
        {"aud": "other"},
        {"aud": NEVER},
        {"sub": NEVER},
        {"sub": ""},
        {"sub": "x" * 256},
        {"sub": "a\x00b"},
        {"exp": NEVER},
        {"exp": 1},
        {"exp": int(time.time()) - 60},
        {"iat": int(time.time()) + 3600},
        {"iat": NEVER},
        {"nbf": int(time.time()) + 3600},
    ],
)
async def test_a_token_with_wrong_claims_is_refused(
    firebase: Tokens, rsa: Keys, wrong: dict[str, Any]
) -> None:
    try:
        token = rsa.token("first", {**FIREBASE, **wrong})
    except TypeError:
        token = _by_hand(rsa, {**FIREBASE, "iat": 1, "exp": 2**33, **wrong})
    await refused(firebase, token)


@pytest.mark.parametrize("off_sec", [-55, 55])
async def test_an_issuers_clock_may_be_a_minute_off(
    firebase: Tokens, rsa: Keys, off_sec: int
) -> None:
    now = int(time.time()) + off_sec
    times = {"iat": now, "nbf": now, "exp": now + 1}
    assert (await firebase.verify(rsa.token("first", {**FIREBASE, **times}))).issuer == "firebase"


@pytest.mark.parametrize("off_sec", [-50, 50])
async def test_a_guest_of_one_machine_is_known_at_another(
    memory_store: Store, off_sec: int
) -> None:
    here = Tokens(Settings(), memory_store)
    there = Tokens(Settings(), memory_store, clock=lambda: wall_clock() + off_sec * 1000)
    for each in (here, there):
        await each.start()
    assert (await here.verify(there.issue_guest("abc"))).subject == "guest:abc"


async def test_times_are_compared_with_the_clock_of_all_processes(memory_store: Store) -> None:
    """Which may be hours from this machine's."""
    tokens = Tokens(Settings(), memory_store, clock=lambda: wall_clock() + DAY_MS)
    await tokens.start()
    assert (await tokens.verify(tokens.issue_guest("abc"))).subject == "guest:abc"


@pytest.mark.parametrize("name", ["exp", "iat", "nbf"])
@pytest.mark.parametrize("value", [True, None, "9999999999", [2**33], 1e400, -1e400, float("nan")])
async def test_a_time_that_is_none_is_refused(
    firebase: Tokens, rsa: Keys, name: str, value: object
) -> None:
    token = _by_hand(rsa, {**FIREBASE, "iat": 1, "exp": 2**33, name: value})
    await refused(firebase, token)


async def test_a_key_the_issuer_does_not_have_is_refused(firebase: Tokens, rsa: Keys) -> None:
    await refused(firebase, rsa.token("second", FIREBASE))
    await refused(firebase, rsa.token("second", FIREBASE, {"kid": "first"}))
    await refused(firebase, rsa.token("first", FIREBASE, {"kid": ""}))
    without_kid = jwt.encode({**FIREBASE, "iat": 1, "exp": 2**33}, rsa.private("first"), "RS256")
    await refused(firebase, without_kid)


async def test_alg_none_is_refused(firebase: Tokens) -> None:
    claims = {**FIREBASE, "iat": int(time.time()), "exp": int(time.time()) + 60}
    await refused(firebase, jwt.encode(claims, "", "none", headers={"kid": "first"}))
    unsigned = _encode({"alg": "none", "kid": "first"}) + "." + _encode(claims) + "."
    await refused(firebase, unsigned)


async def test_a_public_key_is_no_secret(firebase: Tokens, rsa: Keys) -> None:
    """HS256 with the public key as the secret, in every form that an attacker can get."""
    public = rsa.private("first").public_key()
    forms = [
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        public.public_bytes(Encoding.PEM, PublicFormat.PKCS1),
        public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        json.dumps(rsa.public("first")).encode(),
        rsa.public("first")["n"].encode(),
    ]
    claims = {**FIREBASE, "iat": int(time.time()), "exp": int(time.time()) + 60}
    for secret in forms:
        await refused(
            firebase, _signed_with_secret({"alg": "HS256", "kid": "first"}, claims, secret)
        )


async def test_another_algorithm_of_the_same_key_is_refused(firebase: Tokens, rsa: Keys) -> None:
    claims = {**FIREBASE, "iat": int(time.time()), "exp": int(time.time()) + 60}
    for algorithm in ("RS384", "RS512", "PS256"):
        token = jwt.encode(claims, rsa.private("first"), algorithm, headers={"kid": "first"})
        await refused(firebase, token)


async def test_keys_that_a_token_brings_along_are_not_looked_at(
    firebase: Tokens, rsa: Keys, google: KeyServer
) -> None:
    with KeyServer(rsa).running() as attacker:
        tricks: list[dict[str, Any]] = [
            {"jku": f"{attacker.origin}/keys"},
            {"x5u": f"{attacker.origin}/keys"},
            {"jwk": rsa.public("second")},
            {"jwk": rsa.public("second"), "kid": "first"},
            {"x5c": ["AAAA"]},
            {"crit": ["jku"], "jku": f"{attacker.origin}/keys"},
        ]
        for trick in tricks:
            await refused(firebase, rsa.token("second", FIREBASE, trick))
        assert attacker.asked == 0
    assert google.asked == 1


# --- Neon Auth


@pytest.mark.spec("B67", "B80", "B81")
@pytest.mark.parametrize("algorithm", ["EdDSA", "ES256", "RS256"])
async def test_a_neon_token_is_believed(algorithm: str) -> None:
    keys = Keys()
    keys.make("k", algorithm)
    with KeyServer(keys).running() as server:
        tokens = Tokens(
            Settings(neon_auth_base_url=f"{server.origin}/neondb/auth", local_auth=False),
            UNUSED,
        )
        good = {"iss": server.origin, "aud": server.origin, "sub": "u1", "name": "Ada Lovelace"}
        claims = await tokens.verify(keys.token("k", good))
        assert (claims.subject, claims.name, claims.is_guest) == ("neon:u1", "Ada Lovelace", False)
        for wrong in ({"iss": f"{server.origin}/neondb/auth"}, {"aud": "https://else.where"}):
            await refused(tokens, keys.token("k", {**good, **wrong}))


async def test_subjects_of_two_issuers_are_two_people(
    google: KeyServer, rsa: Keys, memory_store: Store
) -> None:
    ed = Keys()
    ed.make("k", "EdDSA")
    with KeyServer(ed).running() as neon:
        tokens = Tokens(
            Settings(firebase_project_id=PROJECT, neon_auth_base_url=neon.origin),
            memory_store,
            firebase_keys=google.origin,
        )
        await tokens.start()
        theirs = {"iss": neon.origin, "aud": neon.origin, "sub": "uid-1"}
        subjects = {
            (await tokens.verify(rsa.token("first", FIREBASE))).subject,
            (await tokens.verify(ed.token("k", theirs))).subject,
            (await tokens.verify(tokens.issue_guest("uid-1"))).subject,
        }
        assert subjects == {"firebase:uid-1", "neon:uid-1", "guest:uid-1"}
        # One issuer's key proves nothing about another's subjects.
        await refused(tokens, ed.token("k", FIREBASE, {"kid": "first"}))


# --- keys come and go


class Ticker:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def ticker() -> Ticker:
    return Ticker()


async def test_a_flood_of_unknown_keys_causes_one_fetch(google: KeyServer, ticker: Ticker) -> None:
    keys = RemoteKeys(google.origin, {"RS256"}, monotonic=ticker)
    found = await asyncio.gather(*(keys.key(f"made-up-{n}") for n in range(200)))
    assert set(found) == {None}
    assert google.asked == 1
    for n in range(50):
        assert await keys.key(f"again-{n}") is None
    assert google.asked == 1
    assert await keys.key("first") is not None


async def test_a_new_key_is_found_once_the_gap_is_over(
    google: KeyServer, rsa: Keys, ticker: Ticker
) -> None:
    keys = RemoteKeys(google.origin, {"RS256"}, monotonic=ticker)
    assert await keys.key("second") is None
    google.keys._private["second"] = rsa._private["second"]
    assert await keys.key("second") is None
    ticker.now += keys_module.GAP_SEC
    assert await keys.key("second") is not None
    assert google.asked == 2


async def test_an_outage_keeps_the_old_keys(google: KeyServer, ticker: Ticker) -> None:
    keys = RemoteKeys(google.origin, {"RS256"}, monotonic=ticker)
    assert await keys.key("first") is not None
    google.away = True
    ticker.now += 10 * keys_module.FRESH_FOR_SEC
    assert await keys.key("first") is not None
    assert await keys.key("unknown") is None
    assert await keys.key("first") is not None
    for nonsense in (b"", b"{}", b"[]", b'{"keys": []}', b"\xff", b'{"keys": [{"kty": "oct"}]}'):
        google.away, google.answer = False, nonsense
        ticker.now += keys_module.GAP_SEC
        assert await keys.key("unknown") is None
        assert await keys.key("first") is not None
    await keys.close()


async def test_an_outage_at_first_is_asked_again_soon(google: KeyServer, ticker: Ticker) -> None:
    keys = RemoteKeys(google.origin, {"RS256"}, monotonic=ticker)
    google.away = True
    assert await keys.key("first") is None
    google.away = False
    assert await keys.key("first") is None
    ticker.now += keys_module.GAP_AFTER_FAILURE_SEC
    assert await keys.key("first") is not None


async def test_a_withdrawn_key_is_forgotten(google: KeyServer, rsa: Keys, ticker: Ticker) -> None:
    google.keys._private["second"] = rsa._private["second"]
    keys = RemoteKeys(google.origin, {"RS256"}, monotonic=ticker)
    assert await keys.key("first") is not None
    google.keys.withdraw("first")
    ticker.now += keys_module.FRESH_FOR_SEC
    assert await keys.key("unknown") is None
    assert await keys.key("first") is None
    assert await keys.key("second") is not None


async def test_asking_holds_up_neither_the_loop_nor_known_keys(
    google: KeyServer, ticker: Ticker
) -> None:
    keys = RemoteKeys(google.origin, {"RS256"}, monotonic=ticker)
    assert await keys.key("first") is not None
    ticker.now += keys_module.FRESH_FOR_SEC
    google.ready.clear()
    waiting = asyncio.create_task(keys.key("unknown"))
    await asyncio.sleep(0)
    assert await keys.key("first") is not None
    assert not waiting.done()
    google.ready.set()
    assert await waiting is None


async def test_secrets_and_other_algorithms_are_no_keys(google: KeyServer, ticker: Ticker) -> None:
    other = Keys()
    other.make("elliptic", "ES256")
    secret = {"kty": "oct", "kid": "secret", "k": "c2VjcmV0", "alg": "HS256"}
    encrypting = {**google.keys.public("first"), "kid": "encrypting", "use": "enc"}
    listed = [secret, encrypting, other.public("elliptic"), google.keys.public("first")]
    google.answer = json.dumps({"keys": listed}).encode()
    keys = RemoteKeys(google.origin, {"RS256"}, monotonic=ticker)
    for name in ("secret", "encrypting", "elliptic"):
        assert await keys.key(name) is None
    assert await keys.key("first") is not None


@pytest.mark.parametrize("kid", [["first"], {}, 7, True])
async def test_an_entry_that_is_no_key_is_passed_over(
    google: KeyServer, ticker: Ticker, kid: object
) -> None:
    odd = {**google.keys.public("first"), "kid": kid}
    google.answer = json.dumps({"keys": [odd, google.keys.public("first")]}).encode()
    keys = RemoteKeys(google.origin, {"RS256"}, monotonic=ticker)
    assert await keys.key("first") is not None


@pytest.mark.parametrize("answer", [b"[" * 100_000, b"[]", b"7", b'{"keys": {}}'])
async def test_an_answer_that_makes_no_sense_is_an_outage(
    google: KeyServer, ticker: Ticker, answer: bytes
) -> None:
    google.answer = answer
    keys = RemoteKeys(google.origin, {"RS256"}, monotonic=ticker)
    for _ in range(3):
        assert await keys.key("first") is None
    assert google.asked == 1


async def test_a_remembered_token_is_forgotten_when_it_expires(
    firebase: Tokens, rsa: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [wall_clock()]
    monkeypatch.setattr(firebase, "_clock", lambda: moment[0])
    token = rsa.token("first", {**FIREBASE, "exp": moment[0] // 1000 + 2})
    await firebase.verify(token)
    await firebase.verify(token)
    moment[0] += (2 + tokens_module.CLOCK_SKEW_SEC) * 1000
    await refused(firebase, token)


async def test_no_more_tokens_are_remembered_than_agreed(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens_module, "REMEMBERED", 10)
    tokens = Tokens(Settings(), memory_store)
    await tokens.start()
    for n in range(30):
        await tokens.verify(tokens.issue_guest(str(n)))
    assert len(tokens._remembered) == 10


# --- junk


@pytest.fixture(scope="module")
def believing() -> Tokens:
    return Tokens(
        Settings(firebase_project_id=PROJECT, local_auth=False),
        UNUSED,
        firebase_keys="http://127.0.0.1:1/",
    )


@given(
    st.one_of(
        st.text(),
        st.text("eyJhbGciOi.-_=", max_size=60),
        st.builds(
            lambda header, claims, signature: ".".join(map(_encode, (header, claims, signature))),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(),
                lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            ),
            st.dictionaries(
                st.sampled_from(["iss", "aud", "exp", "sub", "kid"]),
                st.none() | st.integers() | st.text() | st.lists(st.integers()),
            ),
            st.text(),
        ),
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_is_no_token_is_refused(believing: Tokens, token: str) -> None:
    with pytest.raises(BadToken):
        asyncio.run(believing.verify(token))


async def test_a_token_may_not_be_endless(believing: Tokens) -> None:
    await refused(believing, "a" * 10_000_000)
    await refused(believing, ".".join(["[" * 2000] * 3))
    deep = base64.urlsafe_b64encode(b"[" * 5000).rstrip(b"=").decode()
    await refused(believing, f"{deep[:2700]}.{deep[:2700]}.{deep[:2700]}")


def _encode(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _signed_with_secret(header: dict[str, Any], claims: dict[str, Any], secret: bytes) -> str:
    """By hand, because the library refuses to misuse a public key as a secret."""
    signed = f"{_encode(header)}.{_encode(claims)}"
    signature = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def _by_hand(keys: Keys, claims: dict[str, Any]) -> str:
    """A token whose claims the library would refuse to write."""
    sign = jwt.PyJWS()
    body = json.dumps({name: value for name, value in claims.items() if value != NEVER}).encode()
    return sign.encode(body, keys.private("first"), "RS256", headers={"kid": "first"})
