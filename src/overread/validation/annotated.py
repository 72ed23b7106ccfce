"""Files of annotated reports, JSON lines with errors that name the line; the text of each: given, put together, or apart."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.report import SECTION_NAMES, Report, SectionName, from_sections, parse
from overread.sources.encoding import reading


class Sentence(Struct, frozen=True):
    """A sentence of a report."""

    text: str
    i: int | None = None
    section: str = "findings"


class AnnotatedReport(Struct, frozen=True, kw_only=True):
    """A line of a gold file; the annotations are fields of the classes below this one."""

    id: str
    text: str | None = None
    sentences: tuple[Sentence, ...] = ()

    def report(self) -> Report:
        """What the reader is given."""
        return report_from(self.id, self.text, self.sentences)


A = TypeVar("A", bound=AnnotatedReport)


def with_texts(gold: Mapping[str, A], reports: Iterable[Report]) -> dict[str, A]:
    """The gold with the texts of its reports, joined by id."""
    texts = {report.id: report.text for report in reports}
    return {id: replace(one, text=texts.get(id, one.text)) for id, one in gold.items()}


def report_from(id: str, text: str | None, sentences: Sequence[Sentence]) -> Report:
    """The report of that text, else of those sentences.

    >>> report_from("r1", None, [Sentence("Clear lungs."), Sentence("Normal.", section="impression")]).text
    'FINDINGS: Clear lungs.\\n\\nIMPRESSION: Normal.'
    """
    if text is not None:
        return parse(text, id)
    if not sentences:
        raise BadInput(
            f"Report {id!r} has no text to read: give --reports, --views, or text or sentences in the gold file."
        )
    columns: dict[SectionName, str] = {}
    for sentence in sentences:
        name = next((known for known in SECTION_NAMES if known == sentence.section), None)
        if name is None:
            raise BadInput(f"Report {id!r} has a sentence in a section that does not exist.")
        columns[name] = f"{columns.get(name, '')} {sentence.text}".strip()
    return from_sections(columns, id)


class Identified(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T")
One = TypeVar("One", bound=Identified)


def load_lines(path: Path, kind: type[T], called: tuple[str, str], needs: str) -> list[T]:
    """Every line as one `kind`; `called` names the file's content, and one of it; `needs` what a line must hold."""
    many, one = called
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadInput(f"Cannot read the {many} {path}: {error.strerror}.") from error
    found = [
        decoded(line, kind, f"{path.name}, line {n}", needs)
        for n, line in enumerate(lines, 1)
        if line.strip()
    ]
    if not found:
        raise BadInput(f"{path.name} holds no {one}; write one JSON line each.")
    return found


def decoded(line: bytes, kind: type[T], place: str, needs: str) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise BadInput(f"{place}: {error}. A line needs {needs}.") from error


def lines_by_id(path: Path, kind: type[One], shape: str) -> dict[str, One]:
    """One `kind` a line, each id once; errors name the line and never quote it, for it holds report text."""
    with reading(path):
        content = path.read_bytes().splitlines()
    found: dict[str, One] = {}
    for number, line in enumerate(content, 1):
        if not line.strip():
            continue
        one = unquoted(line, kind, f"{path}, line {number}", shape)
        if one.id in found:
            raise BadInput(
                f"{path}, line {number}: report {one.id!r} stands twice; keep one line per report."
            )
        found[one.id] = one
    if not found:
        raise BadInput(f"{path} holds no line. Give one annotated report a line.")
    return found


def unquoted(line: bytes, kind: type[T], place: str, shape: str) -> T:
    """The line decoded; what is wrong is told by its path in the line, not by its words."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        where = str(error).rsplit(" - at ", 1)[-1] if " - at " in str(error) else "the line"
        raise BadInput(f"{place}: {where} {shape}") from None
