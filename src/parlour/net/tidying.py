"""Looking for garbage in small portions, when nobody waits for an answer.

By itself Python looks when so much more was made than went, in the middle of whatever is done then,
and at all of it (see `serving.set_pace`, which leaves that for who opens no sockets).
"""

from __future__ import annotations

import gc

EVERY = 32
"""Turns of the loop: in so many little is made that lasts, and looking among it is soon done."""
OLDER_EVERY = 2_000 * EVERY
"""Among what has lasted there is next to none, and looking takes long."""
ALL_EVERY = 40 * OLDER_EVERY


def tidy(turns: int) -> None:
    """Look for what nobody needs, after so many turns, each time when all was written."""
    if turns % OLDER_EVERY:
        gc.collect(0)
    else:
        gc.collect(1 if turns % ALL_EVERY else 2)
