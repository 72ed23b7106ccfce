"""FHIR R4: DiagnosticReports of a Bundle, an NDJSON bulk export or a single file, with patient, study and day."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from overread.sources.annotated import AnnotatedReport
from overread.sources.calendar_dates import moment_of
from overread.sources.days import days_since, first_moments
from overread.sources.fhir_findings import marks_of
from overread.sources.fhir_names import PATIENT_ID, REPORT_ID, extension
from overread.sources.fhir_resources import At, resource_name, resources
from overread.sources.fhir_text import text_of

LAYOUT = "FHIR R4"
IMAGING = frozenset("RAD RX CT CTH NMR NMS OUS RUS VUS CUS XRC MAM IMG LP29684-5 394914008".split())
"""Category codes of imaging departments (HL7 v2-0074; LOINC's and SNOMED CT's radiology)."""

VOID = ("entered-in-error", "cancelled")


class Export:
    """A file or folder, looked through once for what reports point at and for each patient's first date."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.patients: dict[str, At] = {}
        self.binaries: dict[str, At] = {}
        self.findings: dict[str, At] = {}
        self.count = 0
        self.left_out = 0
        self.first = first_moments(self.look_through())

    def layout(self) -> str:
        others = (
            f", {self.left_out} DiagnosticReports void or not of imaging left out" if self.left_out else ""
        )
        return f"{LAYOUT}{others}"

    def every(self) -> Iterator[At]:
        for place, path, resource in resources(self.path):
            name = resource_name(resource)
            yield At(resource, path, place if place == name else f"{place} ({name})")

    def look_through(self) -> Iterator[tuple[str, datetime]]:
        kept = {"Patient": self.patients, "Binary": self.binaries, "Observation": self.findings}
        dates = []
        for resource in self.every():
            kind = resource.get("resourceType").string() or ""
            name = f"{kind}/{resource.get('id').string()}"
            if kind in kept and (kind != "Observation" or is_ours(resource)):
                kept[kind][name] = resource
            elif kind == "DiagnosticReport" and self.wanted(resource):
                self.count += 1
                dates.append(resource)
        for resource in dates:
            patient, when = self.patient(resource), moment_of(date_of(resource))
            if patient and when:
                yield patient, when

    def wanted(self, report: At) -> bool:
        found = report.get("status").string() not in VOID and of_imaging(report)
        self.left_out += not found
        return found

    def reports(self) -> Iterator[AnnotatedReport]:
        """Every DiagnosticReport of an imaging department, in the order of the file."""
        before = self.left_out
        for resource in self.every():
            if resource.get("resourceType").value == "DiagnosticReport" and self.wanted(resource):
                yield self.report(resource)
        self.left_out = before

    def report(self, one: At) -> AnnotatedReport:
        date, patient = date_of(one), self.patient(one)
        text = text_of(one, self.binaries)
        day = value_of(one, "study-day").get("valueDecimal").number()
        when = moment_of(date)
        if day is None and when and patient in self.first:
            day = days_since(self.first[patient], when)
        marks = None
        if value_of(one, "findings-read").get("valueBoolean").value is True:
            marks = marks_of(one, text, self.findings)
        return AnnotatedReport(report_id(one), text, patient, study_of(one), day, date, marks)

    def patient(self, report: At) -> str | None:
        """The id we gave, the one their reference holds, or the one it is known by elsewhere."""
        subject = report.get("subject")
        reference = subject.get("reference").string()
        if not reference:
            return subject.get("identifier").get("value").string()
        known = self.patients.get("/".join(reference.split("/")[-2:]))
        own = identifier(known, PATIENT_ID) if known else None
        return own or reference.rpartition("/")[2].removeprefix("urn:uuid:") or None


def is_ours(observation: At) -> bool:
    return bool(value_of(observation, "finding-id"))


def of_imaging(report: At) -> bool:
    """Is a report of an imaging department? One without category may be."""
    codes, names = set(), ""
    for category in report.get("category").items():
        codings = category.get("coding").items()
        codes |= {coding.get("code").string() for coding in codings}
        names += " ".join(coding.get("display").string() or "" for coding in codings)
        names += category.get("text").string() or ""
    if not codes and not names:
        return True
    return bool(codes & IMAGING) or any(word in names.lower() for word in ("radiol", "imag"))


def value_of(resource: At, name: str) -> At:
    """One of our extensions of a resource; false where it has none."""
    url = extension(name)
    found = (one for one in resource.get("extension").items() if one.get("url").value == url)
    return next(found, At(None, resource.path, f"{resource.place}.extension({name})"))


def identifier(resource: At, system: str) -> str | None:
    found = (one for one in resource.get("identifier").items() if one.get("system").value == system)
    one = next(found, None)
    return one.get("value").string() if one else None


def report_id(report: At) -> str:
    id = identifier(report, REPORT_ID) or report.get("id").string()
    id = id or report.get("identifier").first().get("value").string()
    if not id:
        raise report.wrong("it has neither id nor identifier; every report needs one.")
    return id


def study_of(report: At) -> str | None:
    study = report.get("imagingStudy").first()
    named = study.get("identifier").get("value").string()
    reference = study.get("reference").string()
    return named or (reference.rpartition("/")[2] or None if reference else None)


def date_of(report: At) -> str | None:
    own = value_of(report, "source-date").get("valueString").string()
    period = report.get("effectivePeriod").get("start").string()
    return own or report.get("effectiveDateTime").string() or period or report.get("issued").string()
