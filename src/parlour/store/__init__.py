"""What is durable: one schema, one guarded commit, on SQLite or PostgreSQL."""
