"""The real kernel on a fake clock, a seeded scheduler, and a store and a bus that fail."""
