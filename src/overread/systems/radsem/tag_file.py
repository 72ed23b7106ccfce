"""Tag files: one record a line, or over several lines for editing by hand; read strictly, all or nothing.

Records that the paper's released code wrote are read as they are: `Examined_Area` and `Examined_Type` say where they
come from, and such a record need not list its sentences. What we write, that code reads: `findings` holds pairs by yes
and no, and pairs that are more likely none stand under `perhaps`.

A file with any fault is refused as a whole, and every fault is told with its line and kind: a record that was
mended in silence, or left out, would change the score unseen.
"""

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct, to_builtins
from msgspec.structs import fields, replace

from overread.errors import BadInput, UnknownName
from overread.systems.base import Score
from overread.systems.radsem.published import Constants
from overread.systems.radsem.score import BY_NAME, HALF
from overread.systems.radsem.tags import (
    TAG_SIDES,
    Findings,
    Perhaps,
    Problem,
    ProblemKind,
    Tags,
    keeping,
    problems,
)

NO_FINDINGS = Findings((), ())


class TagFault(Struct, frozen=True):
    """One thing wrong with a tag file."""

    line: int
    """Where the record begins, or where its JSON breaks."""

    kind: ProblemKind
    text: str
    name: str | None = None
    """The record's name, where it can be read."""

    def __str__(self) -> str:
        record = f" ({self.name})" if self.name else ""
        return f"line {self.line}{record}: {self.kind}: {self.text}"


class BadTags(BadInput):
    """A tag file with faults, all of them listed."""

    def __init__(self, path: Path, faults: list[TagFault]) -> None:
        self.faults = faults
        count = f"{len(faults)} fault{'s' if len(faults) > 1 else ''}"
        lines = (f"\n  {path.name}, {fault}" for fault in faults)
        super().__init__(f"{path} has {count}; nothing of it was scored.{''.join(lines)}")


def read_tags(path: Path, listed: bool = True) -> list[Tags]:
    """Every record of a tag file, or an error that lists every fault.

    Without `listed` records may lack `ref_sentences` and `gen_sentences`, as those of the authors do.
    """
    found, faults = examined(path, listed)
    if faults:
        raise BadTags(path, faults)
    return found


def examined(path: Path, listed: bool = True) -> tuple[list[Tags], list[TagFault]]:
    """The sound records of a file, and everything wrong with the others."""
    sound: list[Tags] = []
    faults: list[TagFault] = []
    lines: dict[str, int] = {}
    for line, text in record_blocks(tags_text(path)):
        value, broken = parsed_block(line, text)
        named = value.get("name") if isinstance(value, dict) else None
        name = named if isinstance(named, str) else None
        tags, wrong = (None, list[Problem]()) if broken else converted(value, listed)
        if name is not None and lines.setdefault(name, line) != line:
            wrong.append(Problem("name", f"the record in line {lines[name]} has this name too"))
        faults += [*broken, *(TagFault(line, one.kind, one.text, name) for one in wrong)]
        if tags is not None and not wrong:
            sound.append(tags)
    if not sound and not faults:
        raise BadInput(f"{path} holds no tag record.")
    return sound, faults


def tags_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"Cannot read the tags {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadTags(path, [TagFault(line, "syntax", "not UTF-8; save the file in that encoding")]) from None


def record_blocks(text: str) -> Iterator[tuple[int, str]]:
    """The records of a file, each with its first line: one that is whole, or several up to one that closes it.

    >>> [line for line, _ in record_blocks('{"name": "a"}\\n\\n{\\n "name": "b"\\n}\\n{"name": "c"}')]
    [1, 3, 6]
    """
    held: list[str] = []
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        opens = line.startswith("{")
        if held and opens:
            yield start, "\n".join(held)
            held = []
        if not held and not line.strip():
            continue
        if not held:
            start = number
        held.append(line)
        if line.startswith("}") or (opens and line.rstrip().endswith("}")):
            yield start, "\n".join(held)
            held = []
    if held:
        yield start, "\n".join(held)


def parsed_block(start: int, text: str) -> tuple[Any, list[TagFault]]:
    """The JSON value of a record, or the place where it is none; a field written twice is a fault too."""
    twice: list[str] = []

    def kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        twice.extend(name for name in dict.fromkeys(names) if names.count(name) > 1)
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=kept)
    except ValueError as error:
        line = start + getattr(error, "lineno", 1) - 1
        what = getattr(error, "msg", "unreadable")
        return None, [TagFault(line, "syntax", f"no JSON: {what} at character {getattr(error, 'colno', 1)}")]
    return value, [TagFault(start, "field", f"{name} stands twice in one object") for name in twice]


def converted(value: Any, listed: bool) -> tuple[Tags | None, list[Problem]]:
    """The record behind a JSON value, and what is wrong with it."""
    if isinstance(value, dict) and RELEASED & value.keys():
        value = {field: held for field, held in value.items() if field not in RELEASED}
        listed = False
    if wrong := list(of_struct(value, Tags, "")):
        return None, wrong
    tags = with_perhaps(msgspec.convert(value, Tags))
    if listed and not any(tags.sentences) and tags.findings != NO_FINDINGS:
        unlisted = "ref_sentences and gen_sentences are missing, so that a lost sentence would go unnoticed"
        return tags, [Problem("field", unlisted)]
    return tags, list(problems(tags, listed))


RELEASED = frozenset({"Examined_Area", "Examined_Type", "rewritten_report"})
"""Fields of the released code's records that no score is made from."""


def by_yes_and_no(tags: Tags) -> Tags:
    """The record as files hold it: pairs that are more likely none apart, their sentences unmatched."""
    every = tags.findings.pairs
    doubtful = tuple(Perhaps(n, pair) for n, pair in enumerate(every) if pair.sure < HALF)
    return replace(keeping(tags, [pair for pair in every if pair.sure >= HALF]), perhaps=doubtful)


def with_perhaps(tags: Tags) -> Tags:
    """The record as scores see it: every pair with how sure it is."""
    if not tags.perhaps:
        return tags
    pairs = list(tags.findings.pairs)
    for one in sorted(tags.perhaps, key=lambda one: one.place):
        pairs.insert(one.place, one.pair)
    held = {held for one in tags.perhaps for held in zip(TAG_SIDES, one.pair.sentences, strict=True)}
    loose = tuple(
        u for u in tags.findings.unmatched_sentences if (u.sentence_is_from, u.sentence) not in held
    )
    return replace(tags, findings=Findings(tuple(pairs), loose), perhaps=())


def written(tags: Tags, indent: bool = False) -> bytes:
    """One record as a file holds it: a line, or indented lines for editing by hand."""
    line = msgspec.json.encode(by_yes_and_no(tags))
    return (msgspec.json.format(line, indent=2) if indent else line) + b"\n"


# ---- the shape of a record
QUOTED_LENGTH = 24
"""A wrong label up to this length is quoted; a longer one may be report text."""


def of_struct(value: Any, kind: type[Struct], place: str) -> Iterator[Problem]:
    """What keeps a JSON value from being such a record.

    >>> [p.text for p in of_struct({"name": "7", "finding": {}}, Tags, "")]
    ["no field is called 'finding' (findings?)", 'findings is missing']
    """
    before = f"{place}: " if place else ""
    if not isinstance(value, dict):
        yield Problem("field", f"{place or 'the record'} must be an object in braces")
        return
    known = hints(kind)
    for name in value.keys() - known.keys():
        close = get_close_matches(name, known, n=1)
        meant = f" ({close[0]}?)" if close else ""
        yield Problem("field", f"{before}no field is called {quoted_value(name)}{meant}")
    required = {f.name for f in fields(kind) if f.default is NODEFAULT}
    for name, hint in known.items():
        if name in value:
            yield from of_value(value[name], hint, f"{before}{name}")
        elif name in required:
            yield Problem("field", f"{before}{name} is missing")


def of_value(value: Any, hint: Any, place: str) -> Iterator[Problem]:
    if get_origin(hint) is tuple:
        yield from of_list(value, get_args(hint)[0], place)
    elif isinstance(hint, type) and issubclass(hint, Struct):
        yield from of_struct(value, hint, "" if place == "findings" else place)
    elif hint is str:
        if not isinstance(value, str) or not value.strip():
            yield Problem("field", f"{place} must be a text")
    elif hint is int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            yield Problem("field", f"{place} must be a whole number")
    elif hint is float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            yield Problem("field", f"{place} must be a number between 0 and 1")
    elif value not in allowed_labels(hint):
        yield Problem("label", f"{place} is {quoted_value(value)}; it must be {choice(allowed_labels(hint))}")


def of_list(value: Any, hint: Any, place: str) -> Iterator[Problem]:
    """Every item, named by its number: `pair 2`."""
    if not isinstance(value, list):
        yield Problem("field", f"{place} must be a list")
        return
    one = {"pairs": "pair", "unmatched_sentences": "unmatched sentence"}.get(place, f"{place}, item")
    for number, item in enumerate(value, 1):
        yield from of_value(item, hint, f"{one} {number}")


@cache
def hints(kind: type[Struct]) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def allowed_labels(hint: Any) -> tuple[str | None, ...]:
    """The words a label may be; None where it may be null."""
    if get_origin(hint) in (Union, UnionType):
        return tuple(label for part in get_args(hint) for label in allowed_labels(part))
    return get_args(hint) if get_origin(hint) is Literal else (None,)


def choice(words: tuple[str | None, ...]) -> str:
    """
    >>> choice(("equivalent", "part-whole", None))
    'equivalent, part-whole or null'
    """
    *most, last = ("null" if word is None else word for word in words)
    return f"{', '.join(most)} or {last}" if most else last


def quoted_value(value: Any) -> str:
    if isinstance(value, str):
        return repr(value) if len(value) <= QUOTED_LENGTH else "a longer text"
    return "null" if value is None else f"a {type(value).__name__}"


# ---- the scores of a file
class Scored(Struct, frozen=True):
    """One record under one metric: a line of the scores."""

    id: str
    metric: str
    score: Score

    def line(self) -> dict[str, Any]:
        return {"id": self.id, "metric": self.metric, **to_builtins(self.score)}


def metrics_of(wanted: Sequence[str] | None, alt: bool) -> list[str]:
    names = [part.strip() for one in wanted or () for part in one.split(",") if part.strip()]
    names += ["radsem-alt"] if alt else []
    for name in names:
        if name not in BY_NAME:
            raise UnknownName("metric over tags", name, BY_NAME)
    return list(dict.fromkeys(names)) or ["radsem"]


def scored(
    path: Path, names: Sequence[str], listed: bool, constants: Constants | None = None
) -> list[Scored]:
    """Every record under every metric; the whole file is sound or nothing is scored."""
    return [
        Scored(tags.name, name, BY_NAME[name](tags, constants=constants))
        for tags in read_tags(path, listed)
        for name in names
    ]
