"""Finished games are analysed: once, one position after the other, by whoever has time to think.

Laws:

* Only what is finished is analysed. What was made is kept, and never made again.
* Two processes may analyse the same game: the first to be done is kept, and they are alike. Who has
  heard that another is at it leaves it to that one, until it has not been heard of for a while.
* So many wait here and no more.
* A position that nobody could weigh is left out, and the rest goes on.
* Who wants to know how far it is, is told: here, and in every process.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec
import structlog
from msgspec import Struct

from parlour.games.api import Refused, Weighed
from parlour.games.registry import analyst
from parlour.play.analysis import Analysis, Question, accuracy, judged, moves_of, questions
from parlour.play.line import line
from parlour.play.replay import replay
from parlour.play.runtime import Runtime
from parlour.play.thinkers import NoThought
from parlour.play.weighing import Weigh
from parlour.store import queries
from parlour.store.change import Change, KeepAnalysis, Status, StoreError

MOST_WAITING: Final = 32
"""So many games wait for their analysis in one process."""
HEARD_FOR_S: Final = 10.0
"""After so much silence another process is not at it any more."""
MOST_HEARD: Final = 1_000
"""Of so many games it is remembered that another process analyses them."""
LONGEST: Final = 1_000
"""Longer games are not analysed; only those that were played to be long are."""
TRIES: Final = 4
AGAIN_S: Final = 0.5
"""How often a position is weighed before it is given up, and how long after one that failed."""
TOPIC: Final = "analysis"

log = structlog.get_logger()


class Progress(Struct, frozen=True, kw_only=True):
    """How far the analysis of a game is."""

    match: str
    done: int
    """So many moves were weighed."""
    total: int
    """… of so many; 0: it has not begun."""
    ready: bool = False
    """It can be read now."""


class Played(Protocol):
    """What must be known of a match."""

    @property
    def id(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def version(self) -> int: ...


class _Heard(Struct, frozen=True):
    """Word between processes."""

    process: str
    progress: Progress


_HEARD: Final = msgspec.msgpack.Decoder(_Heard)
Follower = Callable[[Progress], None]


class Analyses:
    """Those that this process was asked for."""

    def __init__(self, runtime: Runtime, weigh: Weigh) -> None:
        self._runtime = runtime
        self._weigh = weigh
        self._waiting: dict[str, Progress] = {}
        """In the order in which they were asked for; the first is at hand."""
        self._elsewhere: dict[str, tuple[float, Progress]] = {}
        self._followers: list[Follower] = []
        self._work: asyncio.Task[None] | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self.made = 0
        """How many have been made here."""

    @property
    def waiting(self) -> int:
        """How many games wait for theirs, the one at hand included."""
        return len(self._waiting)

    def subscribe(self, follower: Follower) -> None:
        """From now on it hears how far each analysis is, wherever it is made."""
        self._followers.append(follower)

    def start(self) -> None:
        """From now on other processes are heard."""
        self._unsubscribe = self._runtime.bus.subscribe(TOPIC, self._hear)

    async def stop(self) -> None:
        """Whatever is at hand is given up; who asks again has it made."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._waiting.clear()
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    # --- asking -----------------------------------------------------------------------------

    async def find(self, match: Played) -> bytes | Progress | None:
        """What was made of a finished game, or how far that is; None: nobody was asked yet."""
        must_be_finished(match)
        stored = await queries.analysis(self._runtime.store, match.id)
        return self._under_way(match.id) if stored is None else stored

    def begin(self, match: Played) -> Progress:
        """Have a finished game analysed, unless somebody is at it; how far that is."""
        must_be_finished(match)
        if analyst(match.game) is None:
            raise Refused("NO_ANALYST", "Nobody can weigh the positions of this game.")
        if match.version > LONGEST:
            raise Refused("TOO_LONG", f"Only games of up to {LONGEST} steps are looked at.")
        if (progress := self._under_way(match.id)) is not None:
            return progress
        if len(self._waiting) >= MOST_WAITING:
            raise Refused("TOO_MANY_ANALYSES", "Too many games are being looked at. Try again.")
        progress = self._waiting[match.id] = Progress(match=match.id, done=0, total=0)
        if self._work is None or self._work.done():
            self._work = self._runtime.background.loop.create_task(self._work_off())
        return progress

    def _under_way(self, match_id: str) -> Progress | None:
        progress = self._waiting.get(match_id)
        if progress is None and match_id in self._elsewhere:
            heard_at, progress = self._elsewhere[match_id]
            if time.monotonic() - heard_at > HEARD_FOR_S:
                del self._elsewhere[match_id]
                return None
        return progress

    # --- making -----------------------------------------------------------------------------

    async def _work_off(self) -> None:
        while self._waiting:
            match_id = next(iter(self._waiting))
            try:
                await self._make(match_id)
            except StoreError as error:
                log.warning("analysis given up", match_id=match_id, error=repr(error))
            except Exception:
                log.exception("analysis failed", match_id=match_id)
            finally:
                self._waiting.pop(match_id, None)

    async def _make(self, match_id: str) -> None:
        began = time.monotonic()
        stored = await queries.match_by_id(self._runtime.store, match_id)
        assert stored is not None
        game = stored.match.game
        rules, by = self._runtime.rules[game], analyst(game)
        assert by is not None
        played = line(await replay(self._runtime.store, rules, match_id))
        asked: list[Question] = []
        found: list[Weighed[Any] | None] = []
        total = moves_of(rules, played)
        for question in questions(rules, by, played):
            self._tell(Progress(match=match_id, done=len(found), total=total))
            asked.append(question)
            found.append(await self._weighed(match_id, question))
        moves = tuple(judged(asked, found))
        analysis = Analysis(
            match=match_id,
            game=game,
            moves=moves,
            accuracy=accuracy(asked, found, moves),
            exact=all(move.exact for move in moves),
            made_at=self._runtime.clock(),
        )
        kept = KeepAnalysis(
            match_id=match_id, analysis=msgspec.json.encode(analysis), made_at=analysis.made_at
        )
        await self._runtime.store.commit(Change((kept,)))
        self.made += 1
        self._waiting.pop(match_id, None)
        self._tell(Progress(match=match_id, done=len(asked), total=len(asked), ready=True))
        took_ms = int((time.monotonic() - began) * 1000)
        log.info("analysed", match_id=match_id, game=game, moves=len(asked), took_ms=took_ms)

    async def _weighed(self, match_id: str, question: Question) -> Weighed[Any] | None:
        if not question.job.legal:
            return None
        for _ in range(TRIES):
            try:
                return await self._weigh(question.job, f"analysis of {match_id}")
            except NoThought as error:
                failed = error
                await asyncio.sleep(AGAIN_S)
        version = question.update.entry.version
        log.warning("not weighed", match_id=match_id, version=version, error=repr(failed))
        return None

    # --- telling ----------------------------------------------------------------------------

    def _tell(self, progress: Progress) -> None:
        if progress.match in self._waiting:
            self._waiting[progress.match] = progress
        self._pass_on(progress)
        if not self._runtime.bus.alone:
            word = _Heard(self._runtime.process_id, progress)
            self._runtime.bus.publish(TOPIC, msgspec.msgpack.encode(word))

    def _hear(self, payload: bytes) -> None:
        try:
            heard = _HEARD.decode(payload) if payload else None
        except msgspec.DecodeError:
            return
        if heard is None or heard.process == self._runtime.process_id:
            return
        progress = heard.progress
        self._elsewhere.pop(progress.match, None)
        if not progress.ready:
            if len(self._elsewhere) >= MOST_HEARD:
                del self._elsewhere[next(iter(self._elsewhere))]
            self._elsewhere[progress.match] = (time.monotonic(), progress)
        self._pass_on(progress)

    def _pass_on(self, progress: Progress) -> None:
        for follower in self._followers:
            try:
                follower(progress)
            except Exception:
                log.exception("follower failed", match_id=progress.match)


def must_be_finished(match: Played) -> None:
    """Refuses what is still played, or was never played to its end."""
    if match.status != "finished":
        raise Refused("GAME_NOT_FINISHED", "Only a finished game is looked at.")
