"""Who sent this? Bearer tokens: our own for guests, Firebase's and Neon Auth's where configured.

Each issuer has its algorithms, issuer name, audience and key source pinned. A token's header only
ever names one of the pinned keys; addresses or keys that it carries (`jku`, `x5u`, `jwk`) are not
looked at. Tokens without an expiry are refused.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from parlour.games.api import Millis
from parlour.people.guest_key import GuestKey
from parlour.settings import Settings
from parlour.store.api import Store
from parlour.timekeeping import wall_clock

if TYPE_CHECKING:
    from jwt import PyJWK

FIREBASE_KEYS = (
    "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
)
GUEST_LIFE_SEC = 365 * 24 * 3600
"""A guest's account lives in its browser, so its token lives long."""

LONGEST_TOKEN = 8192
CLOCK_SKEW_SEC = 60
"""So far an issuer's clock and ours may be apart."""
READY_AFTER_SEC = 1.0
"""So long after the start what verifies tokens is loaded, if nobody showed one before."""
REMEMBERED = 10_000
REMEMBERED_FOR_SEC = 60.0
"""How long a verified token is taken at its word again: a signing key that is withdrawn counts
after this at the latest."""


_BUT_TIMES: Any = {
    "require": ["exp", "iat", "sub", "iss", "aud"],
    "verify_exp": False,
    "verify_iat": False,
    "verify_nbf": False,
}
"""Times are compared with our own clock, which the library does not know."""


class BadToken(Exception):
    """No token of ours or of an issuer we trust, or no longer. The text is for logs only."""


class Claims(Struct, frozen=True):
    """What a valid token says."""

    subject: str
    """`guest:<id>`, `firebase:<uid>` or `neon:<sub>`: never the same for two people."""
    issuer: str
    name: str | None = None
    email: str | None = None
    is_guest: bool = False


class Keys(Protocol):
    """Where an issuer's public keys come from."""

    async def key(self, kid: str) -> PyJWK | None: ...
    async def close(self) -> None: ...


class Issuer(Struct, frozen=True):
    """Someone whose tokens we believe, and exactly which."""

    label: str
    """`guest`, `firebase` or `neon`: the first part of a subject."""
    name: str
    """The `iss` claim."""
    audience: str
    keys: Keys


class Tokens:
    """Verifies tokens of every configured issuer, and issues those of guests."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        *,
        firebase_keys: str = FIREBASE_KEYS,
        clock: Callable[[], Millis] = wall_clock,
    ) -> None:
        self._store = store
        self._clock = clock
        self._local = settings.local_auth
        self._guest_key: GuestKey | None = None
        self._getting_ready: asyncio.Task[None] | None = None
        self._issuers = {issuer.name: issuer for issuer in _elsewhere(settings, firebase_keys)}
        self._remembered: OrderedDict[str, tuple[Claims, float]] = OrderedDict()

    async def start(self) -> None:
        """Loads the guests' key, and makes it if there is none yet."""
        if self._local:
            key = await GuestKey.load(self._store, self._clock())
            self._guest_key = key
            self._getting_ready = asyncio.create_task(_get_ready(key))
            self._issuers[key.issuer] = Issuer("guest", key.issuer, key.issuer, key)

    @property
    def configured(self) -> bool:
        """Whether anybody can sign in at all."""
        return bool(self._issuers)

    @property
    def guests_welcome(self) -> bool:
        """Whether guests can sign in."""
        return self._guest_key is not None

    def jwks(self) -> dict[str, list[dict[str, Any]]]:
        """Our own public keys, for others who want to verify a guest's token."""
        return {"keys": [self._guest_key.public_jwk] if self._guest_key else []}

    async def close(self) -> None:
        """Stops asking for keys."""
        if self._getting_ready is not None:
            self._getting_ready.cancel()
        for issuer in self._issuers.values():
            await issuer.keys.close()

    def issue_guest(self, guest_id: str) -> str:
        """A token for that guest."""
        if self._guest_key is None:
            raise BadToken("guests are not welcome here")
        now = self._clock() // 1000
        claims = {
            "iss": self._guest_key.issuer,
            "aud": self._guest_key.issuer,
            "sub": guest_id,
            "iat": now,
            "exp": now + GUEST_LIFE_SEC,
        }
        return self._guest_key.sign(claims)

    def remembered(self, token: str) -> Claims | None:
        """What a token says that was verified a moment ago; None: ask `verify`."""
        remembered = self._remembered.get(token)
        if remembered is not None and self._clock() / 1000 < remembered[1]:
            return remembered[0]
        return None

    async def verify(self, token: str) -> Claims:
        """What a token says, or `BadToken`."""
        if (known := self.remembered(token)) is not None:
            return known
        now = self._clock() / 1000
        claims, expires_at = await self._verify(token, now)
        self._remembered[token] = (claims, min(now + REMEMBERED_FOR_SEC, expires_at))
        self._remembered.move_to_end(token)
        if len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return claims

    async def _verify(self, token: str, now: float) -> tuple[Claims, float]:
        import jwt  # noqa: PLC0415 (so that a server starts sooner)

        if len(token) > LONGEST_TOKEN:
            raise BadToken("too long")
        try:
            unverified = jwt.decode_complete(token, options={"verify_signature": False})
            issuer = self._issuers.get(_text(unverified["payload"], "iss") or "")
            kid = _text(unverified["header"], "kid")
            if issuer is None or kid is None:
                raise BadToken("unknown issuer, or no key named")
            key = await issuer.keys.key(kid)
            if key is None:
                raise BadToken(f"{issuer.label} has no such key")
            payload = jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name],
                issuer=issuer.name,
                audience=issuer.audience,
                options=_BUT_TIMES,
            )
            _check_times(payload, now)
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise BadToken(str(error)) from None
        return _claims(issuer, payload), float(payload["exp"])


async def _get_ready(key: GuestKey) -> None:
    """Load it all beside the event loop, which whoever comes first would have to wait for."""
    await asyncio.sleep(READY_AFTER_SEC)
    await asyncio.to_thread(lambda: key.signing)


def _elsewhere(settings: Settings, firebase_keys: str) -> Iterator[Issuer]:
    if not (settings.firebase_project_id or settings.neon_auth_base_url):
        return
    from parlour.people.keys import RemoteKeys  # noqa: PLC0415 (so that a server starts sooner)

    keys: RemoteKeys
    if project := settings.firebase_project_id:
        keys = RemoteKeys(firebase_keys, {"RS256"})
        yield Issuer("firebase", f"https://securetoken.google.com/{project}", project, keys)
    if base := settings.neon_auth_base_url:
        # Neon Auth names the origin of its address both as issuer and as audience.
        parts = urlsplit(base)
        origin = f"{parts.scheme}://{parts.netloc}"
        keys = RemoteKeys(f"{base}/.well-known/jwks.json", {"EdDSA", "ES256", "RS256"})
        yield Issuer("neon", origin, origin, keys)


def _claims(issuer: Issuer, payload: Mapping[str, Any]) -> Claims:
    subject = _text(payload, "sub")
    if subject is None or len(subject) > 255 or not subject.isprintable():
        raise BadToken("no usable subject")
    return Claims(
        subject=f"{issuer.label}:{subject}",
        issuer=issuer.label,
        name=_for_people(payload, "name"),
        email=_for_people(payload, "email"),
        is_guest=issuer.label == "guest" or _signed_in_anonymously(payload),
    )


def _check_times(payload: Mapping[str, Any], now: float) -> None:
    times = {name: payload[name] for name in ("exp", "iat", "nbf") if name in payload}
    if not all(type(each) in (int, float) and isfinite(each) for each in times.values()):
        raise BadToken("a time that is no number")
    if times["exp"] <= now - CLOCK_SKEW_SEC:
        raise BadToken("expired")
    if max(times["iat"], times.get("nbf", 0)) > now + CLOCK_SKEW_SEC:
        raise BadToken("not valid yet")


def _signed_in_anonymously(payload: Mapping[str, Any]) -> bool:
    firebase = payload.get("firebase")
    return isinstance(firebase, dict) and firebase.get("sign_in_provider") == "anonymous"


def _text(claims: Mapping[str, Any], name: str) -> str | None:
    value = claims.get(name)
    return value if isinstance(value, str) and value else None


def _for_people(claims: Mapping[str, Any], name: str) -> str | None:
    printable = "".join(filter(str.isprintable, _text(claims, name) or ""))
    return printable.strip()[:320] or None
