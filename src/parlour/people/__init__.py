"""Who plays: tokens, users, ratings, notifications, history, leaderboards."""
