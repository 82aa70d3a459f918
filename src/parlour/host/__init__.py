"""The host: everything between a game's rules and whoever plays it, written once for all games."""
