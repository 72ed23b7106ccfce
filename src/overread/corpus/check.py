"""Is a corpus sound? Each file by itself, then reports and sentences that stand twice."""

import re
from collections.abc import Iterable
from pathlib import Path

from overread.corpus.notation import parse_file
from overread.corpus.records import Annotated, Complaint
from overread.errors import BadInput

LONG = 8
"""Words from which a sentence may stand once only; shorter ones are everybody's stock phrases."""
ALIKE = 0.6
"""Share of a report's sentences that also stand in another one from which the two are near-duplicates."""


def folded(sentence: str) -> str:
    """A sentence as it is compared: letters alone, numbers alike.

    >>> folded("1. Nodule of 8 mm,  unchanged.")
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
    found = {folded(one) for one in re.split(r"(?<=[.?!;:])\s+|\n+", text)}
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
    first: dict[str, str] = {}
    found = []
    for file, report in reports:
        if first.setdefault(report.id, file) != file:
            found.append(
                Complaint(file, report.line, f"the report id {report.id} also stands in {first[report.id]}")
            )
    return found


def sentences_twice(reports: list[tuple[str, Annotated]], foreign: frozenset[str]) -> list[Complaint]:
    """Long sentences that stand elsewhere in the corpus or in a text that is not ours."""
    first: dict[str, str] = {}
    found = []
    for file, report in reports:
        for sentence in report.sentences:
            key = folded(sentence.text)
            if not sentence.section or len(key.split()) < LONG:
                continue
            if key in foreign:
                found.append(
                    Complaint(file, sentence.line, "this sentence stands in a text that is not ours")
                )
            elif key in first:
                found.append(
                    Complaint(file, sentence.line, f"this sentence also stands in report {first[key]}")
                )
            first.setdefault(key, report.id)
    return found


def reports_alike(reports: list[tuple[str, Annotated]]) -> list[Complaint]:
    """Reports most of whose sentences stand in one other report, stock phrases included."""
    holders: dict[str, list[str]] = {}
    found = []
    for file, report in reports:
        told = (one for one in report.sentences if one.section in ("findings", "impression"))
        keys = {folded(sentence.text) for sentence in told}
        shared: dict[str, int] = {}
        for key in keys:
            for other in holders.get(key, [])[:200]:
                shared[other] = shared.get(other, 0) + 1
            holders.setdefault(key, []).append(report.id)
        close = [other for other, count in shared.items() if len(keys) >= 3 and count > ALIKE * len(keys)]
        if close:
            found.append(Complaint(file, report.line, f"nearly the same report as {close[0]}"))
    return found
