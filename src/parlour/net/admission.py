"""How many connections there may be: in all, and from one address.

Every connection has a slot from when it is accepted until it is lost. When all slots are taken,
somebody who would lose nothing makes room for a newcomer: first who has been connected longest
without completing a request, then who has been idle longest between two. A socket never has to.
"""

from __future__ import annotations

import resource
from collections import OrderedDict
from collections.abc import Callable

import structlog

from parlour.net.addresses import TrustedProxies, address_group
from parlour.net.errors import Problem
from parlour.net.refusals import Refusals

LARGEST_FILE_LIMIT = 2**20
FILES_KEPT_BACK = 128
"""For the database, the bus, logs, and connections that are still being closed."""
PER_ADDRESS = 2_000

log = structlog.get_logger()


class Slot:
    """The place of one connection among all. Released once; further releases do nothing."""

    __slots__ = ("_admission", "_drop", "_group", "_queue")

    def __init__(self, admission: Admission, group: str) -> None:
        self._admission = admission
        self._group: str | None = group
        self._queue: OrderedDict[Slot, None] | None = None
        self._drop: Callable[[], None] | None = None

    def unproven(self, drop: Callable[[], None]) -> None:
        """The connection stands and has not completed a request yet; `drop` would end it."""
        self._drop = drop
        self._enter(self._admission.unproven)

    def idle(self) -> None:
        """The connection waits for a next request."""
        self._enter(self._admission.idle)

    def busy(self) -> None:
        """A request is being answered: the connection may not be dropped."""
        if self._queue is not None:
            del self._queue[self]
            self._queue = None

    def settle(self) -> None:
        """The connection is a socket from now on, and never to be dropped."""
        self.busy()
        self._drop = None

    def leaving(self) -> None:
        """Nothing but the end of the connection is awaited: it is the first to make room."""
        self._enter(self._admission.unproven)
        if self._queue is not None:
            self._queue.move_to_end(self, last=False)

    def release(self) -> None:
        """The connection is lost."""
        self.settle()
        if self._group is not None:
            self._admission.released(self._group)
            self._group = None

    def make_room(self) -> None:
        """Ends the connection and releases its slot at once."""
        drop = self._drop
        self.release()
        if drop is not None:
            drop()

    def _enter(self, queue: OrderedDict[Slot, None]) -> None:
        if self._queue is not queue and self._group is not None:
            self.busy()
            queue[self] = None
            self._queue = queue


class Admission:
    """Hands out slots while there are any."""

    def __init__(
        self, most: int, per_address: int | None, proxies: TrustedProxies, refusals: Refusals
    ) -> None:
        self.unproven: OrderedDict[Slot, None] = OrderedDict()
        self.idle: OrderedDict[Slot, None] = OrderedDict()
        self.taken = 0
        self._most = most
        # One address that takes all there is would be as bad as no limit.
        self._per_address = per_address or min(PER_ADDRESS, max(1, most // 2))
        self._of_group: dict[str, int] = {}
        self._proxies = proxies
        self._refusals = refusals

    def admit(self, host: str) -> Slot:
        """A slot for a connection from there, or `Problem` with what to tell it."""
        group = address_group(host)
        held = self._of_group.get(group, 0)
        if held >= self._per_address and host not in self._proxies:
            self._refusals.note("address", address=group)
            raise Problem.general("TOO_MANY_CONNECTIONS")
        if self.taken >= self._most and not self.make_room():
            self._refusals.note("full")
            raise Problem.general("UNAVAILABLE")
        self.taken += 1
        self._of_group[group] = self._of_group.get(group, 0) + 1
        return Slot(self, group)

    def make_room(self) -> bool:
        """Drops the connection that loses least, if there is one that loses nothing."""
        for queue in (self.unproven, self.idle):
            if queue:
                self._refusals.note("crowded")
                next(iter(queue)).make_room()
                return True
        return False

    def released(self, group: str) -> None:
        """One connection less from there."""
        self.taken -= 1
        left = self._of_group[group] - 1
        if left:
            self._of_group[group] = left
        else:
            del self._of_group[group]


def raise_file_limit() -> None:
    """Lets this process open as many files as the system allows it: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = LARGEST_FILE_LIMIT if hard == resource.RLIM_INFINITY else min(hard, LARGEST_FILE_LIMIT)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def most_connections(wanted: int | None) -> int:
    """How many there may be in all: what was asked for, and no more than there are files for."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        files = LARGEST_FILE_LIMIT
    possible = max(files - FILES_KEPT_BACK, files // 2)
    if wanted is not None and wanted > possible:
        log.warning("too few files for MAX_CONNECTIONS", wanted=wanted, possible=possible)
    return min(possible, wanted or possible)
