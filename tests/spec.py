"""Which requirements of the checklist no test proves: `make spec`.

A Python test names what it proves with `@pytest.mark.spec("A62")`; a test of the web app has
`@A62` in its name.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALL = tuple((ROOT / "docs" / "spec-ids.txt").read_text().split())
TAG = re.compile(r"@([A-E]\d{1,3})\b")


class Collector:
    """Gathers the ids of every collected test, without running any."""

    def __init__(self) -> None:
        self.proven: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("spec"):
                self.proven.update(mark.args)


def proven_in_python() -> set[str]:
    """The ids that Python tests name."""
    collector = Collector()
    report = io.StringIO()
    with redirect_stdout(report):
        code = pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider"], [collector])
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        sys.exit(f"{report.getvalue()}\nThe tests could not be collected.")
    return collector.proven


def proven_in_web() -> set[str]:
    """The ids that tests of the web app name."""
    sources = (ROOT / "web" / "src").rglob("*.test.ts*")
    return {tag for source in sources for tag in TAG.findall(source.read_text("utf-8"))}


def unproven(proven: Iterable[str]) -> list[str]:
    """What is left, in the checklist's order."""
    known = set(proven)
    return [each for each in ALL if each not in known]


def main() -> None:
    """Prints what no test proves, a line for each document."""
    proven = proven_in_python() | proven_in_web()
    if unknown := sorted(proven - set(ALL)):
        sys.exit(f"no such requirement: {', '.join(unknown)}")
    left = unproven(proven)
    for letter in "ABCDE":
        ids = [each for each in left if each.startswith(letter)]
        total = sum(each.startswith(letter) for each in ALL)
        sys.stdout.write(f"{letter}: {total - len(ids)} of {total} proven\n")
        if ids:
            sys.stdout.write(f"   not yet: {' '.join(ids)}\n")


if __name__ == "__main__":
    main()
