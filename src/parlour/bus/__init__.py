"""Word between processes that a match moved on; may lose, repeat or reorder it."""
