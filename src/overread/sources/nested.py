"""Patients with their studies inside: one JSON object per patient, `studies` a list of objects."""

from collections.abc import Iterator

from overread.errors import BadInput
from overread.sources.layout import Layout, spelled
from overread.sources.rows import Cells, Rows


class Studies:
    """One row per study, the patient's own cells beside the study's."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.where, self.kind = rows.where, rows.kind
        self.column = spelled(rows.names, "studies")
        self.patient = spelled(rows.names, "patient")
        inner = dict.fromkeys(name for _, cells in self for name in cells)
        self.names = tuple(inner)

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        for line, cells in self.rows:
            studies = cells.get(self.column)
            if not isinstance(studies, list) or not all(isinstance(study, dict) for study in studies):
                raise BadInput(f"{self.where}, line {line}: {self.column} must be a list of objects.")
            for study in studies:
                yield line, {self.patient: cells.get(self.patient), **study}


TABLE = Layout("patients with studies", frozenset({"patient", "studies"}), prepare=Studies)
