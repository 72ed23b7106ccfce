"""Words proposed for the lexicon, and what readers say of a metric's verdict."""

from alembic import op

from overread_review.store.migrations.columns import create, whole, words

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assignments", words("opinion", nullable=True))
    create(
        "proposals",
        whole("study"),
        whole("item"),
        whole("person"),
        words("form", 200),
        words("table", 40),
        words("concept", 120),
        words("note", 400),
        words("created", 32),
    )
    op.create_index("ix_proposals_study", "proposals", ["study"])
