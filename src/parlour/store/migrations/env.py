"""Runs the migrations on the connection that `migrate` holds."""

from alembic import context

from parlour.store.schema import whole

context.configure(connection=context.config.attributes["connection"], target_metadata=whole())
with context.begin_transaction():
    context.run_migrations()
