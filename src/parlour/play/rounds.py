"""How a round works through many things of which each may be broken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from parlour.store.change import StoreError, Unavailable

log = structlog.get_logger()


@contextmanager
def one_of_many(what: str, **about: str) -> Iterator[None]:
    """Whatever is wrong with this one, the others must not wait for it.

    A store that does not answer is wrong with all of them, and ends the round.
    """
    try:
        yield
    except Unavailable:
        raise
    except StoreError as error:
        log.warning(f"{what} left as it is", error=repr(error), **about)
    except Exception:
        log.exception(f"{what} left as it is", **about)
