"""What is written down is true: examples run, links lead somewhere, generated parts are fresh."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import parlour
from tests import generated
from tests.imports import picture

ROOT = generated.ROOT
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
MODULES = sorted(
    module.name
    for module in walk_packages(parlour.__path__, "parlour.")
    if ".migrations" not in module.name
)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_on_pages_run(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_the_readme_shows_an_example_that_runs() -> None:
    examples = doctest.DocTestParser().get_examples((ROOT / "README.md").read_text("utf-8"))
    assert examples


def test_the_settings_that_operators_read_are_the_present_ones() -> None:
    text = generated.OPERATIONS.read_text("utf-8")
    assert generated.operations(text) == text, "run `make docs`"
    assert generated.IMPORTS.read_text("utf-8") == picture(), "run `make docs`"
    page = generated.OPPONENTS.read_text("utf-8")
    assert generated.opponents(page) == page, "run `make docs`"


def test_the_api_that_the_web_app_knows_is_the_present_one() -> None:
    assert generated.OPENAPI.read_text("utf-8") == generated.openapi(), "run `make types`"
    assert generated.SOCKETS.read_text("utf-8") == generated.sockets(), "run `make types`"


def test_every_command_of_the_makefile_that_is_written_about_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    known = set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))
    for page in PAGES:
        told = set(re.findall(r"(?:`|^    )make ([a-z]+)", page.read_text("utf-8"), re.MULTILINE))
        assert told <= known, page
    assert {"run", "test", "check", "fix", "bench", "spec", "docs", "simulate"} <= known
