"""Lexicon tables: read, checked row by row, kept as plain records."""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from importlib.resources import files
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput, BadLexicon

DEGREES = "extreme significant moderate mild minimal"
ATTRIBUTES: dict[str, frozenset[str]] = {
    table: frozenset(opening.split())
    for table, opening in {
        "severity": DEGREES, "improved": DEGREES, "worsened": DEGREES, "onset": "acute chronic progressive",
        "no_change": "none minimal", "placement": "standard repositioned new removed nonstandard",
        "morphology": "shape texture condition", "distribution": "pattern extent general",
        "measurement": "size quantity normality", "comparison": "laterality degree",
        "past_hx": "procedure condition general", "other_source": "image signal external",
        "assessment_limitations": "evaluation field-of-view patient technical",
    }.items()
}  # fmt: skip
"""Attribute tables and the subcategories that open a path in each."""

FORM_TABLES = ("findings", "locations", *ATTRIBUTES)
FORM_COLUMNS = ("id", "concept", "form", "path", "unless", "source")
EXTRA_COLUMNS = {"locations": ("side", "role", "radlex")}
LOCATION_SIDES = frozenset({"left", "right", "both", "-"})
ROLES = frozenset({"noun", "adj", "dir", "zone"})
FORM = re.compile(r"[a-z0-9][a-z0-9 '/.+&%#()]*")


class Row(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One written form and what it means."""

    id: str
    table: str
    concept: str
    form: str
    path: tuple[str, ...]
    unless: tuple[str, ...]
    source: str
    side: str = "-"
    role: str = "-"
    radlex: str = "-"


NOTHING: Mapping[str, Collection[str]] = {}


def lines(
    text: str, file: str, columns: tuple[str, ...], known: Mapping[str, Collection[str]] = NOTHING
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table under its header, with their line numbers; some columns hold `known` values alone."""
    first, *rest = text.splitlines() or [""]
    header = tuple(first.split("\t"))
    missing = [c for c in columns if c not in header]
    if missing:
        raise BadLexicon(file, 1, f"the header lacks {', '.join(missing)}; it needs {' '.join(columns)}")
    for number, line in enumerate(rest, 2):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != len(header):
            raise BadLexicon(file, number, f"{len(cells)} cells where the header names {len(header)}")
        row = dict(zip(header, map(str.strip, cells), strict=True))
        if wrong := next((column for column, values in known.items() if row[column] not in values), None):
            raise BadLexicon(file, number, f"{wrong} must be one of {', '.join(sorted(known[wrong]))}")
        yield number, row


def form_row(table: str, cells: dict[str, str], file: str, number: int) -> Row:
    """One checked row of a form table."""

    refuse = partial(BadLexicon, file, number)
    for column in FORM_COLUMNS:
        if not cells[column]:
            raise refuse(f"{column} is empty (write - for none)")
    if not FORM.fullmatch(cells["form"]) or "  " in cells["form"]:
        raise refuse(f"form {cells['form']!r} must be lower case, with single spaces and no hyphens")
    path = cell_parts(cells["path"], ">")
    if table in ATTRIBUTES and (not path or path[0] not in ATTRIBUTES[table]):
        raise refuse(f"path must begin with one of {', '.join(sorted(ATTRIBUTES[table]))}")
    side, role = cells.get("side", "-"), cells.get("role", "-")
    if table == "locations" and (side not in LOCATION_SIDES or role not in ROLES):
        raise refuse(f"side must be one of {sorted(LOCATION_SIDES)} and role one of {sorted(ROLES)}")
    unless = cell_parts(cells["unless"], "|")
    return Row(
        cells["id"], table, cells["concept"], cells["form"], path, unless, cells["source"],
        side, role, cells.get("radlex", "-"),
    )  # fmt: skip


def cell_parts(cell: str, between: str) -> tuple[str, ...]:
    return tuple(map(str.strip, cell.split(between))) if cell != "-" else ()


def form_table(table: str, text: str, file: str) -> list[Row]:
    """All rows of one table; a repeated form of one concept is refused."""
    columns = FORM_COLUMNS + EXTRA_COLUMNS.get(table, ())
    rows: list[Row] = []
    seen: dict[tuple[str, str], int] = {}
    for number, cells in lines(text, file, columns):
        row = form_row(table, cells, file, number)
        if (first := seen.setdefault((row.concept, row.form), number)) != number:
            told = f"form {row.form!r} of {row.concept!r} stands on line {first} already"
            raise BadLexicon(file, number, told)
        rows.append(row)
    return rows


def table_text(name: str) -> str:
    return files("overread.lexicon").joinpath("tables", f"{name}.tsv").read_text("utf-8")


@cache
def shipped_hash() -> str:
    """Of all tables that ship with overread, as they are written: what only has to name them need not read them."""
    folder = files("overread.lexicon").joinpath("tables")
    names = sorted(table.name for table in folder.iterdir() if table.is_file())
    return content_hash([f"{name}\n{folder.joinpath(name).read_text('utf-8')}" for name in names])


def unique_ids(rows: Iterable[Row]) -> list[Row]:
    seen: dict[str, Row] = {}
    for row in rows:
        other = seen.setdefault(row.id, row)
        if other is not row:
            problem = f"id {row.id} is also in {other.table}.tsv ({other.form!r})"
            raise BadLexicon(f"{row.table}.tsv", None, problem)
    return list(seen.values())


def user_rows(path: Path) -> list[Row]:
    """A user's own rows: the columns of a form table with `table` in front."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"Cannot read the lexicon {path}: {error}. It must be a UTF-8 tab-separated file."
        ) from error
    rows = []
    for number, cells in lines(text, path.name, ("table", *FORM_COLUMNS)):
        if cells["table"] not in FORM_TABLES:
            raise BadLexicon(path.name, number, f"table must be one of {', '.join(FORM_TABLES)}")
        rows.append(form_row(cells["table"], cells, path.name, number))
    return rows


@cache
def package_rows() -> tuple[Row, ...]:
    """Every form row that ships with overread."""
    return tuple(unique_ids(r for t in FORM_TABLES for r in form_table(t, table_text(t), f"{t}.tsv")))


def content_hash(texts: Iterable[str]) -> str:
    """Four hex digits that change when any row does."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:4]
