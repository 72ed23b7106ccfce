"""Tag files: one record a line, or over several lines for editing by hand; read strictly, all or nothing.

Records that the paper's released code wrote are read as they are: `Examined_Area` and `Examined_Type` say where they
come from, and such a record need not list its sentences. What we write, that code reads: `findings` holds pairs by yes
and no, and pairs that are more likely none stand under `perhaps`.

A file with any fault is refused as a whole, and every fault is told with its line and kind: a record that was
mended in silence, or left out, would change the score unseen.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.systems.radsem.score import HALF, lost
from overread.systems.radsem.tag_shape import shape_problems
from overread.systems.radsem.tags import Findings, Kind, Perhaps, Problem, Tags, problems

NOTHING = Findings((), ())


class Fault(Struct, frozen=True):
    """One thing wrong with a tag file."""

    line: int
    """Where the record begins, or where its JSON breaks."""

    kind: Kind
    text: str
    name: str | None = None
    """The record's name, where it can be read."""

    def __str__(self) -> str:
        record = f" ({self.name})" if self.name else ""
        return f"line {self.line}{record}: {self.kind}: {self.text}"


class BadTags(BadInput):
    """A tag file with faults, all of them listed."""

    def __init__(self, path: Path, faults: list[Fault]) -> None:
        self.faults = faults
        count = f"{len(faults)} fault{'s' if len(faults) > 1 else ''}"
        lines = (f"\n  {path.name}, {fault}" for fault in faults)
        super().__init__(f"{path} has {count}; nothing of it was scored.{''.join(lines)}")


class Block(NamedTuple):
    """The text of one record and the line it begins in."""

    line: int
    text: str


def read_tags(path: Path, listed: bool = True) -> list[Tags]:
    """Every record of a tag file, or an error that lists every fault.

    Without `listed` records may lack `ref_sentences` and `gen_sentences`, as those of the authors do.
    """
    found, faults = examined(path, listed)
    if faults:
        raise BadTags(path, faults)
    return found


def examined(path: Path, listed: bool = True) -> tuple[list[Tags], list[Fault]]:
    """The sound records of a file, and everything wrong with the others."""
    sound: list[Tags] = []
    faults: list[Fault] = []
    lines: dict[str, int] = {}
    for block in blocks(text_of(path)):
        value, wrong = parsed(block)
        name = value.get("name") if isinstance(value, dict) else None
        told = name if isinstance(name, str) else None
        tags = None
        if not wrong:
            tags, wrong = converted(block, value, listed, told)
        if told is not None and lines.setdefault(told, block.line) != block.line:
            wrong.append(
                Fault(block.line, "name", f"the record in line {lines[told]} has this name too", told)
            )
        faults += wrong
        if tags is not None and not wrong:
            sound.append(tags)
    if not sound and not faults:
        raise BadInput(f"{path} holds no tag record.")
    return sound, faults


def text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"Cannot read the tags {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadTags(path, [Fault(line, "syntax", "not UTF-8; save the file in that encoding")]) from None


def blocks(text: str) -> Iterator[Block]:
    """The records of a file: a line that is whole by itself, or lines up to one that closes what was opened.

    >>> [b.line for b in blocks('{"name": "a"}\\n\\n{\\n "name": "b"\\n}\\n{"name": "c"}')]
    [1, 3, 6]
    """
    held: list[str] = []
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        opens = line.startswith("{")
        if held and opens:
            yield Block(start, "\n".join(held))
            held = []
        if not held and not line.strip():
            continue
        if not held:
            start = number
        held.append(line)
        if line.startswith("}") or (opens and line.rstrip().endswith("}")):
            yield Block(start, "\n".join(held))
            held = []
    if held:
        yield Block(start, "\n".join(held))


def parsed(block: Block) -> tuple[Any, list[Fault]]:
    """The JSON value of a block, or the place where it is none; a field written twice is a fault too."""
    twice: list[str] = []

    def kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        twice.extend(name for name in dict.fromkeys(names) if names.count(name) > 1)
        return dict(pairs)

    try:
        value = json.loads(block.text, object_pairs_hook=kept)
    except ValueError as error:
        line = block.line + getattr(error, "lineno", 1) - 1
        what = getattr(error, "msg", "unreadable")
        return None, [Fault(line, "syntax", f"no JSON: {what} at character {getattr(error, 'colno', 1)}")]
    return value, [Fault(block.line, "field", f"{name} stands twice in one object") for name in twice]


def converted(block: Block, value: Any, listed: bool, name: str | None) -> tuple[Tags | None, list[Fault]]:
    """The record behind a JSON value, or what is wrong with it."""
    if isinstance(value, dict) and RELEASED & value.keys():
        value = {field: held for field, held in value.items() if field not in RELEASED}
        listed = False
    wrong = list(shape_problems(value))
    if wrong:
        return None, faults_of(block, wrong, name)
    tags = with_perhaps(msgspec.convert(value, Tags))
    if listed and not (tags.ref_sentences or tags.gen_sentences) and tags.findings != NOTHING:
        unlisted = "ref_sentences and gen_sentences are missing, so that a lost sentence would go unnoticed"
        return tags, [Fault(block.line, "field", unlisted, name)]
    return tags, faults_of(block, problems(tags, listed), name)


RELEASED = frozenset({"Examined_Area", "Examined_Type", "rewritten_report"})
"""Fields of the released code's records that no score is made from."""


def by_yes_and_no(tags: Tags) -> Tags:
    """The record as files hold it: pairs that are more likely none apart, their sentences unmatched."""
    every = tags.findings.pairs
    doubtful = tuple(Perhaps(n, pair) for n, pair in enumerate(every) if pair.sure < HALF)
    if not doubtful:
        return tags
    kept = tuple(pair for pair in every if pair.sure >= HALF)
    loose = lost([(pair, 0) for pair in every], [(pair, 0, 0) for pair in kept])
    return replace(
        tags, findings=Findings(kept, (*tags.findings.unmatched_sentences, *loose)), perhaps=doubtful
    )


def with_perhaps(tags: Tags) -> Tags:
    """The record as scores see it: every pair with how sure it is."""
    if not tags.perhaps:
        return tags
    pairs = list(tags.findings.pairs)
    for one in sorted(tags.perhaps, key=lambda one: one.place):
        pairs.insert(one.place, one.pair)
    doubtful = [one.pair for one in tags.perhaps]
    held = {("Ref", p.ref_sentence) for p in doubtful} | {("Gen", p.gen_sentence) for p in doubtful}
    loose = tuple(
        u for u in tags.findings.unmatched_sentences if (u.sentence_is_from, u.sentence) not in held
    )
    return replace(tags, findings=Findings(tuple(pairs), loose), perhaps=())


def faults_of(block: Block, found: Iterable[Problem], name: str | None) -> list[Fault]:
    return [Fault(block.line, problem.kind, problem.text, name) for problem in found]


def written(tags: Tags, indent: bool = False) -> bytes:
    """One record as a file holds it: a line, or indented lines for editing by hand."""
    line = msgspec.json.encode(by_yes_and_no(tags))
    return (msgspec.json.format(line, indent=2) if indent else line) + b"\n"


def write_tags(path: Path, tags: Iterable[Tags], indent: bool = False) -> None:
    """A tag file of all records."""
    path.write_bytes(b"".join(written(one, indent) for one in tags))
