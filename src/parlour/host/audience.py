"""Everybody who is told of one match by one surface of this process.

Laws:

* Whoever enters hears of every later step, once and in order.
* What is told is made once for all who speak the same and see the same. Of a step that a voice
  with a name tells all alike it is made by the process that takes it, for all processes.
* Whoever cannot be told does not keep others from hearing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol, TypeVar

import structlog

from parlour.games.api import SEATS, Seat, Seen
from parlour.games.registry import AnyRules
from parlour.host.sight import Facts, Seats, Sight, StepSeen, unseen
from parlour.net.session import framed
from parlour.places import Places
from parlour.play.analyses import Progress
from parlour.play.kernel import Kernel
from parlour.play.match import UNSAID, Gone, Match, Update, Words
from parlour.play.resident import Resident

CLOSING = ("cancel", "lapse")
"""Steps after which there is no table any more, unless its game was played to an end."""

V = TypeVar("V")

log = structlog.get_logger()


class Voice(Protocol[V]):
    """How a surface puts what happens into its own messages."""

    alike: frozenset[str] = frozenset()
    """Of which kinds of steps it says the same to all, as to who only looks on."""
    name: str = ""
    """By which it knows its like in other processes: what one of them says of such a step may as
    well be told by all. Without a name each process finds words of its own."""

    def step(self, step: StepSeen[V]) -> Iterable[bytes]:
        """A step became durable."""
        ...

    def presence(self, sight: Sight[V], before: tuple[bool, bool]) -> Iterable[bytes]:
        """Somebody's connection came or went; not all surfaces tell."""
        del sight, before
        return ()

    def next_game(self, sight: Sight[V], following: Facts) -> Iterable[bytes]:
        """Both wanted another game, and it has begun; not all surfaces tell."""
        del sight, following
        return ()

    def analysed(self, progress: Progress) -> Iterable[bytes]:
        """How far the analysis of the game is; not all surfaces tell."""
        del progress
        return ()

    def arrived(self, sight: Sight[V]) -> Iterable[bytes]:
        """To one who sits down or comes back, where the surface says how things stand by itself."""
        del sight
        return ()


class Viewer(Protocol):
    """Somebody who is told, as an audience knows them."""

    @property
    def voice(self) -> Voice[Any]:
        """What it speaks."""
        ...

    def send_framed(self, frames: bytes) -> None:
        """Messages for it, and perhaps for others."""
        ...

    def dismissed(self, match_id: str) -> None:
        """There is no such table any more."""
        ...

    def ended(self, match_id: str) -> None:
        """The game was played to its end."""
        ...

    def goes_on(self, old_id: str, following_id: str) -> None:
        """The next game of this table has begun."""
        ...

    @property
    def reclaims(self) -> bool:
        """Whether it stays seated when the connection that holds the seat is gone."""
        ...

    def claims(self, match: Facts) -> Seats:
        """Which seats have become its own while it looked on, now that the game begins."""
        ...

    async def reclaim(self, match_id: str, seat: Seat) -> None:
        """Hold a seat that another connection of the same player held."""
        ...


Party = tuple[Voice[Any], Seats, list[Viewer], str]
"""Who speaks the same and sees the same; and by which name others do elsewhere, if all hear it."""


class Audience:
    """The viewers of one match, and what each may see of it."""

    __slots__ = (
        "_around",
        "_bus",
        "_expected",
        "_finder",
        "_here",
        "_match",
        "_match_id",
        "_opening",
        "_parties",
        "_presence",
        "_residents",
        "_rules",
        "_seen",
        "_sights",
        "_spawn",
        "_viewers",
        "_watching",
    )

    def __init__(self, kernel: Kernel, rules: AnyRules, match_id: str) -> None:
        self._watching = kernel.watching
        self._residents = kernel.residents
        self._presence = kernel.presence
        self._finder = kernel.finder
        self._spawn = kernel.runtime.background.spawn
        self._bus = kernel.runtime.bus
        self._rules = rules
        self._match_id = match_id
        self._match: Match | None = None
        self._here = (False, False)
        self._around: tuple[bool, bool] | None = None
        """Who is here or about to be; worked out anew when somebody comes or goes."""
        self._seen: Callable[[], Seen] = unseen
        self._opening = Places()
        self._viewers: dict[Viewer, Seats] = {}
        self._expected: set[Viewer] = set()
        """Who is about to enter, which may take a while."""
        self._sights: dict[Seats, Sight[Any]] = {}
        self._parties: dict[str | None, tuple[Party, ...]] = {}
        """Who is told the same of a kind of step; worked out anew when somebody comes or goes."""

    @property
    def match(self) -> Facts:
        """As this audience knows it, which is what its viewers were told."""
        assert self._match is not None
        return self._match

    @property
    def deserted(self) -> bool:
        """Nobody is here, or about to be."""
        return not (self._viewers or self._expected or not self._opening.free)

    async def listen(self) -> None:
        """From now on the match is followed; `Gone` if there is none."""
        async with self._opening:
            if self._match is None:
                self._match = await self._watching.watch(self._match_id, self)
                resident = await self._residents.get(self._match_id)
                if resident is None:
                    self.close()
                    self._match = None
                    raise Gone
                self._look_at(resident)

    def listen_at_once(self) -> bool:
        """The same where nothing need be waited for; False: `listen` does it."""
        if self._match is None and self._opening.free:
            self._match = self._watching.watch_at_once(self._match_id, self)
            if self._match is not None:
                self._look_at(self._residents.by_id[self._match_id])
        return self._match is not None

    def _look_at(self, resident: Resident) -> None:
        self._here, self._around = self._presence.here(resident), None
        self._seen = partial(self._presence.last_seen, resident)

    def close(self) -> None:
        """Stop following."""
        self._watching.unwatch(self._match_id, self)

    # --- who is here ------------------------------------------------------------------------

    @contextmanager
    def expecting(self, viewer: Viewer) -> Iterator[None]:
        """Somebody hears nothing for a while and then enters, for which the match is followed."""
        self.leave(viewer)
        self._expected.add(viewer)
        try:
            yield
        finally:
            self._expected.discard(viewer)

    def enter(self, viewer: Viewer, seats: Seats) -> Sight[Any]:
        """Somebody hears of every step from now on, after what is seen now."""
        self._seat(viewer, seats)
        return self.sight(seats)

    def _seat(self, viewer: Viewer, seats: Seats) -> None:
        self._viewers[viewer] = seats
        self._parties, self._around = {}, None

    def leave(self, viewer: Viewer) -> None:
        """It is told no more."""
        seats = self._viewers.pop(viewer, None)
        self._parties, self._around = {}, None
        if seats:
            self._sights = {}  # it may have been all that was here of a player

    def seats_of(self, viewer: Viewer) -> Seats:
        """Where it sits."""
        return self._viewers.get(viewer, ())

    def others_at(self, seats: Seats, but: Viewer) -> list[Viewer]:
        """Who else sits on any of these seats."""
        wanted = set(seats)
        return [who for who, at in self._viewers.items() if who is not but and wanted & set(at)]

    def sight(self, seats: Seats) -> Sight[Any]:
        """The match as whoever holds these seats sees it."""
        found = self._sights.get(seats)
        if found is None:
            assert self._match is not None
            around = self._around or self._about_to_be_here()
            found = self._sights[seats] = Sight(self._rules, self._match, seats, around, self._seen)
        return found

    def _about_to_be_here(self) -> tuple[bool, bool]:
        """Who has a connection, or one here that will hold the seat in a moment."""
        sitting = {
            seat for viewer, seats in self._viewers.items() if viewer.reclaims for seat in seats
        }
        first, second = (self._here[seat] or seat in sitting for seat in SEATS)
        self._around = first, second
        return self._around

    # --- what happens (see `Watcher`) -------------------------------------------------------

    def moved(self, update: Update) -> Words:
        """A step became durable."""
        before, kind, after = self._sights, update.entry.kind, update.after
        self._match, self._sights = after, {}
        if kind == "start":
            self._seat_newcomers(after)
        said = self._tell_step(update, before)
        if after.status == "active":
            return said
        if kind == "rematched":
            self._spawn(self._go_on(after))
        elif kind in CLOSING and after.status != "finished":
            self._dismiss_all()
        elif after.over and not update.before.over:
            for viewer in tuple(self._viewers):
                viewer.ended(self._match_id)
        return said

    def _tell_step(self, update: Update, before: Mapping[Seats, Sight[Any]]) -> Words:
        """Everybody, each in its own words; what was said of it elsewhere is told as it is.

        Returns what others may tell.
        """
        rules, kind, said, found = self._rules, update.entry.kind, update.said, UNSAID
        for voice, seats, viewers, name in self._parties.get(kind) or self._alike(kind):
            frames = said.get(name)
            if frames is None:
                try:
                    step = StepSeen(rules, update, self.sight(seats), before.get(seats))
                    frames = framed(*voice.step(step))
                except Exception:
                    log.exception("viewer not told", match_id=self._match_id)
                    continue
                if name:
                    found = {**found, name: frames}
            if frames:
                for viewer in viewers:
                    viewer.send_framed(frames)
        return found

    def _seat_newcomers(self, match: Match) -> None:
        """Who looked on and sat down by another way is a player from now on."""
        for viewer, seats in tuple(self._viewers.items()):
            claimed = seats or viewer.claims(match)
            if claimed != seats:
                self._seat(viewer, claimed)
                for seat in claimed:
                    self._spawn(viewer.reclaim(self._match_id, seat))

    def presence(self, match: Match, here: tuple[bool, bool]) -> None:
        """Somebody's connection came or went."""
        del match
        was = self._here
        self._here = (
            here[0] or (was[0] and self._reclaimed(0)),
            here[1] or (was[1] and self._reclaimed(1)),
        )
        if self._here != was:
            self._sights, self._around = {}, None
            self.tell(lambda voice, seats: voice.presence(self.sight(seats), was))

    def _reclaimed(self, seat: Seat) -> bool:
        """Whether a connection here takes over the seat of one that is gone elsewhere."""
        for viewer, seats in self._viewers.items():
            if seat in seats and viewer.reclaims:
                self._spawn(viewer.reclaim(self._match_id, seat))
                return True
        return False

    def tell(
        self, words: Callable[[Voice[Any], Seats], Iterable[bytes]], kind: str | None = None
    ) -> None:
        """Everybody, each in its own words; of something of that kind, if it is a kind."""
        for voice, seats, viewers, _ in self._alike(kind):
            try:
                frames = framed(*words(voice, seats))
            except Exception:
                log.exception("viewer not told", match_id=self._match_id)
                continue
            if frames:
                for viewer in viewers:
                    viewer.send_framed(frames)

    def _alike(self, kind: str | None) -> tuple[Party, ...]:
        """Who is told the same of a step of that kind."""
        parties = self._parties.get(kind)
        if parties is not None:
            return parties
        told: dict[tuple[Voice[Any], Seats], list[Viewer]] = {}
        for viewer, seats in self._viewers.items():
            voice = viewer.voice
            told.setdefault((voice, () if kind in voice.alike else seats), []).append(viewer)
        shared = self._bus.roomy and not self._bus.alone
        parties = self._parties[kind] = tuple(
            (voice, seats, viewers, voice.name if shared and kind in voice.alike else "")
            for (voice, seats), viewers in told.items()
        )
        return parties

    async def _go_on(self, old: Match) -> None:
        assert old.rematch_id is not None
        following = await self._finder.find(old.rematch_id)
        if following is None:
            return
        self.tell(lambda voice, seats: voice.next_game(self.sight(seats), following))
        for viewer in tuple(self._viewers):
            viewer.goes_on(old.id, following.id)

    def _dismiss_all(self) -> None:
        for viewer in tuple(self._viewers):
            self.leave(viewer)
            viewer.dismissed(self._match_id)
