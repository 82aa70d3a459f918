"""Files that come from the code: `python -m tests.generated` writes them, the tests compare.

`web/openapi.json` is what the web app's types are made of; the table of settings stands in
`docs/OPERATIONS.md`.
"""

from __future__ import annotations

import json
from pathlib import Path

from parlour.app import api, assemble, surfaces
from parlour.settings import Settings, describe

ROOT = Path(__file__).parent.parent
OPENAPI = ROOT / "web" / "openapi.json"
OPERATIONS = ROOT / "docs" / "OPERATIONS.md"

BEGIN = "<!-- settings: written by `make docs` -->\n"
END = "<!-- end of settings -->\n"


def openapi() -> str:
    """The API's document."""
    services = assemble(Settings(database_url="sqlite://"))
    document = api(services, surfaces(services)).openapi_schema.to_schema()
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


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
    OPERATIONS.write_text(operations(OPERATIONS.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
