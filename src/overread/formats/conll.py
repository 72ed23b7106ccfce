"""CoNLL: a token a line, blank lines between sentences.

What overread writes has the columns FORM START END TAG STATUS MARKS and comment lines that hold the report, the
findings and the links. Other files are read as they usually are: the token first, its BIO tag last.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import quote, unquote

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from overread.errors import BadInput
from overread.formats.annotated import AnnotatedReport, WhoseText, assertion, sentences
from overread.formats.pieces import (
    FINDING,
    HAS,
    Carried,
    Link,
    Piece,
    clip,
    put_together,
    taken_apart,
    tokens,
)
from overread.formats.writing import opened_whole
from overread.report.span import Span
from overread.sources.encoding import bad, json_of, text_of

TOKEN_CELLS = ("FORM", "START", "END", "TAG", "STATUS", "MARKS")
HEADER = f"# global.columns = {' '.join(TOKEN_CELLS)}"
DOCUMENT = "-DOCSTART-"
SAFE = ".:_-"
"""Signs in an id that do not part the cell."""


class MarkComment(Struct, frozen=True, omit_defaults=True):
    """The comment about one mark."""

    key: str
    facts: dict[str, str] = field(default_factory=dict)
    carried: Carried | None = None


def read(path: Path) -> Iterator[AnnotatedReport]:
    """The reports of a file, ours or a stranger's."""
    lines = [line.removesuffix("\r") for line in text_of(path, None).split("\n")]
    if lines and lines[0] == HEADER:
        yield from ours(path, lines)
    else:
        yield from plain_documents(path, lines)


def ours(path: Path, lines: list[str]) -> Iterator[AnnotatedReport]:
    current: ReportLines | None = None
    for number, line in enumerate(lines, 1):
        if line.startswith("# report = "):
            if current is not None:
                yield current.report()
            current = ReportLines(path, number, line[11:])
        elif number > 1 and line.strip():
            if current is None:
                raise bad(path, f"line {number}", "a report begins with a line `# report = {…}`.")
            current.take(line, partial(bad, path, f"line {number}"), number)
    if current is not None:
        yield current.report()


class ReportLines:
    """The lines of one report."""

    def __init__(self, path: Path, line: int, head: str) -> None:
        self.path, self.line = path, line
        self.head = json_of(head, WhoseText, path, f"line {line}")
        self.spans: dict[str, dict[int, Span]] = {}
        self.labels: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.about: dict[str, MarkComment] = {}
        self.links: list[Link] = []

    def wrong(self, key: str, problem: str) -> BadInput:
        return bad(self.path, f"line {self.lines.get(key, self.line)} ({key})", f"{problem}.")

    def take(self, line: str, here: Callable[[str], BadInput], number: int) -> None:
        if line.startswith("# mark = "):
            about = json_of(line[9:], MarkComment, self.path, f"line {number}")
            self.about[about.key] = about
        elif line.startswith("# link = "):
            self.links.append(Link(*json_of(line[9:], tuple[str, str, str], self.path, f"line {number}")))
        elif not line.startswith("# "):
            cells = line.split("\t")
            numbers = cells[1] + cells[2] if len(cells) == len(TOKEN_CELLS) else ""
            if not numbers.isdecimal() or len(numbers) > 24:
                raise here(f"a token needs {len(TOKEN_CELLS)} cells: {', '.join(TOKEN_CELLS)}.")
            span = Span(int(cells[1] or 0), int(cells[2] or 0))
            if span.of(self.head.text) != cells[0]:
                raise here("the token is not what the text has at its offsets.")
            for item in cells[5].split("|") if cells[5] != "_" else ():
                self.lines.setdefault(self.item(item, span, here), number)

    def item(self, item: str, span: Span, here: Callable[[str], BadInput]) -> str:
        """`B-location/f1.2`: the token begins the piece f1.2; `/1` behind it for its second stretch. Gives its key."""
        state, _, rest = item.partition("-")
        label, _, written = rest.partition("/")
        key, _, stretch = written.partition("/")
        if state not in ("B", "I") or not key or not (stretch or "0").isdecimal() or len(stretch) > 6:
            raise here(f"{clip(item)} is not written like B-finding/f1.")
        key, at = unquote(key), int(stretch or 0)
        self.labels[key] = label
        stretches = self.spans.setdefault(key, {})
        if (state == "B") == (at in stretches):
            raise here(f"{clip(item)} must come after one B- and before the next.")
        stretches[at] = Span(stretches[at].start if state == "I" else span.start, span.end)
        return key

    def report(self) -> AnnotatedReport:
        """Its marks in the order of their comments, then those somebody added; details by their number."""
        known = {key: n for n, key in enumerate(self.about)}
        keys = sorted(self.spans, key=lambda key: (known.get(key, len(known)), by_number(key)))
        pieces = list(map(self.piece, keys))
        owners = [Link(HAS, p.key.rpartition(".")[0], p.key) for p in pieces if p.label != FINDING]
        marks = put_together(self.head.text, pieces, [*owners, *self.links], self.wrong)
        return self.head.report(self.line, self.head.text, marks)

    def piece(self, key: str) -> Piece:
        about = self.about.get(key, MarkComment(key))
        rides = about.carried and replace(about.carried, id=None)  # the comment's key is the id
        spans = tuple(span for _, span in sorted(self.spans[key].items()))
        return Piece(key, self.labels[key], spans, about.facts, rides)


def by_number(key: str) -> tuple[str, int]:
    owner, _, number = key.rpartition(".")
    return (owner, int(number)) if number.isdecimal() and len(number) < 9 else (key, 0)


def plain_documents(path: Path, lines: list[str]) -> Iterator[AnnotatedReport]:
    """Documents of a plain token–tag file: tokens joined by spaces, sentences by line ends."""
    documents: list[list[tuple[int, str, str]]] = [[]]
    for number, line in enumerate(lines, 1):
        cells = line.split()
        if cells and cells[0] == DOCUMENT:
            documents.append([])
        elif cells and not line.startswith("# "):
            if len(cells) < 2:
                raise bad(path, f"line {number}", "a token needs its tag behind it.")
            documents[-1].append((number, cells[0], cells[-1]))
        elif not cells and documents[-1] and documents[-1][-1][1]:
            documents[-1].append((number, "", ""))
    for number, rows in enumerate(filter(None, documents), 1):
        yield other(path, str(number), rows)


def other(path: Path, id: str, rows: list[tuple[int, str, str]]) -> AnnotatedReport:
    text, open_label = "", ""
    pieces: list[Piece] = []
    lines: dict[str, int] = {}
    for number, form, tag in rows:
        if not form:
            text, open_label = text.rstrip(" ") + "\n", ""
            continue
        span = Span(len(text), len(text) + len(form))
        text += form + " "
        state, _, label = tag.partition("-")
        if state not in ("B", "I", "O", "E", "S") or (state != "O" and not label):
            told = f"the tag {clip(tag)} is not written like B-finding, I-finding or O."
            raise bad(path, f"line {number}", told)
        if state in ("I", "E") and label == open_label:
            pieces[-1] = replace(pieces[-1], spans=(Span(pieces[-1].spans[0].start, span.end),))
        elif state != "O":
            pieces.append(Piece(f"f{len(pieces) + 1}", label.lower(), (span,)))
            lines[pieces[-1].key] = number
        open_label = "" if state == "O" else label

    def wrong(key: str, problem: str) -> BadInput:
        return bad(path, f"line {lines[key]}", f"{problem}.")

    text = text.rstrip()
    return AnnotatedReport(id, text, marks=put_together(text, pieces, [], wrong))


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    with opened_whole(output) as file:
        file.write(f"{HEADER}\n".encode())
        for report in reports:
            file.writelines(f"{line}\n".encode() for line in report_lines(report))


def report_lines(report: AnnotatedReport) -> Iterator[str]:
    """One report, its comments first."""
    pieces, links = taken_apart(report.text, report.marks or ())
    comments: list[tuple[str, object]] = [
        ("report", {"id": report.id, "text": report.text, **report.about()})
    ]
    comments += [("mark", MarkComment(piece.key, piece.facts, piece.rides)) for piece in pieces]
    comments += [("link", (one.label, one.start, one.end)) for one in links if one.label != HAS]
    for name, value in comments:
        yield f"# {name} = {msgspec.json.encode(value).decode()}"
    said = {mark.id: assertion(mark) for mark in report.marks or ()}
    yield from token_lines(report.text, pieces, said)
    yield ""


def token_lines(text: str, pieces: list[Piece], said: Mapping[str, str]) -> Iterator[str]:
    """TAG and STATUS are those of a finding before those of a detail where a token is both."""
    ends = {sentence.end for _, sentence in sentences(text)}
    stretches = [(span, piece, n) for piece in pieces for n, span in enumerate(piece.spans)]
    for token in tokens(text, (span for span, _, _ in stretches)):
        covering = [
            (f"{'B' if token.start == span.start else 'I'}-{piece.label}", piece, n)
            for span, piece, n in stretches
            if span.contains(token)
        ]
        items = [f"{tag}/{quote(piece.key, SAFE)}" + (f"/{n}" if n else "") for tag, piece, n in covering]
        findings = [one for one in covering if one[1].label == FINDING]
        tag = (findings or covering)[0][0] if covering else "O"
        status = said.get(findings[0][1].key, "_") if findings else "_"
        yield f"{token.of(text)}\t{token.start}\t{token.end}\t{tag}\t{status}\t{'|'.join(items) or '_'}"
        if token.end in ends:
            yield ""
