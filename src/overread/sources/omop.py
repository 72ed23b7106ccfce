"""OMOP CDM 5.4: the NOTE table, alone or in a folder of CDM tables."""

from pathlib import Path

from overread.sources.layout import Layout

NOTE = Layout(
    "OMOP NOTE table",
    frozenset({"note_id", "note_text", "person_id"}),
    {
        "id": ("note_id",),
        "text": ("note_text",),
        "patient": ("person_id",),
        "date": ("note_datetime", "note_date"),
    },
)
KINDS = (".csv", ".tsv", ".parquet")


def note_file(folder: Path) -> Path | None:
    """The NOTE table of a folder, whatever the case of its name."""
    found = [
        path for path in folder.iterdir() if path.stem.lower() == "note" and path.suffix.lower() in KINDS
    ]
    return min(found, default=None)
