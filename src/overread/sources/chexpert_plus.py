"""CheXpert Plus: one row per image, the study's report repeated in each."""

import re
from collections.abc import Iterator

from overread.errors import BadInput
from overread.sources.layout import Layout, spelled
from overread.sources.rows import Cells, Rows, cell

STUDY = re.compile(r"(patient\d+)/(study\d+)/")
ID = "study_of_image"


class Studies:
    """The first image of each study, with the study's name (`patient42142/study5`) in a column of its own."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.where, self.kind, self.names = rows.where, rows.kind, (*rows.names, ID)
        self.column = spelled(rows.names, "path_to_image")

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        seen: set[str] = set()
        for line, cells in self.rows:
            study = self.study(line, cells)
            if study not in seen:
                seen.add(study)
                yield line, {**cells, ID: study}

    def study(self, line: int, cells: Cells) -> str:
        found = STUDY.search(cell(cells.get(self.column), self.where, line, self.column))
        if not found:
            raise BadInput(
                f"{self.where}, line {line}: {self.column} must name patient and study, as in "
                "train/patient1/study2/view1_frontal.jpg."
            )
        return f"{found[1]}/{found[2]}"


TABLE = Layout(
    "CheXpert Plus table",
    frozenset({"path_to_image", "report", "section_impression"}),
    {
        "id": (ID,),
        "patient": ("deid_patient_id",),
        "study": ("patient_report_date_order",),
    },
    Studies,
)
