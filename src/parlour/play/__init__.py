"""The live match: one step for everything that can happen to it."""
