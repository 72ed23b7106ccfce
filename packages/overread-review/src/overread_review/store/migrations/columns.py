"""How migrations write their tables: every one has a number of its own, and leads to others by the names of columns."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

LEADS = {"by": "people", "item": "items", "person": "people", "study": "studies"}
"""Column → the table whose number it holds."""


def whole(name: str, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def words(name: str, longest: int | None = None, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(longest) if longest else sa.Text(), nullable=nullable)


def create(
    table: str,
    *columns: sa.Column[int] | sa.Column[str] | sa.Column[bool] | sa.Column[float],
    once: Sequence[str] = (),
) -> None:
    """Make a table; rows are told apart by `once`, if by more than their number."""
    leads = sorted(column.name for column in columns if column.name in LEADS)
    op.create_table(
        table,
        *columns,
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        *(sa.ForeignKeyConstraint([name], [f"{LEADS[name]}.id"]) for name in leads),
        sa.PrimaryKeyConstraint("id"),
        *([sa.UniqueConstraint(*once)] if once else []),
    )
