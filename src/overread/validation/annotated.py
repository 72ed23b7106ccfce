"""Annotated reports: files of JSON lines with errors that name the line, and the text of each report.

A line of a gold file is a report, or for structuring a patient, told apart by what it holds:

    {"id", "text", "findings": [{"entity", "category", "status", "certainty", "attributes", "sentence": {"text"}}]}
    {"patient", "studies": [{"study", "day", "text"}], "observations": [{"study", "entity", "status", "location",
                                                                       "entity_group", "temporal_group"}]}

Views of `overread read` and timelines of `overread follow` have these shapes. In place of `text` a line may list
`sentences` of {"i", "section", "text"}, to which findings point by `i`; texts may also stand in a file of their own,
joined by id. The released annotation table of LUNGUAGE (CSV, one row a finding) is read as gold too.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from overread.errors import BadInput
from overread.report import SECTION_NAMES, Report, SectionName, from_sections, parse
from overread.sources.encoding import numbered
from overread.systems.lunguage.annotations import is_table, load_annotations
from overread.systems.lunguage.schema import StructuredReport, Timeline


class AnnotatedSentence(Struct, frozen=True):
    """A sentence of a report."""

    text: str
    i: int | None = None
    section: str = "findings"


class AnnotatedReport(Struct, frozen=True, kw_only=True):
    """A line of a gold file; the annotations are fields of the classes below this one."""

    id: str
    text: str | None = None
    sentences: tuple[AnnotatedSentence, ...] = ()

    def report(self) -> Report:
        """What the reader is given: the report of the text, else of the sentences.

        >>> sentences = (AnnotatedSentence("Clear lungs."), AnnotatedSentence("Normal.", section="impression"))
        >>> AnnotatedReport(id="r1", sentences=sentences).report().text
        'FINDINGS: Clear lungs.\\n\\nIMPRESSION: Normal.'
        """
        if self.text is not None:
            return parse(self.text, self.id)
        if not self.sentences:
            raise BadInput(
                f"Report {self.id!r} has no text to read: give --reports, --views, or text or sentences in the gold "
                "file."
            )
        columns: dict[SectionName, str] = {}
        for sentence in self.sentences:
            name = next((known for known in SECTION_NAMES if known == sentence.section), None)
            if name is None:
                raise BadInput(f"Report {self.id!r} has a sentence in a section that does not exist.")
            columns[name] = f"{columns.get(name, '')} {sentence.text}".strip()
        return from_sections(columns, self.id)


class GoldFinding(Struct, frozen=True):
    """One finding as a person wrote it down; fields of the LUNGUAGE view, a few spelled shorter."""

    entity: str
    status: str
    certainty: str = "definitive"
    category: str | None = None
    cat: str | None = None
    attributes: dict[str, list[str]] = field(default_factory=dict)
    sentence: AnnotatedSentence | None = None
    i: int | None = None
    """Number of the sentence, where the sentences are listed apart."""

    id: str = ""
    evidence: list[str] = field(default_factory=list)
    associate: list[str] = field(default_factory=list)


class GoldReport(AnnotatedReport, frozen=True, kw_only=True):
    """One annotated report."""

    findings: list[GoldFinding]


class GoldObservation(Struct, frozen=True):
    """One observation of a gold timeline."""

    study: str | int
    entity: str
    entity_group: str
    temporal_group: int
    status: str = "positive"
    location: str | list[str] = ""


class GoldStudy(Struct, frozen=True):
    study: str | int
    day: float
    text: str | None = None
    report: str = ""


class GoldPatient(Struct, frozen=True):
    """One annotated patient."""

    id: str = field(name="patient")
    observations: list[GoldObservation]
    studies: list[GoldStudy] = field(default_factory=list)


A = TypeVar("A", bound=AnnotatedReport)


def with_texts(gold: Mapping[str, A], reports: Iterable[Report]) -> dict[str, A]:
    """The gold with the texts of its reports, joined by id."""
    texts = {report.id: report.text for report in reports}
    return {id: replace(one, text=texts.get(id, one.text)) for id, one in gold.items()}


T = TypeVar("T")


def lines_by_id(path: Path, kind: type[T], shape: str) -> dict[str, T]:
    """One `kind` (it has an id) a line, each id once; errors name the line and never quote it: it holds report text."""
    found: dict[str, T] = {}
    for number, line in numbered(path):
        place = f"{path}, line {number}"
        once(found, unquoted(line, kind, place, shape), place)
    if not found:
        raise BadInput(f"{path} holds no line. Give one annotated report a line.")
    return found


def once(found: dict[str, T], one: Any, place: str) -> None:
    """Kept under its id, which stands there for the first time."""
    if one.id in found:
        raise BadInput(f"{place}: {one.id!r} stands twice; keep one line each.")
    found[one.id] = one


def unquoted(line: str, kind: type[T], place: str, shape: str) -> T:
    """The line decoded; what is wrong is told by its path in the line, not by its words."""
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        where = str(error).rsplit(" - at ", 1)[-1] if " - at " in str(error) else "the line"
        raise BadInput(f"{place}: {where} {shape}") from None


STRUCTURED = (
    "is not as it should be. A line is a report with findings or a patient with observations, as `overread read` and "
    "`overread follow` write them."
)


class Annotated(Struct, frozen=True):
    """What a file holds, by id."""

    reports: dict[str, GoldReport]
    patients: dict[str, GoldPatient]

    def beside(
        self, found: "Annotated"
    ) -> tuple[dict[str, tuple[GoldReport, GoldReport]], dict[str, tuple[GoldPatient, GoldPatient]]]:
        """What both have: (this, found) by id."""
        return (
            {id: (one, found.reports[id]) for id, one in self.reports.items() if id in found.reports},
            {id: (one, found.patients[id]) for id, one in self.patients.items() if id in found.patients},
        )


def load_gold(path: Path) -> Annotated:
    """Reports and patients of a file; errors name the line and never quote it."""
    if is_table(path):
        table = load_annotations(path)
        return joined(from_views(table.views.values(), table.timelines.values()), table.reports.values())
    found = Annotated({}, {})
    for number, line in numbered(path):
        place = f"{path}, line {number}"
        if "observations" in unquoted(line, dict[str, Any], place, STRUCTURED):
            once(found.patients, unquoted(line, GoldPatient, place, STRUCTURED), place)
        else:
            once(found.reports, unquoted(line, GoldReport, place, STRUCTURED), place)
    if not found.reports and not found.patients:
        raise BadInput(f"{path} holds no line. Give one annotated report or patient a line.")
    return found


def from_views(views: Iterable[StructuredReport], timelines: Iterable[Timeline]) -> Annotated:
    """Our own views and timelines as if they stood in a file, without texts."""
    reports = [convert(to_builtins(one), GoldReport) for one in views]
    patients = [convert(to_builtins(one), GoldPatient) for one in timelines]
    return Annotated({one.id: one for one in reports}, {one.id: one for one in patients})


def joined(gold: Annotated, reports: Iterable[Report]) -> Annotated:
    """The gold with the texts of its reports, by id; of patients by the report's id, else by study."""
    given = list(reports)
    texts: dict[object, str] = {(r.patient, r.study): r.text for r in given}
    texts |= {r.id: r.text for r in given}

    def told(patient: GoldPatient) -> GoldPatient:
        known = ((s, texts.get((patient.id, str(s.study)), s.text)) for s in patient.studies)
        return replace(patient, studies=[replace(s, text=texts.get(s.report, other)) for s, other in known])

    patients = {id: told(patient) for id, patient in gold.patients.items()}
    return Annotated(with_texts(gold.reports, given), patients)


def studies_of(gold: GoldPatient) -> list[Report]:
    """The reports a gold patient is about."""
    silent = [study.study for study in gold.studies if study.text is None]
    if silent or not gold.studies:
        raise BadInput(
            f"Patient {gold.id!r} has studies without text: give --reports, --views, or texts in the gold file."
        )
    return [
        parse(s.text or "", f"{gold.id}-{s.study}", patient=gold.id, study=str(s.study), day=s.day)
        for s in gold.studies
    ]
