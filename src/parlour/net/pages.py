"""The web app's files, held in memory: found by exact path, so no path leads anywhere else.

Addresses of the app's own pages get a document: `/connect4/K7QF2MAB` that of `/connect4`, where
there is one, else that of the shelf. So whoever looks at a link, and runs no script, sees what it
leads to. What stands under `/assets` has its content's hash in its name and may be kept for ever.
"""

from __future__ import annotations

import gzip
import mimetypes
import re
from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b, sha256
from pathlib import Path

from litestar.types import HTTPScope, Send
from msgspec import Struct

import parlour
from parlour.settings import Settings

RESERVED = ("/api", "/ws", "/party", "/parties", "/metrics", "/.well-known", "/assets")
"""Where pages never are; what is unknown there is an error."""

WELCOME = Path(__file__).with_name("welcome.html")
COMPRESSIBLE = ("text/", "application/javascript", "application/json", "image/svg+xml")
SMALLEST_COMPRESSED = 1024
KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What the build makes; of other files this machine's own table is asked, which takes reading."""
PACKED = ".gz"
"""What ends in this is another file as it is sent compressed; the web app's build makes them."""

ORIGIN = b"{origin}"
"""In a document: where this server is, as whoever asks calls it."""
ORIGINS_KEPT = 64
_HOST = re.compile(rb"([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_PART = re.compile(r"[A-Za-z0-9_~-]+")

Headers = list[tuple[bytes, bytes]]


class File(Struct, frozen=True):
    """A file as it is sent."""

    body: bytes
    gzipped: bytes | None
    headers: Headers
    etag: bytes


class Pages:
    """The files of a built web app; without one, a single page that says what this is."""

    def __init__(self, built: Path | None) -> None:
        self._files: dict[str, File] = {}
        self._documents: dict[str, bytes] = {}
        if built is None:
            self._files["/"] = _read(WELCOME, "/")
            return
        for path in filter(Path.is_file, built.rglob("*")):
            address = "/" + path.relative_to(built).as_posix()
            if "/." in address or path.suffix == PACKED:
                continue
            if path.name == "index.html":
                self._documents[address.removesuffix("/index.html") or "/"] = path.read_bytes()
            else:
                self._files[address] = _read(path, address)

    @property
    def scripts(self) -> set[str]:
        """What the documents run of their own, as a content security policy names it."""
        found = (_INLINE_SCRIPT.findall(each) for each in self._documents.values())
        return {_source(script) for scripts in found for script in scripts}

    def find(self, scope: HTTPScope) -> File | None:
        """The file to answer with, or None if this is no page of ours."""
        if scope["method"] not in {"GET", "HEAD"}:
            return None
        path = scope["path"]
        if file := self._files.get(path):
            return file
        if not self._documents or path.startswith(RESERVED) or not _wants_page(scope):
            return None
        first = path.split("/")[1]
        return _document(self._documents.get(f"/{first}", self._documents["/"]), _origin(scope))


def built_app() -> Path | None:
    """Where the web app was built to: in the package, or beside the sources; None: nowhere."""
    package = Path(parlour.__file__).parent
    for place in (package / "static", package.parents[1] / "web" / "dist"):
        if (place / "index.html").is_file():
            return place
    return None


async def respond(file: File, scope: HTTPScope, send: Send, more: Headers) -> None:
    """Sends a file, or that the client's copy is still good."""
    asked = dict(scope["headers"])
    headers = [*file.headers, (b"etag", file.etag), *more]
    body, status = file.body, 200
    if asked.get(b"if-none-match") == file.etag:
        body, status = b"", 304
    else:
        if file.gzipped is not None and b"gzip" in asked.get(b"accept-encoding", b""):
            body = file.gzipped
            headers.append((b"content-encoding", b"gzip"))
        headers.append((b"content-length", str(len(body)).encode()))
    if scope["method"] == "HEAD":
        body = b""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def security_headers(settings: Settings, scripts_of_pages: Iterable[str] = ()) -> Headers:
    """What browsers are told to forbid: all that the app does not need."""
    connect = {*settings.allowed_origins}
    connect |= {origin.replace("http", "ws", 1) for origin in settings.allowed_origins}
    scripts = set(scripts_of_pages)
    frames: set[str] = set()
    if settings.firebase_project_id:
        scripts.add("https://apis.google.com")
        connect |= {
            "https://identitytoolkit.googleapis.com",
            "https://securetoken.googleapis.com",
        }
        frames.add(f"https://{settings.firebase_project_id}.firebaseapp.com")
    if settings.neon_auth_base_url:
        connect.add("/".join(settings.neon_auth_base_url.split("/")[:3]))
    policy = (
        "default-src 'self'",
        " ".join(("script-src 'self'", *sorted(scripts))),
        " ".join(("connect-src 'self'", *sorted(connect))),
        " ".join(("frame-src 'self'", *sorted(frames))),
        # The dialogs' library writes a style element to keep the page behind from scrolling.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
    # Google's sign-in window must be able to answer the page that opened it.
    opener = b"same-origin-allow-popups" if settings.firebase_project_id else b"same-origin"
    return [
        (b"content-security-policy", "; ".join(policy).encode()),
        (b"cross-origin-opener-policy", opener),
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=()"),
        (b"referrer-policy", b"same-origin"),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
    ]


def _wants_page(scope: HTTPScope) -> bool:
    """Who asks for anything gets a page where one may be; for HTML, wherever nothing else is."""
    accept = b",".join(value for name, value in scope["headers"] if name == b"accept").lower()
    if b"text/html" in accept:
        return True
    parts = scope["path"].removesuffix("/").split("/")[1:]
    return (not accept or b"*/*" in accept) and all(map(_PART.fullmatch, parts))


def _origin(scope: HTTPScope) -> bytes:
    """Where this server is; nothing if that is not told in so many words."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return scope["scheme"].encode() + b"://" + host if _HOST.fullmatch(host) else b""


@lru_cache(ORIGINS_KEPT)
def _document(text: bytes, origin: bytes) -> File:
    return _file(text.replace(ORIGIN, origin), "text/html", "no-cache")


def _source(script: bytes) -> str:
    return f"'sha256-{b64encode(sha256(script).digest()).decode()}'"


def _read(path: Path, address: str) -> File:
    kind = KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    kept = "public, max-age=31536000, immutable" if address.startswith("/assets/") else "no-cache"
    packed = path.with_name(path.name + PACKED)
    return _file(
        path.read_bytes(),
        kind or "application/octet-stream",
        kept,
        packed.read_bytes() if packed.is_file() else None,
    )


def _file(body: bytes, kind: str, kept: str, packed: bytes | None = None) -> File:
    gzipped = None
    if kind.startswith(COMPRESSIBLE) and len(body) >= SMALLEST_COMPRESSED:
        gzipped = packed or gzip.compress(body, mtime=0)
    charset = "; charset=utf-8" if kind.startswith(("text/", "application/javascript")) else ""
    return File(
        body=body,
        gzipped=gzipped,
        headers=[
            (b"content-type", f"{kind}{charset}".encode()),
            (b"cache-control", kept.encode()),
            (b"vary", b"accept-encoding"),
        ],
        etag=f'"{blake2b(body, digest_size=12).hexdigest()}"'.encode(),
    )
