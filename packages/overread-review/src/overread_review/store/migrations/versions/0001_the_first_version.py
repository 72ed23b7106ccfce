"""The first version of the tables."""

import sqlalchemy as sa
from alembic import op

from overread_review.store.migrations.columns import create, whole, words

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    create(
        "failures",
        words("who", 64),
        words("at", 32),
    )
    op.create_index("ix_failures_who", "failures", ["who"])

    create(
        "people",
        words("login", 80),
        words("name", 120),
        words("password", nullable=True),
        sa.Column("admin", sa.Boolean(), nullable=False),
        words("created", 32),
        words("disabled", 32, nullable=True),
        once=("login",),
    )
    create(
        "studies",
        words("name", 120),
        words("sheet", 20),
        words("instructions"),
        words("settings"),
        words("created", 32),
        words("closed", 32, nullable=True),
        words("deleted", 32, nullable=True),
    )
    create(
        "audit",
        words("at", 32),
        whole("person", nullable=True),
        whole("study", nullable=True),
        words("action", 40),
        words("thing", 20),
        whole("thing_id", nullable=True),
        words("before", nullable=True),
        words("after", nullable=True),
    )
    op.create_index("audit_of_a_thing", "audit", ["thing", "thing_id"])
    op.create_index("ix_audit_study", "audit", ["study"])

    create(
        "invitations",
        words("token", 64),
        whole("study", nullable=True),
        words("role", 10),
        words("created", 32),
        words("expires", 32),
        words("used", 32, nullable=True),
        whole("by", nullable=True),
        once=("token",),
    )
    create(
        "items",
        whole("study"),
        whole("number"),
        words("key", 200),
        words("content"),
        words("suggestion"),
        words("source", 80),
        once=("study", "key"),
    )
    op.create_index("items_in_order", "items", ["study", "number"])

    create(
        "logins",
        words("token", 64),
        whole("person"),
        words("csrf", 64),
        words("created", 32),
        words("seen", 32),
        words("ended", 32, nullable=True),
        once=("token",),
    )
    create(
        "members",
        whole("study"),
        whole("person"),
        words("role", 10),
        once=("study", "person"),
    )
    op.create_index("ix_members_person", "members", ["person"])

    create(
        "assignments",
        whole("study"),
        whole("item"),
        whole("person"),
        whole("position"),
        sa.Column("repeat", sa.Boolean(), nullable=False),
        words("layout"),
        whole("version"),
        words("answer", nullable=True),
        sa.Column("seconds", sa.Float(), nullable=False),
        words("opened", 32, nullable=True),
        words("submitted", 32, nullable=True),
        words("withdrawn", 32, nullable=True),
        once=("item", "person", "repeat"),
    )
    op.create_index("assignments_on_a_desk", "assignments", ["study", "person", "position"])
    op.create_index("ix_assignments_item", "assignments", ["item"])

    create(
        "decisions",
        whole("study"),
        whole("item"),
        whole("person"),
        whole("version"),
        words("answer", nullable=True),
        words("decided", 32, nullable=True),
        once=("item",),
    )
    op.create_index("ix_decisions_study", "decisions", ["study"])
    never_changed("audit")


def never_changed(table: str) -> None:
    """Let the database itself refuse to change or delete a line of the table."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'lines of this table are never changed'; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
        return
    for verb in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            "BEGIN SELECT RAISE(ABORT, 'lines of this table are never changed'); END"
        )
