"""Rows that come from a file: can their table hold them? What fails here never reaches the database."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec
from sqlalchemy import Column, String

from overread.errors import BadInput
from overread_review.store.tables import Base, Moment

LARGEST = 2**31 - 1
"""The largest whole number that a column holds on either database."""


class Misfit(BadInput):
    """A row that is none of its table's; the message quotes nothing of it."""


@cache
def kinds() -> dict[str, type[Base]]:
    return {one.__tablename__: one for one in Base.__subclasses__()}


@cache
def shapes(table: str) -> dict[str, Any]:
    """Column → the type of what it holds."""
    hints = get_type_hints(kinds()[table])
    return {name: get_args(hints[name])[0] for name in kinds()[table].__table__.columns.keys()}  # noqa: SIM118


def fitted(table: str, row: Any) -> dict[str, Any]:
    """The row, if the table could have written it.

    >>> fitted("failures", {"id": 1, "who": "somebody", "at": "2026-01-01T00:00:00.000000+00:00"})["who"]
    'somebody'
    >>> fitted("failures", {"id": 1, "who": ["somebody"]})
    Traceback (most recent call last):
    overread_review.store.foreign.Misfit: a line of failures has a wrong who
    """
    if not isinstance(row, dict):
        raise Misfit(f"a line of {table} is no row")
    columns = {one.name: one for one in Base.metadata.tables[table].columns}
    if strange := sorted(set(row) - set(columns)):
        raise Misfit(f"a line of {table} has a field {strange[0][:40]!r}, which this version does not know")
    for column in columns.values():
        check_column(table, column, row)
    return row


def check_column(table: str, column: Column[Any], row: Mapping[str, Any]) -> None:
    name = column.name
    if name not in row:
        if not column.nullable and column.default is None:
            raise Misfit(f"a line of {table} has no {name}")
        return
    value = row[name]
    try:
        msgspec.convert(value, shapes(table)[name], strict=True)
        sound = small_enough(value, column) and (
            value is None or column.type is not Moment or bool(datetime.fromisoformat(value).tzinfo)
        )
    except (msgspec.ValidationError, ValueError):
        sound = False
    if not sound:
        raise Misfit(f"a line of {table} has a wrong {name}")


def small_enough(value: Any, column: Column[Any]) -> bool:
    if isinstance(value, str):
        longest = column.type.length if isinstance(column.type, String) else None
        return "\0" not in value and (longest is None or len(value) <= longest)
    if isinstance(value, int | float):
        return -LARGEST <= value <= LARGEST
    return True
