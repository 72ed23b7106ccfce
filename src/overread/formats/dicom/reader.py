"""DICOM structured reports as the text a person would read."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from msgspec.structs import replace

from overread.errors import BadInput, MissingExtra
from overread.extras import require
from overread.formats.annotated import AnnotatedReport
from overread.formats.damage import bad, readable
from overread.sources.days import day_counter, moment_of
from overread.sources.encoding import reading

SR_CLASSES = {
    "1.2.840.10008.5.1.4.1.1.88.11": "Basic Text SR",
    "1.2.840.10008.5.1.4.1.1.88.22": "Enhanced SR",
    "1.2.840.10008.5.1.4.1.1.88.33": "Comprehensive SR",
    "1.2.840.10008.5.1.4.1.1.88.34": "Comprehensive 3D SR",
    "1.2.840.10008.5.1.4.1.1.88.35": "Extensible SR",
}
CONTEXT = ("HAS OBS CONTEXT", "HAS CONCEPT MOD", "HAS ACQ CONTEXT")
"""Relations that say who observed and in which language, not what was seen."""

DENYING_CODES = ("absent", "no", "negative")
DEEPEST = 50
MANUFACTURER = "overread"
GROUP, GROUPS, FINDING, CATEGORY = "125007", "126010", "121071", "276214006"
SITE = ("363698007", "G-C0E3")
SIDE_CODES = ("272741003", "G-C171")
"""Codes of TID 1500 as they are now and as they were before SNOMED CT replaced SRT."""


def read(path: Path) -> Iterator[AnnotatedReport]:
    """A report per file, in the order of their names; days are reckoned from each patient's first date."""
    files = sorted(path.rglob("*.dcm")) if path.is_dir() else [path]
    day_of = day_counter(dated_documents(files) if len(files) > 1 else ())

    def dated_report(file: Path) -> AnnotatedReport:
        found = read_document(file)
        return replace(found, day=day_of(found.patient, moment_of(found.date)))

    return readable(files, dated_report)


def dated_documents(files: list[Path]) -> Iterator[tuple[str, datetime]]:
    for file in files:
        try:
            found = read_document(file)
        except BadInput:
            continue  # named when it is read
        when = moment_of(found.date)
        if found.patient and when:
            yield found.patient, when


def read_document(path: Path) -> AnnotatedReport:
    """The document's text under its headings, patient, study and date."""
    try:
        with catch_warnings():
            simplefilter("ignore")  # pydicom's warnings quote the values they are about
            return content_of(path, dataset(path))
    except (BadInput, MissingExtra):
        raise
    except RecursionError:
        raise bad(path, "", "its content nests deeper than any report; it is damaged.") from None
    except Exception as error:  # pydicom raises whatever the damaged value raised
        raise bad(path, "", f"damaged DICOM ({type(error).__name__}); export it again.") from None


def dataset(path: Path) -> Any:
    pydicom = require("pydicom", "dicom")
    with reading(path):
        try:
            return pydicom.dcmread(path, stop_before_pixels=True)
        except pydicom.errors.InvalidDicomError:
            raise bad(path, "byte 128", "not a DICOM file: the mark DICM is missing.") from None


def content_of(path: Path, found: Any) -> AnnotatedReport:
    kind = str(found.get("SOPClassUID", ""))
    if kind not in SR_CLASSES:
        told = (
            f"not a structured report ({kind[:64] or 'no SOP class'}); give {', '.join(SR_CLASSES.values())}."
        )
        raise bad(path, "(0008,0016)", told)
    ours = attribute_text(found, "ManufacturerModelName") == MANUFACTURER
    lines = [line for line in Walk(path, ours).container(found, (), titled=False) if line]
    text = "\n".join(lines).strip("\n")
    if not text:
        raise bad(path, "(0040,A730)", "the content tree holds no text.")
    id = attribute_text(found, "SOPInstanceUID") or path.stem
    day = attribute_text(found, "StudyDate") or attribute_text(found, "ContentDate")
    patient, study = attribute_text(found, "PatientID"), attribute_text(found, "StudyInstanceUID")
    return AnnotatedReport(id, text, patient, study, None, iso(day, attribute_text(found, "StudyTime")))


def attribute_text(found: Any, name: str) -> str | None:
    return str(found.get(name, "") or "").strip("\x00 ") or None


def iso(day: str | None, time: str | None) -> str | None:
    """
    >>> iso("20240531", "142530.5"), iso("20240531", None), iso("n/a", None)
    ('2024-05-31T14:25:30', '2024-05-31', None)
    """
    if not day or len(day) != 8 or not day.isdecimal():
        return None
    date = f"{day[:4]}-{day[4:6]}-{day[6:]}"
    exact = bool(time) and len(str(time)) >= 6 and str(time)[:6].isdecimal()
    return f"{date}T{str(time)[:2]}:{str(time)[2:4]}:{str(time)[4:6]}" if exact else date


class Walk:
    """The content tree, depth first; private elements are never asked for."""

    def __init__(self, path: Path, ours: bool = False) -> None:
        self.path = path
        self.ours = ours
        """Did overread write it? Its text is there whole, and the groups say it once more."""

    def container(
        self, item: Any, place: tuple[int, ...], titled: bool = True, running: bool = False
    ) -> Iterator[str]:
        """A heading and what stands under it; the document's own title is no heading."""
        if len(place) > DEEPEST:
            raise RecursionError
        running = running or attribute_text(item, "ContinuityOfContent") == "CONTINUOUS"  # parts of one text
        inside = [
            line
            for n, one in enumerate(item.get("ContentSequence", None) or (), 1)
            for line in self.item(one, (*place, n), running)
        ]
        if running and inside:
            inside = [" ".join(inside)]
        heading = name(item)
        if titled and heading and inside:
            yield f"{heading.upper()}:"
        yield from inside

    def item(self, item: Any, place: tuple[int, ...], running: bool = False) -> Iterator[str]:
        kind, relation = attribute_text(item, "ValueType"), attribute_text(item, "RelationshipType")
        if relation in CONTEXT or is_reference(item):
            return
        if kind is None:
            raise bad(
                self.path, f"content item {'.'.join(map(str, place))}", "it has no value type (0040,A040)."
            )
        if kind == "CONTAINER":
            if name_code(item) == GROUP:
                yield from () if self.ours else group_sentence(item)
            else:
                yield from self.container(item, place, titled=name_code(item) != GROUPS)
            return
        told = value_of(kind, item) if running else told_in_words(kind, item)
        if told:
            yield told
        yield from self.container(item, place, titled=False, running=running)


def is_reference(item: Any) -> bool:
    """An item that only points at another of the document (by-reference, legal in Comprehensive SR)."""
    return "ReferencedContentItemIdentifier" in item


def group_sentence(item: Any) -> Iterator[str]:
    """A Measurement Group (TID 1411, 1501) as one sentence: what, where, how large, how.

    What somebody wrote in words follows as it is.
    """
    items = [one for one in item.get("ContentSequence", None) or () if not is_reference(one)]
    placing = (*SITE, *SIDE_CODES)  # the site is a concept modifier there
    stated = [
        one
        for one in items
        if attribute_text(one, "RelationshipType") not in CONTEXT or name_code(one) in placing
    ]
    codes = [one for one in stated if attribute_text(one, "ValueType") == "CODE"]
    what = [with_place(one) for one in codes if name_code(one) == FINDING]
    sites = [with_place(one) for one in codes if name_code(one) in SITE]
    numbers = [one for one in stated if attribute_text(one, "ValueType") == "NUM"]
    sizes = [
        f"{(name(one) or '').lower()} {measured_value(one)}".strip() for one in numbers if measured_value(one)
    ]
    sites += [lower(code(one, "ConceptCodeSequence") or "") for one in codes if name_code(one) in SIDE_CODES]
    known = [one for one in codes if name_code(one) not in (FINDING, CATEGORY, *SITE, *SIDE_CODES)]
    qualities = [quality(one) for one in known]
    denied = any(one.lower() in DENYING_CODES for one in qualities)
    rest = [
        lower(one) for one in qualities if one.lower() not in (*DENYING_CODES, "present", "yes", "positive")
    ]
    sentence = ", ".join(filter(None, ["; ".join(filter(None, what)), *map(lower, sites), *sizes, *rest]))
    if sentence:
        yield f"No {lower(sentence)}." if denied else f"{sentence}."
    yield from filter(None, (plain_line_ends(attribute_text(one, "TextValue")) for one in stated))


def quality(item: Any) -> str:
    """`mild`; named where the value alone would not say of what."""
    told = code(item, "ConceptCodeSequence") or ""
    called = (name(item) or "").lower()
    bare = any(word in called for word in ("severity", "presence", "assertion", "status", "certainty"))
    return told if bare or not called else f"{called} {told.lower()}"


def lower(words: str) -> str:
    """As in the middle of a sentence; abbreviations stay.

    >>> lower("Left lung"), lower("LAD artery")
    ('left lung', 'LAD artery')
    """
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def with_place(item: Any) -> str:
    """A coded value with its modifiers before it: `left lung`, and with the site of a finding: `Nodule, left lung`."""
    inside = [
        one for one in item.get("ContentSequence", None) or () if attribute_text(one, "ValueType") == "CODE"
    ]
    sides = [code(one, "ConceptCodeSequence") or "" for one in inside if name_code(one) in SIDE_CODES]
    sites = [with_place(one) for one in inside if name_code(one) in SITE]
    told = code(item, "ConceptCodeSequence") or ""
    words = " ".join([*map(lower, filter(None, sides)), lower(told) if any(sides) else told])
    return ", ".join([words, *map(lower, sites)])


def told_in_words(kind: str, item: Any) -> str | None:
    """One content item in words; images, references and coordinates say nothing."""
    if kind == "TEXT":
        return value_of(kind, item)
    told, heading = value_of(kind, item), name(item)
    return f"{heading}: {told}." if told and heading else f"{told}." if told else None


def value_of(kind: str, item: Any) -> str | None:
    """What an item says, without its name."""
    if kind == "TEXT":
        return plain_line_ends(attribute_text(item, "TextValue"))
    if kind == "CODE":
        return with_place(item) or None
    return measured_value(item) if kind == "NUM" else None


def plain_line_ends(text: str | None) -> str | None:
    return text.replace("\r\n", "\n").replace("\r", "\n") if text else None


def name(item: Any) -> str | None:
    return code(item, "ConceptNameCodeSequence")


def name_code(item: Any) -> str | None:
    named = first(item, "ConceptNameCodeSequence")
    return attribute_text(named, "CodeValue") or attribute_text(named, "LongCodeValue")


def code(item: Any, field: str) -> str | None:
    return attribute_text(first(item, field), "CodeMeaning")


def measured_value(item: Any) -> str | None:
    number = first(item, "MeasuredValueSequence")
    short = attribute_text(first(number, "MeasurementUnitsCodeSequence"), "CodeValue") or ""
    return f"{attribute_text(number, 'NumericValue') or ''} {short if short != '1' else ''}".strip() or None


def first(item: Any, field: str) -> Any:
    """The first item of a sequence; an empty one where there is none."""
    return next(iter(item.get(field, None) or ()), {})
