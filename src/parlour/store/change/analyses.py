"""What was made of a finished game, kept."""

from __future__ import annotations

from parlour.games.api import Millis
from parlour.store.change.change import Write
from parlour.store.change.statement import Steps, run, statement


class KeepAnalysis(Write, frozen=True, kw_only=True):
    """The analysis of a match. One that was kept before stays."""

    match_id: str
    analysis: bytes
    made_at: Millis


WRITES: Steps = {
    KeepAnalysis: run(
        statement(
            """INSERT INTO analysis (match_id, analysis, made_at)
            VALUES (:match_id, :analysis, :made_at) ON CONFLICT (match_id) DO NOTHING""",
            key=("match_id",),
            needs={"match": "match_id"},
        )
    ),
}
