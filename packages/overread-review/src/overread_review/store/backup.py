"""Backup and restore: every table as JSON lines in one file, from and to either database.

Rows that come from a file are held against their table; what fails there never reaches the database.
"""

import zlib
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import Column, Connection, Table, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from overread.errors import BadInput
from overread_review.place import private_file
from overread_review.store.connect import Store
from overread_review.store.tables import Base, Moment, Person, now

FORMAT = 1
BATCH = 500


def back_up(store: Store, secret: bytes, path: Path) -> dict[str, int]:
    """Write everything as it is at one moment; the file appears whole, and only its owner reads it."""
    part = private_file(path.with_name(path.name + ".part"))
    counts: dict[str, int] = {}
    with store.engine.connect() as connection, ZipFile(part, "w", ZIP_DEFLATED) as file:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
        for table in Base.metadata.sorted_tables:
            with file.open(f"{table.name}.jsonl", "w") as out:
                counts[table.name] = 0
                for row in connection.execute(select(table).order_by(table.c.id)).mappings():
                    out.write(msgspec.json.encode(dict(row)) + b"\n")
                    counts[table.name] += 1
        manifest = {"format": FORMAT, "at": now(), "counts": counts}
        file.writestr("manifest.json", msgspec.json.encode({**manifest, "secret": secret.hex()}))
    part.replace(path)
    return counts


class Manifest(Struct, frozen=True):
    """What a backup says of itself."""

    format: int
    counts: dict[str, int]
    secret: str


def looked_through(path: Path) -> Manifest:
    """What a backup says of itself, every line of it held against its table: nothing is changed before this passes."""
    damaged = f"{path} is no backup of a review, or it is damaged"
    try:
        with ZipFile(path) as file:
            manifest = msgspec.json.decode(file.read("manifest.json"), type=Manifest)
            bytes.fromhex(manifest.secret)
            if manifest.format != FORMAT or set(manifest.counts) != set(Base.metadata.tables):
                raise BadInput(f"{path} was made by another version of overread. Nothing was changed.")
            for name, count in manifest.counts.items():
                if (seen := sum(map(len, batches(file, name)))) != count:
                    raise Misfit(f"{name} has {seen} lines and should have {count}")
    except Misfit as error:
        raise BadInput(f"{damaged}: {error}. Nothing was changed.") from None
    except DAMAGE:
        raise BadInput(f"{damaged}. Nothing was changed.") from None
    return manifest


def restore(store: Store, path: Path) -> tuple[bytes, dict[str, int]]:
    """Fill an empty database; returns the secret that cookies are signed with, and how much came back.

    Tables and rows come in one transaction: a backup that cannot be brought back leaves no trace.
    """
    manifest = looked_through(path)
    try:
        with ZipFile(path) as file, store.tables() as connection:
            if connection.execute(select(func.count()).select_from(Person)).scalar_one():
                raise BadInput(
                    "This review is not empty. Restore into a new folder, or into an empty database."
                )
            for table in Base.metadata.sorted_tables:
                fill(connection, table, file)
    except IntegrityError:
        raise BadInput(
            f"{path} is damaged: a line leads to one that is not there, or stands twice. Nothing was changed."
        ) from None
    return bytes.fromhex(manifest.secret), manifest.counts


def fill(connection: Connection, table: Table, file: ZipFile) -> None:
    for batch in batches(file, table.name):
        connection.execute(insert(table), batch)
    if connection.dialect.name == "postgresql":  # rows came with their numbers; the next one must be new
        sequence = f"pg_get_serial_sequence('{table.name}', 'id')"
        connection.execute(text(f"SELECT setval({sequence}, max(id)) FROM {table.name} HAVING count(*) > 0"))


def batches(file: ZipFile, name: str) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    with file.open(f"{name}.jsonl") as lines:
        for line in lines:
            batch.append(fitted(name, msgspec.json.decode(line)))
            if len(batch) == BATCH:
                yield batch
                batch = []
    if batch:
        yield batch


# ---- rows of files
LARGEST_NUMBER = 2**31 - 1
"""The largest whole number that a column holds on either database."""

DAMAGE = (OSError, BadZipFile, zlib.error, KeyError, ValueError, RuntimeError, EOFError)
"""What comes up when a damaged archive is read."""


class Misfit(BadInput):
    """A row that is none of its table's; the message quotes nothing of it."""


@cache
def shape(table: str) -> type[Struct]:
    """What a row of the table holds."""
    kind = next(one for one in Base.__subclasses__() if one.__tablename__ == table)
    held = get_type_hints(kind)
    columns = Base.metadata.tables[table].columns
    fields = [(one.name, limited(get_args(held[one.name])[0], one)) for one in columns]
    return msgspec.defstruct(table, fields)


def limited(held: Any, column: Column[Any]) -> Any:
    """The type of what a column holds, no longer and no larger than either database takes."""
    plain = get_args(held)[0] if column.nullable else held
    if column.type is Moment:
        plain = Annotated[datetime, Meta(tz=True)]
    elif plain is str:
        plain = Annotated[str, Meta(max_length=getattr(column.type, "length", None), pattern=r"\A[^\0]*\Z")]
    elif plain in (int, float):
        plain = Annotated[plain, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
    return plain | None if column.nullable else plain


def fitted(table: str, row: Any) -> dict[str, Any]:
    """The row, if the table could have written it.

    >>> fitted("failures", {"id": 1, "who": "somebody", "at": "2026-01-01T00:00:00.000000+00:00"})["who"]
    'somebody'
    >>> fitted("failures", {"id": 1, "who": ["somebody"]})
    Traceback (most recent call last):
    overread_review.store.backup.Misfit: a line of failures is none: Expected `str`, got `array` - at `$.who`
    """
    try:
        msgspec.convert(row, shape(table))
    except msgspec.ValidationError as error:
        raise Misfit(f"a line of {table} is none: {error}") from None
    if strange := sorted(set(row) - set(shape(table).__struct_fields__)):
        raise Misfit(f"a line of {table} has a field {strange[0][:40]!r}, which this version does not know")
    return dict(row)
