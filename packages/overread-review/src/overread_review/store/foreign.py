"""Rows that come from a file: can their table hold them? What fails here never reaches the database."""

import zlib
from datetime import datetime
from functools import cache
from typing import Annotated, Any, get_args, get_type_hints
from zipfile import BadZipFile

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import Column

from overread.errors import BadInput
from overread_review.store.tables import Base, Moment

LARGEST = 2**31 - 1
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
        plain = Annotated[plain, Meta(ge=-LARGEST, le=LARGEST)]
    return plain | None if column.nullable else plain


def fitted(table: str, row: Any) -> dict[str, Any]:
    """The row, if the table could have written it.

    >>> fitted("failures", {"id": 1, "who": "somebody", "at": "2026-01-01T00:00:00.000000+00:00"})["who"]
    'somebody'
    >>> fitted("failures", {"id": 1, "who": ["somebody"]})
    Traceback (most recent call last):
    overread_review.store.foreign.Misfit: a line of failures is none: Expected `str`, got `array` - at `$.who`
    """
    try:
        msgspec.convert(row, shape(table))
    except msgspec.ValidationError as error:
        raise Misfit(f"a line of {table} is none: {error}") from None
    if strange := sorted(set(row) - set(shape(table).__struct_fields__)):
        raise Misfit(f"a line of {table} has a field {strange[0][:40]!r}, which this version does not know")
    return dict(row)
