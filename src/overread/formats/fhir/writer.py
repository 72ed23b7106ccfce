"""Reports → FHIR: a DiagnosticReport each, an Observation per finding, a Patient per patient, our code systems."""

import base64
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from overread.errors import BadInput
from overread.extras import require
from overread.formats.annotated import ASSERTIONS, AnnotatedReport, assertion, is_asked
from overread.formats.codes import Codes, Coding, finding_models, read_codes
from overread.formats.fhir import parts
from overread.formats.fhir.finding import condition, observation
from overread.formats.fhir.parts import Part, concept, extension, name_of, refer, refer_to, string, valued
from overread.formats.marking import KNOWN_SIDES
from overread.formats.pieces import FACTS, RELATIONS
from overread.formats.writing import write_lines, write_list
from overread.lexicon.lexicon import lexicon
from overread.version import __version__

DATE = re.compile(
    r"(?P<day>\d{4}(?:-\d\d(?:-\d\d)?)?)(?P<time>T\d\d:\d\d:\d\d(?:\.\d+)?(?P<zone>Z|[+-]\d\d:\d\d)?)?"
)
LOINC_REPORT = Coding("http://loinc.org", "18748-4", "Diagnostic imaging study")
"""What a report is called where the user's map does not say."""

CONCLUDED = ("present", "abnormal", "possible")
"""Assertions of an impression that are Conditions of the patient; history and what is gone are none."""

DEPARTMENT = Coding("http://terminology.hl7.org/CodeSystem/v2-0074", "RAD")


def write(
    reports: Iterable[AnnotatedReport], output: Path, codes: Path | None = None, **options: bool
) -> None:
    """A Bundle, or for `.ndjson` one resource a line; each resource of ours passes the library's models first."""
    made = resources(reports, read_codes(codes), **options)
    if output.suffix.lower() == ".ndjson":
        write_lines(output, made)
        return
    entries = (
        {"fullUrl": f"{parts.BASE}/{one['resourceType']}/{one['id']}", "resource": one} for one in made
    )
    before = b'{"resourceType":"Bundle","type":"collection","entry":['
    write_list(output, map(msgspec.json.encode, entries), before, b"]}")


def checked_resource(resource: Part) -> Part:
    """The resource, if the library's R4B models take it; R4B and R4 are alike in the resources used here."""
    kind = resource["resourceType"]
    model = getattr(require(f"fhir.resources.R4B.{kind.lower()}", "fhir"), kind)
    try:
        model.model_validate(resource)
    except ValueError as error:  # pydantic's complaint quotes the value, which may be report text
        places = ", ".join(".".join(map(str, one["loc"])) for one in getattr(error, "errors", list)()[:3])
        raise BadInput(
            f"{kind} {resource['id']} cannot be written as FHIR; it is refused at {places}."
        ) from None
    return resource


def resources(
    reports: Iterable[AnnotatedReport],
    codes: Codes,
    conditions: bool = False,
    code_system: bool = False,
    keep_resources: bool = False,
) -> Iterator[Part]:
    """Code systems where asked for, then each report with what belongs to it; a patient before their first report.

    `keep_resources` leaves out what the hospital has already: only what was found is written, and points at theirs.
    """
    if code_system:
        yield from map(checked_resource, code_systems())
    seen: set[str] = set()
    for report in reports:
        if report.origin is not None:
            if not keep_resources:
                yield theirs(report)
        else:
            if report.patient is not None and report.patient not in seen:
                seen.add(report.patient)
                known = {"system": parts.PATIENT_ID, "value": string(report.patient)}
                own = name_of("Patient", report.patient)
                yield checked_resource({"resourceType": "Patient", "id": own, "identifier": [known]})
            yield checked_resource(diagnostic_report(report, codes))
        for mark in report.marks or ():
            yield checked_resource(observation(report, mark, codes, base(report)))
        for mark in report.marks or () if conditions else ():
            if mark.section == "impression" and assertion(mark) in CONCLUDED:
                yield checked_resource(condition(report, mark, codes, base(report)))


def base(report: AnnotatedReport) -> Part:
    """Whose it is and when it was."""
    if report.origin is not None:
        copied = ("subject", "effectiveDateTime", "effectivePeriod")
        return {name: report.origin[name] for name in copied if name in report.origin}
    out: dict[str, Any] = {}
    if report.patient is not None:
        out["subject"] = refer("Patient", name_of("Patient", report.patient))
    if report.date is not None and (shown := fhir_date(report.date)):
        out["effectiveDateTime"] = shown
    return out


def fhir_date(date: str) -> str | None:
    """A date as FHIR takes it: a time needs its zone, without one the day alone is said.

    >>> fhir_date("2024-05"), fhir_date("2024-05-31T14:05:00"), fhir_date("2024-05-31T14:05:00+02:00")
    ('2024-05', '2024-05-31', '2024-05-31T14:05:00+02:00')
    """
    found = DATE.fullmatch(date)
    return None if not found else date if found["zone"] or not found["time"] else found["day"]


def theirs(report: AnnotatedReport) -> Part:
    """The hospital's own resource as it came, with what was found in it as further results."""
    assert report.origin is not None
    own = {extension(name) for name in ("findings-read", "asked-about")}
    kept = [one for one in list_in(report.origin, "extension") if one.get("url") not in own]
    out = report.origin | {"extension": kept + report_extensions(replace(report, day=None, date=None))}
    if out["resourceType"] == "DocumentReference":
        return {name: value for name, value in out.items() if value != []}
    results = [one for one in results_of(report) if one not in list_in(out, "result")]
    if not list_in(out, "presentedForm") and "text" not in out and "conclusion" not in out:
        out["presentedForm"] = [form_of(report)]
    out["result"] = [*list_in(out, "result"), *results]
    return {name: value for name, value in out.items() if value != []}


def list_in(resource: Part, name: str) -> list[Part]:
    found = resource.get(name)
    return found if isinstance(found, list) else []


def results_of(report: AnnotatedReport) -> list[Part]:
    return [refer_to(report.id, mark.id) for mark in report.marks or () if not is_asked(mark)]


def form_of(report: AnnotatedReport) -> Part:
    data = base64.b64encode(report.text.encode()).decode()
    return {"contentType": "text/plain; charset=utf-8", "data": data}


def diagnostic_report(report: AnnotatedReport, codes: Codes) -> Part:
    """The text as it came, and what was found in it as results."""
    own = name_of("DiagnosticReport", report.id)
    out = {
        "resourceType": "DiagnosticReport",
        "id": own,
        "identifier": [{"system": parts.REPORT_ID, "value": string(report.id)}],
        "status": "unknown",  # who wrote and signed it is not known here
        "category": [concept([DEPARTMENT])],
        "code": concept(codes.coding("report") or [LOINC_REPORT], "Diagnostic imaging report"),
        **base(report),
        "extension": report_extensions(report),
        "presentedForm": [form_of(report)],
        "result": results_of(report),
    }
    if report.study is not None:
        out["imagingStudy"] = [{"identifier": {"system": parts.STUDY_ID, "value": string(report.study)}}]
    concluded = report.plain().section("impression")
    if said := string(" ".join(section.span.of(report.text) for section in concluded)).strip():
        out["conclusion"] = said
    return {name: value for name, value in out.items() if value != []}


def report_extensions(report: AnnotatedReport) -> list[Part]:
    out = [] if report.day is None else [valued("study-day", "Decimal", report.day)]
    if report.date and fhir_date(report.date) != report.date:
        out.append(valued("source-date", "String", string(report.date)))
    about = (refer_to(report.id, mark.id) for mark in report.marks or () if is_asked(mark))
    asked = [valued("asked-about", "Reference", one) for one in about]
    return out if report.marks is None else [*out, valued("findings-read", "Boolean", True), *asked]


TERM_WORDS = (*RELATIONS, "certainty", "laterality", *ASSERTIONS, *FACTS["certainty"], *KNOWN_SIDES)


def code_systems() -> list[Part]:
    """Findings, the terms they are described in, and the finding-model ids in use."""
    concepts = {name: name.replace("-", " ") for name in lexicon().concepts}
    words = {word: word.replace("_", " ") for word in TERM_WORDS}
    models: dict[str, str] = {}
    for name, model in finding_models().items():
        models.setdefault(model, name.replace("-", " "))
    return [
        code_system(parts.CONCEPTS, "OverreadFindings", concepts, "complete"),
        code_system(parts.TERMS, "OverreadTerms", words, "complete"),
        code_system(parts.MODELS, "OpenImagingFindingModels", models, "fragment"),
    ]


def code_system(url: str, name: str, codes: dict[str, str], content: str) -> Part:
    return {
        "resourceType": "CodeSystem",
        "id": name_of("CodeSystem", name),
        "url": url,
        "version": __version__,
        "name": name,
        "status": "active",
        "content": content,
        "concept": [{"code": code, "display": display} for code, display in codes.items()],
    }
