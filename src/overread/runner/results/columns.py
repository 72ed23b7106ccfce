"""What other columns of the references say of each report: its subgroups, and the images of its study."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from overread.errors import BadInput
from overread.runner.run.folder import write_json
from overread.sources import Source
from overread.sources.source import TableReports

GROUPS = "groups.json"
Subgroups = dict[str, dict[str, str]]
"""Column → id of the report → its value."""


def groups_of(references: Source, names: Sequence[str]) -> Subgroups:
    """The columns named, which must be in the table of the references."""
    found = references.reports
    if not isinstance(found, TableReports):
        raise BadInput(
            f"Subgroups and images need a table of references with columns; {references.table.path} is none."
        )
    missing = [name for name in names if name not in found.rows.names]
    if missing:
        raise BadInput(
            f"{references.table.path} has no column {missing[0]!r}. "
            f"Its columns: {', '.join(found.rows.names)}."
        )
    made: Subgroups = {name: {} for name in names}
    for id, values in found.others(names):
        for name, value in values.items():
            made[name][id] = value
    return made


IMAGES = "images.json"
TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
}
"""What browsers show and what cannot hold a script, by the end of the file's name."""

Files = dict[str, list[str]]
"""Id of the report → the images of its study."""


def images_of(references: Source, column: str) -> Files:
    """The files named in the column, several separated by semicolons; relative to the table or to where we are."""
    bases = (Path(references.table.path).parent, Path())
    found: Files = {}
    for id, cell in groups_of(references, [column])[column].items():
        named = [base / name.strip() for name in cell.split(";") if name.strip() for base in bases]
        shown = [str(one.resolve()) for one in named if one.suffix.lower() in TYPES and one.is_file()]
        if shown:
            found[id] = list(dict.fromkeys(shown))
    if not found:
        raise BadInput(
            f"Column {column!r} of {references.table.path} names no image file that a browser can show "
            f"({', '.join(name[1:] for name in TYPES)}). Paths are relative to the table; convert DICOM files first."
        )
    return found


class ShownColumns(NamedTuple):
    """What is shown of the columns named: groups.json and images.json beside the results."""

    groups: Subgroups
    images: Files


def columns_of(references: Source, groups: Sequence[str], image: str | None) -> ShownColumns:
    """Subgroups by these columns, and the images that one of them names."""
    return ShownColumns(
        groups_of(references, groups) if groups else {}, images_of(references, image) if image else {}
    )


def write_columns(place: Path, columns: ShownColumns) -> None:
    """Beside the results; a run without groups or images has no such file."""
    for name, found in zip((GROUPS, IMAGES), columns, strict=True):
        if found:
            write_json(place / name, found)
        else:
            (place / name).unlink(missing_ok=True)


def read_columns(place: Path) -> ShownColumns:
    """Those of a finished run."""
    files = [place / name for name in (GROUPS, IMAGES)]
    found = [msgspec.json.decode(file.read_bytes()) if file.exists() else {} for file in files]
    return ShownColumns(*found)


def addresses(place: Path) -> Files:
    """The images as seen from the page, which holds no copy of one and no path from the root of this machine."""
    here = place.resolve()
    return {
        id: [quote(Path(os.path.relpath(one, here)).as_posix()) for one in files]
        for id, files in read_columns(place).images.items()
    }
