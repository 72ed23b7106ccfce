"""DICOM SR, TID 1500 (Imaging Measurement Report): the text by its sections, a Measurement Group for each finding."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from overread.errors import BadInput
from overread.extras import require
from overread.formats.annotated import AnnotatedReport, Mark, assertion, is_asked
from overread.formats.codes import CODE_SYSTEMS, Codes, Coding, read_codes, shipped_table, starter, wording
from overread.formats.dicom.reader import MANUFACTURER
from overread.formats.marking import KNOWN_SIDES
from overread.formats.writing import opened_whole, whole_folder
from overread.version import __version__

SCT, PRIVATE_SCHEME = "SCT", "99OVERREAD"
SCHEMES = {
    "SNOMED": SCT, "LOINC": "LN", "RADLEX": "RADLEX", "ICD10": "I10", "ICD10CM": "I10C", "UMLS": "UMLS",
}  # fmt: skip
"""What DICOM calls the systems that a map may name."""

COMPREHENSIVE = "1.2.840.10008.5.1.4.1.1.88.33"
UID = re.compile(r"[12](?:\.(?:0|[1-9]\d*))+")
SIZE_WORDS = re.compile(
    r"(\d+(?:\.\d+)?)(?:\s*[x×]\s*(\d+(?:\.\d+)?))?(?:\s*[x×]\s*\d+(?:\.\d+)?)?\s*(mm|cm)\b", re.I
)
SIDE_WORDS = re.compile(r"\b(?:left|right|bilateral|both)\b|[-\s]sided\b", re.I)


CODES = {
    row["name"]: Coding(row["scheme"], row["value"], row["meaning"])
    for row in shipped_table("dicom_codes.tsv")
}
"""Those of DICOM that are used here, by name."""


def own_code(words: str) -> Coding:
    """Words under our own scheme.

    >>> own_code("Lower lobe").code, own_code("XX/XX").code
    ('lower-lobe', 'xx-xx')
    """
    plain = re.sub(r"[^\w]+", "-", words.lower()).strip("-")
    return Coding(PRIVATE_SCHEME, plain or "finding", words or "finding")


def listed_code(words: str) -> Coding | None:
    """The SNOMED CT code that DICOM itself lists for these words; pydicom has the list."""
    name = "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", words.lower()) if word)
    table = require("pydicom.sr.codedict", "dicom").codes.SCT
    found = getattr(table, name, None) if name.isidentifier() else None
    return None if found is None else Coding(SCT, found.value, found.meaning)


def word_code(words: str) -> Coding:
    """Of DICOM's list, else our own."""
    return listed_code(words) or own_code(words)


def user_code(codes: Codes, name: str | None) -> Coding | None:
    """The user's own code, where the map has one of a system that DICOM has a name for."""
    designators = {url: SCHEMES[short] for short, url in CODE_SYSTEMS.items()}
    named = (one for one in codes.coding(name) if one.system in designators)
    return next((Coding(designators[one.system], one.code, one.display or name) for one in named), None)


def dataset(**values: Any) -> Any:
    one = require("pydicom.dataset", "dicom").Dataset()
    for name, value in values.items():
        setattr(one, name, value)
    return one


def code_of(one: Coding) -> Any:
    """A code value, whose it is, and what it means."""
    meaning = " ".join((one.display or "").replace("\\", "/").split())[:64]
    value = {"CodeValue" if len(one.code) <= 16 else "LongCodeValue": one.code}
    return dataset(**value, CodingSchemeDesignator=one.system, CodeMeaning=meaning)


def content_item(relation: str | None, kind: str, name: Coding, **values: Any) -> Any:
    """A content item; the root alone has no relation."""
    related = {} if relation is None else {"RelationshipType": relation}
    return dataset(**related, ValueType=kind, ConceptNameCodeSequence=[code_of(name)], **values)


def container(name: Coding, items: Iterable[Any], relation: str | None = "CONTAINS") -> Any:
    inside = {"ContentSequence": found} if (found := list(items)) else {}
    return content_item(relation, "CONTAINER", name, ContinuityOfContent="SEPARATE", **inside)


def coded(relation: str, name: Coding, value: Coding) -> Any:
    return content_item(relation, "CODE", name, ConceptCodeSequence=[code_of(value)])


def measured(name: Coding, value: str, unit: str) -> Any:
    number = dataset(NumericValue=value, MeasurementUnitsCodeSequence=[code_of(CODES[unit])])
    return content_item("CONTAINS", "NUM", name, MeasuredValueSequence=[number])


def write(reports: Iterable[AnnotatedReport], output: Path, codes: Path | None = None) -> None:
    """One `.dcm`, or for any other name a folder with one for each report."""
    require("pydicom", "dicom")
    table = read_codes(codes)
    if output.suffix.lower() == ".dcm":
        some = iter(reports)
        only = next(some, None)
        if only is None or next(some, None) is not None:
            raise BadInput(f"{output} holds one report; name a folder for several, such as reports.sr.")
        with opened_whole(output) as file:
            document(only, table).save_as(file, enforce_file_format=True)
        return
    with whole_folder(output) as folder:
        for number, report in enumerate(reports, 1):
            document(report, table).save_as(folder / f"{number:06}.dcm", enforce_file_format=True)


def uid_of(*names: str) -> str:
    """The UID of a thing, the same each time it is written; a name that is a UID already is kept.

    >>> uid_of("1.2.840.1"), uid_of("study", "s1")[:5]
    ('1.2.840.1', '2.25.')
    """
    if len(names[-1]) <= 64 and UID.fullmatch(names[-1]):
        return names[-1]
    return f"2.25.{uuid5(NAMESPACE_URL, '/'.join(('overread', *names))).int}"


def document(report: AnnotatedReport, codes: Codes) -> Any:
    """The whole object: whose it is, of which study, and its content."""
    one, meta = dataset(), require("pydicom.dataset", "dicom").FileMetaDataset()
    when = report.moment()
    meta.TransferSyntaxUID = "1.2.840.10008.1.2.1"
    one.SpecificCharacterSet = "ISO_IR 192"
    one.SOPClassUID, one.SOPInstanceUID = COMPREHENSIVE, uid_of("report", report.id)
    meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID = one.SOPClassUID, one.SOPInstanceUID
    one.file_meta = meta
    one.PatientName, one.PatientID = "", (report.patient or "")[:64]
    one.PatientBirthDate = one.PatientSex = one.ReferringPhysicianName = one.AccessionNumber = ""
    one.StudyInstanceUID = uid_of("study", report.study or report.id)
    one.StudyID = "" if report.study is None or len(report.study) > 16 else report.study
    one.StudyDate, one.StudyTime = (when.strftime("%Y%m%d"), when.strftime("%H%M%S")) if when else ("", "")
    one.SeriesInstanceUID, one.SeriesNumber = uid_of("series", report.study or "", report.id), 1
    one.Modality, one.InstanceNumber = "SR", 1
    one.ReferencedPerformedProcedureStepSequence, one.PerformedProcedureCodeSequence = [], []
    one.Manufacturer = one.ManufacturerModelName = MANUFACTURER
    one.SoftwareVersions = one.DeviceSerialNumber = __version__
    written = when or datetime(1970, 1, 1)
    one.ContentDate, one.ContentTime = written.strftime("%Y%m%d"), written.strftime("%H%M%S")
    one.CompletionFlag, one.VerificationFlag, one.PreliminaryFlag = "PARTIAL", "UNVERIFIED", "PRELIMINARY"
    root = container(CODES["report"], content(report, codes), None)
    for name in ("ValueType", "ConceptNameCodeSequence", "ContinuityOfContent", "ContentSequence"):
        setattr(one, name, getattr(root, name))
    one.ContentTemplateSequence = [dataset(MappingResource="DCMR", TemplateIdentifier="1500")]
    return one


def content(report: AnnotatedReport, codes: Codes) -> Iterator[Any]:
    """Language, observer and procedure, then the groups of findings, then the text."""
    yield coded("HAS CONCEPT MOD", CODES["language"], CODES["english"])
    yield coded("HAS OBS CONTEXT", CODES["observer type"], CODES["device"])
    device = uid_of("device", f"overread {__version__}")
    yield content_item("HAS OBS CONTEXT", "UIDREF", CODES["observer uid"], UID=device)
    name = f"{MANUFACTURER} {__version__}"
    yield content_item("HAS OBS CONTEXT", "TEXT", CODES["observer name"], TextValue=name)
    procedure = user_code(codes, "report") or CODES["any procedure"]
    yield coded("HAS CONCEPT MOD", CODES["procedure"], procedure)
    groups = [group(report, mark, codes) for mark in report.marks or () if not is_asked(mark)]
    yield container(CODES["groups"], groups)
    for section in report.plain().sections:
        body = section.span.of(report.text).strip()
        if body:
            called = CODES.get(f"section:{section.name}") or own_code(section.name)
            yield container(called, [content_item("CONTAINS", "TEXT", CODES["what"], TextValue=body)])


def group(report: AnnotatedReport, mark: Mark, codes: Codes) -> Any:
    """A finding: what, where, on which side, whether it is there, its size, and what else is said of it."""
    narrower = (
        starter().name_of(mark) != mark.concept
    )  # the words say another thing than their concept's name
    name = wording(mark) if narrower else mark.concept or mark.entity
    own = word_code(name) if mark.concept else own_code(name)
    uid = uid_of("finding", report.id, mark.id)
    items = [
        content_item("HAS OBS CONTEXT", "TEXT", CODES["tracked"], TextValue=mark.id),
        content_item("HAS OBS CONTEXT", "UIDREF", CODES["tracked uid"], UID=uid),
        coded("CONTAINS", CODES["what"], user_code(codes, codes.name_of(mark)) or own),
        *sites(mark, codes),
        *size_items(mark),
        coded("CONTAINS", own_code("assertion"), word_code(assertion(mark))),
    ]
    told = [d for d in mark.details if d.relation != "location" and d.text.strip()]
    said = [d for d in told if d.relation != "measurement" or not SIZE_WORDS.search(d.text)]
    items += [coded("CONTAINS", own_code(d.relation), word_code(d.text)) for d in said]
    return container(CODES["group"], items)


def sites(mark: Mark, codes: Codes) -> Iterator[Any]:
    """Where it is; the side is a modifier of the first place, as DICOM has it."""
    places = [d.text for d in mark.details if d.relation == "location" and d.text.strip()]
    side = CODES[mark.side] if mark.side in KNOWN_SIDES else None
    named = [(words, bare) for words in places if (bare := " ".join(SIDE_WORDS.sub(" ", words).split()))]
    for number, (words, bare) in enumerate(named):
        place = user_code(codes, f"location:{words.lower()}") or word_code(bare)
        found = coded("HAS CONCEPT MOD", CODES["site"], place)
        if side and not number:
            found.ContentSequence = [coded("HAS CONCEPT MOD", CODES["laterality"], side)]
        yield found
    if side and not named:
        yield coded("CONTAINS", CODES["laterality"], side)


def size_items(mark: Mark) -> Iterator[Any]:
    """Measurements as numbers: one is a diameter, of two the first is the long axis."""
    for detail in mark.details:
        found = SIZE_WORDS.search(detail.text) if detail.relation == "measurement" else None
        if found is None:
            continue
        first, second, unit = found[1], found[2], found[3].lower()
        if second is None:
            yield measured(CODES["diameter"], first, unit)
        else:
            longer, shorter = sorted((first, second), key=float, reverse=True)
            yield measured(CODES["long axis"], longer, unit)
            yield measured(CODES["short axis"], shorter, unit)
