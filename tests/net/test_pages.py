"""The web app's files as a browser gets them, and the page that stands in without them."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from parlour import app as wiring
from parlour.net import pages
from parlour.settings import Settings
from tests.servers import plain
from tests.servers.parlour import Served, serving

PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
CONNECT4 = """<!doctype html><title>Connect 4</title>
<meta property="og:image" content="{origin}/cards/connect4.jpg" />
<script>dark = true</script>"""
SCRIPT = "console.log('hello');" * 100
PACKED = gzip.compress(SCRIPT.encode(), 1, mtime=1)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Parlour</title>")
    (folder / "connect4").mkdir()
    (folder / "connect4" / "index.html").write_text(CONNECT4)
    (folder / "assets" / "app-3f2a.js").write_text(SCRIPT)
    (folder / "assets" / "page-9c.js").write_text(SCRIPT)
    (folder / "assets" / "page-9c.js.gz").write_bytes(PACKED)
    (folder / "assets" / "font-77.woff2").write_bytes(b"wOF2" + bytes(2000))
    (folder / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / ".built").write_text("")
    (folder / ".vite").mkdir()
    (folder / ".vite" / "manifest.json").write_text("{}")
    return folder


@pytest.fixture(scope="module")
def served(built: Path) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "built_app", lambda: built)
        with serving() as running:
            yield running


@pytest.fixture(scope="module")
def bare() -> Iterator[Served]:
    """A server whose web app was never built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "built_app", lambda: None)
        with serving() as running:
            yield running


def test_the_document_is_asked_for_anew_each_time(served: Served) -> None:
    answer = served.ask("GET", "/")
    assert answer.text == "<!doctype html><title>Parlour</title>"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    again = served.ask("GET", "/", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_what_has_its_hash_in_its_name_is_kept_for_ever(served: Served) -> None:
    answer = served.ask("GET", "/assets/app-3f2a.js")
    assert answer.text == SCRIPT
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert served.ask("GET", "/icon.svg").headers["cache-control"] == "no-cache"


def test_text_is_compressed_for_those_who_understand(served: Served) -> None:
    with plain.stream(
        "GET", f"{served.url}/assets/app-3f2a.js", headers={"accept-encoding": "gzip"}
    ) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        assert gzip.decompress(b"".join(answer.iter_raw())).decode() == SCRIPT
    whole = served.ask("GET", "/assets/app-3f2a.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in whole.headers
    assert whole.headers["vary"] == "accept-encoding"
    font = served.ask("GET", "/assets/font-77.woff2", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in font.headers


def test_what_the_build_compressed_is_sent_as_it_is(served: Served) -> None:
    packed = {"accept-encoding": "gzip"}
    with plain.stream("GET", f"{served.url}/assets/page-9c.js", headers=packed) as answer:
        assert b"".join(answer.iter_raw()) == PACKED
        assert answer.headers["content-type"].startswith("text/javascript")
    whole = served.ask("GET", "/assets/page-9c.js", headers={"accept-encoding": "identity"})
    assert whole.text == SCRIPT
    assert served.ask("GET", "/assets/page-9c.js.gz").status_code == 404


def test_head_has_no_body(served: Served) -> None:
    answer = served.ask("HEAD", "/assets/app-3f2a.js", headers={"accept-encoding": "identity"})
    assert answer.status_code == 200
    assert answer.headers["content-length"] == str(len(SCRIPT))
    assert answer.content == b""


def test_addresses_of_the_apps_pages_get_its_document(served: Served) -> None:
    for accept in (PAGE["accept"], "*/*", "text/html"):
        for path in ("/quarto", "/connect-five/games/7", "/login", "/connect41"):
            answer = served.ask("GET", path, headers={"accept": accept})
            assert answer.status_code == 200
            assert "<title>Parlour</title>" in answer.text


@pytest.mark.parametrize("path", ["/connect4", "/connect4/", "/connect4/game/K7QF2MAB"])
def test_whoever_is_sent_a_link_sees_what_it_leads_to(served: Served, path: str) -> None:
    """As messengers do: they ask for anything, run no script and want whole addresses."""
    answer = served.ask("GET", path, headers={"accept": "*/*", "host": "play.example"})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<title>Connect 4</title>" in answer.text
    assert 'content="http://play.example/cards/connect4.jpg"' in answer.text


@pytest.mark.parametrize("host", ['x"><script>', "play.example/evil", "a" * 300, "x:99999999"])
def test_a_host_that_is_none_is_not_repeated(served: Served, host: str) -> None:
    answer = served.ask("GET", "/connect4", headers={"host": host})
    if answer.status_code == 200:
        assert 'content="/cards/connect4.jpg"' in answer.text


def test_what_a_document_runs_of_its_own_is_allowed_by_name(served: Served) -> None:
    policy = served.ask("GET", "/connect4").headers["content-security-policy"]
    digest = b64encode(sha256(b"dark = true").digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy


def test_what_is_no_page_is_an_error(served: Served) -> None:
    for path in ("/api/nope", "/assets/gone.js", "/ws/x", "/.well-known/x", "/parties/x"):
        assert served.ask("GET", path, headers=PAGE).status_code == 404, path
        assert served.ask("GET", path, headers={"accept": "*/*"}).status_code == 404, path
    answer = served.ask("GET", "/api/nope", headers={"accept": "*/*"})
    assert answer.headers["content-type"] == "application/json"
    for path in ("/connect4/x", "/robots.txt"):
        assert served.ask("GET", path, headers={"accept": "application/json"}).status_code == 404
    assert served.ask("GET", "/robots.txt", headers={"accept": "*/*"}).status_code == 404
    assert served.ask("POST", "/connect4/x", headers=PAGE).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/../app.py",
        "/assets/../../app.py",
        "/%2e%2e/x",
        "/assets/%2e%2e%2fx",
        "//etc/passwd",
        "/.built",
        "/.vite/manifest.json",
    ],
)
def test_no_path_leads_anywhere_else(served: Served, path: str) -> None:
    url = httpx.URL(served.url).copy_with(raw_path=path.encode())
    assert plain.get(url).status_code == 404


def test_browsers_are_told_what_to_forbid(served: Served) -> None:
    for path in ("/", "/assets/app-3f2a.js", "/api/health", "/api/nope", "/api/docs"):
        headers = served.ask("GET", path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src 'self' 'sha256-" in policy
        assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in headers


def test_what_sign_in_needs_is_allowed() -> None:
    settings = Settings(
        firebase_project_id="my-project",
        neon_auth_base_url="https://ep.neonauth.example/db/auth",
        allowed_origins=("https://play.example",),
    )
    headers = dict(pages.security_headers(settings))
    policy = headers[b"content-security-policy"].decode()
    assert "https://identitytoolkit.googleapis.com" in policy
    assert "frame-src 'self' https://my-project.firebaseapp.com" in policy
    assert "https://ep.neonauth.example " in policy
    assert "wss://play.example" in policy
    assert headers[b"cross-origin-opener-policy"] == b"same-origin-allow-popups"


def test_without_the_web_app_a_page_says_what_this_is(bare: Served) -> None:
    answer = bare.ask("GET", "/")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    for said in ("Parlour", "Connect 4", "Quarto", "/api/health", "/api/docs", "/api/auth/guest"):
        assert said in answer.text
    assert bare.ask("GET", "/connect4/K7QF2MAB", headers=PAGE).status_code == 404


def test_everything_the_page_points_to_is_there(bare: Served) -> None:
    page = bare.ask("GET", "/").text
    addresses = {part.split('"')[0] for part in page.split('href="')[1:]}
    ours = {address for address in addresses if address.startswith("/")}
    assert ours
    assert {address: bare.ask("GET", address).status_code for address in ours} == dict.fromkeys(
        ours, 200
    )
