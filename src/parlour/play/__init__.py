"""The match as it is played: one step for everything that can happen to it."""
