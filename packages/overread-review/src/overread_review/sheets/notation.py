"""Notation: the annotation of a report of the corpus, each sentence in the lines that the corpus is written in."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from overread.corpus.notation import parse_notation
from overread.corpus.records import ATTRIBUTES, KINDS, LINKS, lay_out
from overread.corpus.writing import annotated_sentences, rewritten, troubles
from overread_review.sheets.sheet import Complaint, Content, Field, Kind, Line, Row, Sheet, one_report


def letters(names: dict[str, str]) -> str:
    return ", ".join(f"{one}={name.replace('_', ' ')}" for one, name in names.items())


LEGEND = f"""- words +       present or abnormal; +? hedged
- words -       absent or normal; -? hedged
/- words +      an alternative to the mention above, accepted too
^tag ; noc=…    the sentence only points back: what it adds to #tag
~ kind          no mention, and why: {", ".join(sorted(KINDS))}

Behind + or -: #tag for links to the mention, and its category unless it is a perceptual finding: \
@C diagnosis inferred, @O device or procedure, @L laboratory or vital sign, @N known from another modality, \
@I symptom or history, @P perceptual finding in the indication.

Then, each behind " ; ": {letters(ATTRIBUTES)}; links to tags: {letters(LINKS)}.

Values are quoted from the sentence, several with | between them. words~2 is their second occurrence, \
right .. lobe a quotation with a hole."""

SENTENCE = Kind(
    "sentence",
    "Sentence",
    (
        Field("sentence", "Sentence", "fixed", compared="none"),
        Field("lines", "Annotation", "lines", help=LEGEND),
    ),
    title="sentence",
    reject=False,
)


def rows(content: Content, suggestion: Line) -> list[Row]:
    """One row per sentence; layout lines have none."""
    [report], _ = parse_notation(content["notation"], "")
    starts = [at for at, one in zip(lay_out(report).starts, report.sentences, strict=True) if one.section]
    told = [one for one in report.sentences if one.section]
    heads = [head for head, _ in annotated_sentences(content["notation"])]
    given = suggestion.get("annotations") or [""] * len(heads)
    return [
        Row(
            f"s{n}", SENTENCE.name, values={"sentence": head, "lines": lines},
            spans={"sentence": [(0, at, at + len(one.text))]},
        )
        for n, (head, lines, at, one) in enumerate(zip(heads, given, starts, told, strict=True), 1)
    ]  # fmt: skip


def given(content: Content, rows: Sequence[Row]) -> list[str]:
    """The annotation of each sentence, in the order of the report."""
    lines = {row.id: row.text("lines") for row in rows}
    return [lines.get(f"s{n}", "") for n, _ in enumerate(annotated_sentences(content["notation"]), 1)]


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """The report in notation, and the file it belongs in."""
    file = PurePosixPath(content["file"])
    if file.is_absolute() or ".." in file.parts or not file.name or {"\\", ":"} & set(content["file"]):
        raise ValueError("a notation file lies in the folder of its slice")
    notation = rewritten(content["notation"], given(content, rows))
    return {"id": content["id"], "file": content["file"], "notation": notation}


def complaints(content: Content, rows: Sequence[Row]) -> list[Complaint]:
    """What `overread corpus check` would say of the report as it stands."""
    found = troubles(content["notation"], given(content, rows))
    return [Complaint(f"s{one.sentence + 1}", one.line, one.problem) for one in found]


SHEET = Sheet("notation", (SENTENCE,), rows, line, one_report, complaints=complaints)
