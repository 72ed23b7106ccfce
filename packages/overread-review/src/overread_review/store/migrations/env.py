"""Run by Alembic: apply migrations over the connection that `Store.migrate` hands in."""

from alembic import context

from overread_review.store.tables import Base


def run() -> None:
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=Base.metadata,
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # the name Alembic loads this file under
    run()
