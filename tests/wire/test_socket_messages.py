"""What the web app knows of the sockets' messages is what the sockets say."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests import generated

WEB = generated.ROOT / "web"


def test_the_messages_that_the_web_app_knows_are_the_present_ones() -> None:
    assert generated.SOCKETS.read_text("utf-8") == generated.sockets(), "run `make types`"


@pytest.mark.skipif(not (WEB / "node_modules").is_dir(), reason="the web app is not installed")
def test_the_types_made_of_both_documents_are_fresh() -> None:
    node = shutil.which("node")
    assert node is not None
    check = [node, "scripts/types.mjs", "--check"]
    done = subprocess.run(check, cwd=WEB, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    assert done.returncode == 0, done.stderr
