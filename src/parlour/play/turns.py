"""Who waits for a thought: in turn between those they wait for, and no more than so many.

Laws:

* Whoever many of one's own wait, everybody else's first has its turn after one of each: nobody is
  held up by how much another asks for.
* Who waits longest goes first among one's own.
* When too many wait, the latest of whoever has the most gives way.
"""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """A bounded queue.

    >>> turns = Turns[str](most=3)
    >>> [turns.enter(*each) for each in (("ann", "a1"), ("ann", "a2"), ("ann", "a3"))]
    [None, None, None]
    >>> turns.enter("bob", "b1")
    'a3'
    >>> [turns.take() for _ in range(3)]
    ['a1', 'b1', 'a2']
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lines: dict[str, deque[T]] = {}
        """One for each for whom anything waits, in the order of their turns."""
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    def enter(self, whose: str, one: T) -> T | None:
        """Wait; who has to give way for it, which may be the same, if anyone."""
        self._lines.setdefault(whose, deque()).append(one)
        self._waiting += 1
        if self._waiting <= self._most:
            return None
        greedy = max(self._lines, key=lambda whose: len(self._lines[whose]))
        latest = self._lines[greedy][-1]
        self.leave(greedy, latest)
        return latest

    def take(self) -> T:
        """Whose turn it is."""
        whose = next(iter(self._lines))
        line = self._lines.pop(whose)
        one = line.popleft()
        self._waiting -= 1
        if line:
            self._lines[whose] = line
        return one

    def leave(self, whose: str, one: T) -> None:
        """Wait no more, if it does."""
        line = self._lines.get(whose)
        if line is None or one not in line:
            return
        line.remove(one)
        self._waiting -= 1
        if not line:
            del self._lines[whose]
