"""Where the notation files are, which split each belongs to, and whether they are sound together."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from overread.corpus.notation import parse_file
from overread.corpus.records import Annotated, Complaint
from overread.errors import BadInput

T = TypeVar("T")


SPLITS = ("train", "dev", "test")
OTHERS = (".rank", ".layers")
"""Endings of rankings and of layers, which are no notation of reports."""
BLIND = "blind"
"""The folder with the annotations that test was adjudicated from: compared with each other, never built."""


def notation_files(paths: Iterable[Path]) -> list[Path]:
    """The files named, and those in the folders named, in order."""
    found = [file for path in paths if path.suffix not in OTHERS for file in files_below(path)]
    return list(dict.fromkeys(found))


def files_below(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise BadInput(
            f"{path} is not there. Name notation files, or a folder that holds them (as corpus/ does)."
        )
    below = [file for file in sorted(path.rglob("*.txt")) if BLIND not in file.relative_to(path).parts]
    if not below and not any(files_beside([path], ending) for ending in OTHERS):
        raise BadInput(f"{path} holds no notation files (*.txt).")
    yield from below


def files_beside(paths: Iterable[Path], ending: str) -> list[Path]:
    """Files with another ending (`.rank`, `.layers`) among those named and in the folders named."""
    found = [sorted(path.rglob(f"*{ending}")) if path.is_dir() else [path] for path in paths]
    return list(dict.fromkeys(file for some in found for file in some if file.suffix == ending))


def split_of(file: Path) -> str:
    """The split whose folder a file lies in; train where it lies in none.

    >>> split_of(Path("corpus/dev/seed-a.txt")), split_of(Path("mine.txt"))
    ('dev', 'train')
    """
    return next((part for part in reversed(file.parent.parts) if part in SPLITS), "train")


def load_annotated(files: Iterable[Path]) -> Iterator[tuple[str, Annotated]]:
    """Every report with its split; a file with complaints is refused."""
    for file in files:
        yield from ((split_of(file), report) for report in sound(file, *parse_file(file)))


def blocks(
    path: Path, taken: Callable[[Any, str, int], Iterable[str]], unsound: Callable[[Any], Iterable[str]]
) -> tuple[list[Any], list[Complaint]]:
    """What stands in a file of blocks (rankings, layers), each begun by a line `# id`, and what is wrong with it.

    `taken` adds a line to what was read, `unsound` looks at a whole block; each yields what is wrong.
    """
    found: list[Any] = []
    lines = path.read_text("utf-8").splitlines()
    wrong = [(n, problem) for n, line in enumerate(lines, 1) for problem in taken(found, line.rstrip(), n)]
    wrong += [(one.line, problem) for one in found for problem in unsound(one)]
    return found, [Complaint(path.name, number, problem) for number, problem in wrong]


def sound(file: Path, read: list[T], complaints: list[Complaint]) -> list[T]:
    """What was read of a file, if nothing is wrong with it."""
    if complaints:
        more = f" and {len(complaints) - 1} more complaints" if len(complaints) > 1 else ""
        raise BadInput(f"{complaints[0]}{more}. Run `overread corpus check {file}` and correct them first.")
    return read


LONG = 8
"""Words from which a sentence may stand once only; shorter ones are everybody's stock phrases."""
NEAR_DUPLICATE = 0.6
"""Share of a report's sentences that also stand in another one from which the two are near-duplicates."""


def folded_sentence(sentence: str) -> str:
    """A sentence as it is compared: letters alone, numbers alike.

    >>> folded_sentence("1. Nodule of 8 mm,  unchanged.")
    'nodule of 0 mm unchanged'
    """
    plain = re.sub(r"^\s*\d+[.)]\s*", "", sentence.lower())
    return " ".join(re.sub(r"\d+(?:[.,]\d+)?", "0", re.sub(r"[^\w\s]", " ", plain)).split())


def folded_sentences(path: Path) -> set[str]:
    """The long sentences of a text, as they are compared."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"Cannot read {path} as UTF-8 text: {error}.") from None
    found = {folded_sentence(one) for one in re.split(r"(?<=[.?!;:])\s+|\n+", text)}
    return {one for one in found if len(one.split()) >= LONG}


def check_files(
    files: Iterable[Path], foreign: frozenset[str] = frozenset()
) -> tuple[list[Annotated], list[Complaint]]:
    """All reports and all complaints; `foreign` holds folded sentences of texts that are not ours."""
    reports: list[tuple[str, Annotated]] = []
    complaints: list[Complaint] = []
    named: dict[str, Path] = {}
    for path in files:
        if named.setdefault(path.name, path) != path:
            complaints.append(Complaint(path.name, 1, f"another file has this name: {named[path.name]}"))
        read, wrong = parse_file(path)
        reports += [(path.name, report) for report in read]
        complaints += wrong
    complaints += ids_twice(reports) + sentences_twice(reports, foreign) + reports_alike(reports)
    return [report for _, report in reports], sorted(complaints)


def ids_twice(reports: list[tuple[str, Annotated]]) -> list[Complaint]:
    """Ids that two files use; the parser itself finds those that one file uses twice."""
    first = {report.id: file for file, report in reversed(reports)}
    return [
        Complaint(file, report.line, f"the report id {report.id} also stands in {first[report.id]}")
        for file, report in reports
        if first[report.id] != file
    ]


def sentences_twice(reports: list[tuple[str, Annotated]], foreign: frozenset[str]) -> list[Complaint]:
    """Long sentences that stand elsewhere in the corpus or in a text that is not ours."""
    first: dict[str, str] = {}
    found = []
    for file, report in reports:
        for sentence in report.sentences:
            key = folded_sentence(sentence.text)
            if not sentence.section or len(key.split()) < LONG:
                continue
            if key in foreign:
                found.append(
                    Complaint(file, sentence.line, "this sentence stands in a text that is not ours")
                )
            elif key in first:
                told = f"this sentence also stands in report {first[key]}"
                found.append(Complaint(file, sentence.line, told))
            first.setdefault(key, report.id)
    return found


def reports_alike(reports: list[tuple[str, Annotated]]) -> list[Complaint]:
    """Reports most of whose sentences stand in one other report, stock phrases included."""
    holders: dict[str, list[str]] = {}
    found = []
    for file, report in reports:
        told = (one for one in report.sentences if one.section in ("findings", "impression"))
        keys = {folded_sentence(sentence.text) for sentence in told}
        shared: dict[str, int] = {}
        for key in keys:
            for other in holders.get(key, [])[:200]:
                shared[other] = shared.get(other, 0) + 1
            holders.setdefault(key, []).append(report.id)
        close = [
            other for other, count in shared.items() if len(keys) >= 3 and count > NEAR_DUPLICATE * len(keys)
        ]
        if close:
            found.append(Complaint(file, report.line, f"nearly the same report as {close[0]}"))
    return found
