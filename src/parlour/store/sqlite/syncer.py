"""Syncs a file as often as it is told to: a program of its own, which knows nothing of ours.

    python syncer.py FILE BELL        (descriptors; its standard input is a socket)

When the bell rings (eight bytes can be read there) it syncs once and answers at the socket with a
byte: what went wrong by its number in `errno`, or 0. It ends when the other side of the socket
does, so it does not outlive its server.
"""

from __future__ import annotations

import os
import select
import signal
import sys


def main() -> None:
    """Until nobody is there any more."""
    # Whoever stops the server stops all of its group; what is under way is still to be synced.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    file, bell = map(int, sys.argv[1:])
    sync = getattr(os, "fdatasync", os.fsync)
    waiting = select.poll()
    for each in (0, bell):
        waiting.register(each, select.POLLIN)
    while all(ready == bell for ready, _ in waiting.poll()):
        os.read(bell, 8)
        try:
            sync(file)
        except OSError as error:
            os.write(0, bytes((error.errno or 255,)))
        else:
            os.write(0, b"\0")


if __name__ == "__main__":
    main()
