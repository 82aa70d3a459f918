"""The openings of Connect 4: what every position of twelve discs is worth, if that is installed.

The package `bitbully-databases` (MIT) brings the file; `solver.py` knows how to read it.
"""

from __future__ import annotations

import mmap
from functools import cache
from importlib.resources import as_file, files
from importlib.util import find_spec
from typing import Final

PACKAGE: Final = "bitbully_databases"
FILE: Final = "assets/book_12ply_distances.dat"
NO_BOOK: Final = memoryview(b"").cast("b")


@cache
def opened() -> memoryview:
    """Its bytes, which all processes share; none where the package is not installed."""
    if find_spec(PACKAGE) is None:
        return NO_BOOK
    with as_file(files(PACKAGE) / FILE) as path, path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)).cast("b")
