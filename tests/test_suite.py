"""The closing line of `make test` says what happened, and the page's first load stays small."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.suite import ROOT, Count, of_pytest, of_vitest

TESTS = """
import pytest

@pytest.fixture
def broken():
    raise ValueError

def test_well(): pass
def test_well_too(): pass
def test_badly(): assert False
def test_never_begun(broken): pass

@pytest.mark.skip(reason="to be counted")
def test_not_now(): pass
"""


def test_pytest_is_counted_as_it_ran(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    report = tmp_path / "report.xml"
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", f"--junitxml={report}", tmp_path],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert of_pytest(report) == Count(passed=2, failed=2, skipped=1)


def test_vitest_is_counted_with_files_that_could_not_be_loaded(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    told = {
        "numPassedTests": 3,
        "numFailedTests": 1,
        "numPendingTests": 1,
        "numTodoTests": 0,
        "testResults": [
            {"status": "failed", "assertionResults": [{"status": "failed"}]},
            {"status": "failed", "assertionResults": []},
            {"status": "passed", "assertionResults": [{"status": "passed"}]},
        ],
    }
    report.write_text(json.dumps(told))
    assert of_vitest(report) == Count(passed=3, failed=2, skipped=1)


def test_a_runner_that_dies_without_a_word_is_a_failure(tmp_path: Path) -> None:
    missing = tmp_path / "never-written"
    assert of_pytest(missing).ended(-9) == Count(failed=1)
    assert of_vitest(missing).ended(1) == Count(failed=1)
    assert Count(passed=4, failed=2).ended(1) == Count(passed=4, failed=2)


def test_the_closing_line_adds_up() -> None:
    both = Count(passed=3000, skipped=1) + Count(passed=150, failed=2)
    assert both.line == "3150 passed, 2 failed, 1 skipped"
    assert Count(passed=1).line == "1 passed, 0 failed"


def test_the_shelf_loads_little_and_no_game() -> None:
    done = subprocess.run(
        ["npm", "--prefix", "web", "run", "--silent", "size"],  # noqa: S607 - as `make` finds it
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
