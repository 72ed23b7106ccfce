"""LUNGUAGE: one row per finding, its sentence and section beside it; a study's rows stand together."""

from collections.abc import Iterator
from itertools import groupby

from overread.errors import BadInput
from overread.report import SECTION_NAMES, SectionName
from overread.report.vocabulary import meaning_of
from overread.sources.layout import Layout, spelled
from overread.sources.rows import Cells, Rows, cell

SHORT: dict[str, SectionName] = {"hist": "indication", "find": "findings", "impr": "impression"}
KEPT = ("subject_id", "study_id", "sequence", "date", "study_date", "day", "report")


class Studies:
    """One row per study: each section's sentences, first occurrence first, on lines of their own."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.where, self.kind = rows.where, rows.kind
        self.kept = [name for wanted in KEPT if (name := spelled(rows.names, wanted)) in rows.names]
        self.names = (*self.kept, "indication", "findings", "impression", "other")

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        seen: set[str] = set()
        for study, group in groupby(self.rows, key=self.study):
            if study in seen:
                raise BadInput(f"{self.where}: the rows of study {study!r} are apart; sort by study_id.")
            seen.add(study)
            yield self.joined(list(group))

    def study(self, row: tuple[int, Cells]) -> str:
        return self.value(row, "study_id")

    def value(self, row: tuple[int, Cells], wanted: str) -> str:
        line, cells = row
        column = spelled(self.rows.names, wanted)
        return cell(cells.get(column), self.where, line, column)

    def joined(self, group: list[tuple[int, Cells]]) -> tuple[int, Cells]:
        sections: dict[str, dict[str, str]] = {}
        for row in group:
            sentence = self.value(row, "sent")
            section = sections.setdefault(section_of(self.value(row, "section")), {})
            section.setdefault(self.value(row, "sent_idx") or sentence, sentence)
        line, cells = group[0]
        texts = {name: "\n".join(sentences.values()) for name, sentences in sections.items()}
        return line, {**{name: cells.get(name) for name in self.kept}, **texts}


def section_of(written: str) -> SectionName:
    """
    >>> section_of("HIST"), section_of("Impression"), section_of("?")
    ('indication', 'impression', 'other')
    """
    short = SHORT.get(written.strip().lower()[:4])
    meaning = short or meaning_of(written, settled=True)
    return meaning if meaning in SECTION_NAMES else "other"


TABLE = Layout(
    "LUNGUAGE table", frozenset({"study_id", "section", "sent", "ent"}), {"other": ("other",)}, Studies
)
