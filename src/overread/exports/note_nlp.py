"""A finding as a row of NOTE_NLP: what was said, where, whether the patient has it, now or before, and how."""

from datetime import datetime

from overread.exports.assertion import assertion
from overread.exports.codes import Codes
from overread.exports.omop_tables import NOTE_NLP, Row, fitted
from overread.sources.annotated import AnnotatedReport, Mark
from overread.version import __version__

SYSTEM = f"overread {__version__}"
PAST = ("past_hx",)
EXISTS = ("present", "abnormal", "normal", "past")
"""Assertions of which OHDSI would say that the term exists for the patient; of normal lungs the term is lungs."""


def rows(report: AnnotatedReport, note_id: int, first: int, codes: Codes, when: datetime) -> list[Row]:
    """The findings of one report, numbered from `first`."""
    return [row(report, mark, note_id, first + n, codes, when) for n, mark in enumerate(report.marks or ())]


def row(report: AnnotatedReport, mark: Mark, note_id: int, id: int, codes: Codes, when: datetime) -> Row:
    standard, source = codes.concept_ids(codes.name_of(mark))
    return fitted(
        {
            "note_nlp_id": id,
            "note_id": note_id,
            "section_concept_id": codes.concept_ids(f"section:{mark.section}")[0],
            "snippet": snippet(report.text, mark),
            "offset": str(min(span.start for span in mark.spans)),
            "lexical_variant": variant(report.text, mark),
            "note_nlp_concept_id": standard,
            "note_nlp_source_concept_id": source,
            "nlp_system": SYSTEM,
            "nlp_date": when.date(),
            "nlp_datetime": when,
            "term_exists": "Y" if assertion(mark) in EXISTS else "N",
            "term_temporal": temporal(mark),
            "term_modifiers": modifiers(mark),
        },
        NOTE_NLP,
    )


def variant(text: str, mark: Mark) -> str:
    """The words from the offset on, as they stand there; a split phrase with what stands between its parts.

    >>> from overread.report.span import Span
    >>> variant("cardiac and mediastinal contours", Mark("a", "cardiac contours", (Span(0, 7), Span(24, 32))))
    'cardiac and mediastinal contours'
    """
    start, end = min(span.start for span in mark.spans), max(span.end for span in mark.spans)
    return text[start:end] or "finding"


def snippet(text: str, mark: Mark) -> str:
    """The sentence on one line; of a long one the part around the finding."""
    words = " ".join(mark.sentence.of(text).split())
    if len(words) <= 250:
        return words
    around = text[max(mark.sentence.start, mark.spans[0].start - 100) : mark.sentence.end]
    return " ".join(around.split())


def temporal(mark: Mark) -> str:
    return "Past" if any(detail.relation in PAST for detail in mark.details) else "Present"


def modifiers(mark: Mark) -> str:
    """Name=value pairs; a value has neither comma nor equals sign, so that the cell can be split again."""
    pairs = [
        ("assertion", assertion(mark)), ("concept", mark.concept),
        ("negated", "true" if assertion(mark) in ("absent", "unlikely") else None),
        ("certainty", mark.certainty), ("level", mark.level), ("side", mark.side), ("category", mark.category),
        ("section", mark.section), *((detail.relation, detail.text) for detail in mark.details),
    ]  # fmt: skip
    return ",".join(f"{name}={plain(value)}" for name, value in pairs if value)


def plain(value: str) -> str:
    return " ".join(value.replace(",", ";").replace("=", ":").split())
