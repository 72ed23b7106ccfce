"""Backup and restore: every table as JSON lines in one file, from and to either database."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Table, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from overread.errors import BadInput
from overread_review.place import private_file
from overread_review.store.connect import Store
from overread_review.store.foreign import DAMAGE, Misfit, fitted
from overread_review.store.tables import Base, Person, now

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
