"""The web app's files, held in memory: found by exact path, so no path leads anywhere else.

Addresses of the app's own pages (`/connect4/K7QF2MAB`) all get its one document; what stands under
`/assets` has its content's hash in its name and may be kept for ever.
"""

from __future__ import annotations

import gzip
import mimetypes
from hashlib import blake2b
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
PACKED = ".gz"
"""What ends in this is another file as it is sent compressed; the web app's build makes them."""

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
        if built is None:
            self._index = _read(WELCOME, "/")
            self._files["/"] = self._index
            self._has_app = False
            return
        for path in filter(Path.is_file, built.rglob("*")):
            address = "/" + path.relative_to(built).as_posix()
            if "/." not in address and path.suffix != PACKED:
                self._files[address] = _read(path, address)
        self._index = self._files.pop("/index.html")
        self._files["/"] = self._index
        self._has_app = True

    def find(self, scope: HTTPScope) -> File | None:
        """The file to answer with, or None if this is no page of ours."""
        if scope["method"] not in {"GET", "HEAD"}:
            return None
        path = scope["path"]
        if file := self._files.get(path):
            return file
        if self._has_app and not path.startswith(RESERVED) and _wants_page(scope):
            return self._index
        return None


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


def security_headers(settings: Settings) -> Headers:
    """What browsers are told to forbid: all that the app does not need."""
    connect = {*settings.allowed_origins}
    connect |= {origin.replace("http", "ws", 1) for origin in settings.allowed_origins}
    scripts: set[str] = set()
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
    return any(
        name == b"accept" and b"text/html" in value.lower() for name, value in scope["headers"]
    )


def _read(path: Path, address: str) -> File:
    body = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".webmanifest":
        kind = "application/manifest+json"
    gzipped = None
    if kind.startswith(COMPRESSIBLE) and len(body) >= SMALLEST_COMPRESSED:
        packed = path.with_name(path.name + PACKED)
        gzipped = packed.read_bytes() if packed.is_file() else gzip.compress(body, mtime=0)
    kept = "public, max-age=31536000, immutable" if address.startswith("/assets/") else "no-cache"
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
