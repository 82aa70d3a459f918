"""Matches whose last step the store could not vouch for.

Law: a match stays in doubt until it has been read after the doubt arose, however often reading it
fails.
"""

from __future__ import annotations


class Doubts:
    """Which they are, and which of two doubts about the same match came later."""

    def __init__(self) -> None:
        self._of: dict[str, int] = {}
        self._count = 0

    def __contains__(self, match_id: str) -> bool:
        return match_id in self._of

    def arise(self, match_id: str) -> None:
        """It may be another than is known here."""
        self._count += 1
        self._of[match_id] = self._count

    def of(self, match_id: str) -> int | None:
        """The doubt about a match, if there is one; to be taken before it is read."""
        return self._of.get(match_id)

    def forget(self, match_id: str) -> None:
        """It is not in memory any more, and read when it comes back."""
        self._of.pop(match_id, None)

    def settle(self, match_id: str, doubt: int | None) -> None:
        """It was read after that doubt arose; a later one stays."""
        if doubt is not None and self._of.get(match_id) == doubt:
            del self._of[match_id]
