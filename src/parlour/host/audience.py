"""Everybody in this process who is told of one match.

Laws:

* A viewer gets a table first, then every later step once and in order.
* Each message is built once per kind of viewer: either seat, both at one device, everybody else.
* A seat is held by one connection; whoever it is taken from is told so, and no more.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from parlour.games.registry import AnyRules
from parlour.host.messages import Left, Presence, Ref, RematchOffer, Told, encoded
from parlour.host.shown import Seats, answered, step_of, table_of
from parlour.net.sockets import framed
from parlour.play.match import Match, Update
from parlour.play.play import Play

CLOSING = ("cancel", "lapse")
"""Steps after which there is no table any more, unless its game was played to an end."""


class Viewer(Protocol):
    """A connection, as an audience knows it."""

    def send(self, message: Told) -> None:
        """Tell it alone."""
        ...

    def send_framed(self, frames: bytes) -> None:
        """Tell it what others are told, too."""
        ...

    def dismissed(self, match_id: str) -> None:
        """It is told no more of this match."""
        ...

    def goes_on(self, old: Match, following: str) -> None:
        """The next game of a table where it sits has begun."""
        ...


class Audience:
    """The viewers of one match, by what they see."""

    def __init__(self, play: Play, rules: AnyRules, match_id: str) -> None:
        self._play = play
        self._rules = rules
        self._match_id = match_id
        self._match: Match | None = None
        self._here = (False, False)
        self._opening = asyncio.Lock()
        self._viewers: dict[Viewer, Seats] = {}

    @property
    def match(self) -> Match:
        """As this audience knows it, which is what its viewers were told."""
        assert self._match is not None
        return self._match

    @property
    def deserted(self) -> bool:
        """Nobody is here, or about to be."""
        return not self._viewers and not self._opening.locked()

    async def listen(self) -> None:
        """From now on the match is followed; `Gone` if there is none."""
        async with self._opening:
            if self._match is None:
                self._match = await self._play.watch(self._match_id, self)
                live = await self._play.live(self._match_id)
                if live is not None:
                    self._here = self._play.here(live)

    def close(self) -> None:
        """Stop following."""
        self._play.unwatch(self._match_id, self)

    def enter(self, viewer: Viewer, seats: Seats, ref: Ref | None) -> None:
        """Somebody looks on from now on, and first of all sees the table."""
        self._viewers[viewer] = seats
        self.show(viewer, ref)

    def show(self, viewer: Viewer, ref: Ref | None = None) -> None:
        """The table as it stands."""
        seats = self._viewers.get(viewer, ())
        now = self._play.clock()
        viewer.send(answered(table_of(self._rules, self.match, seats, self._here, now), ref))

    def seats_of(self, viewer: Viewer) -> Seats:
        """Where it sits."""
        return self._viewers.get(viewer, ())

    def leave(self, viewer: Viewer) -> None:
        """It looks on no more."""
        self._viewers.pop(viewer, None)

    # --- what happens (see `Watcher`) -------------------------------------------------------

    def moved(self, update: Update) -> None:
        """A step became durable."""
        self._match = update.after
        if update.entry.kind == "start":
            # Whoever waits sees an opponent, and everything else, for the first time.
            for viewer in tuple(self._viewers):
                self.show(viewer)
        elif update.entry.kind == "rematch":
            self._tell(RematchOffer(match=self._match_id, by=update.entry.seat))
        elif update.entry.kind == "rematched":
            self._go_on(update.after)
        else:
            self._tell_step(update)
            if update.entry.kind in CLOSING and update.after.status != "finished":
                self._dismiss_all()

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        """Somebody's connection came or went."""
        if here != self._here:
            self._here = here
            self._tell(Presence(match=match.id, here=here, now=self._play.clock()))

    def _tell_step(self, update: Update) -> None:
        now = self._play.clock()
        frames: dict[Seats, bytes] = {}
        for viewer, seats in tuple(self._viewers.items()):
            if seats not in frames:
                frames[seats] = framed(encoded(step_of(self._rules, update, seats, now)))
            viewer.send_framed(frames[seats])

    def _tell(self, message: Told) -> None:
        frames = framed(encoded(message))
        for viewer in tuple(self._viewers):
            viewer.send_framed(frames)

    def _go_on(self, old: Match) -> None:
        following = old.rematch_id
        assert following is not None
        self._tell(RematchOffer(match=old.id, by=old.rematch_by, next=following))
        for viewer, seats in tuple(self._viewers.items()):
            if seats:
                viewer.goes_on(old, following)

    def _dismiss_all(self) -> None:
        self._tell(Left(match=self._match_id, why="closed"))
        for viewer in tuple(self._viewers):
            del self._viewers[viewer]
            viewer.dismissed(self._match_id)
