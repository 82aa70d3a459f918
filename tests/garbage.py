"""What is left behind that only a search for garbage would find."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_garbage(*kinds: type) -> Iterator[None]:
    """Nothing of these kinds is left behind in a circle, by what is done meanwhile."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield
        gc.collect()
        left = [type(each) for each in gc.garbage if isinstance(each, kinds)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not left, left
