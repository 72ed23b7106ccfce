"""brat standoff: a `.txt` beside an `.ann` for each report; an index and the tool's settings where overread wrote."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from overread.errors import BadInput
from overread.formats.annotated import AnnotatedReport, Mark, Who
from overread.formats.pieces import OFFERED, Carried, Link, Piece, put_together, read_carried, taken_apart
from overread.formats.writing import filled_template, whole_folder
from overread.report.span import Span
from overread.sources.encoding import bad, json_of, numbered, text_of

INDEX = "reports.jsonl"
PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}")
OFFSETS = re.compile(r"\d{1,12} \d{1,12}(?:;\d{1,12} \d{1,12})*")


class IndexLine(Who, frozen=True, kw_only=True):
    """A line of the index: which file is which report."""

    file: str


def read(folder: Path) -> Iterator[AnnotatedReport]:
    """A report per text file; where a folder has no index the path below it, without `.txt`, is the id."""
    for entry in entries(folder):
        path = folder / entry.file
        text = text_of(path, None)
        ann = path.with_suffix(".ann")
        marks = Standoff(ann, text).marks() if ann.exists() else None
        yield entry.report(entry.file.removesuffix(".txt"), text, marks)


def entries(folder: Path) -> list[IndexLine]:
    index = folder / INDEX
    if index.exists():
        return [inside(json_of(line, IndexLine, index, f"line {n}"), index, n) for n, line in numbered(index)]
    found = sorted(path for path in folder.rglob("*.ann") if path.with_suffix(".txt").exists())
    lone = next((path for path in sorted(folder.rglob("*.ann")) if path not in found), None)
    if lone is not None:
        raise BadInput(f"{lone} has no text: put {lone.with_suffix('.txt').name} beside it.")
    return [IndexLine(file=path.relative_to(folder).with_suffix(".txt").as_posix()) for path in found]


def inside(entry: IndexLine, index: Path, line: int) -> IndexLine:
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
        ids = {key: one.id for key, one in self.carried.items() if one.id is not None and key in self.lines}
        self.lines |= {id: self.lines[key] for key, id in ids.items()}
        pieces = (
            replace(piece, facts=self.facts.get(key, {}), rides=self.carried.get(key))
            for key, piece in self.pieces.items()
        )
        return put_together(self.text, pieces, self.links, self.wrong)

    def take(self, number: int, line: str) -> None:
        key, _, rest = line.partition("\t")
        take = {"T": self.mark, "R": self.link, "A": self.fact, "M": self.fact, "#": self.note}.get(key[:1])
        if key[:1] in ("N", "*"):  # normalisations and equivalences say nothing we use
            return
        if take is None or not rest:
            told = "not a line of brat standoff that is read here (T, R, A, #)."
            raise bad(self.path, f"line {number}", told)
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
            told = "its words are not those at its offsets in the text."
            raise bad(self.path, f"line {number} ({key})", told)
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


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    """A folder that brat opens as it is."""
    with whole_folder(output) as folder, (folder / INDEX).open("wb") as index:
        settings = filled_template("annotation.conf.j2", OFFERED, escaped=False)
        (folder / "annotation.conf").write_text(settings, encoding="utf-8")
        taken: set[str] = set()
        for number, report in enumerate(reports, 1):
            name = file_name(report.id, number, taken)
            (folder / f"{name}.txt").write_bytes(report.text.encode("utf-8"))
            (folder / f"{name}.ann").write_text(standoff(report), encoding="utf-8", newline="")
            index.write(msgspec.json.encode({"file": f"{name}.txt", **report.about()}) + b"\n")


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
    >>> from overread.formats.annotated import Mark
    >>> print(standoff(AnnotatedReport("1", "No effusion.", marks=(
    ...     Mark("f1", "effusion", (Span(3, 11),), status="negative"),))).split()[:5])
    ['T1', 'finding', '3', '11', 'effusion']
    """
    pieces, links = taken_apart(report.text, report.marks or ())
    keys = {piece.key: f"T{n}" for n, piece in enumerate(pieces, 1)}
    lines: list[str] = []
    for piece in pieces:
        offsets = ";".join(f"{span.start} {span.end}" for span in piece.spans)
        words = " ".join(" ".join(span.of(report.text).split()) for span in piece.spans)
        lines.append(f"{keys[piece.key]}\t{piece.label} {offsets}\t{words}")
    facts = [(name, keys[piece.key], value) for piece in pieces for name, value in piece.facts.items()]
    rides = [(keys[piece.key], piece.rides) for piece in pieces if piece.rides is not None]
    others = {
        "R": [f"{link.label} Arg1:{keys[link.start]} Arg2:{keys[link.end]}" for link in links],
        "A": [f"{name} {key} {value.replace(' ', '_')}" for name, key, value in facts],
        "#": [f"AnnotatorNotes {key}\t{msgspec.json.encode(one).decode()}" for key, one in rides],
    }
    lines += [f"{mark}{n}\t{told}" for mark, every in others.items() for n, told in enumerate(every, 1)]
    return "".join(f"{line}\n" for line in lines)
