"""groups.json: what other columns of the references say of each report, for scores by subgroup."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from overread.errors import BadInput
from overread.runner.manifest import write_json
from overread.sources import Source
from overread.sources.source import TableReports

GROUPS = "groups.json"
Groups = dict[str, dict[str, str]]
"""Column → id of the report → its value."""


def groups_of(references: Source, names: Sequence[str]) -> Groups:
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
    made: Groups = {name: {} for name in names}
    for id, values in found.others(names):
        for name, value in values.items():
            made[name][id] = value
    return made


def write_groups(place: Path, groups: Groups) -> None:
    """Beside the results; a run without groups has no such file."""
    if groups:
        write_json(place / GROUPS, groups)
    else:
        (place / GROUPS).unlink(missing_ok=True)


def read_groups(place: Path) -> Groups:
    path = place / GROUPS
    return msgspec.json.decode(path.read_bytes(), type=Groups) if path.exists() else {}
