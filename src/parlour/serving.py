"""Starts the server."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from msgspec.structs import replace

from parlour.settings import Settings, SettingsError

LATE = (
    "annotated_types",  # the framework describes bounds by it, in its document of the API alone
    "pdb",  # the framework debugs with it where it is told to
    "sqlalchemy.dialects.sqlite.aiosqlite",  # a driver; ours is Python's own
    "structlog.threadlocal",  # what came before context variables; it loads greenlet
    "uvicorn",  # of itself it offers a command line and all that this takes; we use its modules
    "websockets.http11",  # a handshake that we do ourselves
    "yaml",  # a format in which the framework would describe the API
)
"""What libraries import for what a server hardly ever does, or never."""


def start(host: str | None, port: int | None) -> int:
    """Serves until it is told to stop; the status to end with.

    `host` and `port` count instead of what the settings say.
    """
    try:
        settings = Settings.load()
    except SettingsError as error:
        print(f"parlour: {error}", file=sys.stderr)  # noqa: T201 (there are no logs yet)
        return 2
    settings = replace(
        settings,
        host=settings.host if host is None else host,
        port=settings.port if port is None else port,
    )
    for library in LATE:
        load_late(library)
    _without_rich()
    # Whose settings are wrong hears of it before all this is loaded.
    import structlog  # noqa: PLC0415 (see above)

    from parlour.app import create_server  # noqa: PLC0415 (see above)
    from parlour.net import logs  # noqa: PLC0415 (see above)
    from parlour.net.admission import raise_file_limit  # noqa: PLC0415 (see above)
    from parlour.net.server import listen  # noqa: PLC0415 (see above)

    logs.configure()
    for remark in settings.remarks():
        structlog.get_logger().warning(remark)
    raise_file_limit()
    serving = create_server(settings)
    try:
        listening = listen(settings.host, settings.port)
    except (OSError, TypeError, ValueError) as error:  # a host may be no name at all
        why = getattr(error, "strerror", None) or error
        where = f"{settings.host}:{settings.port}"
        print(f"parlour: cannot listen on {where}: {why}", file=sys.stderr)  # noqa: T201 (for people)
        return 1
    set_pace()
    serving.run([listening])
    return 0


def _without_rich() -> None:
    """The logs' library loads another one for tracebacks that we never show; it need not."""
    if "rich" not in sys.modules:
        sys.modules["rich"] = None  # type: ignore[assignment] # as if it were not installed
        try:
            import structlog  # noqa: F401, PLC0415 (this is what it is about)
        finally:
            del sys.modules["rich"]


def load_late(name: str) -> None:
    """Whoever imports that library from now on has it loaded when it is first used.

    So may be a module of one. A library's modules can be loaded before it is. Who can do without a
    library that is not installed still learns so.
    """
    library = None if name in sys.modules else find_spec(name.partition(".")[0])
    if library is None:
        return

    def whole(attribute: str) -> object:
        if sys.modules[name] is late:
            del sys.modules[name]
            loaded = vars(import_module(name))
            for module, each in vars(late).items():
                if isinstance(each, ModuleType):
                    loaded.setdefault(module, each)
        return getattr(import_module(name), attribute)

    late = ModuleType(name)
    if name == library.name and library.submodule_search_locations is not None:
        late.__path__ = library.submodule_search_locations
    late.__getattr__ = whole  # type: ignore[method-assign] # as PEP 562 has it
    sys.modules[name] = late


def set_pace() -> None:
    """Set Python up for many small steps.

    What a move makes is gone when its references are, and looking for cycles among it is in vain:
    by default that takes a fifth of a move's time. A thread that waited for the disk is soon let
    in again, for many players wait for it.
    """
    gc.freeze()  # what was loaded holds next to no garbage, and looking for it takes a while
    gc.set_threshold(50_000, 20, 50)
    gc.enable()
    sys.setswitchinterval(0.0003)
