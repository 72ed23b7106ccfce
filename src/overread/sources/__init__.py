"""Where reports come from: tables, folders and the layouts people have on disk."""

from overread.sources.columns import Columns
from overread.sources.days import patients
from overread.sources.layouts import note_file
from overread.sources.load import are_text_files, from_records, load_pairs, load_source, side_by_side
from overread.sources.source import Source, Table

__all__ = [
    "Columns",
    "Source",
    "Table",
    "are_text_files",
    "from_records",
    "load_pairs",
    "load_source",
    "note_file",
    "patients",
    "side_by_side",
]
