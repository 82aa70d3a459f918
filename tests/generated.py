"""Files that come from the code: `python -m tests.generated` writes them, the tests compare.

`web/openapi.json` and `web/sockets.json` are what the web app's types are made of; the table of
settings stands in `docs/OPERATIONS.md`, the picture of the imports in `docs/imports.svg`, and who
plays in which game in `docs/opponents.md`.
"""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
from litestar.serialization import encode_json

import parlour
from parlour.app import api, assemble, surfaces
from parlour.arena.page import written
from parlour.games.registry import all_rules, bots, strengths
from parlour.host import messages as play
from parlour.net import notices, wallet
from parlour.settings import Settings, describe
from tests.imports import picture

ROOT = Path(__file__).parent.parent
OPENAPI = ROOT / "web" / "openapi.json"
SOCKETS = ROOT / "web" / "sockets.json"
OPERATIONS = ROOT / "docs" / "OPERATIONS.md"
IMPORTS = ROOT / "docs" / "imports.svg"
OPPONENTS = ROOT / "docs" / "opponents.md"

BEGIN = "<!-- settings: written by `make docs` -->\n"
END = "<!-- end of settings -->\n"


def messages() -> dict[str, dict[str, Any]]:
    """What is said and heard on sockets, by what goes before all of its names.

    A game with a surface of its own names its messages there; of any other the actions and the
    view are all that there is to know.
    """
    found: dict[str, dict[str, Any]] = {
        "Play": {"Said": play.Said, "Heard": play.Told},
        "Wallet": {"Heard": wallet.Heard},
        "Notifications": {"Heard": notices.Heard},
    }
    for key, rules in all_rules().items():
        name = "".join(word.capitalize() for word in key.split("_"))
        wire = f"parlour.games.{key}.wire"
        if find_spec(wire):
            found[name] = import_module(wire).MESSAGES
        else:
            found[name] = {"Action": rules.action_type, "Shown": rules.view_type}
    return found


def openapi() -> str:
    """The API's document."""
    services = assemble(Settings(database_url="sqlite://"))
    described = api(services, surfaces(services)).openapi_schema.to_schema()
    document = json.loads(encode_json(described))
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def sockets() -> str:
    """The messages of sockets, as a document of the same kind that has no paths."""
    schemas: dict[str, Any] = {}
    for game, unions in messages().items():
        members = {side: getattr(union, "__args__", (union,)) for side, union in unions.items()}
        references, components = msgspec.json.schema_components(
            [each for side in members.values() for each in side],
            ref_template=f"#/components/schemas/{game}{{name}}",
        )
        schemas |= {game + name: _told(schema) for name, schema in components.items()}
        left = iter(references)
        for side, union in members.items():
            schemas[game + side] = {"anyOf": [next(left) for _ in union]}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Parlour's sockets", "version": parlour.__version__},
        "paths": {},
        "components": {"schemas": schemas},
    }
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _told(schema: dict[str, Any]) -> dict[str, Any]:
    """With its docstring as Python 3.13 has it, which leaves out the indentation."""
    return schema | {"description": inspect.cleandoc(schema.get("description", ""))}


def operations(text: str) -> str:
    """The page for operators, with the settings as they are."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = [
        f"| `{setting.name}` | {f'`{setting.default}`' if setting.default else ''} "
        f"| {setting.meaning.replace('|', chr(92) + '|')} |\n"
        for setting in describe(Settings())
    ]
    table = "".join(["| name | default | meaning |\n", "|---|---|---|\n", *rows])
    return f"{before}{BEGIN}{table}{END}{after}"


def opponents(text: str) -> str:
    """The page of opponents, with those of every game as they are."""
    for key in all_rules():
        if bots(key):
            text = written(text, key, tuple(bots(key).values()), strengths(key))
    return text


def main() -> None:
    """Writes them all."""
    OPENAPI.write_text(openapi(), "utf-8")
    SOCKETS.write_text(sockets(), "utf-8")
    IMPORTS.write_text(picture(), "utf-8")
    OPERATIONS.write_text(operations(OPERATIONS.read_text("utf-8")), "utf-8")
    OPPONENTS.write_text(opponents(OPPONENTS.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
