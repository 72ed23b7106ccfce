"""NOTE_NLP and NOTE of the OMOP CDM 5.4: their columns, types and lengths."""

from datetime import date, datetime
from typing import Literal

from msgspec import Struct

Kind = Literal["integer", "varchar", "date", "timestamp", "text"]


class Column(Struct, frozen=True):
    name: str
    kind: Kind
    length: int | None = None
    required: bool = False

    def sql(self) -> str:
        """Its line in the table's definition, as PostgreSQL and SQLite take it."""
        kind = f"varchar({self.length})" if self.kind == "varchar" else self.kind
        return f'"{self.name}" {kind} {"NOT NULL" if self.required else "NULL"}'


NOTE_NLP = (
    Column("note_nlp_id", "integer", required=True),
    Column("note_id", "integer", required=True),
    Column("section_concept_id", "integer"),
    Column("snippet", "varchar", 250),
    Column("offset", "varchar", 50),
    Column("lexical_variant", "varchar", 250, required=True),
    Column("note_nlp_concept_id", "integer"),
    Column("note_nlp_source_concept_id", "integer"),
    Column("nlp_system", "varchar", 250),
    Column("nlp_date", "date", required=True),
    Column("nlp_datetime", "timestamp"),
    Column("term_exists", "varchar", 1),
    Column("term_temporal", "varchar", 50),
    Column("term_modifiers", "varchar", 2000),
)
NOTE = (
    Column("note_id", "integer", required=True),
    Column("person_id", "integer", required=True),
    Column("note_date", "date", required=True),
    Column("note_datetime", "timestamp"),
    Column("note_type_concept_id", "integer", required=True),
    Column("note_class_concept_id", "integer", required=True),
    Column("note_title", "varchar", 250),
    Column("note_text", "text", required=True),
    Column("encoding_concept_id", "integer", required=True),
    Column("language_concept_id", "integer", required=True),
    Column("provider_id", "integer"),
    Column("visit_occurrence_id", "integer"),
    Column("visit_detail_id", "integer"),
    Column("note_source_value", "varchar", 50),
    Column("note_event_id", "integer"),
    Column("note_event_field_concept_id", "integer"),
)
Value = int | str | date | datetime | None
Row = dict[str, Value]


def definition(table: str, columns: tuple[Column, ...]) -> str:
    """The statement that makes the table.

    >>> definition("t", (Column("id", "integer", required=True), Column("word", "varchar", 5)))
    'CREATE TABLE t ("id" integer NOT NULL, "word" varchar(5) NULL)'
    """
    return f"CREATE TABLE {table} ({', '.join(column.sql() for column in columns)})"


def fitted(row: Row, columns: tuple[Column, ...]) -> Row:
    """Every column in order, text cut to its length, with an ellipsis where it was."""
    return {column.name: cut(row.get(column.name), column) for column in columns}


def cut(value: Value, column: Column) -> Value:
    if isinstance(value, str) and column.length is not None and len(value) > column.length:
        return value[: column.length - 1] + "…" if column.length > 1 else value[:1]
    return value
