"""Every test of every runner, and one closing line over all of them: `make test`.

    python -m tests.suite [--workers N]

pytest and Vitest run beside each other, and each writes down what it counted. A runner that ends
badly without a failed test to show for it (it could not collect, it was killed) counts as one
failure, so the line never says that all is well when it is not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree as ET

from msgspec import Struct

ROOT = Path(__file__).parent.parent


class Count(Struct, frozen=True):
    """What one runner did."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, more: Count) -> Count:
        return Count(
            self.passed + more.passed, self.failed + more.failed, self.skipped + more.skipped
        )

    def ended(self, status: int) -> Count:
        """With the runner's own word on whether all went well."""
        silent = status != 0 and self.failed == 0
        return self + Count(failed=1) if silent else self

    @property
    def line(self) -> str:
        """As it is read by people and machines."""
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def of_pytest(report: Path) -> Count:
    """What pytest's JUnit file says."""
    if not report.exists():
        return Count()
    suites = ET.parse(report).getroot().iter("testsuite")  # noqa: S314 - our own file
    total = Count()
    for suite in suites:
        every, skipped = int(suite.attrib["tests"]), int(suite.attrib["skipped"])
        failed = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
        total += Count(max(0, every - skipped - failed), failed, skipped)
    return total


def of_vitest(report: Path) -> Count:
    """What Vitest's JSON file says; a file that cannot be loaded has no test that could fail."""
    if not report.exists():
        return Count()
    told = json.loads(report.read_text("utf-8"))
    broken = sum(
        1
        for file in told["testResults"]
        if file["status"] == "failed" and not file["assertionResults"]
    )
    return Count(
        told["numPassedTests"],
        told["numFailedTests"] + broken,
        told["numPendingTests"] + told["numTodoTests"],
    )


def compile_tests() -> None:
    """Once, before all workers at the same time do so; what is wrong with them is told there."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
    subprocess.run(command, cwd=ROOT, check=False, capture_output=True)  # noqa: S603 - fixed words


def run_pytest(workers: int, folder: Path) -> Count:
    compile_tests()
    report = folder / "pytest.xml"
    options = ["-n", str(workers), "--dist", "worksteal", f"--junitxml={report}"]
    command = [sys.executable, "-m", "pytest", *options]
    done = subprocess.run(command, cwd=ROOT, check=False)  # noqa: S603 - fixed words
    return of_pytest(report).ended(done.returncode)


def run_vitest(folder: Path) -> tuple[Count, bytes]:
    """With what it said, which is not to stand in the midst of what pytest says."""
    report = folder / "vitest.json"
    reporters = ["--reporter=dot", "--reporter=json", f"--outputFile.json={report}"]
    done = subprocess.run(  # noqa: S603 - fixed words
        ["npm", "--prefix", "web", "run", "--silent", "test", "--", *reporters],  # noqa: S607 - as `make` finds it
        cwd=ROOT,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return of_vitest(report).ended(done.returncode), done.stdout


def main() -> None:
    """Runs them all; ends with 1 if any failed or none was run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--workers", type=int, default=4)
    workers = parser.parse_args().workers
    with (
        tempfile.TemporaryDirectory(prefix="parlour-suite-") as name,
        ThreadPoolExecutor(1) as beside,
    ):
        vitest = beside.submit(run_vitest, Path(name))
        total = run_pytest(workers, Path(name))
        count, said = vitest.result()
    sys.stdout.buffer.write(said)
    total += count
    sys.stdout.write(f"{total.line}\n")
    sys.exit(0 if total.passed and not total.failed else 1)


if __name__ == "__main__":
    main()
