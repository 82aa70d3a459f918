"""The games. Each package exports `RULES`; beside it stand its bots and its public surface."""
