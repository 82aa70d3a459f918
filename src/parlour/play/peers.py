"""Which processes at this database are alive, by the leases they hold.

Law: a process is dead once its lease ran out and this one's own has held for a whole term; before
that nobody can say so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from parlour.events.relay import LEASE as RELAY
from parlour.games.api import Millis
from parlour.play.lease import Lease
from parlour.play.runtime import Runtime
from parlour.store import queries
from parlour.store.change import ForgetLease


class Peers:
    """The leases of all processes, as far as is known."""

    def __init__(self, runtime: Runtime, lease: Lease) -> None:
        self._runtime = runtime
        self._lease = lease
        self._until: dict[str, Millis] = {}

    def alive(self, process_id: str | None, now: Millis) -> bool:
        """Whether a process is known to live."""
        # Mostly it is another, and this is asked at every move.
        return self._until.get(process_id or "", 0) >= now or process_id == self._runtime.process_id

    def until(self, process_id: str | None) -> Millis | None:
        """Until when a process said that it lives, as far as is known."""
        return self._until.get(process_id or "")

    @property
    def others(self) -> bool:
        """Whether another process was at this database lately."""
        now = self._runtime.clock()
        return any(
            until >= now and process_id not in (self._runtime.process_id, RELAY)
            for process_id, until in self._until.items()
        )

    def note(self, leases: Iterable[tuple[str, Millis]]) -> None:
        """Which there are, and until when they say that they live."""
        self._until = dict(leases)

    async def look(self) -> None:
        """Ask the store."""
        self.note(await queries.leases(self._runtime.store))

    async def meet(self, processes: Iterable[str | None]) -> None:
        """Ask the store if one of these has never been heard of."""
        if not set(processes) - {None, self._runtime.process_id} <= self._until.keys():
            await self.look()

    async def dead(self) -> list[str]:
        """Processes that hold something though their lease ran out; none while that is in doubt."""
        await self.look()
        if not self._lease.settled:
            return []
        now = self._runtime.clock()
        return [
            process_id
            for process_id in await queries.holders(self._runtime.store)
            if not self.alive(process_id, now)
        ]

    def lapsed(self, but: Collection[str]) -> list[ForgetLease]:
        """The leases of the dead, to be forgotten, but for those who still hold something."""
        if not self._lease.settled:
            return []
        now = self._runtime.clock()
        return [
            ForgetLease(process_id=process_id, until=until)
            for process_id, until in self._until.items()
            if until < now and process_id != self._runtime.process_id and process_id not in but
        ]
