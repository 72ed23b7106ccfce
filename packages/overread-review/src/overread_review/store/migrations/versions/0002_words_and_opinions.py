"""Words proposed for the lexicon, and what readers say of a metric's verdict."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assignments", sa.Column("opinion", sa.Text(), nullable=True))
    op.create_table(
        "proposals",
        sa.Column("study", sa.Integer(), nullable=False),
        sa.Column("item", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("form", sa.String(length=200), nullable=False),
        sa.Column("table", sa.String(length=40), nullable=False),
        sa.Column("concept", sa.String(length=120), nullable=False),
        sa.Column("note", sa.String(length=400), nullable=False),
        sa.Column("created", sa.String(length=32), nullable=False),
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.ForeignKeyConstraint(
            ["item"],
            ["items.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study"],
            ["studies.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_proposals_study", "proposals", ["study"])
