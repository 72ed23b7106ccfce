"""Where reports come from: tables, folders and the layouts people have on disk."""

from overread.sources.columns import Columns
from overread.sources.load import from_records, load
from overread.sources.patients import patients
from overread.sources.source import Source, Table

__all__ = ["Columns", "Source", "Table", "from_records", "load", "patients"]
