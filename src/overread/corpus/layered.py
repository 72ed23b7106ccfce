"""How far overread's views of chest films agree with layers that were written by hand: counts for each view."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import convert

from overread.corpus.agree import added_up
from overread.corpus.build import line_of
from overread.corpus.files import files_beside, load, notation_files
from overread.corpus.layers import gold
from overread.reader import Reading, read
from overread.report import parse
from overread.report.span import Span
from overread.stats.agreement import Counts, counts_of_sets
from overread.systems.clear.by_rules import view as clear
from overread.systems.longitudinal.by_rules import view as changes
from overread.systems.radsem.by_rules import view as radsem
from overread.systems.srrg.by_rules import view as srrg
from overread.systems.srrg.labels import NO_FINDING, PARENTS
from overread.validation import sentences
from overread.validation.longitudinal import agreement as longitudinal
from overread.validation.srrg import template

Gold = Mapping[str, Any]
"""A line of `layers.jsonl`."""

MEASURES = {
    "atoms": "RadSEM: atomic sentences, words and normality",
    "conditions present": "CLEAR: conditions that are present",
    "conditions absent": "CLEAR: conditions that are absent",
    "labels": "SRRG: labels of a sentence",
    "labels with statuses": "SRRG: labels with their statuses",
    "headers": "SRRG: headers of the template that have a bullet",
    "comparing sentences": "longitudinal: sentences that compare",
    "disease and progression": "longitudinal: disease and progression",
}


def beside(path: Path) -> list[dict[str, Any]]:
    """The layers that stand beside these reports."""
    reports = list(load(notation_files([path])))
    return gold(files_beside([path], ".layers"), [r for _, r in reports], [line_of(*one) for one in reports])


def compared(written: Iterable[Gold]) -> dict[str, Counts]:
    """Every measure, over all reports."""
    return added_up(MEASURES, (pair for one in written for pair in counts_of_report(one)))


def counts_of_report(one: Gold) -> Iterator[tuple[str, Counts]]:
    reading = read(parse(one["text"], one["id"]))
    written = convert(one["atoms"], list[sentences.AtomicSentence])
    ours = [sentences.AtomicSentence(a.text, a.normality) for a in radsem(reading).atoms]
    yield "atoms", sum(sentences.compare(written, ours).classes.values(), Counts())
    for name, presence in (("present", "positive"), ("absent", "negative")):
        truth = {c for c, cell in one["clear"].items() if cell["presence"] == presence}
        found = {c for c, cell in clear(reading).conditions.items() if cell.presence == presence}
        yield f"conditions {name}", counts_of_sets(truth, found)
    yield from of_labels(one, reading)
    bullets = srrg(reading).structured.findings
    yield (
        "headers",
        sum((h.counts for h in template.compare(one["structured"]["findings"], bullets).values()), Counts()),
    )
    yield from of_changes(one, reading)


ByOwner = dict[int | None, set[tuple[str, str]]]
"""What was found, by the sentence it is owned by."""


def by_owner(given: Gold, told: Iterable[tuple[Any, Iterable[tuple[str, str]]]]) -> ByOwner:
    """What parts of the text say, by the written sentence that each lies in."""
    spans = sentence_spans(given)
    found: ByOwner = {}
    for part, said in told:
        found.setdefault(longitudinal.owner(spans, part.start, part.end), set()).update(said)
    return found


def of_labels(given: Gold, reading: Reading) -> Iterator[tuple[str, Counts]]:
    utterances = srrg(reading).utterances
    found = by_owner(given, ((u, ((one.label, one.status or "") for one in u.labels)) for u in utterances))
    for one in given["srr"]:
        truth = leaves((name["label"], name.get("status", "")) for name in one["labels"])
        ours = leaves(found.get(one["i"], ()))
        yield "labels with statuses", counts_of_sets(truth, ours)
        yield "labels", counts_of_sets({label for label, _ in truth}, {label for label, _ in ours})


def leaves(labels: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    return {one for one in labels if one[0] not in (*PARENTS, NO_FINDING)}


def of_changes(given: Gold, reading: Reading) -> Iterator[tuple[str, Counts]]:
    comparing = (sentence for sentence in changes(reading).sentences if sentence.longitudinal)
    found = by_owner(given, ((one, longitudinal.tracked(one.items)) for one in comparing))
    for one in given["longitudinal"]:
        items = longitudinal.tracked(convert(one["items"], list[longitudinal.GoldItem]))
        ours = {0} if one["i"] in found else set()
        yield "comparing sentences", counts_of_sets({0} if one["longitudinal"] else set(), ours)
        yield "disease and progression", counts_of_sets(items, found.get(one["i"], set()))


def sentence_spans(given: Gold) -> Sequence[Span]:
    """Where each sentence stands in the text, in order."""
    spans, start = [], 0
    for one in given["sentences"]:
        start = given["text"].index(one["text"], start)
        spans.append(Span(start, start + len(one["text"])))
        start = spans[-1].end
    return spans
