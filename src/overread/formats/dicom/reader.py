"""DICOM structured reports as the text a person would read."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from msgspec.structs import replace

from overread.errors import BadInput
from overread.extras import require
from overread.formats.annotated import AnnotatedReport
from overread.sources.days import day_counter, moment_of
from overread.sources.encoding import bad, readable, reading

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
    pydicom = require("pydicom", "dicom")
    try:
        with catch_warnings():
            simplefilter("ignore")  # pydicom's warnings quote the values they are about
            with reading(path):
                found = ContentItem(pydicom.dcmread(path, stop_before_pixels=True))
            return content_of(path, found)
    except pydicom.errors.InvalidDicomError:
        raise bad(path, "byte 128", "not a DICOM file: the mark DICM is missing.") from None
    except BadInput:
        raise
    except RecursionError:
        raise bad(path, "", "its content nests deeper than any report; it is damaged.") from None
    except Exception as error:  # pydicom raises whatever the damaged value raised
        raise bad(path, "", f"damaged DICOM ({type(error).__name__}); export it again.") from None


def content_of(path: Path, found: "ContentItem") -> AnnotatedReport:
    kind = str(found.dataset.get("SOPClassUID", ""))
    if kind not in SR_CLASSES:
        told = f"not a structured report ({kind[:64] or 'no SOP class'})"
        raise bad(path, "(0008,0016)", f"{told}; give {', '.join(SR_CLASSES.values())}.")
    ours = found.text("ManufacturerModelName") == MANUFACTURER
    lines = [line for line in Walk(path, ours).container(found, (), titled=False) if line]
    text = "\n".join(lines).strip("\n")
    if not text:
        raise bad(path, "(0040,A730)", "the content tree holds no text.")
    id = found.text("SOPInstanceUID") or path.stem
    date = iso(found.text("StudyDate") or found.text("ContentDate"), found.text("StudyTime"))
    return AnnotatedReport(id, text, found.text("PatientID"), found.text("StudyInstanceUID"), None, date)


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


class ContentItem:
    """A content item, or the document itself, asked for its parts; private elements are never asked for."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset

    def text(self, field: str) -> str | None:
        return str(self.dataset.get(field, "") or "").strip("\x00 ") or None

    def items(self, field: str = "ContentSequence") -> "list[ContentItem]":
        return [ContentItem(one) for one in self.dataset.get(field, None) or ()]

    def first(self, field: str) -> "ContentItem":
        """The first item of a sequence; an empty one where there is none."""
        return next(iter(self.items(field)), ContentItem({}))

    def is_reference(self) -> bool:
        """Does it only point at another item of the document (by-reference, legal in Comprehensive SR)?"""
        return "ReferencedContentItemIdentifier" in self.dataset

    def is_context(self) -> bool:
        return self.text("RelationshipType") in CONTEXT

    def is_a(self, kind: str) -> bool:
        return self.text("ValueType") == kind

    def name(self) -> str | None:
        return self.first("ConceptNameCodeSequence").text("CodeMeaning")

    def name_code(self) -> str | None:
        named = self.first("ConceptNameCodeSequence")
        return named.text("CodeValue") or named.text("LongCodeValue")

    def coded(self) -> str:
        return self.first("ConceptCodeSequence").text("CodeMeaning") or ""

    def measured(self) -> str:
        number = self.first("MeasuredValueSequence")
        short = number.first("MeasurementUnitsCodeSequence").text("CodeValue") or ""
        return f"{number.text('NumericValue') or ''} {short if short != '1' else ''}".strip()

    def written(self) -> str:
        """Its text, with plain line ends."""
        return (self.text("TextValue") or "").replace("\r\n", "\n").replace("\r", "\n")

    def value(self) -> str:
        """What it says, without its name; images, references and coordinates say nothing."""
        if self.is_a("TEXT"):
            return self.written()
        return self.with_place() if self.is_a("CODE") else self.measured() if self.is_a("NUM") else ""

    def with_place(self) -> str:
        """A coded value with its modifiers before it, `left lung`, and the site of a finding: `Nodule, left lung`."""
        inside = [one for one in self.items() if one.is_a("CODE")]
        sides = [one.coded() for one in inside if one.name_code() in SIDE_CODES]
        sites = [one.with_place() for one in inside if one.name_code() in SITE]
        told = lower(self.coded()) if any(sides) else self.coded()
        return ", ".join([" ".join([*map(lower, filter(None, sides)), told]), *map(lower, sites)])

    def quality(self) -> str:
        """`mild`; named where the value alone would not say of what."""
        called = (self.name() or "").lower()
        bare = any(word in called for word in ("severity", "presence", "assertion", "status", "certainty"))
        return self.coded() if bare or not called else f"{called} {self.coded().lower()}"


class Walk:
    """The content tree, depth first."""

    def __init__(self, path: Path, ours: bool = False) -> None:
        self.path = path
        self.ours = ours
        """Did overread write it? Its text is there whole, and the groups say it once more."""

    def container(
        self, item: ContentItem, place: tuple[int, ...], titled: bool = True, running: bool = False
    ) -> Iterator[str]:
        """A heading and what stands under it; the document's own title is no heading."""
        if len(place) > DEEPEST:
            raise RecursionError
        running = running or item.text("ContinuityOfContent") == "CONTINUOUS"  # parts of one text
        inside = [
            line for n, one in enumerate(item.items(), 1) for line in self.item(one, (*place, n), running)
        ]
        if running and inside:
            inside = [" ".join(inside)]
        heading = item.name()
        if titled and heading and inside:
            yield f"{heading.upper()}:"
        yield from inside

    def item(self, item: ContentItem, place: tuple[int, ...], running: bool) -> Iterator[str]:
        if item.is_context() or item.is_reference():
            return
        if item.text("ValueType") is None:
            where = f"content item {'.'.join(map(str, place))}"
            raise bad(self.path, where, "it has no value type (0040,A040).")
        if item.is_a("CONTAINER"):
            if item.name_code() == GROUP:
                yield from () if self.ours else group_sentence(item)
            else:
                yield from self.container(item, place, titled=item.name_code() != GROUPS)
            return
        told, heading = item.value(), item.name()
        if told and not running and not item.is_a("TEXT"):
            told = f"{heading}: {told}." if heading else f"{told}."
        if told:
            yield told
        yield from self.container(item, place, titled=False, running=running)


def group_sentence(item: ContentItem) -> Iterator[str]:
    """A Measurement Group (TID 1411, 1501) as one sentence: what, where, how large, how.

    What somebody wrote in words follows as it is.
    """
    placing = (*SITE, *SIDE_CODES)  # the site is a concept modifier there
    items = [one for one in item.items() if not one.is_reference()]
    stated = [one for one in items if not one.is_context() or one.name_code() in placing]
    codes = [one for one in stated if one.is_a("CODE")]
    what = [one.with_place() for one in codes if one.name_code() == FINDING]
    sites = [one.with_place() for one in codes if one.name_code() in SITE]
    sites += [lower(one.coded()) for one in codes if one.name_code() in SIDE_CODES]
    numbers = [one for one in stated if one.is_a("NUM") and one.measured()]
    sizes = [f"{(one.name() or '').lower()} {one.measured()}".strip() for one in numbers]
    qualities = [one.quality() for one in codes if one.name_code() not in (FINDING, CATEGORY, *placing)]
    denied = any(one.lower() in DENYING_CODES for one in qualities)
    unsaid = (*DENYING_CODES, "present", "yes", "positive")
    rest = [lower(one) for one in qualities if one.lower() not in unsaid]
    sentence = ", ".join(filter(None, ["; ".join(filter(None, what)), *map(lower, sites), *sizes, *rest]))
    if sentence:
        yield f"No {lower(sentence)}." if denied else f"{sentence}."
    yield from filter(None, (one.written() for one in stated))


def lower(words: str) -> str:
    """As in the middle of a sentence; abbreviations stay.

    >>> lower("Left lung"), lower("LAD artery")
    ('left lung', 'LAD artery')
    """
    return words[:1].lower() + words[1:] if words[1:2].islower() else words
