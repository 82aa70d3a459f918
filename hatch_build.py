"""Puts the built web app into wheels, so that an installed Parlour has its pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebApp(BuildHookInterface[Any]):
    """Adds `web/dist` as `parlour/static`, where it was built; an editable install needs none."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        built = Path(self.root) / "web" / "dist"
        if version != "editable" and (built / "index.html").is_file():
            build_data["force_include"][str(built)] = "parlour/static"
