"""The command `parlour`. The server starts without what only the other commands need."""

from __future__ import annotations

import gc
import re
import sys

_PORT = re.compile(r"[0-9]{1,5}", re.ASCII)
_LARGEST_PORT = 65535


def main() -> None:
    """Runs the command; a wrong setting stops it with one line."""
    # What is imported stays, and looking for cycles among it takes a tenth of a start.
    gc.disable()
    asked = sys.argv[1:]
    options = _options(asked[1:]) if asked[:1] == ["serve"] else None
    if options is None:
        from parlour import commands  # noqa: PLC0415 (so that the server starts quickly)

        gc.enable()
        commands.main()
        return
    from parlour.serving import start  # noqa: PLC0415 (so that the other commands are quick)

    sys.exit(start(*options))


def _options(words: list[str]) -> tuple[str | None, int | None] | None:
    """Host and port, where that is all that is said; None: `commands` understands more.

    >>> _options(["--port", "8080"]), _options(["--host", "::", "--port", "0"]), _options([])
    ((None, 8080), ('::', 0), (None, None))
    >>> _options(["--help"]), _options(["--port", "a lot"]), _options(["--port", "99999"])
    (None, None, None)
    """
    given = dict(zip(words[::2], words[1::2], strict=False))
    port = given.get("--port")
    if len(words) % 2 or given.keys() - {"--host", "--port"} or 2 * len(given) < len(words):
        return None
    if port is not None and not (_PORT.fullmatch(port) and int(port) <= _LARGEST_PORT):
        return None
    return given.get("--host"), None if port is None else int(port)
