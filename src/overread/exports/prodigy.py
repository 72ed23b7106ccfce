"""Prodigy JSONL: tasks with tokens, spans and relations, for `ner`, `spans` and `rel` recipes."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from overread.exports.tokens import tokens
from overread.exports.writing import whole_file
from overread.report.span import Span
from overread.sources.annotated import AnnotatedReport
from overread.sources.pieces import Piece, carried, taken_apart


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    with whole_file(output) as part, part.open("wb") as file:
        for report in reports:
            file.write(msgspec.json.encode(task(report)) + b"\n")


def task(report: AnnotatedReport) -> dict[str, Any]:
    """One report as a task."""
    pieces, links = taken_apart(report.text, report.marks or ())
    parts = with_space(report.text, tokens(report.text, (span for piece in pieces for span in piece.spans)))
    first = {piece.key: stretches(piece, parts)[0] for piece in pieces}
    ends = {
        key: {n: one[n] for n in ("start", "end", "token_start", "token_end", "label", "mark")}
        for key, one in first.items()
    }
    return {
        "text": report.text,
        "meta": about(report),
        "tokens": [token(report.text, n, part) for n, part in enumerate(parts)],
        "spans": [one for piece in pieces for one in stretches(piece, parts)],
        "relations": [
            {
                "head": ends[link.start]["token_end"], "child": ends[link.end]["token_end"],
                "head_span": ends[link.start], "child_span": ends[link.end], "label": link.label,
            }
            for link in links
        ],
    }  # fmt: skip


def about(report: AnnotatedReport) -> dict[str, Any]:
    """Who and when."""
    fields = asdict(report)
    return {
        name: fields[name] for name in ("id", "patient", "study", "day", "date") if fields[name] is not None
    }


def with_space(text: str, words: list[Span]) -> list[Span]:
    """The words, and as spaCy has it a token for every white space but one blank after a word: line ends are kept.

    >>> text = "Clear.\\n\\nNo  edema."
    >>> [part.of(text) for part in with_space(text, tokens(text, ()))]
    ['Clear', '.', '\\n\\n', 'No', ' ', 'edema', '.']
    """
    out: list[Span] = []
    for word in [*words, Span(len(text), len(text))]:
        behind = out[-1].end if out else 0
        start = behind + (bool(out) and text[behind : behind + 1] == " ")
        out += [Span(start, word.start)] if start < word.start else []
        out += [word] if word.start < word.end else []
    return out


def token(text: str, number: int, span: Span) -> dict[str, Any]:
    follows = text[span.end : span.end + 1] == " "
    return {"text": span.of(text), "start": span.start, "end": span.end, "id": number, "ws": follows}


def stretches(piece: Piece, parts: list[Span]) -> list[dict[str, Any]]:
    """A piece as one span, or as several under one mark; what rides along goes with the first."""
    out = []
    for span in piece.spans:
        inside = [n for n, part in enumerate(parts) if span.overlaps(part)]
        out.append({
            "start": span.start, "end": span.end, "token_start": inside[0], "token_end": inside[-1],
            "label": piece.label, "mark": piece.key,
        })  # fmt: skip
    out[0] |= {"facts": piece.facts} if piece.facts else {}
    rides = carried(piece)
    out[0] |= {"overread": rides} if rides is not None else {}
    return out
