"""OMOP CDM 5.4: a NOTE_NLP table, alone as CSV or Parquet, or with its NOTE table in a folder.

NOTE is read as any table (`sources.layouts`).
"""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, cast

from overread.errors import BadInput
from overread.formats.annotated import AnnotatedReport, Mark, assertion
from overread.formats.codes import Codes, read_codes, shipped_table
from overread.formats.table import CellsByColumn, Column, Take, rows_into
from overread.formats.writing import opened_whole, whole_folder
from overread.version import __version__

LARGEST_ID = 2**31 - 1
NLP_SYSTEM = f"overread {__version__}"
EXISTS = ("present", "abnormal", "normal", "past")
"""Assertions of which OHDSI would say that the term exists for the patient; of normal lungs the term is lungs."""


def columns_of(table: str) -> tuple[Column, ...]:
    """Name, kind and longest text of each column of the CDM's table, as `omop_columns.tsv` has them."""
    return tuple(
        Column(row["name"], cast(Any, row["kind"]), int(row["length"] or 0) or None, bool(row["required"]))
        for row in shipped_table("omop_columns.tsv")
        if row["table"] == table
    )


NOTE_NLP, NOTE = columns_of("NOTE_NLP"), columns_of("NOTE")


def write(
    reports: Iterable[AnnotatedReport],
    output: Path,
    codes: Path | None = None,
    first_date: str = "1970-01-01",
    when: datetime | None = None,
) -> None:
    """NOTE_NLP for `.csv` and `.parquet`, whose notes you have; a folder with NOTE too for any other name.

    `first_date` is what day 0 becomes where a report has a day but no date: NOTE must have one.
    """
    try:
        start = datetime.combine(date.fromisoformat(first_date), time())
    except ValueError:
        raise BadInput(f"--first-date {first_date!r} is not a date like 2020-01-31.") from None
    fill = partial(
        fill_tables, reports, read_codes(codes), start, when or datetime.now().replace(microsecond=0)
    )
    if output.suffix.lower() in (".csv", ".parquet"):
        with opened_whole(output) as file, rows_into(file, output.suffix.lower(), NOTE_NLP) as take:
            fill(take, None)
        return
    with (
        whole_folder(output) as folder,
        (folder / "NOTE_NLP.csv").open("wb") as nlp,
        (folder / "NOTE.csv").open("wb") as note,
        rows_into(nlp, ".csv", NOTE_NLP) as take,
        rows_into(note, ".csv", NOTE) as take_note,
    ):
        fill(take, take_note)


def fill_tables(
    reports: Iterable[AnnotatedReport],
    codes: Codes,
    start: datetime,
    when: datetime,
    take: Take,
    take_note: Take | None,
) -> None:
    """Rows for findings and reports, numbered as the CDM wants them."""
    notes, persons, ids = Numbers(), Numbers(), count(1)
    for report in reports:
        note_id = notes.of(report.id)
        for mark in report.marks or ():
            take(nlp_row(report, mark, note_id, next(ids), codes, when))
        if take_note is None:
            continue
        moment = moment_in(report, start)
        row: CellsByColumn = {
            "note_id": note_id,
            "person_id": persons.of(report.patient) if report.patient else 0,
            "note_date": moment.date(),
            "note_datetime": moment,
            "note_type_concept_id": 0,
            "note_class_concept_id": codes.concept_ids("report")[0],
            "note_title": "Diagnostic imaging report",
            "note_text": report.text or " ",
            "encoding_concept_id": 0,
            "language_concept_id": 0,
            "note_source_value": report.id,
        }
        take_note(fitted(row, NOTE))


def moment_in(report: AnnotatedReport, start: datetime) -> datetime:
    """When it was, by its date or else its day."""
    if when := report.moment():
        return when.replace(tzinfo=None)
    try:
        return start + timedelta(days=report.day or 0)
    except OverflowError:
        raise BadInput(f"Report {report.id!r} lies on a day no calendar has.") from None


class Numbers:
    """Ids as the whole numbers OMOP has: those that are numbers as they are, others by the order they come in."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.taken: set[int] = set()
        self.free = count(1)

    def of(self, id: str) -> int:
        if id not in self.known:
            own = is_number(id) and int(id) not in self.taken
            self.known[id] = int(id) if own else next(n for n in self.free if n not in self.taken)
            self.taken.add(self.known[id])
        return self.known[id]


def is_number(id: str) -> bool:
    """
    >>> is_number("17"), is_number("017"), is_number("s17"), is_number("99999999999")
    (True, False, False, False)
    """
    return id.isascii() and id.isdecimal() and str(int(id[:11])) == id and int(id) <= LARGEST_ID


def nlp_row(
    report: AnnotatedReport, mark: Mark, note_id: int, id: int, codes: Codes, when: datetime
) -> CellsByColumn:
    """A finding; its words are those from the offset on, of a split phrase also what stands between its parts."""
    standard, source = codes.concept_ids(codes.name_of(mark))
    start, end = min(span.start for span in mark.spans), max(span.end for span in mark.spans)
    return fitted(
        {
            "note_nlp_id": id,
            "note_id": note_id,
            "section_concept_id": codes.concept_ids(f"section:{mark.section}")[0],
            "snippet": snippet(report.text, mark),
            "offset": str(start),
            "lexical_variant": report.text[start:end] or "finding",
            "note_nlp_concept_id": standard,
            "note_nlp_source_concept_id": source,
            "nlp_system": NLP_SYSTEM,
            "nlp_date": when.date(),
            "nlp_datetime": when,
            "term_exists": "Y" if assertion(mark) in EXISTS else "N",
            "term_temporal": "Past" if any(d.relation == "past_hx" for d in mark.details) else "Present",
            "term_modifiers": modifiers(mark),
        },
        NOTE_NLP,
    )


def snippet(text: str, mark: Mark) -> str:
    """The sentence on one line; of a long one the part around the finding."""
    words = " ".join(mark.sentence.of(text).split())
    if len(words) <= 250:
        return words
    around = text[max(mark.sentence.start, mark.spans[0].start - 100) : mark.sentence.end]
    return " ".join(around.split())


def modifiers(mark: Mark) -> str:
    """Name=value pairs; a value has neither comma nor equals sign, so that the cell can be split again."""
    pairs = [
        ("assertion", assertion(mark)), ("concept", mark.concept),
        ("negated", "true" if assertion(mark) in ("absent", "unlikely") else None),
        ("certainty", mark.certainty), ("level", mark.level), ("side", mark.side), ("category", mark.category),
        ("section", mark.section), *((detail.relation, detail.text) for detail in mark.details),
    ]  # fmt: skip
    plain = str.maketrans(",=", ";:")
    return ",".join(f"{name}={' '.join(value.translate(plain).split())}" for name, value in pairs if value)


def fitted(row: CellsByColumn, columns: tuple[Column, ...]) -> CellsByColumn:
    """Every column in order, text cut to its length, with an ellipsis where it was."""
    out: CellsByColumn = {}
    for column in columns:
        value = row.get(column.name)
        if isinstance(value, str) and column.length is not None and len(value) > column.length:
            value = value[: column.length - 1] + "…" if column.length > 1 else value[:1]
        out[column.name] = value
    return out
