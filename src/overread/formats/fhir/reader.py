"""FHIR → reports of imaging departments, with their text, patient, study, day, and the findings that overread wrote."""

import codecs
import re
from collections.abc import Iterator
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import cast

from overread.errors import BadInput
from overread.formats.annotated import AnnotatedReport
from overread.formats.fhir.finding import marks_of
from overread.formats.fhir.parts import PATIENT_ID, REPORT_ID, At, resources
from overread.sources.days import day_counter, moment_of
from overread.sources.encoding import readable

IMAGING = frozenset(
    "RAD RX CT CTH NMR NMS OUS RUS VUS CUS XRC MAM IMG LP29684-5 394914008 18748-4 68604-8".split()
)
"""Category codes of imaging departments (HL7 v2-0074; LOINC's and SNOMED CT's radiology) and types of documents."""

VOID = ("entered-in-error", "cancelled", "superseded")
TEXT_RESOURCES = ("DiagnosticReport", "DocumentReference")
"""Resources that hold a report's text."""


class Export:
    """A file or folder, looked through once for what reports point at and for each patient's first date."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.patients: dict[str, At] = {}
        self.binaries: dict[str, At] = {}
        self.findings: dict[str, At] = {}
        self.of_report: dict[str, list[str]] = {}
        """Findings that name the report they were read from, by its name."""

        self.presented: set[str] = set()
        """DiagnosticReports, and where the texts of theirs lie that are not inside them."""

        self.count = 0
        self.left_out = 0
        self.day_of = day_counter(self.look_through())
        if not self.count:
            raise BadInput(f"{path} holds no DiagnosticReport of an imaging department.")

    def left_out_told(self) -> str:
        return f", {self.left_out} reports void or not of imaging left out" if self.left_out else ""

    def look_through(self) -> Iterator[tuple[str, datetime]]:
        kept = {"Patient": self.patients, "Binary": self.binaries}
        held: list[At] = []
        for resource in resources(self.path):
            kind = resource_type(resource)
            if kind in kept:
                kept[kind][own_name(resource)] = resource
            elif kind == "Observation" and resource.extension("finding-id"):
                self.findings[own_name(resource)] = resource
                if whose := resource.extension("finding-report").get("valueReference").reference():
                    self.of_report.setdefault(whose, []).append(own_name(resource))
            elif kind in TEXT_RESOURCES:
                held.append(without_text(resource))
        for report in held:
            if resource_type(report) == "DiagnosticReport" and is_wanted(report):
                self.presented |= {own_name(report), *addresses(report)}
        for report in held:
            found = self.wanted(report)
            self.count += found
            self.left_out += not found
            patient, when = self.patient(report), moment_of(date_of(report))
            if found and patient and when:
                yield patient, when

    def wanted(self, report: At) -> bool:
        """Is it of an imaging department, and not a document that repeats a DiagnosticReport of the file?"""
        if resource_type(report) == "DiagnosticReport":
            return is_wanted(report)
        related = {one.reference() for one in report.get("context", "related").items()}
        return is_wanted(report) and not (related | addresses(report)) & self.presented

    def reports(self) -> Iterator[AnnotatedReport]:
        """Every report of an imaging department, in the order of the file; one that cannot be read is named."""
        found = (
            one for one in resources(self.path) if resource_type(one) in TEXT_RESOURCES and self.wanted(one)
        )
        return readable(found, self.report)

    def report(self, one: At) -> AnnotatedReport:
        date, patient = date_of(one), self.patient(one)
        text = report_text(one, self.binaries)
        day = one.extension("study-day").get("valueDecimal").number()
        day = self.day_of(patient, moment_of(date)) if day is None else day
        own = self.of_report.get(own_name(one), [])
        marks = None
        if own or one.extension("findings-read").get("valueBoolean").value is True:
            marks = marks_of(one, text, self.findings, own)
        theirs = None if identifier(one, REPORT_ID) else cast("dict[str, object]", one.value)
        return AnnotatedReport(report_id(one), text, patient, study_of(one), day, date, marks, theirs)

    def patient(self, report: At) -> str | None:
        """The id we gave, the one their reference holds, or the one it is known by elsewhere."""
        subject = report.get("subject")
        named = subject.get("reference").string()
        if not named:
            return subject.get("identifier", "value").string()
        known = self.patients.get(subject.reference())
        own = identifier(known, PATIENT_ID) if known else None
        return own or named.rpartition("/")[2].removeprefix("urn:uuid:") or None


def resource_type(resource: At) -> str:
    return resource.get("resourceType").string() or ""


def own_name(resource: At) -> str:
    return f"{resource_type(resource)}/{resource.get('id').string()}"


def without_text(report: At) -> At:
    """The report without its text, to be held while the file is looked through."""
    heavy = ("text", "result", "conclusion")
    forms = [{"url": form.get("url").string()} for form in forms_with_text(report) if form.get("url")]
    light = {k: v for k, v in cast("dict[str, object]", report.value).items() if k not in heavy}
    light = {k: v for k, v in light.items() if k != "content"} | {"presentedForm": forms}
    return At(light, report.path, report.place)


def addresses(report: At) -> set[str]:
    """Where texts lie that are not inside the report."""
    return {url for form in forms_with_text(report) if (url := form.get("url").string())}


def is_wanted(report: At) -> bool:
    return report.get("status").string() not in VOID and of_imaging(report)


def of_imaging(report: At) -> bool:
    """Is it of an imaging department? A DiagnosticReport without category may be, a document must say so."""
    codes, names = set(), ""
    named = report.get("category").items()
    named += [report.get("type")] if resource_type(report) == "DocumentReference" else []
    for one in named:
        codings = one.get("coding").items()
        codes |= {coding.get("code").string() for coding in codings}
        names += " ".join(coding.get("display").string() or "" for coding in codings)
        names += one.get("text").string() or ""
    if not codes and not names:
        return resource_type(report) == "DiagnosticReport"
    return bool(codes & IMAGING) or any(word in names.lower() for word in ("radiol", "imag"))


def identifier(resource: At, system: str) -> str | None:
    found = (one for one in resource.get("identifier").items() if one.get("system").value == system)
    return next((one.get("value").string() for one in found), None)


def report_id(report: At) -> str:
    id = identifier(report, REPORT_ID) or report.get("id").string()
    id = id or report.get("identifier").first().get("value").string()
    if not id:
        raise report.wrong("it has neither id nor identifier; every report needs one.")
    return id


def study_of(report: At) -> str | None:
    study = report.get("imagingStudy").first()
    named = study.get("identifier", "value").string()
    reference = study.get("reference").string()
    return named or (reference.rpartition("/")[2] or None if reference else None)


def date_of(report: At) -> str | None:
    own = report.extension("source-date").get("valueString").string()
    if resource_type(report) == "DocumentReference":
        return own or report.get("context", "period", "start").string() or report.get("date").string()
    period = report.get("effectivePeriod", "start").string()
    return own or report.get("effectiveDateTime").string() or period or report.get("issued").string()


PLAIN_TYPES = ("text/plain",)
HTML = ("text/html", "application/xhtml+xml", "application/xhtml")
"""The last is what US Core's published example says."""


def report_text(report: At, binaries: dict[str, At]) -> str:
    """Plain text before HTML, a presented form before the narrative before the conclusion alone."""
    forms = forms_with_text(report)
    for wanted in (PLAIN_TYPES, HTML):
        for form in forms:
            if content_type(form)[0] in wanted:
                kind, charset = content_type(form)
                try:
                    text = codecs.decode(data_of(form, binaries), charset)
                except (LookupError, UnicodeError, TypeError, AttributeError, ValueError):
                    told = f"its text is not {charset[:20]!r}; name the charset it has in contentType."
                    raise form.wrong(told) from None
                return text_of_html(text) if kind in HTML else text
    narrative = report.get("text", "div").string()
    if narrative and (text := text_of_html(narrative)):
        return text
    if conclusion := report.get("conclusion").string():
        return f"IMPRESSION: {conclusion}"
    if forms:
        kinds = ", ".join(sorted({content_type(form)[0] or "no contentType" for form in forms}))
        field = "presentedForm" if report.get("presentedForm") else "attachment"
        raise report.wrong(f"its {field} is {kinds}, which is not read; give text/plain or text/html.")
    raise report.wrong("it has no text: no presentedForm, no narrative, no conclusion.")


def forms_with_text(report: At) -> list[At]:
    """Where the text may lie: presented forms of a report, attachments of a document."""
    attached = [content.get("attachment") for content in report.get("content").items()]
    return report.get("presentedForm").items() + attached


def content_type(form: At) -> tuple[str, str]:
    """Content type and charset.

    >>> from pathlib import Path
    >>> content_type(At({"contentType": "text/HTML; charset=latin-1"}, Path("a.json"), ""))
    ('text/html', 'latin-1')
    """
    kind, *parameters = (form.get("contentType").string() or "").lower().split(";")
    charset = next((p.partition("=")[2] for p in parameters if p.strip().startswith("charset=")), "utf-8")
    return kind.strip()[:60], charset.strip(' "')


def data_of(form: At, binaries: dict[str, At]) -> bytes:
    """The bytes inside the form, or in a Binary of the same file; nothing is fetched."""
    data = form.get("data")
    if not data:
        url = form.get("url").string() or ""
        binary = binaries.get("/".join(url.rstrip("/").split("/")[-2:])) or binaries.get(url)
        if binary is None:
            raise form.wrong(
                "its text is not here but at a URL, and nothing is fetched; export it with its data."
            )
        data = binary.get("data")
    return data.decoded()


BLOCKS = frozenset(
    "address article aside blockquote br dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol "
    "p pre section table td th tr ul".split()
)
UNSEEN = frozenset({"script", "style", "head", "title", "template"})


class VisibleText(HTMLParser):
    """Words as they come; a block begins a line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in UNSEEN
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.hidden = max(0, self.hidden - (tag in UNSEEN))
        if tag in BLOCKS and tag != "br":
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(re.sub(r"\s+", " ", data))


def text_of_html(html: str) -> str:
    """
    >>> text_of_html("<div><h1>Findings</h1><p>No&nbsp;effusion.<br/>Clear lungs.</p></div>")
    'Findings\\nNo effusion.\\nClear lungs.'
    """
    seen = VisibleText()
    seen.feed(html)
    seen.close()
    lines = (" ".join(line.split()) for line in "".join(seen.parts).split("\n"))
    return "\n".join(line for line in lines if line)
