"""brat standoff: `.txt` and `.ann` for each report, the index, and the tool's own settings."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from overread.exports.writing import whole_folder
from overread.sources.annotated import AnnotatedReport
from overread.sources.brat import INDEX, Entry
from overread.sources.pieces import FACTS, FINDING, HAS, LINKS, RELATIONS, Link, Piece, carried, taken_apart

PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}")


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    """A folder that brat opens as it is."""
    with whole_folder(output) as folder, (folder / INDEX).open("wb") as index:
        (folder / "annotation.conf").write_text(settings(), encoding="utf-8")
        taken: set[str] = set()
        for number, report in enumerate(reports, 1):
            name = file_name(report.id, number, taken)
            (folder / f"{name}.txt").write_bytes(report.text.encode("utf-8"))
            (folder / f"{name}.ann").write_text(standoff(report), encoding="utf-8", newline="")
            entry = Entry(f"{name}.txt", report.id, report.patient, report.study, report.day, report.date)
            index.write(msgspec.json.encode(entry) + b"\n")


def file_name(id: str, number: int, taken: set[str]) -> str:
    """The id where it is a plain name nobody has, else the report's number."""
    name = id if PLAIN_NAME.fullmatch(id) and id.lower() not in taken else f"report-{number}"
    while name.lower() in taken:
        name += "x"
    taken.add(name.lower())
    return name


def standoff(report: AnnotatedReport) -> str:
    """The `.ann` of one report.

    >>> from overread.report.span import Span
    >>> from overread.sources.annotated import Mark
    >>> print(standoff(AnnotatedReport("1", "No effusion.", marks=(
    ...     Mark("f1", "effusion", (Span(3, 11),), status="negative"),))).split()[:5])
    ['T1', 'finding', '3', '11', 'effusion']
    """
    pieces, links = taken_apart(report.text, report.marks or ())
    keys = {piece.key: f"T{n}" for n, piece in enumerate(pieces, 1)}
    lines = [
        *(mark_line(report.text, piece, keys[piece.key]) for piece in pieces),
        *link_lines(links, keys),
        *fact_lines(pieces, keys),
        *note_lines(pieces, keys),
    ]
    return "".join(f"{line}\n" for line in lines)


def mark_line(text: str, piece: Piece, key: str) -> str:
    offsets = ";".join(f"{span.start} {span.end}" for span in piece.spans)
    words = " ".join(" ".join(span.of(text).split()) for span in piece.spans)
    return f"{key}\t{piece.label} {offsets}\t{words}"


def link_lines(links: Sequence[Link], keys: dict[str, str]) -> Iterator[str]:
    for number, link in enumerate(links, 1):
        yield f"R{number}\t{link.label} Arg1:{keys[link.start]} Arg2:{keys[link.end]}"


def fact_lines(pieces: Sequence[Piece], keys: dict[str, str]) -> Iterator[str]:
    facts = [(name, keys[piece.key], value) for piece in pieces for name, value in piece.facts.items()]
    for number, (name, key, value) in enumerate(facts, 1):
        yield f"A{number}\t{name} {key} {value.replace(' ', '_')}"


def note_lines(pieces: Sequence[Piece], keys: dict[str, str]) -> Iterator[str]:
    rides = [(keys[piece.key], one) for piece in pieces if (one := carried(piece)) is not None]
    for number, (key, one) in enumerate(rides, 1):
        yield f"#{number}\tAnnotatorNotes {key}\t{msgspec.json.encode(one).decode()}"


def settings() -> str:
    """`annotation.conf`: the labels, arrows and choices brat offers."""
    details = "|".join(RELATIONS)
    relations = [f"{HAS}\tArg1:{FINDING}, Arg2:{details}"]
    relations += [f"{link}\tArg1:{FINDING}, Arg2:{FINDING}" for link in LINKS]
    relations += [
        "<OVERLAP>\tArg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>"
    ]  # two findings may share their words
    facts = [
        f"{name}\tArg:{FINDING}, Value:{'|'.join(v.replace(' ', '_') for v in values)}"
        for name, values in FACTS.items()
    ]
    parts = {"entities": [FINDING, *RELATIONS], "relations": relations, "events": [], "attributes": facts}
    return "".join(
        f"[{part}]\n{''.join(line + chr(10) for line in lines)}\n" for part, lines in parts.items()
    )
