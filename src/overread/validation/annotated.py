"""The text of an annotated report: given as it is, put together from its sentences, or kept in another file."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.report import SECTION_NAMES, Report, SectionName, from_sections, parse


class Sentence(Struct, frozen=True):
    """A sentence of a report."""

    text: str
    i: int | None = None
    section: str = "findings"


class AnnotatedReport(Struct, frozen=True, kw_only=True):
    """A line of a gold file; the annotations are fields of the classes below this one."""

    id: str
    text: str | None = None
    sentences: tuple[Sentence, ...] = ()

    def report(self) -> Report:
        """What the reader is given."""
        return report_from(self.id, self.text, self.sentences)


A = TypeVar("A", bound=AnnotatedReport)


def with_texts(gold: Mapping[str, A], reports: Iterable[Report]) -> dict[str, A]:
    """The gold with the texts of its reports, joined by id."""
    texts = {report.id: report.text for report in reports}
    return {id: replace(one, text=texts.get(id, one.text)) for id, one in gold.items()}


def report_from(id: str, text: str | None, sentences: Sequence[Sentence]) -> Report:
    """The report of that text, else of those sentences.

    >>> report_from("r1", None, [Sentence("Clear lungs."), Sentence("Normal.", section="impression")]).text
    'FINDINGS: Clear lungs.\\n\\nIMPRESSION: Normal.'
    """
    if text is not None:
        return parse(text, id)
    if not sentences:
        raise BadInput(
            f"Report {id!r} has no text to read: give --reports, --views, or text or sentences in the gold file."
        )
    columns: dict[SectionName, str] = {}
    for sentence in sentences:
        name = next((known for known in SECTION_NAMES if known == sentence.section), None)
        if name is None:
            raise BadInput(f"Report {id!r} has a sentence in a section that does not exist.")
        columns[name] = f"{columns.get(name, '')} {sentence.text}".strip()
    return from_sections(columns, id)
