"""Backup and restore: every table as JSON lines in one file, from and to either database."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import msgspec
from sqlalchemy import Connection, func, insert, select, text

from overread.errors import BadInput
from overread.review.place import private_file
from overread.review.store.connect import Store
from overread.review.store.moments import now
from overread.review.store.tables import Base

FORMAT = 1
BATCH = 500


def back_up(store: Store, secret: bytes, path: Path) -> dict[str, int]:
    """Write everything as it is at one moment; the file appears whole, and only its owner reads it."""
    part = private_file(path.with_name(path.name + ".part"))
    counts: dict[str, int] = {}
    with store.engine.connect() as connection, ZipFile(part, "w", ZIP_DEFLATED) as file:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        for table in Base.metadata.sorted_tables:
            with file.open(f"{table.name}.jsonl", "w") as out:
                counts[table.name] = 0
                for row in connection.execute(select(table).order_by(table.c.id)).mappings():
                    out.write(msgspec.json.encode(dict(row)) + b"\n")
                    counts[table.name] += 1
        manifest = {
            "format": FORMAT,
            "revision": revision,
            "at": now(),
            "counts": counts,
            "secret": secret.hex(),
        }
        file.writestr("manifest.json", msgspec.json.encode(manifest))
    part.replace(path)
    return counts


def restore(store: Store, path: Path) -> tuple[bytes, dict[str, int]]:
    """Fill an empty database; returns the secret that cookies are signed with, and how much came back."""
    try:
        file = ZipFile(path)
        manifest = msgspec.json.decode(file.read("manifest.json"), type=dict[str, Any])
    except (OSError, BadZipFile, KeyError, msgspec.DecodeError):
        raise BadInput(f"{path} is no backup of a review, or it is damaged.") from None
    if manifest.get("format") != FORMAT:
        raise BadInput(f"{path} was made by another version of overread; update this one.")
    store.migrate(manifest["revision"])
    with file, store.engine.execution_options(overread_writes=True).begin() as connection:
        refuse_full(connection)
        for table in Base.metadata.sorted_tables:
            if table.name in manifest["counts"]:
                fill(connection, table.name, file, manifest["counts"][table.name])
    store.migrate()
    return bytes.fromhex(manifest["secret"]), manifest["counts"]


def refuse_full(connection: Connection) -> None:
    people = Base.metadata.tables["people"]
    if connection.execute(select(func.count()).select_from(people)).scalar_one():
        raise BadInput("This review is not empty. Restore into a new folder, or into an empty database.")


def fill(connection: Connection, name: str, file: ZipFile, count: int) -> None:
    table = Base.metadata.tables[name]
    seen = 0
    for batch in batches(file, name):
        connection.execute(insert(table), batch)
        seen += len(batch)
    if seen != count:
        raise BadInput(f"The backup is damaged: {name} has {seen} lines and should have {count}.")
    if (
        connection.dialect.name == "postgresql" and seen
    ):  # rows came with their numbers; the next one must be new
        connection.execute(
            text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))")
        )


def batches(file: ZipFile, name: str) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    with file.open(f"{name}.jsonl") as lines:
        for line in lines:
            batch.append(msgspec.json.decode(line))
            if len(batch) == BATCH:
                yield batch
                batch = []
    if batch:
        yield batch
