"""Finds the Chromium that browser tests drive; run as a module, installs one where none is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""The first is the same browser without its windows: a fifth cheaper."""


def find() -> str | None:
    """The path of an installed browser; None: Playwright's own is to be used."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def is_there() -> bool:
    """Whether there is a browser at all."""
    if find():
        return True
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


def install() -> bool:
    """Tries the system's packages, then Playwright's download; True when one of them worked."""
    become_root: list[str] | None = [] if os.geteuid() == 0 else None
    if become_root is None and shutil.which("sudo") and _runs(["sudo", "-n", "true"]):
        become_root = ["sudo", "-n"]
    if become_root is not None and shutil.which("apt-get"):
        apt = [*become_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
        if _installed(apt) or (_runs([*apt, "update"]) and _installed(apt)):
            return True
    return _runs([sys.executable, "-m", "playwright", "install", "chromium"])


def _installed(apt: list[str]) -> bool:
    """With the form without windows, where the system has it."""
    wanted = (["chromium", "chromium-headless-shell"], ["chromium"])
    return any(_runs([*apt, "install", "-y", *names]) for names in wanted)


def _runs(command: list[str]) -> bool:
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)  # noqa: S603 - fixed words
    return done.returncode == 0


if __name__ == "__main__" and not is_there() and not (install() and is_there()):
    sys.exit(
        "The browser tests need Chromium and it could not be installed: "
        "install `chromium` or Google Chrome by hand, then run `make test` again."
    )
