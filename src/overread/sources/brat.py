"""brat standoff: a `.txt` beside an `.ann` for each report, and `reports.jsonl` where overread wrote the folder."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.report.span import Span
from overread.sources.annotated import AnnotatedReport, Mark
from overread.sources.damage import bad, json_of
from overread.sources.encoding import text_of
from overread.sources.pieces import Carried, Link, Piece, named, put_together, read_carried

LAYOUT = "brat folder"
INDEX = "reports.jsonl"
OFFSETS = re.compile(r"\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*")


class Entry(Struct, frozen=True, omit_defaults=True):
    """A line of the index: which file is which report."""

    file: str
    id: str
    patient: str | None = None
    study: str | None = None
    day: float | None = None
    date: str | None = None


def is_folder(path: Path) -> bool:
    return path.is_dir() and next(path.rglob("*.ann"), None) is not None


def reports(folder: Path) -> Iterator[AnnotatedReport]:
    """A report per text file; where a folder has no index the path below it, without `.txt`, is the id."""
    for entry in entries(folder):
        path = folder / entry.file
        text = text_of(path, None)
        ann = path.with_suffix(".ann")
        marks = Standoff(ann, text).marks() if ann.exists() else None
        yield AnnotatedReport(entry.id, text, entry.patient, entry.study, entry.day, entry.date, marks)


def entries(folder: Path) -> list[Entry]:
    index = folder / INDEX
    if index.exists():
        lines = enumerate(text_of(index, None).split("\n"), 1)
        return [
            inside(json_of(line, Entry, index, f"line {n}"), index, n) for n, line in lines if line.strip()
        ]
    found = sorted(path for path in folder.rglob("*.ann") if path.with_suffix(".txt").exists())
    lone = next((path for path in sorted(folder.rglob("*.ann")) if path not in found), None)
    if lone is not None:
        raise BadInput(f"{lone} has no text: put {lone.with_suffix('.txt').name} beside it.")
    names = [path.relative_to(folder).with_suffix("") for path in found]
    return [Entry(f"{name.as_posix()}.txt", name.as_posix()) for name in names]


def inside(entry: Entry, index: Path, line: int) -> Entry:
    """An entry whose file lies in the folder."""
    if Path(entry.file).is_absolute() or ".." in Path(entry.file).parts or not entry.file.endswith(".txt"):
        raise bad(index, f"line {line}", "its file must be a .txt inside this folder.")
    return entry


class Standoff:
    """The lines of one `.ann` file."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.lines: dict[str, int] = {}
        self.pieces: dict[str, Piece] = {}
        self.links: list[Link] = []
        self.facts: dict[str, dict[str, str]] = {}
        self.carried: dict[str, Carried] = {}

    def wrong(self, key: str, problem: str) -> BadInput:
        line = self.lines.get(key)
        return bad(self.path, f"line {line} ({key})" if line else key, f"{problem}.")

    def marks(self) -> tuple[Mark, ...]:
        """The findings of the file."""
        for number, line in enumerate(text_of(self.path, None).split("\n"), 1):
            if line.strip():
                self.take(number, line.removesuffix("\r"))
        whole = [self.whole(piece) for piece in self.pieces.values()]
        ids = {key: one.id for key, one in self.carried.items() if one.id is not None}
        pieces, links = named(whole, self.links, ids)
        self.lines |= {ids[key]: line for key, line in self.lines.items() if key in ids}
        return put_together(self.text, pieces, links, self.wrong)

    def whole(self, piece: Piece) -> Piece:
        rides = self.carried.get(piece.key, Carried())
        facts = self.facts.get(piece.key, {})
        return Piece(piece.key, piece.label, piece.spans, rides.wording, facts, rides.note)

    def take(self, number: int, line: str) -> None:
        key, _, rest = line.partition("\t")
        take = {"T": self.mark, "R": self.link, "A": self.fact, "M": self.fact, "#": self.note}.get(key[:1])
        if key[:1] in ("N", "*"):  # normalisations and equivalences say nothing we use
            return
        if take is None or not rest:
            raise bad(
                self.path, f"line {number}", "not a line of brat standoff that is read here (T, R, A, #)."
            )
        self.lines.setdefault(key, number)
        take(number, key, rest)

    def mark(self, number: int, key: str, rest: str) -> None:
        head, _, quoted = rest.partition("\t")
        label, _, offsets = head.partition(" ")
        if not OFFSETS.fullmatch(offsets):
            raise bad(self.path, f"line {number}", "a mark is written: T1, tab, label start end, tab, words.")
        if key in self.pieces:
            raise bad(self.path, f"line {number}", f"{key} is there twice.")
        spans = tuple(Span(*map(int, one.split(" "))) for one in offsets.split(";"))
        here = " ".join(span.of(self.text) for span in spans)
        if here.split() != quoted.split():
            raise bad(
                self.path, f"line {number} ({key})", "its words are not those at its offsets in the text."
            )
        self.pieces[key] = Piece(key, label.lower(), spans)

    def link(self, number: int, key: str, rest: str) -> None:
        found = re.fullmatch(r"(\S+) Arg1:(\S+) Arg2:(\S+)\s*", rest)
        if not found:
            raise bad(self.path, f"line {number}", "a relation is written: R1, tab, label Arg1:T1 Arg2:T2.")
        self.links.append(Link(found[1].lower(), found[2], found[3]))

    def fact(self, number: int, key: str, rest: str) -> None:
        name, _, target = rest.partition(" ")
        on, _, value = target.partition(" ")
        if name.lower() in ("negated", "negation") and not value:  # the usual binary attribute
            name, value = "status", "negative"
        if not value or on not in self.pieces:
            raise bad(self.path, f"line {number}", "an attribute is written: A1, tab, name T1 value.")
        self.facts.setdefault(on, {})[name.lower()] = value.replace("_", " ")

    def note(self, number: int, key: str, rest: str) -> None:
        head, _, written = rest.partition("\t")
        on = head.rpartition(" ")[2]
        if written.startswith("{"):  # other notes are remarks of people
            self.carried[on] = read_carried(written, f"line {number} ({key})", self.wrong)
