"""CoNLL: a token a line with its tag, blank lines between sentences, comments for what tags cannot hold."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from overread.exports.assertion import assertion
from overread.exports.tokens import tokens
from overread.exports.writing import whole_file
from overread.report.span import Span
from overread.sources.annotated import AnnotatedReport, sentences
from overread.sources.conll import HEADER, About, Head, escaped
from overread.sources.pieces import FINDING, HAS, Piece, carried, taken_apart


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    with whole_file(output) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{HEADER}\n")
        for report in reports:
            file.writelines(f"{line}\n" for line in lines(report))


def lines(report: AnnotatedReport) -> Iterator[str]:
    """One report, its comments first."""
    pieces, links = taken_apart(report.text, report.marks or ())
    head = Head(report.id, report.text, report.patient, report.study, report.day, report.date)
    yield f"# report = {json(head)}"
    for piece in pieces:
        yield f"# mark = {json(About(piece.key, piece.facts, carried(piece)))}"
    for link in links:
        if link.label != HAS:
            yield f"# link = {json((link.label, link.start, link.end))}"
    said = {mark.id: assertion(mark) for mark in report.marks or ()}
    yield from token_lines(report.text, pieces, said)
    yield ""


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def token_lines(text: str, pieces: list[Piece], said: Mapping[str, str]) -> Iterator[str]:
    ends = {sentence.end for _, sentence in sentences(text)}
    stretches = [(span, piece, n) for piece in pieces for n, span in enumerate(piece.spans)]
    for token in tokens(text, (span for span, _, _ in stretches)):
        covering = [(span, piece, n) for span, piece, n in stretches if span.contains(token)]
        items = [item(token, span, piece, n) for span, piece, n in covering]
        yield "\t".join(
            [
                token.of(text),
                str(token.start),
                str(token.end),
                *cells(token, covering, said),
                "|".join(items) or "_",
            ]
        )
        if token.end in ends:
            yield ""


def item(token: Span, span: Span, piece: Piece, stretch: int) -> str:
    written = f"{state(token, span)}-{piece.label}/{escaped(piece.key)}"
    return f"{written}/{stretch}" if stretch else written


def cells(token: Span, covering: list[tuple[Span, Piece, int]], said: Mapping[str, str]) -> tuple[str, str]:
    """TAG and STATUS: a finding before a detail where a token is both."""
    if not covering:
        return "O", "_"
    span, piece, _ = next((one for one in covering if one[1].label == FINDING), covering[0])
    return f"{state(token, span)}-{piece.label}", said.get(piece.key, "_") if piece.label == FINDING else "_"


def state(token: Span, span: Span) -> str:
    return "B" if token.start == span.start else "I"
