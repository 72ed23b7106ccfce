"""Files for validating structuring: gold lines, and views or timelines to judge.

A line of a gold file is a report or a patient, told apart by what it holds:

    {"id", "text", "findings": [{"entity", "category", "status", "certainty", "attributes", "sentence": {"text"}}]}
    {"patient", "studies": [{"study", "day", "text"}], "observations": [{"study", "entity", "status", "location",
                                                                       "entity_group", "temporal_group"}]}

Lines of `overread read --as lunguage` and of `overread follow` have these shapes. In place of `sentence` a finding
may give its number `i` in a list `sentences` of {"i", "section", "text"}, from which a missing text is put together.
Texts may also stand in a file of their own, joined by id.

The released annotation table of LUNGUAGE (CSV, one row a finding) is read as gold too.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from overread.errors import BadInput
from overread.report import Report, parse
from overread.sources.encoding import reading
from overread.systems.lunguage.annotations import Annotations, is_table, load_annotations
from overread.validation.annotated import report_from, unquoted
from overread.validation.structuring import GoldPatient, GoldReport, GoldStudy

T = TypeVar("T")
SHAPE = (
    "is not as it should be. A line is a report with findings or a patient with observations, as `overread read` and "
    "`overread follow` write them."
)


class Annotated(Struct, frozen=True):
    """What a file holds, by id."""

    reports: dict[str, GoldReport]
    patients: dict[str, GoldPatient]


def load(path: Path) -> Annotated:
    """Reports and patients of a file; errors name the line and never quote it."""
    if is_table(path):
        return of_table(load_annotations(path))
    with reading(path):
        content = path.read_bytes().splitlines()
    reports: dict[str, GoldReport] = {}
    patients: dict[str, GoldPatient] = {}
    for number, line in enumerate(content, 1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        held = unquoted(line, dict[str, Any], place, SHAPE)
        if "observations" in held:
            patient = unquoted(line, GoldPatient, place, SHAPE)
            once(patients, patient.patient, patient, path, number)
        else:
            report = unquoted(line, GoldReport, place, SHAPE)
            once(reports, report.id, report, path, number)
    if not reports and not patients:
        raise BadInput(f"{path} holds no line. Give one annotated report or patient a line.")
    return Annotated(reports, patients)


def of_table(found: Annotations) -> Annotated:
    """The released table: its findings with the texts they stand in, and the patients whose groups it holds."""
    reports = {
        id: convert({**to_builtins(view), "text": found.reports[id].text}, GoldReport)
        for id, view in found.views.items()
    }
    patients = {}
    for id, timeline in found.timelines.items():
        told = to_builtins(timeline)
        for study in told["studies"]:
            study["text"] = found.reports[study["report"]].text
        patients[id] = convert(told, GoldPatient)
    return Annotated(reports, patients)


def with_texts(gold: Annotated, reports: Iterable[Report]) -> Annotated:
    """The gold with the texts of its reports, by id; of patients by the report's id, else by study."""
    texts = {report.id: report for report in reports}
    studies = {(r.patient, r.study): r for r in texts.values()}

    def text(patient: GoldPatient, study: GoldStudy) -> str | None:
        found = texts.get(study.report) or studies.get((patient.patient, str(study.study)))
        return found.text if found else study.text

    return Annotated(
        {id: replace(one, text=texts[id].text) if id in texts else one for id, one in gold.reports.items()},
        {
            id: replace(one, studies=[replace(s, text=text(one, s)) for s in one.studies])
            for id, one in gold.patients.items()
        },
    )


def once(found: dict[str, T], id: str, one: T, path: Path, number: int) -> None:
    if id in found:
        raise BadInput(f"{path}, line {number}: {id!r} stands twice; keep one line each.")
    found[id] = one


def report_of(gold: GoldReport) -> Report:
    """The report a gold line is about."""
    return report_from(gold.id, gold.text, gold.sentences)


def studies_of(gold: GoldPatient) -> list[Report]:
    """The reports a gold patient is about."""
    silent = [study.study for study in gold.studies if study.text is None]
    if silent or not gold.studies:
        raise BadInput(
            f"Patient {gold.patient!r} has studies without text: give --reports, --views, or texts in the gold file."
        )
    return [
        parse(s.text or "", f"{gold.patient}-{s.study}", patient=gold.patient, study=str(s.study), day=s.day)
        for s in gold.studies
    ]
