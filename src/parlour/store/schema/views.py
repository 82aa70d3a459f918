"""The two views that the documents name; they are made in the first migration."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Integer,
    SmallInteger,
    Text,
    column,
    table,
)

game_history = table(
    "game_history",
    column("id", Text),
    column("game_id", Text),
    column("game", Text),
    column("played_at", BigInteger),
    column("player0_user_id", Text),
    column("player1_user_id", Text),
    column("player0_name", Text),
    column("player1_name", Text),
    column("player0_score", Integer),
    column("player1_score", Integer),
    column("winner_index", SmallInteger),
    column("end_reason", Text),
    column("player0_elo_before", Integer),
    column("player0_elo_after", Integer),
    column("player1_elo_before", Integer),
    column("player1_elo_after", Integer),
)

player_ratings = table(
    "player_ratings",
    column("user_id", Text),
    column("game", Text),
    column("display_name", Text),
    column("elo", Integer),
    column("wins", Integer),
    column("losses", Integer),
    column("draws", Integer),
    column("is_bot", Boolean),
    column("updated_at", BigInteger),
)
