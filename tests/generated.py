"""Files that come from the code: `python -m tests.generated` writes them, the tests compare.

`web/openapi.json` and `web/sockets.json` are what the web app's types are made of; the table of
settings stands in `docs/OPERATIONS.md`.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from types import UnionType
from typing import Any

import msgspec
from litestar.serialization import encode_json

import parlour
from parlour.app import api, assemble, surfaces
from parlour.games.connect4 import events as connect4
from parlour.games.connect_five import answers as connect_five
from parlour.games.memory import messages as memory
from parlour.games.quarto import messages as quarto
from parlour.net import notices, wallet
from parlour.settings import Settings, describe

ROOT = Path(__file__).parent.parent
OPENAPI = ROOT / "web" / "openapi.json"
SOCKETS = ROOT / "web" / "sockets.json"
OPERATIONS = ROOT / "docs" / "OPERATIONS.md"

BEGIN = "<!-- settings: written by `make docs` -->\n"
END = "<!-- end of settings -->\n"

Connect4 = (
    connect4.MoveMade
    | connect4.TurnChanged
    | connect4.GameEnded
    | connect4.RematchOffer
    | connect4.NextGame
    | connect4.Coming
    | connect4.LiveError
)

MESSAGES: dict[str, dict[str, UnionType]] = {
    "Connect4": {"Payload": Connect4},
    "ConnectFive": {"Heard": connect_five.Heard},
    "Wallet": {"Heard": wallet.Heard},
    "Notifications": {"Heard": notices.Heard},
    "Memory": {"Said": memory.ClientMessage, "Heard": memory.ServerMessage},
    "Quarto": {"Said": quarto.Said, "Heard": quarto.Heard},
}
"""What clients say and hear on a game's socket, by what goes before all of its names."""


def openapi() -> str:
    """The API's document."""
    services = assemble(Settings(database_url="sqlite://"))
    described = api(services, surfaces(services)).openapi_schema.to_schema()
    document = json.loads(encode_json(described))
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def sockets() -> str:
    """The messages of sockets, as a document of the same kind that has no paths."""
    schemas: dict[str, Any] = {}
    for game, unions in MESSAGES.items():
        messages = [message for union in unions.values() for message in union.__args__]
        references, components = msgspec.json.schema_components(
            messages, ref_template=f"#/components/schemas/{game}{{name}}"
        )
        schemas |= {game + name: _told(schema) for name, schema in components.items()}
        left = iter(references)
        for side, union in unions.items():
            schemas[game + side] = {"anyOf": [next(left) for _ in union.__args__]}
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


def main() -> None:
    """Writes them all."""
    OPENAPI.write_text(openapi(), "utf-8")
    SOCKETS.write_text(sockets(), "utf-8")
    OPERATIONS.write_text(operations(OPERATIONS.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
